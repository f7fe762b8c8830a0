/**
 * Text in the form in which it is searched, with the way back to where each piece stood.
 *
 * Compatible characters are joined, marks of Latin, Greek, Cyrillic, Hebrew and Arabic letters are dropped, and so are
 * invisible characters; the marks of other scripts are vowels, and stay. Folding is done character by character (a base
 * with its marks), so that any range of the folded text names a range of the original.
 */

import { remembering } from '../remember.ts'

export interface Folded {
  /** Folded, with its case: where a camelCase word is cut shows in it. */
  readonly text: string
  /** The same in lower case, position by position. */
  readonly lower: string
  /** The original range of a folded one, never cutting through a character. */
  originalRange(start: number, end: number): [start: number, end: number]
}

export function foldText(original: string): Folded {
  // Most documentation is written in ASCII, where folding is lower-casing.
  if (isAscii.test(original)) return { text: original, lower: original.toLowerCase(), originalRange: sameRange }
  const shifts: Shift[] = []
  const parts: string[] = []
  let length = 0
  for (const match of original.matchAll(characters)) {
    const character = match[0]
    const text = foldCharacter(character)
    // One of two code units may fold to two letters (🄀 to 0.): as long, but only to be had as a whole.
    if (text.length !== character.length || (character.length > 1 && text !== character)) {
      const start = match.index
      shifts.push({ start: length, end: length + text.length, from: start, to: start + character.length })
    }
    parts.push(text)
    length += text.length
  }
  return folded(parts.join(''), shifts)
}

const sameRange = (start: number, end: number): [number, number] => [start, end]

/** A place where folding changed the length: what is at `start`–`end` was at `from`–`to`. */
interface Shift {
  start: number
  end: number
  from: number
  to: number
}

const isAscii = /^[\0-\x7f]*$/

// Plain runs at once; then conjoining Korean letters, which compose with each other; then a character with its marks.
const characters = /[\0-\x7f]+(?!\p{M})|[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]+|\P{M}\p{M}*|\p{M}+/gsu

// Of Latin, Greek and Cyrillic; of Hebrew; of Arabic; and those that only choose how a sign looks.
const droppedCombiningMarks = new RegExp(
  `[${[
    '0300-036f',
    '0483-0487',
    '0591-05bd',
    '05bf-05c7',
    '0610-061a',
    '064b-065f',
    '0670-0670',
    '20d0-20ff',
    'fe00-fe0f',
  ]
    .map((range) => range.replace(/[0-9a-f]{4}/g, '\\u$&'))
    .join('')}]+`,
  'g',
)

// Letters that readers type without their stroke, and signs that would otherwise grow into letters of the word before.
const special: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', ø: 'o', Ø: 'O', ł: 'l', Ł: 'L' }),
  ...Object.entries({ đ: 'd', Đ: 'D', ð: 'd', Ð: 'D', þ: 'th', Þ: 'TH', ı: 'i', ħ: 'h', Ħ: 'H' }),
  ...Object.entries({ '™': ' ', '℠': ' ', '©': ' ', '®': ' ' }),
])

const foldKnown = remembering(8192, foldAfresh)

const foldCharacter = (character: string): string =>
  character.length > 16 || isAscii.test(character) ? foldAfresh(character) : foldKnown(character)

function foldAfresh(character: string): string {
  if (isAscii.test(character)) return character
  const replaced = special.get(character)
  if (replaced !== undefined) return replaced
  const bare = character.normalize('NFKD').replace(droppedCombiningMarks, '').normalize('NFKC')
  const text = (special.get(bare) ?? bare).replace(/\p{Cf}+/gu, '').replaceAll('ς', 'σ')
  // A sign made of letters, such as ㏒, is a word of its own.
  return /^\p{S}/u.test(character) && /\p{L}/u.test(text) ? ` ${text} ` : text
}

function folded(text: string, shifts: readonly Shift[]): Folded {
  const lower = text.toLowerCase().replaceAll('ς', 'σ')
  return {
    text,
    // Every character whose lower case is longer has been taken apart before; should one come, its case is kept.
    lower: lower.length === text.length ? lower : text,
    originalRange: (start, end) => {
      if (shifts.length === 0) return [start, end]
      return [
        originOf(shifts, start, 'from'),
        end > start ? originOf(shifts, end - 1, 'to') : originOf(shifts, end, 'from'),
      ]
    },
  }
}

/** Where the character at a folded position begins (`from`), or ends (`to`), in the original. */
function originOf(shifts: readonly Shift[], position: number, edge: 'from' | 'to'): number {
  let low = 0
  let high = shifts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((shifts[middle]?.start ?? 0) <= position) low = middle + 1
    else high = middle
  }
  const shift = shifts[low - 1]
  const last = edge === 'to' ? 1 : 0
  if (!shift) return position + last
  return position < shift.end ? shift[edge] : shift.to + (position - shift.end) + last
}
