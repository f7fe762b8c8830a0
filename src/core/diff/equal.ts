/**
 * Whether two JSON values say the same. The keys of nodes do not count: a key names a node and is no part of what it
 * says. A field that is `undefined` counts as absent.
 */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, at) => same(item, b[at]))
  if (!isRecord(a) || !isRecord(b) || Array.isArray(b)) return false
  const skipsKey = typeof a.object === 'string'
  let count = 0
  for (const name in a) {
    if (a[name] === undefined || (skipsKey && name === 'key')) continue
    if (!same(a[name], b[name])) return false
    count += 1
  }
  for (const name in b) if (b[name] !== undefined && !(skipsKey && name === 'key')) count -= 1
  return count === 0
}

/** The same with the same keys: nothing can tell the two apart. */
export function identical(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, at) => identical(item, b[at]))
  if (!isRecord(a) || !isRecord(b)) return false
  const namesOf = (value: Record<string, unknown>) => Object.keys(value).filter((name) => value[name] !== undefined)
  const names = namesOf(a)
  return names.length === namesOf(b).length && names.every((name) => identical(a[name], b[name]))
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
