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
  return (mix >>> 0).toString(36).padStart(7, '0')
}
