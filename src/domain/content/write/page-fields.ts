/** The fields of a page that a change sets, and a record with them. */
import type { z } from 'zod'
import type { ContentChange } from '../../../contract/content/space-content.ts'
import { same } from '../../../core/diff/equal.ts'
import type { EditConflict } from '../../../core/errors.ts'
import type { PageCover, PageLayout, PageRecord } from '../../../core/revision/records.ts'

export type Change = z.output<typeof ContentChange>
export type Insert = Extract<Change, { operation: 'insert_page' }>
export type Update = Extract<Change, { operation: 'update_page' }>

/** The metadata a change carries; an empty text takes a field away. */
export function metadataOf(change: Insert | Update): Partial<PageRecord> {
  const { emoji, icon, description, linkTitle, hidden, noIndex, noRobotsIndex, condition, layout, cover, variables } =
    change
  const given: Partial<PageRecord> = {
    emoji,
    icon,
    description,
    linkTitle,
    hidden,
    noIndex,
    noRobotsIndex,
    condition,
    variables,
  } as Partial<PageRecord>
  if (layout !== undefined) given.layout = layout as PageLayout
  if (cover !== undefined) given.cover = (cover ?? undefined) as PageCover
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) if (value !== undefined) result[name] = value
  if (cover === null) result.cover = undefined
  return result as Partial<PageRecord>
}

/** A record has no empty fields: what was cleared is absent. */
export function clean(page: { [K in keyof PageRecord]: PageRecord[K] | undefined }): PageRecord {
  const filled = Object.entries(page).filter(([, value]) => !isEmpty(value))
  // The fields that every page has are never empty: id, type, rank and title are given by the callers above.
  return { title: page.title ?? '', rank: page.rank ?? '', ...Object.fromEntries(filled) } as PageRecord
}

const isEmpty = (value: unknown): boolean => value === undefined || value === '' || value === false

/**
 * Fields that were set on a page as it was at the base, against what the page has now: one that somebody else set to
 * something different meanwhile keeps their value and conflicts.
 */
export function rebaseFields(
  given: Partial<PageRecord>,
  { base, head }: { base: PageRecord | undefined; head: PageRecord },
): { fields: Partial<PageRecord>; conflicts: EditConflict[] } {
  const fields: Record<string, unknown> = {}
  const conflicts: EditConflict[] = []
  const fieldValue = (value: unknown): unknown => (isEmpty(value) ? undefined : value)
  const [before, now] = [base ?? {}, head].map((page) => new Map<string, unknown>(Object.entries(page)))
  for (const [field, value] of Object.entries(given)) {
    const [old, ours, theirs] = [before?.get(field), now?.get(field), value].map(fieldValue)
    if (same(theirs, old) || same(theirs, ours)) continue
    if (same(ours, old)) fields[field] = value
    else conflicts.push({ page: head.id, field, ours: ours ?? null, theirs: theirs ?? null })
  }
  return { fields: fields as Partial<PageRecord>, conflicts }
}
