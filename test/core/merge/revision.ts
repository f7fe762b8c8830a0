/** Revisions in memory: what the merge reads, what it writes, and whether the result is a tree. */
import { same } from '../../../src/core/diff/equal.ts'
import { hashText } from '../../../src/core/document/tree/hash.ts'
import type { JSONDocument } from '../../../src/core/document/tree/nodes.ts'
import type { MergedRevision, RevisionMerge, RevisionReader } from '../../../src/core/merge/merged-pages.ts'
import { mergePages } from '../../../src/core/merge/pages.ts'
import type { FileRecord, PageRecord, ReusableRecord, Variables } from '../../../src/core/revision/records.ts'

export interface Revision {
  pages: Map<string, PageRecord>
  documents: Map<string, JSONDocument>
  files: Map<string, FileRecord>
  reusables: Map<string, ReusableRecord>
  variables: Variables
}
export interface Revisions {
  base: Revision
  ours: Revision
  theirs: Revision
}

export function emptyRevision(): Revision {
  return { pages: new Map(), documents: new Map(), files: new Map(), reusables: new Map(), variables: {} }
}

export function copyRevision({ pages, documents, files, reusables, variables }: Revision): Revision {
  return {
    pages: new Map(pages),
    documents: new Map(documents),
    files: new Map(files),
    reusables: new Map(reusables),
    variables: { ...variables },
  }
}

export function storeDocument({ documents }: Revision, document: JSONDocument): string {
  const hash = hashText(JSON.stringify(document))
  documents.set(hash, document)
  return hash
}

export function readerOf({ pages, documents, files, reusables }: Revision, count = { reads: 0 }): RevisionReader {
  const read = <Of>(value: Of): Promise<Of> => {
    count.reads += 1
    return Promise.resolve(value)
  }
  return {
    page: (id) => read(pages.get(id)),
    children: (parent) => {
      const children = childrenOf(pages, parent)
      count.reads += children.length
      return read(children)
    },
    document: (hash) => {
      const document = documents.get(hash)
      if (document === undefined) throw new Error(`no document ${hash}`)
      return read(document)
    },
    file: (id) => read(files.get(id)),
    reusable: (id) => read(reusables.get(id)),
  }
}

export function childrenOf(pages: ReadonlyMap<string, PageRecord>, parent: string | undefined): PageRecord[] {
  return [...pages.values()]
    .filter((page) => page.parent === parent)
    .sort((a, b) => (a.rank === b.rank ? (a.id < b.id ? -1 : 1) : a.rank < b.rank ? -1 : 1))
}

export function mergeInput({ base, ours, theirs }: Revisions, count = { reads: 0 }): RevisionMerge {
  return {
    base: readerOf(base, count),
    ours: readerOf(ours, count),
    theirs: readerOf(theirs, count),
    pages: changed({ base: base.pages, ours: ours.pages, theirs: theirs.pages }),
    files: changed({ base: base.files, ours: ours.files, theirs: theirs.files }),
    reusables: changed({ base: base.reusables, ours: ours.reusables, theirs: theirs.reusables }),
    variables: { base: base.variables, ours: ours.variables, theirs: theirs.variables },
  }
}

type Maps = Record<'base' | 'ours' | 'theirs', ReadonlyMap<string, object>>

function changed({ base, ours, theirs }: Maps): { ours: string[]; theirs: string[] } {
  const differing = (side: ReadonlyMap<string, object>): string[] =>
    [...new Set([...base.keys(), ...side.keys()])].filter((id) => !same(base.get(id), side.get(id)))
  return { ours: differing(ours), theirs: differing(theirs) }
}

export async function mergeRevisions(revisions: Revisions): Promise<MergedRevision & { revision: Revision }> {
  const merged = await mergePages(mergeInput(revisions))
  return { ...merged, revision: applyMerge(revisions, merged) }
}

export function applyMerge({ ours, theirs }: Revisions, merged: MergedRevision): Revision {
  const revision = copyRevision(ours)
  for (const [hash, document] of theirs.documents) revision.documents.set(hash, document)
  const hashed = <Of extends { document?: string | JSONDocument }>({ document, ...record }: Of) => ({
    ...record,
    ...(document === undefined
      ? {}
      : { document: typeof document === 'string' ? document : storeDocument(revision, document) }),
  })
  for (const id of merged.deletes) revision.pages.delete(id)
  for (const page of merged.puts) revision.pages.set(page.id, hashed(page))
  for (const id of merged.files.deletes) revision.files.delete(id)
  for (const file of merged.files.puts) revision.files.set(file.id, file)
  for (const id of merged.reusables.deletes) revision.reusables.delete(id)
  for (const reusable of merged.reusables.puts) revision.reusables.set(reusable.id, hashed(reusable))
  if (merged.variables !== undefined) revision.variables = merged.variables
  return revision
}

/** What is wrong with the tree of a revision; nothing, one hopes. */
export function faultsOf({ pages }: Revision): string[] {
  const faults: string[] = []
  const slugs = new Set<string>()
  for (const { id, parent, slug, type } of pages.values()) {
    const above = parent === undefined ? undefined : pages.get(parent)
    if (parent !== undefined && above === undefined) faults.push(`${id} stands under ${parent}, which is not there`)
    if (above !== undefined && above.type !== 'document' && above.type !== 'group')
      faults.push(`${id} under a ${above.type}`)
    if (type === 'group' && parent !== undefined) faults.push(`${id} is a group under ${parent}`)
    if (slug !== undefined && slugs.has(`${parent}/${slug}`)) faults.push(`${id} has a slug of its sibling: ${slug}`)
    slugs.add(`${parent}/${slug}`)
    const seen = new Set([id])
    for (let at = parent; at !== undefined; at = pages.get(at)?.parent) {
      if (seen.has(at)) {
        faults.push(`${id} stands below itself`)
        break
      }
      seen.add(at)
    }
  }
  return faults
}
