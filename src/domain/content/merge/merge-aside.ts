/**
 * Documents merged and compared without holding up other requests: what is short is done at once, what could take long in
 * a thread.
 */
import { type BlockChange, diffDocuments } from '../../../core/diff/documents.ts'
import type { JSONDocument } from '../../../core/document/tree/nodes.ts'
import { fail } from '../../../core/errors.ts'
import { conflictsIn } from '../../../core/merge/conflicts.ts'
import { type MergedDocument, mergeDocuments } from '../../../core/merge/documents.ts'
import type { Three } from '../../../core/merge/three-way.ts'
import { type TaskOptions, ThreadError } from '../../../threads/pool.ts'
import type { Threads } from '../../../threads/supervisor.ts'
import { isHeavyTree } from '../markdown/markdown.ts'

export type MergeTask = { merge: Three<JSONDocument> } | { diff: Versions }
type Versions = { before: JSONDocument; after: JSONDocument }

export async function mergeAside(
  threads: Threads,
  documents: Three<JSONDocument>,
  limits?: TaskOptions,
): Promise<MergedDocument> {
  if (![documents.ours, documents.theirs].some(isHeavyTree)) return mergeDocuments(documents)
  const document: JSONDocument = JSON.parse(await aside(threads, { merge: documents }, limits))
  return { document, conflicts: conflictsIn(document) }
}

export async function diffAside(
  threads: Threads,
  { before, after }: Versions,
  limits?: TaskOptions,
): Promise<BlockChange[]> {
  if (![before, after].some(isHeavyTree)) return diffDocuments(before, after)
  return JSON.parse(await aside(threads, { diff: { before, after } }, limits))
}

/** A tree goes as JSON, which the receiving side reads several times faster than a copied object. */
async function aside(threads: Threads, task: MergeTask, limits: TaskOptions | undefined): Promise<string> {
  try {
    return String(await threads.run('merge', JSON.stringify(task), limits))
  } catch (error) {
    if (error instanceof ThreadError && error.code !== 'failed')
      throw fail('overloaded', 'A page takes too long to compare just now. Try again in a moment.')
    throw error
  }
}
