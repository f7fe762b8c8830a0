/** Documents merged without holding up other requests: what is short is done at once, what could take long in a thread. */
import type { JSONDocument } from '../../core/document/nodes.ts'
import { fail } from '../../core/errors.ts'
import { conflictsIn } from '../../core/merge/conflicts.ts'
import { type MergedDocument, mergeDocuments } from '../../core/merge/documents.ts'
import type { Three } from '../../core/merge/three-way.ts'
import { runInThread, ThreadError, type ThreadOptions } from '../../platform/threads.ts'
import { isHeavyTree } from './markdown.ts'

const usual: ThreadOptions = { milliseconds: 30_000, memory: 768 }

export async function mergeAside(documents: Three<JSONDocument>, limits = usual): Promise<MergedDocument> {
  if (![documents.ours, documents.theirs].some(isHeavyTree)) return mergeDocuments(documents)
  try {
    // A tree goes as JSON, which the receiving side reads several times faster than a copied object.
    const document: JSONDocument = JSON.parse(String(await runInThread('merge', JSON.stringify(documents), limits)))
    return { document, conflicts: conflictsIn(document) }
  } catch (error) {
    if (error instanceof ThreadError && error.code !== 'failed')
      throw fail('overloaded', 'A page takes too long to merge just now. Try again in a moment.')
    throw error
  }
}
