/**
 * A small hash for keys that depend on content alone: two rounds of 32-bit FNV-1a with different seeds. It is not
 * for secrets; a clash only means that a key gets a number behind it.
 */
export function hashText(value: string): string {
  let one = 0x811c9dc5
  let other = 0x9747b28c
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other ^ code, 0x01000193)
  }
  return mixed(one) + mixed(other)
}

function mixed(hash: number): string {
  let mix = hash ^ (hash >>> 15)
  mix = Math.imul(mix, 0x85ebca6b)
  mix ^= mix >>> 13
  return sevenDigits(mix >>> 0)
}

const pairs = Array.from({ length: 36 ** 2 }, (_, number) => number.toString(36).padStart(2, '0'))
const fourDigits = 36 ** 4

/** To the base of 36. By pairs: `toString` takes four times as long for numbers of more than 31 bits. */
function sevenDigits(number: number): string {
  const high = Math.floor(number / fourDigits)
  const low = number - high * fourDigits
  const [first, third] = [Math.floor(high / 36), high % 36]
  return `${pairs[first]}${pairs[third]?.[1]}${pairs[Math.floor(low / 36 ** 2)]}${pairs[low % 36 ** 2]}`
}
