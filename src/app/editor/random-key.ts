/** Keys nobody has used: 80 random bits. `crypto.randomUUID` does not exist on plain http, where many run this. */

const letters = '0123456789abcdefghijkmnpqrstuvwxyz'

export function randomKey(length = 16): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length))
  return Array.from(bytes, (byte) => letters.charAt(byte % letters.length)).join('')
}
