/**
 * What a source of docs becomes before it becomes content: a tree of pages with their texts, the files they use, and what
 * was wrong. Readers make one of a folder, an archive or a website; `domain/import/apply.ts` brings one into a space.
 *
 * 1. Everything is named by a path, as if the source were a folder: links between pages and files are relative paths, and
 *    what comes again from the same path is the same page.
 * 2. Every text of `texts` is in the tree of pages exactly once; groups, links and pages made up for folders have no path.
 */
import type { Bytes } from '../blobs.ts'
import type { JSONDocument } from '../document/tree/nodes.ts'
import type { ArrangedPage } from '../repository/arrange.ts'
import type { RepositoryConfig } from '../repository/config.ts'
import type { PageRecord, Variables } from '../revision/records.ts'

export interface ImportedTree {
  /** Says what pages of one source have in common, also when it is imported again: what it made is its own to remove. */
  origin: string
  /** Whether the caller named the origin: then no earlier one of another name is meant. */
  isOriginGiven?: boolean | undefined
  /** Where the folder of the docs lies among the paths, and the file its table of contents was read from. */
  config: RepositoryConfig
  pages: ArrangedPage[]
  /** The texts of pages, by path. */
  texts: Map<string, ImportedText>
  /** Paths of texts that are there and cannot be read, as `problems` says: their pages stay what they are. */
  unread?: ReadonlySet<string> | undefined
  /** The texts of reusable contents, by path. */
  includes: Map<string, ImportedText>
  files: ImportedFile[]
  variables?: Variables | undefined
  redirects: ImportedRedirect[]
  /** Paths of texts by the addresses that another generator gave them. */
  routes?: ReadonlyMap<string, string> | undefined
  problems: ImportProblem[]
  /** Paths of files that are no part of the docs, or whose names could not be written back. */
  skipped: string[]
}

/** The text of a page: Markdown as it was written, or a document that a reader made of something else. */
export type ImportedText = {
  /** The name git gives the bytes it was read from. */
  oid: string
  /** What of other texts was written into this one: where that changes, it is another text. */
  listed?: string | undefined
} & ({ markdown: string } | ImportedDocument)

export interface ImportedDocument {
  document: JSONDocument
  title?: string | undefined
  fields?: Partial<Pick<PageRecord, 'description' | 'emoji' | 'icon' | 'hidden' | 'tags'>> | undefined
}

/** A file: its path from the root of the source, and its bytes when they are asked for. */
export interface ImportedFile {
  path: string
  size: number
  open(): Bytes
}

/** An old address that goes on leading somewhere. */
export interface ImportedRedirect {
  /** A path of slugs below the root of the space. */
  from: string
  /** The path of the file of a page. */
  to: string
}

export interface ImportProblem {
  path: string
  line?: number | undefined
  message: string
}
