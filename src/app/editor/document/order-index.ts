/** Strings that sort between two others: the order of table rows. Digits and small letters, as in rows that are already there. */

const digits = '0123456789abcdefghijklmnopqrstuvwxyz'

/** A string after `before` and before `after`; `before` must be the smaller. */
export function orderBetween(before: string | undefined, after: string | undefined): string {
  let made = ''
  let isBelow = after === undefined
  for (let at = 0; ; at += 1) {
    const low = before === undefined || at >= before.length ? -1 : Math.max(0, digits.indexOf(before.charAt(at)))
    const high = isBelow || after === undefined || at >= after.length ? digits.length : digits.indexOf(after.charAt(at))
    if (high - low > 1) return made + digits.charAt(Math.max(1, Math.floor((low + high) / 2)))
    const next = Math.max(0, low)
    if (next < high) isBelow = true
    made += digits.charAt(next)
    if (at > 200) return `${made}i`
  }
}
