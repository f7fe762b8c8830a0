/**
 * Slugs and ranks of the pages that two sides put under one parent.
 *
 * Within one side both are settled; they meet only where both sides put or renamed pages under one parent, or where a
 * page has its place from one side and its slug from the other. Siblings are read in these cases alone.
 *
 * 1. Slugs differ among siblings afterwards: what ours has keeps its slug, the other takes a number behind it.
 * 2. In a gap between pages that nobody moved, ours' pages come first.
 */
import { rankBetween } from '../order.ts'
import type { PageRecord } from '../revision/records.ts'
import { uniqueName } from '../text.ts'
import type { MergedRevision, RevisionReader } from './merged-pages.ts'
import type { Draft, Drafts } from './page-drafts.ts'

export async function settleSiblings(
  drafts: Drafts,
  { ours, renamed }: { ours: RevisionReader; renamed: MergedRevision['renamed'] },
): Promise<void> {
  for (const [parent, here] of byParent(drafts)) {
    const hasSlugs = needsSlugs(here)
    const hasRanks = needsRanks(here)
    if (!hasSlugs && !hasRanks) continue
    const children = await ours.children(parent)
    const still = children.filter(({ id }) => !drafts.has(id))
    if (hasSlugs) settleSlugs(here, still, renamed)
    if (hasRanks) settleRanks(here, still)
  }
}

function byParent(drafts: Drafts): Map<string | undefined, Draft[]> {
  const groups = new Map<string | undefined, Draft[]>()
  for (const draft of drafts.values()) {
    if (draft.record === undefined) continue
    const group = groups.get(draft.record.parent)
    if (group === undefined) groups.set(draft.record.parent, [draft])
    else group.push(draft)
  }
  return groups
}

function needsSlugs(here: readonly Draft[]): boolean {
  const seen = new Set<string>()
  return here.some(({ record, ours, theirs }) => {
    if (record?.slug === undefined) return false
    const isAs = (side: PageRecord | undefined): boolean =>
      side !== undefined && side.parent === record.parent && side.slug === record.slug
    if (seen.has(record.slug) || !(isAs(ours) || isAs(theirs))) return true
    seen.add(record.slug)
    return false
  })
}

function settleSlugs(here: readonly Draft[], still: readonly PageRecord[], renamed: MergedRevision['renamed']): void {
  const taken = new Set(still.flatMap(({ slug }) => slug ?? []))
  const isOurs = ({ record, ours }: Draft): boolean => ours?.parent === record?.parent && ours?.slug === record?.slug
  const hybrids = here.filter((draft) => !isOurs(draft))
  for (const { record } of here.filter(isOurs)) if (record?.slug !== undefined) taken.add(record.slug)
  for (const draft of hybrids.sort((a, b) => compare(a.record, b.record))) {
    const slug = draft.record?.slug
    if (draft.record === undefined || slug === undefined) continue
    const name = uniqueName(slug, (candidate) => taken.has(candidate))
    taken.add(name)
    if (name === slug) continue
    draft.record = { ...draft.record, slug: name }
    renamed.push({ page: draft.id, from: slug, to: name })
  }
}

const isPlaced = ({ base, ours }: Draft): boolean => ours?.parent !== base?.parent || ours?.rank !== base?.rank
const isPut = (draft: Draft): boolean =>
  draft.placedBy === 'theirs' &&
  (draft.record?.parent !== draft.ours?.parent || draft.record?.rank !== draft.ours?.rank)

/** Whether something of theirs may stand before something of ours in one gap. */
function needsRanks(here: readonly Draft[]): boolean {
  const last = rankOf(
    here
      .filter((draft) => draft.placedBy === 'ours' && isPlaced(draft))
      .sort(byRank)
      .at(-1),
  )
  const first = rankOf(here.filter(isPut).sort(byRank)[0])
  return last !== undefined && first !== undefined && first <= last
}

const rankOf = (draft: Draft | undefined): string | undefined => draft?.record?.rank
const byRank = (a: Draft, b: Draft): number => compare(a.record, b.record)

function settleRanks(here: readonly Draft[], still: readonly PageRecord[]): void {
  const put = here.filter(isPut).sort(byRank)
  const placed = here.filter((draft) => draft.placedBy === 'ours' && isPlaced(draft)).sort(byRank)
  const moving = new Set([...put, ...placed])
  const fixed = [...still, ...here.flatMap((draft) => (moving.has(draft) ? [] : (draft.record ?? [])))].sort(compare)
  let [nextPut, nextPlaced] = [0, 0]
  for (let at = 0; at <= fixed.length; at += 1) {
    const high = fixed[at]?.rank
    const isHere = (draft: Draft | undefined): boolean =>
      draft !== undefined && (high === undefined || (rankOf(draft) ?? '') < high)
    let low = fixed[at - 1]?.rank ?? ''
    for (; isHere(placed[nextPlaced]); nextPlaced += 1) low = rankOf(placed[nextPlaced]) ?? low
    for (; isHere(put[nextPut]); nextPut += 1) {
      const draft = put[nextPut]
      if (draft?.record === undefined) continue
      if (draft.record.rank <= low) draft.record = { ...draft.record, rank: between(low, high, draft.record.rank) }
      low = draft.record.rank
    }
  }
}

/** A rank between two others; the old one where there is no room, and then the ids decide. */
function between(low: string, high: string | undefined, old: string): string {
  return high === undefined || low < high ? rankBetween(low, high ?? '') : old
}

function compare(a: PageRecord | undefined, b: PageRecord | undefined): number {
  if (a === undefined || b === undefined) return 0
  if (a.rank !== b.rank) return a.rank < b.rank ? -1 : 1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}
