/** Small laws about text that several rooms must agree on. */

/** The form in which names are compared and searched: compatible characters joined, case gone. */
export const fold = (text: string): string => text.normalize('NFKC').toLowerCase()

/** A pattern for SQL's LIKE … ESCAPE '\' that matches text containing `part` literally. */
export const containsPattern = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`

/** A URL segment made of a title; empty when nothing of it can stand in a URL. */
export const slugify = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100)
    // The cut may have left a hyphen, or half of a surrogate pair.
    .replace(/[-\ud800-\udbff]+$/, '')

/** The first of `name`, `name-1`, `name-2` … that is not taken. */
export function uniqueName(name: string, isTaken: (candidate: string) => boolean): string {
  if (!isTaken(name)) return name
  for (let n = 1; ; n++) if (!isTaken(`${name}-${n}`)) return `${name}-${n}`
}
