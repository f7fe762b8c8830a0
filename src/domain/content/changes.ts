/** What differs between two revisions, as a reviewer reads it. Costs what differs, not what there is. */
import type { z } from 'zod'
import type { Changes } from '../../contract/change-requests.ts'
import type { Change } from '../../contract/space-content.ts'
import { conflictsIn } from '../../core/merge/conflicts.ts'
import { type Content, emptyContent, pathOf } from '../../core/revision/content.ts'
import { type Difference, diff } from '../../core/revision/map.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../core/revision/records.ts'
import { type ContentReader, openContent } from '../../store/content.ts'
import type { RevisionRow } from '../../store/revisions.ts'
import type { Base } from '../scope.ts'

type Shown = z.output<typeof Change>
type Conflicts = NonNullable<z.output<typeof Changes>['conflicts']>

export async function changesOf(
  base: Base,
  request: { before: RevisionRow | undefined; after: RevisionRow; limit: number; withConflicts: boolean },
): Promise<z.output<typeof Changes>> {
  const reader = openContent(base.db)
  const before = request.before?.content ?? emptyContent(reader)
  const after = request.after.content
  const pages = await diff<PageRecord>(reader, before.pages, after.pages)
  const changes: Shown[] = []
  for (const difference of pages) changes.push(...(await pageChanges(reader, { before, after }, difference)))
  changes.push(...(await diff<FileRecord>(reader, before.files, after.files)).map(fileChange))
  changes.push(...(await diff<ReusableRecord>(reader, before.reusable, after.reusable)).map(reusableChange))
  if (JSON.stringify(before.variables) !== JSON.stringify(after.variables)) {
    changes.push({ type: 'variables_edited', attributes: fieldsThatDiffer(before.variables, after.variables) })
  }
  const conflicts = request.withConflicts ? await conflictsOf(reader, pages) : []
  return {
    changes: changes.slice(0, request.limit),
    ...(changes.length > request.limit ? { more: changes.length - request.limit } : {}),
    ...(conflicts.length > 0 ? { conflicts } : {}),
  }
}

async function pageChanges(
  reader: ContentReader,
  contents: { before: Content; after: Content },
  { before, after }: Difference<PageRecord>,
): Promise<Shown[]> {
  const present = after ?? before
  if (!present) return []
  const path =
    present.slug === undefined ? undefined : await pathOf(reader, after ? contents.after : contents.before, present)
  const page = {
    id: present.id,
    title: present.title,
    ...(path === undefined ? {} : { path }),
    ...(present.emoji === undefined ? {} : { emoji: present.emoji }),
    ...(present.icon === undefined ? {} : { icon: present.icon }),
  }
  if (!before) return [{ type: 'page_created', page }]
  if (!after) return [{ type: 'page_deleted', page }]
  const found: Shown[] = []
  if (before.parent !== after.parent || before.rank !== after.rank) found.push({ type: 'page_moved', page })
  const attributes = fieldsThatDiffer(plain(before), plain(after))
  if (Object.keys(attributes).length > 0) found.push({ type: 'page_edited', page, attributes })
  return found
}

/** A record without what says where it stands and when it was touched. */
function plain({ parent: _p, rank: _r, updatedAt: _u, createdAt: _c, ...rest }: PageRecord): Record<string, unknown> {
  return rest
}

function fieldsThatDiffer(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): NonNullable<Shown['attributes']> {
  const found: NonNullable<Shown['attributes']> = {}
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (JSON.stringify(before[name]) === JSON.stringify(after[name])) continue
    found[name] = {
      ...(before[name] === undefined ? {} : { before: before[name] }),
      ...(after[name] === undefined ? {} : { after: after[name] }),
    }
  }
  return found
}

function fileChange({ before, after }: Difference<FileRecord>): Shown {
  const file = after ?? before
  if (!file) throw new Error('A difference has at least one side.')
  const type = !before ? 'file_created' : !after ? 'file_deleted' : 'file_edited'
  return { type, file: { id: file.id, title: file.name, contentType: file.contentType } }
}

function reusableChange({ before, after }: Difference<ReusableRecord>): Shown {
  const record = after ?? before
  if (!record) throw new Error('A difference has at least one side.')
  const type = !before ? 'reusable_content_created' : !after ? 'reusable_content_deleted' : 'reusable_content_edited'
  return { type, reusableContent: { id: record.id, title: record.title } }
}

/** The marks that still stand in the pages that changed. */
async function conflictsOf(reader: ContentReader, pages: readonly Difference<PageRecord>[]): Promise<Conflicts> {
  const found: Conflicts = []
  for (const { after } of pages) {
    if (after?.document === undefined) continue
    for (const conflict of conflictsIn(await reader.document(after.document))) {
      found.push({
        page: after.id,
        kind: conflict.kind,
        message:
          conflict.kind === 'edit'
            ? `Both sides changed this block of “${after.title}”. Keep one version and take its mark off.`
            : `One side changed what the other deleted in “${after.title}”. Keep the block or delete it.`,
      })
    }
  }
  return found
}

/** Whether a page that differs from main still holds marks. */
export async function hasMarks(reader: ContentReader, main: Content, proposed: Content): Promise<boolean> {
  for (const { after } of await diff<PageRecord>(reader, main.pages, proposed.pages)) {
    if (after?.document !== undefined && conflictsIn(await reader.document(after.document)).length > 0) return true
  }
  return false
}
