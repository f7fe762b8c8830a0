/**
 * A first answer for every changed page by itself: is it there, what are its fields, which side placed it. The tree
 * is put right afterwards.
 */
import type { PageRecord } from '../revision/records.ts'
import type { Side } from './conflicts.ts'
import type { MergeConflict, RevisionMerge } from './merged-pages.ts'
import { isEdited, mergePageFields } from './page-fields.ts'

export interface Draft {
  id: string
  base: PageRecord | undefined
  ours: PageRecord | undefined
  theirs: PageRecord | undefined
  /** What it will be; absent when it is deleted. Its document is ours' or theirs', or is still to be merged. */
  record: PageRecord | undefined
  placedBy: Side
  mergesDocument: boolean
}
export type Drafts = Map<string, Draft>

export async function draftPages(merge: RevisionMerge, conflicts: MergeConflict[]): Promise<Drafts> {
  const inOurs = new Set(merge.pages.ours)
  const inTheirs = new Set(merge.pages.theirs)
  const ids = [...new Set([...merge.pages.theirs, ...merge.pages.ours])]
  const drafts: Drafts = new Map()
  for (const id of ids) {
    const base = await merge.base.page(id)
    const ours = inOurs.has(id) ? await merge.ours.page(id) : base
    const theirs = inTheirs.has(id) ? await merge.theirs.page(id) : base
    const draft: Draft = { id, base, ours, theirs, record: ours, placedBy: 'ours', mergesDocument: false }
    if (inTheirs.has(id) && inOurs.has(id)) draftBoth(draft, conflicts)
    else if (inTheirs.has(id)) Object.assign(draft, { record: theirs, placedBy: 'theirs' })
    drafts.set(id, draft)
  }
  return drafts
}

function draftBoth(draft: Draft, conflicts: MergeConflict[]): void {
  const { id, base, ours, theirs } = draft
  if (ours === undefined || theirs === undefined) {
    const left = ours ?? theirs
    const isKept = left !== undefined && isEdited(base, left)
    if (isKept) conflicts.push({ kind: 'deleted', page: id, by: ours === undefined ? 'ours' : 'theirs' })
    draft.record = isKept ? left : undefined
    draft.placedBy = ours === undefined ? 'theirs' : 'ours'
    return
  }
  const merged = mergePageFields(base, ours, theirs)
  conflicts.push(...merged.conflicts)
  draft.record = merged.record
  placeDraft(draft, { base, ours, theirs }, conflicts)
  chooseDocument(draft, merged.documentOf, { base, ours, theirs })
}

type Versions = { base: PageRecord | undefined; ours: PageRecord; theirs: PageRecord }

// Ours wins the position when both sides moved a page: its siblings there are what readers see today.
function placeDraft(draft: Draft, { base, ours, theirs }: Versions, conflicts: MergeConflict[]): void {
  const isMoved = (side: PageRecord): boolean => side.parent !== base?.parent || side.rank !== base?.rank
  if (base !== undefined && isMoved(theirs) && !isMoved(ours)) {
    draft.placedBy = 'theirs'
    if (draft.record !== undefined) draft.record = placedAs(draft.record, theirs)
    return
  }
  const isTorn = ours.parent !== theirs.parent && theirs.parent !== base?.parent && ours.parent !== base?.parent
  if (isTorn) conflicts.push({ kind: 'both-moved', page: draft.id, ...parents(ours, theirs) })
  // One side carried it to another parent while the other only shifted it among its siblings: the carrying counts.
  const isCarriedByTheirs = ours.parent === base?.parent && theirs.parent !== base?.parent && base !== undefined
  if (isCarriedByTheirs && draft.record !== undefined) {
    draft.placedBy = 'theirs'
    draft.record = placedAs(draft.record, theirs)
  }
}

export function placedAs(record: PageRecord, { parent, rank }: PageRecord): PageRecord {
  const copy = { ...record, rank }
  if (parent === undefined) delete copy.parent
  else copy.parent = parent
  return copy
}

function parents(ours: PageRecord, theirs: PageRecord): { ours?: string; theirs?: string } {
  return {
    ...(ours.parent === undefined ? {} : { ours: ours.parent }),
    ...(theirs.parent === undefined ? {} : { theirs: theirs.parent }),
  }
}

function chooseDocument(draft: Draft, documentOf: Side | undefined, { base, ours, theirs }: Versions): void {
  const record = draft.record
  if (record === undefined) return
  const hashes = { base: base?.document, ours: ours.document, theirs: theirs.document }
  if (
    documentOf === undefined &&
    hashes.ours !== hashes.theirs &&
    hashes.theirs !== hashes.base &&
    hashes.ours !== hashes.base
  ) {
    draft.mergesDocument = true
    return
  }
  const side = documentOf ?? (hashes.ours === hashes.base ? 'theirs' : 'ours')
  const hash = hashes[side]
  const { document: _, ...rest } = record
  draft.record = hash === undefined ? rest : { ...rest, document: hash }
}
