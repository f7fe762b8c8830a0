/** Searching a site: of its spaces that the reader sees, the pages that they see. */
import { fail } from '../../core/errors.ts'
import type { Scope } from '../../core/expressions/evaluate.ts'
import { pageById } from '../../core/revision/content.ts'
import type { After } from '../../store/paging.ts'
import { type PageHit, search } from '../../store/search-index/search.ts'
import type { SiteRow } from '../../store/sites.ts'
import type { ContentAt } from '../content/at.ts'
import { presentHit, type Shown } from '../content/search.ts'
import type { Base } from '../scope.ts'
import { contentOnSite, isAdmitted } from './pages.ts'
import type { SiteState } from './state.ts'

/** How many pages that match are looked at. The index counts pages the reader may not see; this count does not. */
const lookedAt = 200

export async function searchSite(
  base: Base,
  state: Pick<SiteState, 'shown' | 'spaces'> & { site: SiteRow },
  wanted: { query: string; limit: number; scope: Scope | undefined },
) {
  const spaces = [...new Set(state.shown.spaces.map((place) => place.spaceId))]
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
  for await (const hit of hitsOf(base, spaces, wanted.query)) {
    const at = await contentOf(hit.spaceId)
    const page = await pageById(at.reader, at.content, hit.pageId)
    if (!page || (wanted.scope && !(await isAdmitted(at, page, wanted.scope)))) continue
    count++
    const shown = items.length < wanted.limit ? await presentHit(base, at, hit) : undefined
    if (shown) items.push(shown)
  }
  return { count, items }
}

async function* hitsOf({ slow }: Base, spaces: readonly string[], query: string): AsyncGenerator<PageHit> {
  let after: After | undefined
  for (let seen = 0; seen < lookedAt; ) {
    const answer = await search(slow, { spaces, query, limit: 50, after, includeHidden: false })
    yield* answer.pages
    seen += answer.pages.length
    if (!answer.next || answer.pages.length === 0) return
    after = answer.next
  }
}
