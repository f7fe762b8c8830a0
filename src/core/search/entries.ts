/**
 * What the index holds of a page: one entry a section, with the words by which it is found.
 *
 * 1. Every entry carries the page's title, so that a title and a word of any section find the section together. The
 *    first entry stands for the page itself: its description and what comes before the first heading.
 * 2. `words` is the text in order, which phrases need: title, heading, body, with a gap between, which no phrase crosses.
 * 3. `tags` are found by themselves only: other forms of words, and each word again behind a sign that says where it
 *    stands. By these the engines tell the better hits at the cost of a look-up, without reading any entry.
 * 4. An entry fits both engines: at most 16,383 positions, 255 of one word. A longer section is cut into several entries.
 */
import { cutTo } from '../text.ts'
import { foldText } from './fold.ts'
import { clip, formsOf, isUnparted, termsOf, wordsOf } from './words.ts'

export interface PageText {
  title: string
  description?: string | undefined
  /** In document order; the anchor is empty before the first heading. */
  sections: readonly { anchor: string; title: string; body: string }[]
}

export interface Entry {
  anchor: string
  title: string
  body: string
  /** In order; an empty one is a gap. */
  words: string[]
  tags: string[]
}

/** Signs before a word: where it stands. None of them is part of any word. */
export const inTitle = '<'
export const inHeading = '^'
/** Several times in the body. */
export const often = '!'
/** Before the whole title, its words joined: the page is called just this. */
export const wholeTitle = '='

/** How many entries a page can have: their numbers are part of a larger one. */
export const entryLimit = 4096

const bodyLimit = 12_000
const headingLimit = 500
const headingWordLimit = 100
const oftenCount = 3
const wordPositions = 255

/** A stretch of text that fits an entry. */
export interface Piece {
  anchor: string
  title: string
  body: string
}

/** The page in pieces that each fit an entry: first the page itself, then its sections. */
export function piecesOf(page: PageText): Piece[] {
  const [first, ...others] = page.sections
  const intro = first?.anchor === '' ? first : undefined
  const opening = [clean(page.description ?? ''), clean(intro?.body ?? '')].filter((part) => part !== '').join('\n')
  const pieces = cut({ anchor: '', title: '', body: opening })
  const sections = intro ? others : page.sections
  for (const section of sections) {
    const title = cutTo(clean(section.title), headingLimit)
    pieces.push(...cut({ anchor: section.anchor, title, body: clean(section.body) }))
  }
  return pieces.length <= entryLimit ? pieces : crowded(pieces)
}

/** Makes the entries of a page's pieces: one by one, since those of a large page take a while. */
export function entryMaker(page: PageText): (piece: Piece) => Entry {
  const title = indexed(cutTo(clean(page.title), headingLimit))
  return (piece) => entryOf(title, piece)
}

export const entriesOf = (page: PageText): Entry[] => piecesOf(page).map(entryMaker(page))

/** The words that entries add to the vocabulary in which parts of words are looked up, but for those that are known to be there. */
export function vocabularyOf(entries: readonly Entry[], isKnown: (word: string) => boolean = () => false): string[] {
  const words = new Set<string>()
  const add = (word: string): void => {
    // Pairs of characters are found as they are.
    if (word.length > 3 && !words.has(word) && !isKnown(word) && !isUnparted(word)) words.add(word)
  }
  for (const entry of entries) {
    for (const word of entry.words) add(word)
    for (const word of entry.tags) if (!isTag(word)) add(word)
  }
  // Sorted, so that two writers take rows in one order.
  return [...words].sort()
}

/** The tag of a page that is called just this. */
export const wholeTitleTag = (words: readonly string[]): string | undefined =>
  words.length === 0 ? undefined : wholeTitle + clip(words.join('-'))

interface Indexed {
  words: string[]
  forms: string[]
}

const signs: ReadonlySet<string> = new Set([inTitle, inHeading, often, wholeTitle])

/** Is this a tag of where a word stands, not a word? */
export const isTag = (word: string): boolean => signs.has(word.charAt(0))

function indexed(text: string, limit = headingWordLimit): Indexed {
  const folded = foldText(text)
  const words = wordsOf(folded)
  const terms: string[] = []
  for (const word of words) {
    if (terms.length >= limit) break
    if (word.unparted) terms.push(...termsOf(word))
    else terms.push(clip(word.text))
  }
  return { words: terms.slice(0, limit), forms: formsOf(folded, words).slice(0, limit) }
}

function entryOf(title: Indexed, piece: Piece): Entry {
  const heading = indexed(piece.title)
  const body = indexed(piece.body, bodyLimit)
  const tags = new Set<string>([...title.forms, ...heading.forms, ...body.forms])
  const whole = wholeTitleTag(title.words)
  if (whole !== undefined) tags.add(whole)
  for (const word of [...title.words, ...title.forms]) tags.add(inTitle + word)
  for (const word of [...heading.words, ...heading.forms]) tags.add(inHeading + word)
  for (const word of frequent(body.words)) tags.add(often + word)
  const words = thinned([...title.words, '', ...heading.words, '', ...body.words])
  return { anchor: piece.anchor, title: piece.title, body: piece.body, words, tags: [...tags] }
}

function frequent(words: readonly string[]): string[] {
  const counts = new Map<string, number>()
  const found: string[] = []
  for (const word of words) {
    const count = (counts.get(word) ?? 0) + 1
    counts.set(word, count)
    if (count === oftenCount) found.push(word)
  }
  return found
}

/** Past the number of positions PostgreSQL keeps for one word, the word becomes a gap, on both engines alike. */
function thinned(words: string[]): string[] {
  if (words.length <= wordPositions) return words
  const counts = new Map<string, number>()
  return words.map((word) => {
    const count = (counts.get(word) ?? 0) + 1
    counts.set(word, count)
    return count > wordPositions ? '' : word
  })
}

/** Pages of thousands of headings: what does not fit is read as text of fewer, larger pieces. */
function crowded(pieces: readonly Piece[]): Piece[] {
  // The pieces of a page of 1 MiB, joined up to the limit of a body, are far fewer than the half that is left for them.
  const fitting = pieces.slice(0, entryLimit / 2)
  let last: Piece = { anchor: '', title: '', body: '' }
  for (const piece of pieces.slice(fitting.length)) {
    const text = `${piece.title}\n${piece.body}`
    if (last.body === '' || last.body.length + text.length > bodyLimit) {
      last = { ...piece, body: cutTo(text, bodyLimit) }
      fitting.push(last)
    } else last.body += `\n${text}`
  }
  return fitting.slice(0, entryLimit)
}

function cut(piece: Piece): Piece[] {
  const pieces: Piece[] = []
  let rest = piece.body
  while (rest.length > bodyLimit) {
    const end = cutPosition(rest)
    pieces.push({ ...piece, body: rest.slice(0, end) })
    rest = rest.slice(end)
  }
  if (rest !== '' || pieces.length === 0) pieces.push({ ...piece, body: rest })
  return pieces
}

/** At a space near the limit, or else at the limit, but never inside a character. */
function cutPosition(text: string): number {
  const space = text.slice(bodyLimit - 200, bodyLimit).search(/\s\S*$/)
  if (space >= 0) return bodyLimit - 200 + space + 1
  return /[\ud800-\udbff]/.test(text.charAt(bodyLimit - 1)) ? bodyLimit - 1 : bodyLimit
}

/** Without what a database cannot keep as text. */
const clean = (text: string): string => text.replaceAll('\0', ' ').toWellFormed()
