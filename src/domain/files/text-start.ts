/** The beginning of a file as text, for a look at what it is. */

/** Text in the encoding its first bytes announce; UTF-8 when they announce none. */
export function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return swapped(bytes.subarray(2)).toString('utf16le')
  return bytes.toString('utf8').replace(/^\ufeff/, '')
}

const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16()

/**
 * The first tag of markup, in lower case and without its namespace prefix; `!doctype html` counts as one. Undefined when
 * the text does not begin with markup. Spaces, comments, instructions and other declarations before it are skipped.
 */
export function firstTag(text: string): string | undefined {
  for (let at = 0; ; ) {
    at += /^\s*/.exec(text.slice(at, at + 4096))?.[0].length ?? 0
    if (text[at] !== '<') return undefined
    const rest = text.slice(at, at + 64).toLowerCase()
    if (rest.startsWith('<!doctype html')) return '!doctype html'
    const close = rest.startsWith('<!--')
      ? '-->'
      : rest.startsWith('<?')
        ? '?>'
        : rest.startsWith('<!')
          ? '>'
          : undefined
    if (close === undefined) return /^<(?:[\w-]{1,20}:)?([a-z][\w-]{0,30})(?=[\s/>])/.exec(rest)?.[1]
    // A declaration may hold others in brackets, with tags in their quotes.
    const inner = close === '>' ? text.indexOf('[', at) : -1
    const from = inner >= 0 && inner < text.indexOf('>', at) ? text.indexOf(']', inner) : at
    const end = from < 0 ? -1 : text.indexOf(close, from)
    if (end < 0) return undefined
    at = end + close.length
  }
}
