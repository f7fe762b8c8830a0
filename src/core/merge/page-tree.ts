/**
 * Makes a tree of the drafts: after this every page has a parent that is there and can hold it, and none stands below
 * itself.
 *
 * Each repair takes a change of theirs back or brings a deleted page back, and none is ever undone, so that repairing
 * ends. Ours alone is a tree, and so is theirs; only where the two meet is there anything to repair. Pages that
 * neither side changed are looked at only as ancestors.
 */
import type { PageRecord } from '../revision/records.ts'
import type { MergeConflict, RevisionReader } from './merged-pages.ts'
import { type Draft, type Drafts, placedAs } from './page-drafts.ts'
import { holdsPages, withTypeOf } from './page-fields.ts'

export async function repairTree(
  drafts: Drafts,
  { ours, conflicts }: { ours: RevisionReader; conflicts: MergeConflict[] },
): Promise<void> {
  const tree: Tree = { drafts, ours, still: new Map(), conflicts }
  for (let isDone = false; !isDone; ) {
    isDone = true
    for (const draft of drafts.values()) {
      if (draft.record === undefined) continue
      const isSound = (await hasParent(draft, tree)) && isWellTyped(draft, tree) && !(await isBelowItself(draft, tree))
      if (!isSound) isDone = false
    }
  }
}

interface Tree {
  drafts: Drafts
  ours: RevisionReader
  /** Pages that neither side changed, as far as they have been read. */
  still: Map<string, PageRecord | undefined>
  conflicts: MergeConflict[]
}

async function recordOf(id: string, { drafts, ours, still }: Tree): Promise<PageRecord | undefined> {
  const draft = drafts.get(id)
  if (draft !== undefined) return draft.record
  if (!still.has(id)) still.set(id, await ours.page(id))
  return still.get(id)
}

/** False when the parent had to be brought back. */
async function hasParent(draft: Draft, tree: Tree): Promise<boolean> {
  const parent = draft.record?.parent
  if (parent === undefined || (await recordOf(parent, tree)) !== undefined) return true
  const deleted = tree.drafts.get(parent)
  const left = deleted?.ours ?? deleted?.theirs
  if (deleted === undefined || left === undefined)
    throw new Error(`page ${draft.id} stands under ${parent}, which no side has`)
  const by = deleted.ours === undefined ? 'ours' : 'theirs'
  deleted.record = left
  deleted.placedBy = by === 'ours' ? 'theirs' : 'ours'
  tree.conflicts.push({ kind: 'parent-deleted', page: parent, by })
  return false
}

/** Only documents and groups hold pages, and groups stand at the root; false when a type or a place was taken back. */
function isWellTyped(draft: Draft, tree: Tree): boolean {
  const record = draft.record
  if (record?.parent === undefined) return true
  const parent = tree.drafts.get(record.parent)
  if (parent?.record !== undefined && !holdsPages(parent.record.type)) {
    const version = [parent.ours, parent.theirs, parent.base].find(
      (known) => known !== undefined && holdsPages(known.type),
    )
    if (version === undefined) throw new Error(`page ${parent.id} cannot hold pages in any version`)
    parent.record = withTypeOf(parent.record, version)
    pushType(parent, tree)
    return false
  }
  if (record.type !== 'group') return true
  const { ours, base } = draft
  // A group of ours stays where ours has it; a page that theirs made a group stays what ours has.
  if (ours?.type === 'group') {
    draft.record = placedAs(record, ours)
    draft.placedBy = 'ours'
  } else draft.record = withTypeOf(record, ours ?? base ?? record)
  pushType(draft, tree)
  // Nothing more can be done for a group that no version has at the root.
  return draft.record.type === 'group' && draft.record.parent !== undefined
}

function pushType({ id, ours, theirs }: Draft, { conflicts }: Tree): void {
  if (conflicts.some((known) => known.kind === 'type' && known.page === id)) return
  conflicts.push({
    kind: 'type',
    page: id,
    ...(ours === undefined ? {} : { ours: ours.type }),
    ...(theirs === undefined ? {} : { theirs: theirs.type }),
  })
}

/** True when theirs had moved it below itself; then the move is taken back. */
async function isBelowItself(draft: Draft, tree: Tree): Promise<boolean> {
  const { ours } = draft
  if (draft.placedBy === 'ours' || ours === undefined || draft.record?.parent === ours.parent) return false
  const seen = new Set<string>()
  for (let above = draft.record?.parent; above !== undefined && !seen.has(above); ) {
    if (above === draft.id) {
      takeBack(draft, ours, tree)
      return true
    }
    seen.add(above)
    above = (await recordOf(above, tree))?.parent
  }
  return false
}

function takeBack(draft: Draft, ours: PageRecord, { conflicts }: Tree): void {
  const wanted = draft.record?.parent
  if (draft.record !== undefined) draft.record = placedAs(draft.record, ours)
  draft.placedBy = 'ours'
  conflicts.push({ kind: 'cycle', page: draft.id, ...(wanted === undefined ? {} : { theirs: wanted }) })
}
