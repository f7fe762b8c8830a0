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
import { parseInSlices, printInSlices } from '../../../store/time-slices.ts'
import { type TaskOptions, ThreadError } from '../../../threads/pool.ts'
import type { Threads } from '../../../threads/supervisor.ts'
import { isHeavyTree } from '../markdown/markdown.ts'

/** Trees go as JSON, which the receiving side reads several times faster than a copied object. */
export type MergeTask = { merge: Three<string> } | { diff: Versions<string> }
type Versions<Of> = { before: Of; after: Of }

export async function mergeAside(
  threads: Threads,
  documents: Three<JSONDocument>,
  limits?: TaskOptions,
): Promise<MergedDocument> {
  if (![documents.ours, documents.theirs].some(isHeavyTree)) return mergeDocuments(documents)
  const { base, ours, theirs } = documents
  const texts = {
    base: await printInSlices(base),
    ours: await printInSlices(ours),
    theirs: await printInSlices(theirs),
  }
  const document = (await parseInSlices(await aside(threads, { merge: texts }, limits))) as JSONDocument
  return { document, conflicts: conflictsIn(document) }
}

export async function diffAside(
  threads: Threads,
  { before, after }: Versions<JSONDocument>,
  limits?: TaskOptions,
): Promise<BlockChange[]> {
  if (![before, after].some(isHeavyTree)) return diffDocuments(before, after)
  const texts = { before: await printInSlices(before), after: await printInSlices(after) }
  return (await parseInSlices(await aside(threads, { diff: texts }, limits))) as BlockChange[]
}

async function aside(threads: Threads, task: MergeTask, limits: TaskOptions | undefined): Promise<string> {
  try {
    return String(await threads.run('merge', task, limits))
  } catch (error) {
    if (error instanceof ThreadError && error.code !== 'failed')
      throw fail('overloaded', 'A page takes too long to compare just now. Try again in a moment.')
    throw error
  }
}
