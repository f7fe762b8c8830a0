/**
 * Where the terms of a query stand in a text, so that hits can be compared and shown.
 *
 * The index says that an entry matches; this looks for the place, in the text itself. A term stands where its letters
 * do: as whole words, where the query allows it as the beginning of a word or (`inside`) as any part of one. Signs that
 * join a word are passed over, so that `nodejs` is found in `node.js`.
 */
import type { Folded } from './fold.ts'
import type { Term } from './query.ts'
import { isUnparted } from './words.ts'

/** How much of a word was matched, best first. */
export type Kind = 'word' | 'beginning' | 'part'

/** A place in the folded text. */
export interface Occurrence {
  start: number
  end: number
  kind: Kind
}

/** More of one term than this says nothing more about a text. */
const occurrenceLimit = 64

export function findTerm(folded: Folded, term: Term, options: { inside: boolean }): Occurrence[] {
  const inside = options.inside && !term.quoted && term.typed.length === 1 && (term.words[0]?.length ?? 0) >= 3
  const search: Search = { folded, prefix: term.prefix, inside }
  const found = findSequence(search, term.typed)
  if (found.length > 0 || term.quoted) return found
  const others = term.forms.flatMap((form) => findSequence(search, [form]))
  if (others.length > 0) return others
  const parts = term.parts.map((part) => findSequence(search, [part]))
  if (parts.length > 1 && parts.every((part) => part.length > 0)) return parts.flat()
  if (!joins.test(folded.lower)) return []
  return [...term.typed.slice(0, 1), ...term.forms].flatMap((form) => findJoined(search, form))
}

interface Search {
  folded: Folded
  prefix: boolean
  inside: boolean
}

/** The words side by side, whatever signs are between them. */
function findSequence(search: Search, words: readonly string[]): Occurrence[] {
  const { lower, text } = search.folded
  const [first] = words
  const found: Occurrence[] = []
  if (first === undefined || first === '') return found
  for (let start = lower.indexOf(first); start >= 0; ) {
    let end = start + first.length
    for (let i = 1; i < words.length && end >= 0; i++) {
      const word = words[i] as string
      const next = isEdge(text, end) ? skipSigns(lower, end) : -1
      end = next >= 0 && lower.startsWith(word, next) ? next + word.length : -1
    }
    const kind = end < 0 ? undefined : kindOf(search, start, end)
    if (kind !== undefined) found.push({ start, end, kind })
    if (found.length >= occurrenceLimit) break
    start = lower.indexOf(first, kind === undefined ? start + 1 : end)
  }
  return found
}

/** A word whose letters are joined by signs or invisible characters: `nodejs` in `node.js`. */
function findJoined(search: Search, word: string): Occurrence[] {
  const characters = [...word]
  if (characters.length < 2 || characters.length > 64) return []
  const pattern = new RegExp(characters.map(escaped).join("[._'’\\-\\u2010\\u2011]?"), 'gu')
  const found: Occurrence[] = []
  for (const match of search.folded.lower.matchAll(pattern)) {
    const kind = kindOf(search, match.index, match.index + match[0].length)
    if (kind !== undefined) found.push({ start: match.index, end: match.index + match[0].length, kind })
    if (found.length >= occurrenceLimit) break
  }
  return found
}

const joins = /[\p{L}\p{N}][._'’\-\u2010\u2011][\p{L}\p{N}]/u

const escaped = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')

function kindOf({ folded, prefix, inside }: Search, start: number, end: number): Kind | undefined {
  if (!isEdge(folded.text, start)) return inside ? 'part' : undefined
  if (isEdge(folded.text, end)) return 'word'
  if (prefix) return 'beginning'
  return inside ? 'part' : undefined
}

function skipSigns(text: string, from: number): number {
  signs.lastIndex = from
  return from + (signs.exec(text)?.[0].length ?? 0)
}

const signs = /[^\p{L}\p{N}]*/uy
const wordCharacter = /[\p{L}\p{N}\p{M}]/u
const upper = /\p{Lu}/u
const small = /[\p{Ll}\p{N}]/u

/** Is there an edge between words at this position: of a word, of a script, or inside a camelCase word? */
function isEdge(text: string, position: number): boolean {
  const plain = plainEdge(text, position)
  if (plain !== undefined) return plain
  const before = baseBefore(text, position)
  const next = characterAt(text, position)
  if (!wordCharacter.test(before) || !wordCharacter.test(next) || isUnparted(before) || isUnparted(next)) return true
  return upper.test(next) && (small.test(before) || /\p{Ll}/u.test(characterAt(text, position + next.length)))
}

/** The same where the characters around are ASCII, as most are: without looking anything up. */
function plainEdge(text: string, position: number): boolean | undefined {
  const before = text.charCodeAt(position - 1) || 0
  const next = text.charCodeAt(position) || 0
  const behind = text.charCodeAt(position + 1) || 0
  if (before > 127 || next > 127 || behind > 127) return undefined
  if (!isLetter(before) && !isDigit(before)) return true
  if (!isLetter(next)) return !isDigit(next)
  const capital = next < 97
  return capital && (isDigit(before) || before >= 97 || (isLetter(behind) && behind >= 97))
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

const characterAt = (text: string, position: number): string => {
  const code = text.codePointAt(position)
  return code === undefined ? '' : String.fromCodePoint(code)
}

/** The character before, under its marks: those of a sign do not make it a letter. */
function baseBefore(text: string, position: number): string {
  let at = position
  let character = characterBefore(text, at)
  while (/^\p{M}/u.test(character) && position - at < 32) {
    at -= character.length
    character = characterBefore(text, at)
  }
  return character
}

const characterBefore = (text: string, position: number): string =>
  /[\ud800-\udbff][\udc00-\udfff]$/.exec(text.slice(Math.max(0, position - 2), position))?.[0] ??
  text.charAt(position - 1)
