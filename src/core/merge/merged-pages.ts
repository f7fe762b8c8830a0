/**
 * What goes into a merge of revisions and what comes out of it.
 */
import type { JSONDocument } from '../document/tree/nodes.ts'
import type { FileRecord, PageRecord, ReusableRecord, Variables } from '../revision/records.ts'
import type { DocumentConflict, Side } from './conflicts.ts'
import type { MergedDocument } from './documents.ts'
import type { FieldConflict } from './records.ts'
import type { StoredMerge } from './stored-documents.ts'
import type { Three } from './three-way.ts'

/** One revision, read piece by piece: only what the merge asks for is loaded. */
export interface RevisionReader {
  page(id: string): Promise<PageRecord | undefined>
  /** In order. Asked only where two sides placed pages under one parent, or a slug needs another name. */
  children(parent: string | undefined): Promise<readonly PageRecord[]>
  document(hash: string): Promise<JSONDocument>
  /** Fetches several documents at once, ahead of their reading. */
  documentsAhead?(hashes: readonly string[]): Promise<void>
  file(id: string): Promise<FileRecord | undefined>
  reusable(id: string): Promise<ReusableRecord | undefined>
}

/** The ids of what differs from the base, by side. */
export interface Changed {
  ours: readonly string[]
  theirs: readonly string[]
}
export interface RevisionMerge extends Three<RevisionReader> {
  /** Where documents are merged; here when absent. */
  mergeDocuments?: (documents: Three<JSONDocument>) => Promise<MergedDocument>
  /** Merges of documents by the hashes of the three: a merge that is done again does again only what has changed. */
  known?: Map<string, StoredMerge>
  pages: Changed
  files?: Changed
  reusables?: Changed
  variables?: Three<Variables>
}

/** A record with its document: a hash when one side's is taken as it is, the document itself when it was merged. */
export type WithDocument<Of> = Omit<Of, 'document'> & { document?: string | JSONDocument }
export type MergedPage = WithDocument<PageRecord>
export type MergedReusable = WithDocument<ReusableRecord>

/** What to write into ours to get the merge. */
export interface MergedRevision {
  puts: MergedPage[]
  deletes: string[]
  files: { puts: FileRecord[]; deletes: string[] }
  reusables: { puts: MergedReusable[]; deletes: string[] }
  /** Absent when ours has them already. */
  variables?: Variables
  conflicts: MergeConflict[]
  /** Slugs of theirs that a page of ours has taken. */
  renamed: { page: string; from: string; to: string }[]
}

export type MergeConflict =
  /** Blocks of it are marked. */
  | { kind: 'document'; page: string; blocks: DocumentConflict[] }
  /** Both sides changed a field; ours is kept, or what a side wrote where the other removed it. */
  | ({ kind: 'field'; page: string } & FieldConflict)
  /** One side changed what the other deleted; the page stays. */
  | { kind: 'deleted'; page: string; by: Side }
  /** One side deleted a page that the other put or changed something under; the page stays. */
  | { kind: 'parent-deleted'; page: string; by: Side }
  /** Both sides moved it to different parents; ours is kept. */
  | { kind: 'both-moved'; page: string; ours?: string; theirs?: string }
  /** Theirs moved it below itself, as ours has the tree; it stays. */
  | { kind: 'cycle'; page: string; theirs?: string }
  /** Its new type does not go with what the other side did; the type that keeps everything is kept. */
  | { kind: 'type'; page: string; ours?: string; theirs?: string }
  | ({ kind: 'file'; file: string } & FieldConflict)
  | { kind: 'file-deleted'; file: string; by: Side }
  | ({ kind: 'reusable-field'; reusable: string } & FieldConflict)
  | { kind: 'reusable-document'; reusable: string; blocks: DocumentConflict[] }
  | { kind: 'reusable-deleted'; reusable: string; by: Side }
  | ({ kind: 'variable' } & FieldConflict)
