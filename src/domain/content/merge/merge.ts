/** Brings two contents together that part at a common ancestor, through the readers that the pure merge asks for. */
import type { z } from 'zod'
import type { UnmarkedConflict as Shape } from '../../../contract/content/change-requests.ts'
import { same } from '../../../core/diff/equal.ts'
import { assignKeys } from '../../../core/document/tree/keys.ts'
import type { JSONDocument } from '../../../core/document/tree/nodes.ts'
import type { MergeConflict, RevisionReader, WithDocument } from '../../../core/merge/merged-pages.ts'
import { mergePages } from '../../../core/merge/pages.ts'
import type { StoredMerge } from '../../../core/merge/stored-documents.ts'
import {
  type Content,
  childrenOf,
  fileById,
  type PageChange,
  pageById,
  pagesById,
  putFiles,
  putPages,
  putReusable,
  reusableById,
} from '../../../core/revision/content.ts'
import type { MapRef } from '../../../core/revision/map.ts'
import { diff } from '../../../core/revision/map-diff.ts'
import type { PageRecord, ReusableRecord } from '../../../core/revision/records.ts'
import type { ContentReader, ContentWriter } from '../../../store/content/content.ts'
import { mergeAside } from './merge-aside.ts'

export interface MergedContent {
  /** Ours with what theirs changed. */
  content: Content
  conflicts: MergeConflict[]
}

/** A conflict that leaves no mark in a document, as it is told: main's version is kept until somebody edits it. */
export type UnmarkedConflict = z.output<typeof Shape>

const sentences: Record<string, string> = {
  field: 'Both sides changed this field; the version of the main content is kept.',
  deleted: 'One side changed a page that the other deleted; the page is kept.',
  'parent-deleted': 'One side deleted a page under which the other put or changed something; the page is kept.',
  'both-moved': 'Both sides moved the page; it stands where the main content has it.',
  cycle: 'The page would stand below itself; it stays where it was.',
  type: 'The kinds of the page do not go together; the one that keeps everything is kept.',
  file: 'Both sides changed this file; the version of the main content is kept.',
  'file-deleted': 'One side changed a file that the other deleted; the file is kept.',
}

export const unmarked = (conflicts: readonly MergeConflict[]): UnmarkedConflict[] =>
  conflicts
    .filter((conflict) => conflict.kind !== 'document' && conflict.kind !== 'reusable-document')
    .map((conflict) => ({
      ...('page' in conflict ? { page: conflict.page } : {}),
      kind: conflict.kind,
      ...('field' in conflict ? { field: conflict.field } : {}),
      message: sentences[conflict.kind] ?? 'Both sides changed this; the version of the main content is kept.',
      ...('ours' in conflict ? { ours: conflict.ours } : {}),
      ...('theirs' in conflict ? { theirs: conflict.theirs } : {}),
    }))

/** What is told after another merge: what conflicts now, and what conflicted before, since nobody may have decided that. */
export function withEarlier(
  earlier: readonly UnmarkedConflict[],
  now: readonly UnmarkedConflict[],
): UnmarkedConflict[] {
  const nameOf = ({ page, kind, field }: UnmarkedConflict): string => JSON.stringify([page, kind, field])
  const names = new Set(now.map(nameOf))
  return [...earlier.filter((conflict) => !names.has(nameOf(conflict))), ...now]
}

/** Without fields of pages to which the version of the change request was given back. */
export async function undecided(
  reader: ContentReader,
  content: Content,
  conflicts: readonly UnmarkedConflict[],
): Promise<UnmarkedConflict[]> {
  const ids = conflicts.flatMap(({ kind, page }) => (kind === 'field' && page !== undefined ? [page] : []))
  const pages = await pagesById(reader, content, new Set(ids))
  return conflicts.filter(({ kind, page, field, ours, theirs }) => {
    const record = kind === 'field' && page !== undefined ? pages.get(page) : undefined
    // What one side removed stands as the other left it from the start.
    if (record === undefined || field === undefined || ours === undefined) return true
    return !same(new Map<string, unknown>(Object.entries(record)).get(field), theirs)
  })
}

/** `known` are the documents merged so far, by a merge of the same change request that came too late. */
export async function mergeContents(
  writer: ContentWriter,
  sides: { base: Content; ours: Content; theirs: Content },
  known: Map<string, StoredMerge> = new Map(),
): Promise<MergedContent> {
  const { base, ours, theirs } = sides
  const changed = async (map: 'pages' | 'files' | 'reusable') => ({
    ours: await changedIds(writer, base[map], ours[map]),
    theirs: await changedIds(writer, base[map], theirs[map]),
  })
  const merged = await mergePages({
    base: readerOf(writer, base),
    ours: readerOf(writer, ours),
    theirs: readerOf(writer, theirs),
    pages: await changed('pages'),
    files: await changed('files'),
    reusables: await changed('reusable'),
    variables: { base: base.variables, ours: ours.variables, theirs: theirs.variables },
    known,
    mergeDocuments: (documents) => mergeAside(writer.threads, documents),
  })
  let content = ours
  const pages: PageChange[] = []
  for (const id of merged.deletes) pages.push({ before: await pageById(writer, ours, id) })
  for (const page of merged.puts) {
    pages.push({ before: await pageById(writer, ours, page.id), after: await stored<PageRecord>(writer, page) })
  }
  content = await putPages(writer, content, pages)
  content = await putFiles(writer, content, edits(merged.files.puts, merged.files.deletes))
  const reusables: ReusableRecord[] = []
  for (const record of merged.reusables.puts) reusables.push(await stored<ReusableRecord>(writer, record))
  content = await putReusable(writer, content, edits(reusables, merged.reusables.deletes))
  if (merged.variables) content = { ...content, variables: merged.variables }
  return { content, conflicts: merged.conflicts }
}

const changedIds = async (reader: ContentReader, before: MapRef, after: MapRef): Promise<string[]> =>
  (await diff(reader, before, after)).map(({ key }) => key)

const readerOf = (reader: ContentReader, content: Content): RevisionReader => ({
  page: (id) => pageById(reader, content, id),
  children: (parent) => childrenOf(reader, content, parent),
  document: (hash) => reader.document(hash),
  documentsAhead: (hashes) => reader.documentsAhead(hashes),
  file: (id) => fileById(reader, content, id),
  reusable: (id) => reusableById(reader, content, id),
})

/** A record whose document, where it was merged, has its hash. */
async function stored<Of extends { document?: string }>(writer: ContentWriter, record: WithDocument<Of>): Promise<Of> {
  const { document } = record as { document?: string | JSONDocument }
  // The document is the one field in which the two types differ, and it is a hash now.
  return {
    ...record,
    ...(typeof document === 'object' ? { document: await writer.saveDocument(assignKeys(document)) } : {}),
  } as unknown as Of
}

function edits<Of extends { id: string }>(
  puts: readonly Of[],
  deletes: readonly string[],
): Map<string, Of | undefined> {
  const changes = new Map<string, Of | undefined>(deletes.map((id) => [id, undefined]))
  for (const record of puts) changes.set(record.id, record)
  return changes
}
