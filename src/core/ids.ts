/** Ids: 20 base-62 characters, time-free, never all digits (a change request's path parameter of digits is its number). */

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const length = 20

/** How many random bytes one attempt at an id may use up. */
export const idBytes = 32

/** Makes an id of random bytes; null when too many bytes had to be thrown away, so that every character stays equally likely. */
export function idFromBytes(bytes: Uint8Array): string | null {
  let id = ''
  for (const byte of bytes) {
    if (byte >= 248) continue // 248 = 4 × 62: a remainder of 256 would favour the first characters.
    id += alphabet[byte % 62]
    if (id.length === length) return /^\d+$/.test(id) ? null : id
  }
  return null
}

export const isId = (text: string): boolean => /^[0-9A-Za-z_-]{1,64}$/.test(text)

/** What things that people name are called in a path. */
export const isSlug = (text: string): boolean => text.length <= 100 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text)
