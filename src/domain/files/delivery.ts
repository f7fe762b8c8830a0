/**
 * What kinds of files there are for a browser: which it may show in place, which it may only save, and what a name may be.
 *
 * The list of what is shown is short and fixed: pictures, sound, film and plain text run nothing. Everything else is saved
 * to disk, and what a page could load as a script, a style or a document is not even named as such. An SVG keeps its type,
 * or no `<img>` would show it; opened by itself it is saved.
 */

/** Types that run nothing, shown where they are opened. */
const passive = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/x-icon',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
  'audio/mpeg',
  'audio/mp4',
  'audio/x-m4a',
  'audio/aac',
  'audio/ogg',
  'audio/opus',
  'audio/wav',
  'audio/flac',
  'audio/x-flac',
  'text/plain',
])

/** Types that are saved, and keep their name: programs on the reader's machine go by it, and no page can run them. */
const downloadTypes = new Set([
  'image/svg+xml',
  'image/tiff',
  'image/heic',
  'image/heif',
  'application/pdf',
  'application/zip',
  'application/gzip',
  'application/json',
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.presentation',
  'font/woff',
  'font/woff2',
  'font/ttf',
  'font/otf',
  'text/csv',
  'text/markdown',
])

/** How a file of this type goes out. */
export function deliveryOf(type: string): { contentType: string; inline: boolean } {
  const inline = passive.has(type)
  if (!inline && !downloadTypes.has(type)) return { contentType: 'application/octet-stream', inline }
  return { contentType: type.startsWith('text/') ? `${type}; charset=utf-8` : type, inline }
}

/** Types that must show in the bytes: a name or a sender's word is not enough to be shown as a picture or a film. */
export const mustShow = (type: string): boolean =>
  type !== 'image/svg+xml' && (/^(image|audio|video|font)\//.test(type) || type === 'application/pdf')

/** The longest name, in bytes of UTF-8: what file systems take. */
const maxNameBytes = 255

/** A name without folders, without anything a header, a path or an eye could trip over, and not too long. */
export function cleanFileName(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(/^.*[/\\]/s, '')
    // Control characters, quotes, and the marks that make letters run backwards.
    .replace(/[\x00-\x1f\x7f-\x9f"\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .trim()
  if (/^\.{0,2}$/.test(plain)) return 'file'
  const [, stem = '', ending = ''] = /^(.+?)(\.[^.]{1,16})?$/s.exec(plain) ?? []
  return `${cutBytes(stem, maxNameBytes - Buffer.byteLength(ending))}${ending}`
}

/** The longest beginning that has so many bytes at the most and splits no character. */
function cutBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text
  let size = 0
  let beginning = ''
  for (const character of text) {
    size += Buffer.byteLength(character)
    if (size > limit) break
    beginning += character
  }
  return beginning
}
