/**
 * Three-way merge of one page's record, where both sides have it. Its place in the tree is not decided here.
 */
import { same } from '../diff/equal.ts'
import type { PageRecord, PageType } from '../revision/records.ts'
import type { MergeConflict } from './merged-pages.ts'
import { changesMoreThan, mergeRecord, type Rules } from './records.ts'

const placing = ['parent', 'rank']
const bookkeeping = ['createdAt', 'updatedAt', 'git', 'computedSeed']
const rules: Rules = {
  skips: [...placing, 'id', 'type', 'document', 'slug'],
  quiet: bookkeeping,
  maps: ['layout', 'cover', 'variables', 'extra'],
  sets: ['tags'],
}

export interface MergedFields {
  /** With the place and the document of ours. */
  record: PageRecord
  conflicts: MergeConflict[]
  /** The side whose document goes with the type; absent when documents are merged as usual. */
  documentOf?: 'ours' | 'theirs'
}

export function mergePageFields(base: PageRecord | undefined, ours: PageRecord, theirs: PageRecord): MergedFields {
  const page = ours.id
  const { record, clashes } = mergeRecord({ base: base ?? {}, ours, theirs }, rules)
  const conflicts: MergeConflict[] = clashes.map((clash) => ({ kind: 'field', page, ...clash }))
  const slug = mergeSlug(base?.slug, ours.slug, theirs.slug)
  if (slug.clash)
    conflicts.push({
      kind: 'field',
      page,
      field: 'slug',
      ...definedOnly({ base: base?.slug, ours: ours.slug, theirs: theirs.slug }),
    })
  setOrDrop(record, 'slug', slug.value)
  const last = [ours.updatedAt, theirs.updatedAt]
    .filter((time) => time !== undefined)
    .sort()
    .at(-1)
  if (!same(ours, theirs)) setOrDrop(record, 'updatedAt', last)
  return { conflicts, ...settleType(record, conflicts, { base, ours, theirs }) }
}

/** Whether a side did to a page what a deletion would lose; its place among the same siblings is no such thing. */
export function isEdited(base: PageRecord | undefined, side: PageRecord): boolean {
  return base === undefined || changesMoreThan(['rank', ...bookkeeping], base, side)
}

export const holdsPages = (type: PageType): boolean => type === 'document' || type === 'group'

/** The record with the type of another version, and what belongs to it; a document or a slug only where it has none. */
export function withTypeOf(record: PageRecord, version: PageRecord): PageRecord {
  const copy = { ...record, type: version.type }
  setOrDrop(copy, 'target', version.target)
  setOrDrop(copy, 'computed', version.computed)
  setOrDrop(copy, 'slug', version.slug === undefined ? undefined : (record.slug ?? version.slug))
  setOrDrop(copy, 'document', record.document ?? version.document)
  return copy
}

/** Ours when both renamed it, told, unless ours is theirs with the number that an earlier merge put behind it. */
function mergeSlug(base: string | undefined, ours: string | undefined, theirs: string | undefined) {
  if (ours === theirs || theirs === base) return { value: ours, clash: false }
  if (ours === base) return { value: theirs, clash: false }
  const isNumbered = ours !== undefined && theirs !== undefined && /^-\d+$/.test(ours.replace(theirs, ''))
  return { value: ours ?? theirs, clash: !isNumbered }
}

function settleType(
  record: PageRecord,
  conflicts: MergeConflict[],
  { base, ours, theirs }: { base: PageRecord | undefined; ours: PageRecord; theirs: PageRecord },
): { record: PageRecord; documentOf?: 'ours' | 'theirs' } {
  if (ours.type === theirs.type) return { record }
  const isOurs = base === undefined || ours.type !== base.type
  const [changer, other] = isOurs ? [ours, theirs] : [theirs, ours]
  const wasWritten = other.document !== base?.document && other.document !== undefined
  const loses = base !== undefined && other.type === base.type && wasWritten && changer.document === undefined
  // A new type has no room for a document the other side has just written: the words outweigh the type.
  const kept = loses ? other : changer
  const typed = withTypeOf(record, kept)
  const isClash = loses || (base !== undefined && other.type !== base.type) || base === undefined
  if (isClash) conflicts.push({ kind: 'type', page: record.id, ours: ours.type, theirs: theirs.type })
  const isWhole = isClash || changer.document === undefined
  return isWhole ? { record: typed, documentOf: kept === ours ? 'ours' : 'theirs' } : { record: typed }
}

function setOrDrop(record: PageRecord, field: keyof PageRecord, value: unknown): void {
  if (value === undefined) Reflect.deleteProperty(record, field)
  else Object.assign(record, { [field]: value })
}

function definedOnly(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
