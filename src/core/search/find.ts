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
  return [...term.typed.slice(0, 1), ...term.forms].flatMap((form) => findJoined(search, form))
}

interface Search {
  folded: Folded
  prefix: boolean
  inside: boolean
}

/** The words side by side, whatever signs are between them. */
function findSequence(search: Search, words: readonly string[]): Occurrence[] {
  const { lower } = search.folded
  const [first, ...others] = words
  const found: Occurrence[] = []
  if (first === undefined || first === '') return found
  for (let start = lower.indexOf(first); start >= 0; ) {
    let end = start + first.length
    for (const word of others) {
      if (end < 0 || !endsWord(search.folded, end)) break
      const next = skipSigns(lower, end)
      end = lower.startsWith(word, next) ? next + word.length : -1
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
  if (characters.length < 2 || characters.length > 64 || !joins.test(search.folded.lower)) return []
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
  if (!beginsWord(folded, start)) return inside ? 'part' : undefined
  if (endsWord(folded, end)) return 'word'
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

function beginsWord({ text }: Folded, start: number): boolean {
  const before = characterBefore(text, start)
  const first = characterAt(text, start)
  if (!wordCharacter.test(before) || isUnparted(first) || isUnparted(before)) return true
  if (!upper.test(first)) return false
  return small.test(before) || /\p{Ll}/u.test(characterAt(text, start + first.length))
}

function endsWord({ text }: Folded, end: number): boolean {
  const last = characterBefore(text, end)
  const next = characterAt(text, end)
  if (!wordCharacter.test(next) || isUnparted(last) || isUnparted(next)) return true
  if (!upper.test(next)) return false
  return small.test(last) || /\p{Ll}/u.test(characterAt(text, end + next.length))
}

const characterAt = (text: string, position: number): string => {
  const code = text.codePointAt(position)
  return code === undefined ? '' : String.fromCodePoint(code)
}

const characterBefore = (text: string, position: number): string =>
  /[\ud800-\udbff][\udc00-\udfff]$/.exec(text.slice(Math.max(0, position - 2), position))?.[0] ??
  text.charAt(position - 1)
