/** Small laws about text that several rooms must agree on. */

/** The form in which names are compared and searched: compatible characters joined, case gone. */
export const fold = (text: string): string => text.normalize('NFKC').toLowerCase()

/** A pattern for SQL's LIKE … ESCAPE '\' that matches text containing `part` literally. */
export const containsPattern = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`

/** The start of a text, at most so many UTF-16 units of it and never half a character: no database takes such a half. */
export const cutTo = (text: string, longest: number): string =>
  text.length <= longest ? text : text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')

/** A URL segment made of a title; empty when nothing of it can stand in a URL. */
export const slugify = (title: string): string =>
  cutSlug(
    title
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .replace(/['’]/g, '')
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-+|-+$/g, ''),
    100,
  )

/** The start of a slug; the hyphen that a cut may leave goes. */
export const cutSlug = (slug: string, longest: number): string => cutTo(slug, longest).replace(/-+$/, '')

/** The first of `name`, `name-1`, `name-2` … that is not taken. */
export function uniqueName(name: string, isTaken: (candidate: string) => boolean): string {
  if (!isTaken(name)) return name
  for (let n = 1; ; n++) if (!isTaken(`${name}-${n}`)) return `${name}-${n}`
}
