/** Finding the terms of a glossary in a text. */
import type { FindTerms, Term } from './protect.ts'

/** Whole words only, the longest term first; a term in capitals is found in capitals, any other in any case. */
export function termFinder(terms: readonly Term[]): FindTerms {
  if (terms.length === 0) return () => []
  const byWord = new Map(terms.map((term) => [keyOf(term.term), term]))
  const words = [...byWord.values()].map(({ term }) => term).sort((a, b) => b.length - a.length)
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.map(escapePattern).join('|')})(?![\\p{L}\\p{N}_])`, 'giu')
  return (text) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const term = byWord.get(keyOf(match[0])) ?? byWord.get(match[0].toLowerCase())
      // A term that stays as it is stays as it was written.
      return term ? [{ at: match.index, length: match[0].length, term: asWritten(term, match[0]) }] : []
    })
}

const keyOf = (term: string): string => (isCapitals(term) ? term : term.toLowerCase())
const isCapitals = (term: string): boolean => term.length > 1 && term === term.toUpperCase()
const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
const asWritten = (term: Term, written: string): Term =>
  term.translation === term.term ? { term: written, translation: written } : term
