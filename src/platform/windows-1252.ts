/**
 * Old texts of the web. Some versions of Node leave the bytes from 0x80 to 0x9f as control characters, where the encoding has
 * curly quotes, dashes and the euro sign; five of them have no other meaning.
 */
const above127 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

export const decodeWindows1252 = (bytes: Uint8Array): string =>
  new TextDecoder('windows-1252')
    .decode(bytes)
    .replace(/[\x80-\x9f]/g, (character) => above127.charAt(character.charCodeAt(0) - 0x80))
