/** Merging documents that are known by their hashes: only what both sides changed is loaded. */
import { same } from '../diff/equal.ts'
import { makeDocument } from '../document/tree/make.ts'
import type { JSONDocument } from '../document/tree/nodes.ts'
import type { DocumentConflict } from './conflicts.ts'
import { mergeDocuments } from './documents.ts'
import type { RevisionMerge, RevisionReader } from './merged-pages.ts'
import type { Three } from './three-way.ts'

export interface StoredMerge {
  /** A hash where one side's document is the answer; absent when the answer is empty. */
  document: string | JSONDocument | undefined
  conflicts: DocumentConflict[]
}

export async function mergeStored(
  merge: RevisionMerge,
  { base, ours, theirs }: Three<string | undefined>,
): Promise<StoredMerge> {
  if (ours === theirs || theirs === base) return { document: ours, conflicts: [] }
  if (ours === base) return { document: theirs, conflicts: [] }
  const name = [base, ours, theirs].join(' ')
  const known = merge.known?.get(name)
  if (known !== undefined) return known
  const merged = await workOut(merge, { base, ours, theirs })
  merge.known?.set(name, merged)
  return merged
}

async function workOut(merge: RevisionMerge, { base, ours, theirs }: Three<string | undefined>): Promise<StoredMerge> {
  const documents = {
    base: await read(merge.base, base),
    ours: await read(merge.ours, ours),
    theirs: await read(merge.theirs, theirs),
  }
  const { document, conflicts } = await (merge.mergeDocuments?.(documents) ?? mergeDocuments(documents))
  if (same(document, documents.ours)) return { document: ours, conflicts }
  return { document: same(document, documents.theirs) ? theirs : document, conflicts }
}

/** A page without a document is empty. */
async function read(reader: RevisionReader, hash: string | undefined): Promise<JSONDocument> {
  return hash === undefined ? makeDocument([]) : reader.document(hash)
}
