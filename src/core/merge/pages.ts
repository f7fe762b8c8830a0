/**
 * Three-way merge of revisions.
 *
 * A change request and its space part at a common ancestor (`base`). Merging takes the space's present revision
 * (`ours`) and the change request's (`theirs`) and says what to write into `ours` to have both sides' changes.
 *
 * Pages are matched by id, never by path: a page one side renamed and the other edited is one page. The tree is
 * merged first (which pages exist, where), then each page both sides changed is merged block by block.
 *
 * Promises:
 * 1. A side that equals `base` contributes nothing; merging a revision with itself changes nothing.
 * 2. Nothing is dropped in silence: an edit that meets a deletion is a conflict, and the edit is kept.
 * 3. The outcome depends on the three arguments alone, and on their order only inside a conflict, in the order of
 *    things that both sides put at one place, and in who keeps a slug that both sides gave.
 * 4. The result is a tree: every page has a parent that is there, none stands below itself, slugs differ among
 *    siblings.
 * 5. The cost follows the number of changed pages, not the number of pages.
 */
import { same } from '../diff/equal.ts'
import type { MergeConflict, MergedPage, MergedRevision, RevisionMerge } from './merged-pages.ts'
import { mergeFiles, mergeReusables, mergeVariables } from './others.ts'
import { type Draft, type Drafts, draftPages } from './page-drafts.ts'
import { repairTree } from './page-tree.ts'
import { settleSiblings } from './settle-siblings.ts'
import { mergeStored } from './stored-documents.ts'

export async function mergePages(merge: RevisionMerge): Promise<MergedRevision> {
  const conflicts: MergeConflict[] = []
  const renamed: MergedRevision['renamed'] = []
  const drafts = await draftPages(merge, conflicts)
  await repairTree(drafts, { ours: merge.ours, conflicts })
  await settleSiblings(drafts, { ours: merge.ours, renamed })
  await readAhead(drafts, merge)
  const puts: MergedPage[] = []
  const deletes: string[] = []
  for (const draft of drafts.values()) {
    const page = draft.mergesDocument ? await withDocument(draft, merge, conflicts) : draft.record
    if (page === undefined && draft.ours !== undefined) deletes.push(draft.id)
    if (page !== undefined && !same(page, draft.ours)) puts.push(page)
  }
  const files = await mergeFiles(merge, conflicts)
  const reusables = await mergeReusables(merge, conflicts)
  const variables = mergeVariables(merge.variables, conflicts)
  return { puts, deletes, files, reusables, ...(variables === undefined ? {} : { variables }), conflicts, renamed }
}

/** The documents of pages that both sides changed, which are all about to be read. */
async function readAhead(drafts: Drafts, merge: RevisionMerge): Promise<void> {
  const both = [...drafts.values()].filter((draft) => draft.mergesDocument)
  const hashes = both.flatMap(({ base, ours, theirs }) =>
    [base, ours, theirs].flatMap((version) => version?.document ?? []),
  )
  await merge.base.documentsAhead?.(hashes)
}

async function withDocument(
  { id, base, ours, theirs, record }: Draft,
  merge: RevisionMerge,
  conflicts: MergeConflict[],
): Promise<MergedPage | undefined> {
  if (record === undefined) return undefined
  const hashes = { base: base?.document, ours: ours?.document, theirs: theirs?.document }
  const merged = await mergeStored(merge, hashes)
  if (merged.conflicts.length > 0) conflicts.push({ kind: 'document', page: id, blocks: merged.conflicts })
  const { document: _, ...rest } = record
  return merged.document === undefined ? rest : { ...rest, document: merged.document }
}
