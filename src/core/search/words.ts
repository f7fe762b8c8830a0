/**
 * The words of a text: what the index holds and what a query asks for, by one rule, so that both engines find the same.
 *
 * 1. A word is a run of letters and digits, folded, in lower case; `c++` and `c#` keep their signs.
 * 2. Runs of scripts that do not part their words (Chinese, Japanese, Korean, Thai …) become overlapping pairs of
 *    characters, and the last character by itself: any two neighbours are found as a word, any one as a prefix.
 * 3. Words of several parts are found whole and by part: `node.js` as `node js` and `nodejs`, `userName` as `username`,
 *    `user` and `name`. The words in the order of the text, which phrases need, are `node`, `js` and `username`; the
 *    other forms are kept beside them.
 */
import { cutTo } from '../text.ts'
import type { Folded } from './fold.ts'

/** A word in the order of the text. */
export interface Word {
  /** In lower case, as it is written: `userName` is `username`, and 日本語 is not cut yet. */
  text: string
  /** Where it stands in the folded text. */
  start: number
  end: number
  /** Of a script that does not part its words. */
  unparted: boolean
  /** Joined to the word before it by one sign, as in `node.js`, or directly, where the script changes. */
  joined: boolean
}

/** Longer words are found by their beginning: engines limit what a word may be. */
const wordLimit = 64

/** Words of the text, in order. */
export function wordsOf(folded: Folded): Word[] {
  const { text, lower } = folded
  const words: Word[] = []
  let before = -2
  const add = (start: number, end: number, isUnpartedRun: boolean): void => {
    const joined = start === before || (start === before + 1 && connectors.has(text.charAt(before)))
    words.push({ text: lower.slice(start, end), start, end, unparted: isUnpartedRun, joined })
    before = end
  }
  for (const { 0: run, index } of text.matchAll(runs)) {
    if (isPlain.test(run)) {
      add(index, index + run.length, false)
      continue
    }
    let start = index
    for (const part of run.match(scripts) ?? []) {
      add(start, start + part.length, unparted.test(part))
      start += part.length
    }
  }
  return words
}

/** How a word stands in the index: itself, or the pairs of its characters. */
export function termsOf(word: Word): string[] {
  if (!word.unparted) return [clip(word.text)]
  const characters = [...word.text]
  return characters.map((character, i) => character + (characters[i + 1] ?? ''))
}

/** The other forms of words, under which they are found too: joined compounds, parts of camelCase, `c` of `c++`. */
export function formsOf(folded: Folded, words: readonly Word[]): string[] {
  const forms = new Set<string>()
  for (const compound of compoundsOf(words)) {
    const whole = joinedForm(compound)
    if (whole !== undefined) forms.add(whole)
  }
  for (const { start, end, text, unparted: isPairs } of words) {
    if (isPairs) continue
    const written = folded.text.slice(start, end)
    // Most words are all small, or begin with a capital: only others can have parts.
    if (written.slice(1) !== text.slice(1)) for (const part of camelParts(written)) forms.add(part)
    if (/[+#]$/.test(text)) forms.add(text.replace(/[+#]+$/, ''))
  }
  if (!isPlain.test(folded.text)) for (const [sign] of folded.text.matchAll(emoji)) forms.add(sign)
  return [...forms]
}

/** Words grouped where signs join them: `node.js` is one group of two. */
export function compoundsOf(words: readonly Word[]): Word[][] {
  const compounds: Word[][] = []
  for (const word of words) {
    const last = compounds.at(-1)
    if (word.joined && last) last.push(word)
    else compounds.push([word])
  }
  return compounds
}

/** `nodejs` for `node.js`; nothing for single words, numbers (`1.2.3`) and endless chains. */
export function joinedForm(compound: readonly Word[]): string | undefined {
  if (compound.length < 2 || compound.length > 6 || compound.some((word) => word.unparted)) return undefined
  const whole = compound.map((word) => word.text).join('')
  return whole.length > wordLimit || /^\p{N}+$/u.test(whole) ? undefined : whole
}

/** `user` and `name` for `userName`; nothing where there is only one part. */
export function camelParts(written: string): string[] {
  if (!/\p{Ll}/u.test(written) || !/.\p{Lu}/su.test(written)) return []
  const parts = written.match(/\p{Lu}+(?!\p{Ll})[\p{N}\p{M}]*|\p{Lu}?[^\p{Lu}]+|\p{Lu}+/gu) ?? []
  return parts.length < 2 ? [] : parts.map((part) => clip(part.toLowerCase())).filter((part) => part.length > 1)
}

export const clip = (word: string): string => cutTo(word, wordLimit)

export const emoji = /\p{Extended_Pictographic}/gu

const isPlain = /^[\0-\x7f]*$/
const runs = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:\+\+(?![\p{L}\p{N}+])|#(?![\p{L}\p{N}#]))?/gu

const scriptList = [
  'Han',
  'Hiragana',
  'Katakana',
  'Bopomofo',
  'Hangul',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
  'Tibetan',
  'Yi',
]
const unpartedClass = `\\u30fc\\u3005\\u3006${scriptList.map((name) => `\\p{Script=${name}}`).join('')}`
const unparted = new RegExp(`^[${unpartedClass}]`, 'u')
const scripts = new RegExp(`[${unpartedClass}]+|[^${unpartedClass}]+`, 'gu')

const connectors: ReadonlySet<string> = new Set(['.', '_', '-', "'", '’', '\u2010', '\u2011'])

/** Is this text, taken from a folded one, of a script that does not part its words? */
export const isUnparted = (text: string): boolean => unparted.test(text)
