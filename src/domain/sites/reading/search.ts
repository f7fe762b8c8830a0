/** Searching a site: of its spaces that the reader sees, the pages that they see. */
import { sections } from '../../../core/document/text/sections.ts'
import { fail } from '../../../core/errors.ts'
import type { Scope } from '../../../core/expressions/evaluate.ts'
import { pageById } from '../../../core/revision/content.ts'
import type { PageRecord } from '../../../core/revision/records.ts'
import { findTerm } from '../../../core/search/find.ts'
import { foldText } from '../../../core/search/fold.ts'
import { parseQuery } from '../../../core/search/query.ts'
import { findInSection, sectionsOf } from '../../../core/search/rank.ts'
import type { After } from '../../../store/paging.ts'
import { type PageHit, search } from '../../../store/search-index/search.ts'
import type { SiteRow } from '../../../store/sites/sites.ts'
import type { ContentAt } from '../../content/at.ts'
import { evaluateDocument, isConditional } from '../../content/markdown/evaluate.ts'
import { presentHit, type Shown } from '../../content/search.ts'
import type { Base } from '../../handler.ts'
import type { SiteState } from '../structure/state.ts'
import { contentOnSite, isAdmitted } from './pages.ts'

/**
 * Where counting stops, as the contract says. The index counts pages the reader may not see; this count does not, and
 * for that each page has to be looked at. `mostLookedAt` is the most work one search does for someone who sees little.
 */
const lookedAt = 200
const mostLookedAt = 2000
const mostSections = 5

export async function searchSite(
  base: Base,
  state: Pick<SiteState, 'shown' | 'spaces'> & { site: SiteRow },
  wanted: { query: string; limit: number; counted: boolean; scope: Scope | undefined },
) {
  const spaces = [...new Set(state.shown.spaces.map((siteSpace) => siteSpace.spaceId))]
  const contents = new Map<string, ContentAt>()
  const contentOf = async (spaceId: string): Promise<ContentAt> => {
    const space = state.spaces.get(spaceId)
    if (!space) throw fail('not_found')
    const known = contents.get(spaceId) ?? (await contentOnSite(base, space))
    contents.set(spaceId, known)
    return known
  }
  const items: Shown[] = []
  let count = 0
  const atOnce = wanted.counted ? 50 : Math.min(50, wanted.limit)
  for await (const hit of hitsOf(base, spaces, { query: wanted.query, atOnce })) {
    const at = await contentOf(hit.spaceId)
    const page = await pageById(at.reader, at.content, hit.pageId)
    if (!page || (wanted.scope && !(await isAdmitted(at, page, wanted.scope)))) continue
    const seen = wanted.scope ? await hitIn(at, page, hit, { query: wanted.query, scope: wanted.scope }) : hit
    if (!seen) continue
    if (count === lookedAt) break
    count++
    const shown = items.length < wanted.limit ? await presentHit(base, at, seen) : undefined
    if (shown) items.push({ ...shown, space: at.space.id })
    if (!wanted.counted && items.length === wanted.limit) break
  }
  return { count, items }
}

/**
 * The index holds the whole text of a page. Where a part of it is shown to some only, the page is searched anew in what
 * this reader is shown: a word that stands only in the rest finds nothing, and is in no snippet.
 */
async function hitIn(
  at: ContentAt,
  page: PageRecord,
  hit: PageHit,
  { query, scope }: { query: string; scope: Scope },
): Promise<PageHit | undefined> {
  const whole = page.document === undefined ? undefined : await at.reader.document(page.document)
  if (!whole || !isConditional(whole)) return hit
  const variables = { page: page.variables ?? {}, space: at.content.variables }
  const texts = sections(evaluateDocument(whole, variables, scope)).map(({ id, title, body }) => ({
    anchor: id,
    title,
    body,
  }))
  const terms = parseQuery(query)
  const all = foldText([page.title, ...texts.flatMap(({ title, body }) => [title, body])].join('\n'))
  if (!terms.every((term) => findTerm(all, term, { inside: true }).length > 0)) return undefined
  const found = texts.map((section) => findInSection(section, { terms, inside: true }))
  return { ...hit, sections: sectionsOf(found).slice(0, mostSections) }
}

async function* hitsOf(
  base: Base,
  spaces: readonly string[],
  { query, atOnce }: { query: string; atOnce: number },
): AsyncGenerator<PageHit> {
  let after: After | undefined
  for (let seen = 0; seen < mostLookedAt; ) {
    const answer = await search(base, { spaces, query, limit: atOnce, after, includeHidden: false })
    yield* answer.pages
    seen += answer.pages.length
    if (!answer.next || answer.pages.length === 0) return
    after = answer.next
  }
}
