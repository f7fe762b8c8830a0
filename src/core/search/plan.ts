/**
 * What an engine is asked: expressions over the words of an entry, from the best class of hits to the last.
 *
 * A hit is in the first class it belongs to; within a class its text decides (rank.ts). The classes put a title before a
 * heading before a body, and a whole word before the beginning of one before a part of one. The last of the first
 * classes contains all before it. Both engines are given the same expressions, and so find the same.
 */
import { inHeading, inTitle, often, wholeTitleTag } from './entries.ts'
import type { Term } from './query.ts'
import { isUnparted } from './words.ts'

export type Expression =
  | Leaf
  /** Side by side; the last may be the beginning of a longer word. */
  | { phrase: readonly string[]; prefix: boolean }
  | { and: readonly Expression[] }
  | { or: readonly Expression[] }

/** The words of an expression. */
export function leavesOf(expression: Expression): Leaf[] {
  if ('word' in expression) return [expression]
  if ('phrase' in expression) return expression.phrase.map((word) => ({ word }))
  return ('and' in expression ? expression.and : expression.or).flatMap(leavesOf)
}

interface Leaf {
  word: string
  prefix?: boolean
}

export interface QueryPlan {
  /** Best first. */
  classes: Expression[]
}

/** All words, or beginnings of words, that were typed. What is rarer stands first: engines look for the rest only there. */
export function planQuery(terms: readonly Term[]): QueryPlan {
  if (terms.length === 0) return { classes: [] }
  const exact = terms.map((term) => ({ ...term, prefix: term.prefix && isLone(term) }))
  const typing = terms.some((term, i) => term.prefix !== exact[i]?.prefix)
  const title = wholeTitleTag(terms.flatMap((term) => term.words))
  const classes: Expression[] = [
    ...(title === undefined ? [] : [and([{ word: title }, ...exact.map((term) => tagTerm(term, [inTitle]))])]),
    and(exact.map((term) => tagTerm(term, [inTitle]))),
    and(exact.map((term) => tagTerm(term, [inTitle, inHeading]))),
  ]
  if (terms.length > 1) {
    classes.push(and([or(exact.map((term) => tagTerm(term, [inTitle, inHeading]))), ...exact.map(anywhere)]))
  }
  const single = exact.filter((term) => term.words.length === 1)
  if (single.length > 0) {
    classes.push(and([...single.map((term) => tagTerm(term, [often])), ...exact.map(anywhere)]))
  }
  classes.push(and(exact.map(anywhere)))
  if (typing) {
    classes.push(and(terms.map((term) => tagTerm(term, [inTitle, inHeading]))), and(terms.map(anywhere)))
  }
  return { classes }
}

/** Entries with a term in the heading. */
export const headingsOf = (terms: readonly Term[]): Expression => or(terms.map((term) => tagTerm(term, [inHeading])))

/** Single words that may be part of longer ones, with their place among the terms. */
export const partsToExpand = (terms: readonly Term[]): { term: number; part: string }[] =>
  terms.flatMap((term, i) => {
    const [part] = term.words
    const single = part !== undefined && term.words.length === 1 && !term.quoted && part.length >= 3
    return single ? [{ term: i, part }] : []
  })

/** All words that were typed, each also as a part of the longer words given for it. */
export const widened = (terms: readonly Term[], longer: readonly (readonly string[])[]): Expression[] =>
  terms.map((term, i) => or([anywhere(term), ...(longer[i] ?? []).map((word) => ({ word }))]))

/** One character of an unparted script is found by its pairs, even where it is meant exactly. */
const isLone = (term: Term): boolean => {
  const last = term.words.at(-1) ?? ''
  return isUnparted(last) && [...last].length === 1
}

/** The term anywhere in the entry. */
function anywhere({ words, forms, parts, prefix }: Term): Expression {
  const [only] = words
  const typed: Expression =
    words.length === 1 && only !== undefined ? { word: only, prefix } : { phrase: words, prefix }
  const others: Expression[] = forms.map((word) => ({ word, prefix }))
  return or([typed, ...others, ...(parts.length > 1 ? [and(parts.map((word) => ({ word })))] : [])])
}

/** The term where tags say that it stands. Tags have no order: where that matters, the term must be there in order too. */
function tagTerm(term: Term, signs: readonly string[]): Expression {
  const { words, forms, parts, prefix } = term
  const taggedBy = (sign: string): Expression[] => [
    and(words.map((word, i) => ({ word: sign + word, prefix: prefix && i === words.length - 1 }))),
    ...forms.map((word) => ({ word: sign + word, prefix })),
    ...(parts.length > 1 ? [and(parts.map((word) => ({ word: sign + word })))] : []),
  ]
  const placed = or(signs.flatMap(taggedBy))
  return words.length === 1 ? placed : and([anywhere(term), placed])
}

const and = (of: readonly Expression[]): Expression => only(of) ?? { and: of }
const or = (of: readonly Expression[]): Expression => only(of) ?? { or: of }
const only = (of: readonly Expression[]): Expression | undefined => (of.length === 1 ? of[0] : undefined)
