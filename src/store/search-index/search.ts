/**
 * Search: pages with the sections that match, best first, of the spaces given and of no others.
 *
 * The engine finds pages by class (core/search/plan.ts), and puts them in the order of their class and of how much of them
 * matches. In windows of fifty, pages are then ordered by their texts. So every page that matches has one place, the same
 * on both engines, and can be reached; and the work for one answer is bounded.
 *
 * Where whole words and beginnings of words find little, the search is widened: to parts of words, looked up among the
 * words of the spaces searched, and to pages that have the words in different sections.
 *
 * A bound: when a word is in more than 20,000 sections, only that many are looked at, and `count` is of those.
 */
import { type Expression, headingsOf, partsToExpand, planQuery, widened } from '../../core/search/plan.ts'
import { parseQuery, type Term } from '../../core/search/query.ts'
import { compareRanked, type Ranked, rankCandidate, type SectionHit, sectionsOf } from '../../core/search/rank.ts'
import type { Connection } from '../database.ts'
import type { After } from '../paging.ts'
import { TimeSlices } from '../time-slices.ts'
import { cachedOr } from './cached.ts'
import { engineOf } from './engines.ts'
import { type Found, type FoundPage, unpackSections, wordsWith } from './question.ts'

export interface SearchRequest {
  /** Only these spaces are looked at, whatever else the index holds. */
  spaces: readonly string[]
  query: string
  limit: number
  after?: After | undefined
  includeHidden: boolean
}

export interface PageHit {
  spaceId: string
  pageId: string
  title: string
  /** Those that match by themselves, at most five, in document order; none when only the title matches. */
  sections: SectionHit[]
}

export interface SearchAnswer {
  pages: PageHit[]
  /** How many pages match in all. */
  count: number
  /** In how many spaces. */
  spaces: number
  /** Where the next answer begins; nothing when this is the last. */
  next?: After
}

const windowPages = 50
/** Fewer pages than this are few: the search is widened. */
const few = 10
/** How long the loop may be held before others get a turn. */
const sliceMilliseconds = 4

export const search = ({ db, slow }: Connections, request: SearchRequest): Promise<SearchAnswer> =>
  cachedOr(db, request, () => searchAnew(slow, request))

export const searchAnew = (slow: Connection, request: SearchRequest): Promise<SearchAnswer> =>
  slow.searchAside?.(request) ?? searchHere(slow, request, new TimeSlices(sliceMilliseconds))

interface Connections {
  db: Connection
  /** Where a search that is not known yet is done. */
  slow: Connection
}

/** On this thread, letting others have their turns; all of it should read one moment. */
export async function searchHere(db: Connection, request: SearchRequest, slices?: TimeSlices): Promise<SearchAnswer> {
  const terms = parseQuery(request.query)
  const { classes } = planQuery(terms)
  const all = classes.at(-1)
  if (all === undefined || request.spaces.length === 0) return { pages: [], count: 0, spaces: 0 }
  const { spaces, includeHidden } = request
  const { from, length } = windowsAround(request)
  const question = { spaces, includeHidden, classes, all, headings: headingsOf(terms), spread: [], from, length }
  const { ask } = engineOf(db)
  let found = await ask(db, question)
  let inside = false
  if (found.count < few) {
    const wider = await widen(db, request, terms)
    if (wider) {
      found = await ask(db, { ...question, classes: [...classes, wider.all], ...wider })
      inside = true
    }
  }
  await unpackSections(found.pages, slices)
  const ranked = await rank(found.pages, { terms, inside }, slices)
  const { start, shown } = cutOut(found, ranked, { request, from })
  const pages: PageHit[] = []
  for (const { candidate, found } of shown) {
    const { spaceId, pageId, title } = candidate
    pages.push({ spaceId, pageId, title, sections: sectionsOf(found) })
    await slices?.next()
  }
  const { count } = found
  const last = pages.at(-1)
  const end = from + start + pages.length
  const answer = { pages, count, spaces: found.spaces }
  return last && end < count ? { ...answer, next: { key: String(end), id: last.pageId } } : answer
}

/** The windows that hold the answer, with the last page of the one before. */
function windowsAround({ after, limit }: SearchRequest): { from: number; length: number } {
  const start = offsetOf(after)
  const from = Math.floor(Math.max(0, start - 1) / windowPages) * windowPages
  const to = Math.ceil((start + limit) / windowPages) * windowPages
  return { from, length: to - from }
}

const offsetOf = (after: After | undefined): number => {
  const offset = Number(after?.key ?? 0)
  return Number.isSafeInteger(offset) && offset > 0 ? offset : 0
}

/** What was asked for: behind the last page of the answer before, should that have moved a little since. */
function cutOut(
  found: Found,
  ranked: readonly Ranked<FoundPage>[],
  { request, from }: { request: SearchRequest; from: number },
): { start: number; shown: readonly Ranked<FoundPage>[] } {
  const { after, limit } = request
  const moved = after ? ranked.findIndex(({ candidate }) => candidate.pageId === after.id) : -1
  const start = moved >= 0 ? moved + 1 : Math.min(offsetOf(after), found.count) - from
  return { start, shown: ranked.slice(start, start + limit) }
}

/** Window by window. */
async function rank(
  pages: readonly FoundPage[],
  options: { terms: readonly Term[]; inside: boolean },
  slices: TimeSlices | undefined,
): Promise<Ranked<FoundPage>[]> {
  const result: Ranked<FoundPage>[] = []
  for (let i = 0; i < pages.length; i += windowPages) {
    const window: Ranked<FoundPage>[] = []
    for (const page of pages.slice(i, i + windowPages)) {
      window.push(rankCandidate(page, options))
      await slices?.next()
    }
    result.push(...window.sort(compareRanked))
  }
  return result
}

/** Parts of words, and pages that have all the words in different sections; nothing where neither could find more. */
async function widen(
  db: Connection,
  { spaces }: SearchRequest,
  terms: readonly Term[],
): Promise<{ all: Expression; spread: Expression[] } | undefined> {
  const parts = partsToExpand(terms)
  const longer: string[][] = terms.map(() => [])
  if (parts.length > 0) for (const row of await wordsWith(db, spaces, parts)) longer[row.term]?.push(row.word)
  if (terms.length < 2 && longer.every((words) => words.length === 0)) return undefined
  const each = widened(terms, longer)
  return { all: { and: each }, spread: terms.length > 1 ? each : [] }
}
