/**
 * What someone typed, as terms. All of them must match; nothing typed is ever an error.
 *
 * Words stand for themselves; words in quotes stand side by side; the last word, when it is not in quotes, may be the
 * beginning of a longer one. Every sign but the quote is only what parts words.
 */
import { cutTo } from '../text.ts'
import { foldText } from './fold.ts'
import { camelParts, clip, compoundsOf, emoji, isUnparted, joinedForm, termsOf, type Word, wordsOf } from './words.ts'

export interface Term {
  /** What was typed, folded: one part a word. The text is looked through for these when hits are shown. */
  typed: string[]
  /** The words as the index has them, side by side. */
  words: string[]
  /** Other single words that count as much: `nodejs` for `node.js`. */
  forms: string[]
  /** Words that together count as much, wherever they stand: `user` and `name` for `userName`. */
  parts: string[]
  /** The last word may be the beginning of a longer one. */
  prefix: boolean
  /** Asked for in quotes: only exactly this. */
  quoted: boolean
}

const termLimit = 12
const phraseLimit = 24
const queryLimit = 512
/** One letter begins too many words to be a question. */
const prefixLength = 2

export function parseQuery(query: string): Term[] {
  const text = cutTo(query, queryLimit).toWellFormed().replace(quotes, '"')
  const terms: Term[] = []
  let typing = false
  for (const [, quoted, plain] of text.matchAll(/"([^"]*)"|([^"]+|")/g)) {
    const words = quoted === undefined ? plainTerms(plain ?? '') : quotedTerms(quoted)
    terms.push(...words)
    if (words.length > 0) typing = quoted === undefined
  }
  const last = terms.at(-1)
  if (typing && last) last.prefix ||= canBegin(last.words.at(-1) ?? '')
  return distinct(terms)
}

/** A pair of characters is found in any longer run as it is. */
const canBegin = (word: string): boolean => [...word].length >= prefixLength && !isUnparted(word)

const quotes = /[“”„‟«»＂]/g

function plainTerms(text: string): Term[] {
  const folded = foldText(text)
  const signs = [...folded.text.matchAll(emoji)].map(([sign]) => emojiTerm(sign))
  const words = compoundsOf(wordsOf(folded)).map((compound) => {
    const [only] = compound
    const whole = joinedForm(compound)
    const written = only && compound.length === 1 ? folded.text.slice(only.start, only.end) : ''
    return { ...termOf(compound), forms: whole === undefined ? [] : [whole], parts: camelParts(written) }
  })
  return [...signs, ...words]
}

function quotedTerms(text: string): Term[] {
  const words = wordsOf(foldText(text))
  return words.length === 0 ? [] : [{ ...termOf(words), quoted: true }]
}

function termOf(words: readonly Word[]): Term {
  const some = words.slice(0, phraseLimit)
  const last = some.at(-1)
  const terms = some.flatMap(termsOf).slice(0, phraseLimit)
  // The index ends a run of characters with the last one alone; a question need not end there.
  const whole = last?.unparted === true && [...last.text].length > 1 && terms.length < phraseLimit
  if (whole) terms.pop()
  // One character of such a run is found as the beginning of a pair.
  const lone = isUnparted(terms.at(-1) ?? '') && [...(terms.at(-1) ?? '')].length === 1
  const typed = some.map((word) => word.text)
  return { typed, words: terms, forms: [], parts: [], prefix: lone, quoted: false }
}

const emojiTerm = (sign: string): Term => ({
  typed: [sign],
  words: [clip(sign)],
  forms: [],
  parts: [],
  prefix: false,
  quoted: false,
})

/** Each term once, and no more than a question needs. */
function distinct(terms: readonly Term[]): Term[] {
  const byWords = new Map<string, Term>()
  for (const term of terms) {
    const key = `${term.quoted} ${term.words.join(' ')}`
    const known = byWords.get(key)
    if (known) known.prefix &&= term.prefix
    else byWords.set(key, term)
  }
  const all = [...byWords.values()]
  if (all.length <= termLimit) return all
  // The last one is what is being typed.
  return [...all.slice(0, termLimit - 1), ...all.slice(-1)]
}
