/**
 * A small hash for keys that depend on content alone: two rounds of 32-bit FNV-1a with different seeds. It is not
 * for secrets; a clash only means that a key gets a number behind it.
 */
export function hashText(value: string): string {
  return fnv(value, 0x811c9dc5) + fnv(value, 0x9747b28c)
}

function fnv(value: string, seed: number): string {
  let hash = seed
  for (let at = 0; at < value.length; at += 1) {
    hash ^= value.charCodeAt(at)
    hash = Math.imul(hash, 0x01000193)
  }
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  return (hash >>> 0).toString(36).padStart(7, '0')
}
