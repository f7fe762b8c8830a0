/**
 * What travels to an engine: text with numbered tags, which XML, HTML and language models alike leave alone.
 *
 * `<x id="1"/>` stands for something that must come back as it is, `<g id="2">words</g>` for words that carry a mark or
 * a link. Whatever else is in the text is escaped.
 */

export interface Tag {
  id: number
  /** The tag around it; 0 at the top. */
  parent: number
  isEmpty: boolean
}

export type Piece = { text: string } | { id: number; pieces: Piece[] | undefined }

export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export const emptyTag = (id: number): string => `<x id="${id}"/>`
export const openTag = (id: number): string => `<g id="${id}">`
export const closeTag = '</g>'

/** The tags of a text as they must come back, and nothing but them; otherwise a sentence that says what is wrong. */
export function readAnswer(answer: string, tags: readonly Tag[]): Piece[] | { problem: string } {
  const wanted = new Map(tags.map((tag) => [tag.id, tag]))
  const top: Piece[] = []
  const open: { id: number; pieces: Piece[] }[] = [{ id: 0, pieces: top }]
  let rest = 0
  for (const match of answer.matchAll(tagPattern)) {
    const here = open.at(-1)
    if (!here) return problem('closes more than it opens')
    addText(here.pieces, answer.slice(rest, match.index))
    rest = match.index + match[0].length
    const { empty, paired, ends } = match.groups ?? {}
    if (ends !== undefined && ends !== '') {
      // Some engines write an empty tag as a pair.
      if (ends === 'x') continue
      if (open.length === 1) return problem('closes more than it opens')
      open.pop()
      continue
    }
    const id = Number(empty ?? paired)
    const tag = wanted.get(id)
    if (!tag) return problem(`has the tag ${id}, which the text does not have, or has it twice`)
    if (tag.isEmpty !== (empty !== undefined)) return problem(`has another kind of tag ${id}`)
    if (tag.parent !== here.id) return problem(`has the tag ${id} in another place`)
    wanted.delete(id)
    const pieces = tag.isEmpty ? undefined : []
    here.pieces.push({ id, pieces })
    if (pieces) open.push({ id, pieces })
  }
  if (open.length > 1) return problem('leaves a tag open')
  addText(top, answer.slice(rest))
  if (wanted.size > 0) return problem(`lacks ${wanted.size} of ${tags.length} tags`)
  return top
}

const tagPattern =
  /<x\s+id\s*=\s*["']?(?<empty>\d{1,6})["']?\s*\/?>|<g\s+id\s*=\s*["']?(?<paired>\d{1,6})["']?\s*>|<\/\s*(?<ends>[gx])\s*>/gi

const problem = (what: string): { problem: string } => ({ problem: `The answer ${what}.` })

function addText(pieces: Piece[], raw: string): void {
  if (raw !== '') pieces.push({ text: unescapeText(raw) })
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

const unescapeText = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,5}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole
  })
