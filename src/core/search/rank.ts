/**
 * The order of hits, and what is shown of them, read from their texts.
 *
 * The engine gives candidates with the class each belongs to (plan.ts); within a class, the text decides: where the terms
 * stand, how much of a word they are, how often and how close together. The same code for both engines, so the same
 * order; what is equal in everything stays in the order of the pages' numbers.
 */
import { findTerm, type Kind, type Occurrence } from './find.ts'
import { type Folded, foldText } from './fold.ts'
import type { Term } from './query.ts'
import { type Found, type Snippet, snippetOf } from './snippet.ts'

export interface Candidate {
  /** The number of the page, by which equal ones are ordered. */
  page: number
  /** The best class of its sections: 0 is the best. */
  class: number
  title: string
  /** In document order. */
  sections: Section[]
}

interface Section {
  anchor: string
  title: string
  body: string
}

export interface Ranked<C extends Candidate> {
  candidate: C
  class: number
  score: number
  /** What was found in its sections, for showing it. */
  found: readonly SectionFound[]
}

export interface SectionHit extends Snippet {
  anchor: string
  title: string
}

export interface RankOptions {
  terms: readonly Term[]
  /** Parts of words count as matches. */
  inside: boolean
}

/** A page counts as much as its best section. */
export function rankCandidate<C extends Candidate>(candidate: C, options: RankOptions): Ranked<C> {
  const byTerm = find(foldText(candidate.title), options)
  const title = scoreOccurrences(byTerm, candidate.title.length, weights.title)
  const found = candidate.sections.map((section) => findInSection(section, options))
  let best = 0
  for (const { section, heading, body } of found) {
    const score =
      scoreOccurrences(heading, section.title.length, weights.heading) + bodyScore(body, section.body.length)
    best = Math.max(best, score)
  }
  return { candidate, class: candidate.class, score: title + best, found }
}

export const compareRanked = (a: Ranked<Candidate>, b: Ranked<Candidate>): number =>
  a.class - b.class || b.score - a.score || a.candidate.page - b.candidate.page

/** The sections to show: those that match by themselves. The pieces of a long section are shown as one. */
export function sectionsOf(ranked: readonly SectionFound[]): SectionHit[] {
  const hits: SectionHit[] = []
  for (const { section, heading, body, folded } of ranked) {
    const { anchor, title } = section
    const found = originals(folded, body)
    if (found.length === 0 && heading.every((occurrences) => occurrences.length === 0)) continue
    const snippet = snippetOf(section.body, found)
    const known = hits.at(-1)
    if (known?.anchor !== anchor) hits.push({ anchor, title, ...snippet })
    else if (known.highlights.length === 0) Object.assign(known, snippet)
  }
  return hits
}

const weights = { title: 8, heading: 4, body: 1 }
const kinds: Record<Kind, number> = { word: 1, beginning: 0.6, part: 0.3 }

type Occurrences = readonly (readonly Occurrence[])[]

const find = (folded: Folded, { terms, inside }: RankOptions): Occurrences =>
  terms.map((term) => findTerm(folded, term, { inside }))

export interface SectionFound {
  section: Section
  folded: Folded
  heading: Occurrences
  body: Occurrences
}

export function findInSection(section: Section, options: RankOptions): SectionFound {
  const folded = foldText(section.body)
  return { section, folded, heading: find(foldText(section.title), options), body: find(folded, options) }
}

/** A title or heading: how much of each term it has, and how much of it the terms are. */
function scoreOccurrences(byTerm: Occurrences, length: number, weight: number): number {
  let score = 0
  let covered = 0
  for (const occurrences of byTerm) {
    score += bestKind(occurrences)
    covered += occurrences.reduce((sum, { start, end }) => sum + end - start, 0)
  }
  return score === 0 ? 0 : (weight * (score + Math.min(1, covered / Math.max(1, length)))) / byTerm.length
}

/** A body: each term, more of it with falling returns and less weight in a long text; closeness of several. */
function bodyScore(byTerm: Occurrences, length: number): number {
  let score = 0
  for (const occurrences of byTerm) {
    const count = occurrences.length
    if (count > 0) score += bestKind(occurrences) * (1 + count / (count + 2 + length / 1000))
  }
  if (score === 0) return 0
  return (weights.body * (score + (byTerm.length > 1 ? closeness(byTerm) : 0))) / byTerm.length
}

const bestKind = (occurrences: readonly Occurrence[]): number =>
  occurrences.reduce((best, { kind }) => Math.max(best, kinds[kind]), 0)

/** Near 1 where all terms stand side by side, falling with the shortest stretch that has them all; 0 where one lacks. */
function closeness(byTerm: Occurrences): number {
  if (byTerm.some((occurrences) => occurrences.length === 0)) return 0
  const all: { start: number; end: number; term: number }[] = []
  let letters = 0
  for (const [term, occurrences] of byTerm.entries()) {
    for (const { start, end } of occurrences.slice(0, 32)) all.push({ start, end, term })
    letters += (occurrences[0]?.end ?? 0) - (occurrences[0]?.start ?? 0)
  }
  all.sort((a, b) => a.start - b.start)
  // Where each term was last; the earliest of these begins the stretch, once all have been.
  const latest = byTerm.map(() => Number.NEGATIVE_INFINITY)
  let shortest = Number.POSITIVE_INFINITY
  for (const { start, end, term } of all) {
    latest[term] = start
    shortest = Math.min(shortest, end - Math.min(...latest))
  }
  return byTerm.length / (1 + Math.max(0, shortest - letters) / 20)
}

function originals(folded: Folded, byTerm: Occurrences): Found[] {
  const found: Found[] = []
  for (const [term, occurrences] of byTerm.entries()) {
    for (const occurrence of occurrences) {
      const [start, end] = folded.originalRange(occurrence.start, occurrence.end)
      found.push({ start, end, term })
    }
  }
  return found
}
