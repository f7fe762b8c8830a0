/** What differs between two revisions, as a reviewer reads it. Costs what differs, not what there is. */
import type { z } from 'zod'
import type { Changes } from '../../../contract/content/change-requests.ts'
import type { DetailedChange } from '../../../contract/content/changes.ts'
import { diffRevisions, type RevisionChange, type Versions } from '../../../core/diff/revisions.ts'
import { sortByTree } from '../../../core/diff/tree-order.ts'
import { conflictsIn } from '../../../core/merge/conflicts.ts'
import { type Content, emptyContent, pathOf } from '../../../core/revision/content.ts'
import type { MapRef } from '../../../core/revision/map.ts'
import { diff } from '../../../core/revision/map-diff.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../../core/revision/records.ts'
import { type ContentReader, openContent } from '../../../store/content/content.ts'
import type { RevisionRow } from '../../../store/content/revisions.ts'
import type { Base } from '../../handler.ts'
import { blockChanges } from './block-changes.ts'
import { type UnmarkedConflict, undecided } from './merge.ts'

type Shown = z.output<typeof DetailedChange>
type Conflicts = NonNullable<z.output<typeof Changes>['conflicts']>

export async function changesOf(
  base: Base,
  request: {
    before: RevisionRow | undefined
    after: RevisionRow
    limit: number
    /** Whether to tell what changed inside pages. */
    blocks: boolean
    /** Of a change request: conflicts that no document shows. */
    conflicts?: readonly UnmarkedConflict[]
  },
): Promise<z.output<typeof Changes>> {
  const reader = openContent(base.db)
  const before = request.before?.content ?? emptyContent(reader)
  const after = request.after.content
  const changedPages = await versions<PageRecord>(reader, before.pages, after.pages)
  const pages = await sortByTree(reader, { before, after }, changedPages)
  const reusables = await versions<ReusableRecord>(reader, before.reusable, after.reusable)
  const found = diffRevisions({
    pages,
    files: await versions<FileRecord>(reader, before.files, after.files),
    reusables,
    variables: { before: before.variables, after: after.variables },
  })
  const changes: Shown[] = []
  let detailed = 0
  for (const change of found.slice(0, request.limit)) {
    const shown = await presentChange(reader, { before, after }, change)
    const sides = documentsOf(change)
    if (request.blocks && sides && detailed++ < mostDetailed) shown.blocks = await blockChanges(reader, sides)
    changes.push(shown)
  }
  const conflicts = request.conflicts
    ? [...(await conflictsOf(reader, [...pages, ...reusables])), ...(await undecided(reader, after, request.conflicts))]
    : []
  return {
    changes,
    ...(found.length > request.limit ? { more: found.length - request.limit } : {}),
    ...(conflicts.length > 0 ? { conflicts } : {}),
  }
}

const mostDetailed = 50

/** The documents that a change is between; nothing where it is not about one. */
function documentsOf(change: RevisionChange): { before: string | undefined; after: string | undefined } | undefined {
  if (change.type !== 'page_edited' && change.type !== 'reusable_content_edited') return undefined
  const { before, after } = 'page' in change ? change.page : 'reusable' in change ? change.reusable : {}
  if (before?.document === after?.document) return undefined
  return { before: before?.document, after: after?.document }
}

const versions = async <Of>(reader: ContentReader, before: MapRef, after: MapRef): Promise<Versions<Of>[]> =>
  (await diff<Of>(reader, before, after)).map(({ key, ...sides }) => ({ id: key, ...sides }))

async function presentChange(
  reader: ContentReader,
  contents: { before: Content; after: Content },
  change: RevisionChange,
): Promise<Shown> {
  if ('page' in change) return presentPageChange(reader, contents, change.type, change.page)
  if ('file' in change) {
    const file = present(change.file)
    return { type: change.type, file: { id: file.id, title: file.name, contentType: file.contentType } }
  }
  if ('reusable' in change) {
    const record = present(change.reusable)
    return { type: change.type, reusableContent: { id: record.id, title: record.title } }
  }
  const { before, after } = contents
  const attributes = change.names.map((name) => [name, sides(before.variables[name], after.variables[name])])
  return { type: change.type, attributes: Object.fromEntries(attributes) }
}

async function presentPageChange(
  reader: ContentReader,
  contents: { before: Content; after: Content },
  type: Shown['type'],
  page: Versions<PageRecord>,
): Promise<Shown> {
  const shown = present(page)
  const path =
    shown.slug === undefined ? undefined : await pathOf(reader, page.after ? contents.after : contents.before, shown)
  return {
    type,
    page: {
      id: shown.id,
      title: shown.title,
      ...(path === undefined ? {} : { path }),
      ...(shown.emoji === undefined ? {} : { emoji: shown.emoji }),
      ...(shown.icon === undefined ? {} : { icon: shown.icon }),
    },
    ...(type === 'page_edited' && page.before && page.after
      ? { attributes: fieldsThatDiffer(page.before, page.after) }
      : {}),
  }
}

function present<Of>({ before, after }: Versions<Of>): Of {
  const record = after ?? before
  if (record === undefined) throw new Error('A difference has at least one side.')
  return record
}

/** Where a page stands and when it was touched is told by other means. */
const untold = ['parent', 'rank', 'createdAt', 'updatedAt']

function fieldsThatDiffer(before: PageRecord, after: PageRecord): NonNullable<Shown['attributes']> {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  const names = [...new Set([...old.keys(), ...now.keys()])].filter(
    (name) => !untold.includes(name) && JSON.stringify(old.get(name)) !== JSON.stringify(now.get(name)),
  )
  return Object.fromEntries(names.map((name) => [name, sides(old.get(name), now.get(name))]))
}

const sides = (before: unknown, after: unknown) => ({
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
})

/** The markers that still stand in what changed. */
async function conflictsOf(
  reader: ContentReader,
  changed: readonly (Versions<PageRecord> | Versions<ReusableRecord>)[],
): Promise<Conflicts> {
  const found: Conflicts = []
  for (const { after } of changed) {
    if (after?.document === undefined) continue
    for (const conflict of conflictsIn(await reader.document(after.document))) {
      found.push({
        ...('rank' in after ? { page: after.id } : {}),
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

/** Whether a page or a reusable content that differs from main still holds markers. */
export async function hasMarkers(reader: ContentReader, main: Content, proposed: Content): Promise<boolean> {
  const pages = await diff<PageRecord>(reader, main.pages, proposed.pages)
  const reusable = await diff<ReusableRecord>(reader, main.reusable, proposed.reusable)
  const hashes = [...pages, ...reusable].flatMap(({ after }) => after?.document ?? [])
  await reader.documentsAhead(hashes)
  for (const hash of hashes) if (conflictsIn(await reader.document(hash)).length > 0) return true
  return false
}
