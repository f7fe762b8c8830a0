/** Row types: revisions and what they are made of; the index that finds it. */
import type { Generated } from 'kysely'
import type { linkStatuses, OneOf, revisionTypes } from '../../core/enumerations.ts'

export interface RevisionTable {
  id: string
  spaceId: string
  /** JSON array of revision ids. */
  parents: string
  type: OneOf<typeof revisionTypes>
  /** JSON of the roots of its maps (core/revision/content.ts). */
  content: string
  createdBy: string
  createdAt: string
  /** The change request it came from. */
  mergedFrom: string | null
  git: string | null
  /** When the first of the saves was made that this one amends; null when it amends none. */
  begunAt: string | null
  /** When another took its place. It stays for a day, as the base of edits that are under way. */
  supersededAt: string | null
}

/** A node of a revision's maps, under the hash of its text. */
export interface TreeNodeTable {
  hash: string
  /** Its text; empty where it is packed. */
  value: string
  /** Its text as store/packed/pack.ts has it; null in rows that an older version wrote. */
  packed: Uint8Array | null
  /** When a revision last needed it, within an hour; null before this was kept. For the sweep (store/upkeep/sweep.ts). */
  writtenAt: string | null
}

/** A document, under the hash of its text. */
export interface DocumentTable {
  hash: string
  value: string
  packed: Uint8Array | null
  /** The document of which this one is stored as what it changed. */
  base: string | null
  writtenAt: string | null
}

/** The Markdown of a document (core/document/printed.ts), packed, by the printer named. */
export interface PrintedTable {
  hash: string
  printer: string
  packed: Uint8Array
}

/** What a part of a page was rendered as, under the hash of what it was made from and of what made it; `usedAt` is a day. */
export interface RenderedPartTable {
  hash: string
  bytes: Uint8Array
  usedAt: string
}

/** How far parts of the pages of a space were rendered ahead, by the renderer named. */
export interface RenderedSpaceTable {
  spaceId: string
  renderer: string
  /** The revision of which all are; null when that is none. */
  revisionId: string | null
  /** The one that it is on its way to, and behind which of its records; null when it is not on its way. */
  towards: string | null
  after: string
}

/** What a file of an import was read as: `source` says from which bytes, by which reader, among which other files. */
export interface ReadTextTable {
  spaceId: string
  path: string
  source: string
  /** The hash of the document; null where there was no text. */
  document: string | null
  /** Title, slug and fields of the page, as JSON. */
  page: string
}

/** What the sweep that is under way has found in use: nodes, documents and files by hash. One row is its own note. */
export interface SweepMarkTable {
  hash: string
  note: string | null
}

/** Which documents a space has ever held: who sees the space may read them by hash. */
export interface SpaceDocumentTable {
  spaceId: string
  hash: string
}

/** A segment under which a page was once found; the parent is empty at the root. */
export interface SlugAliasTable {
  spaceId: string
  parentId: string
  slug: string
  pageId: string
  createdAt: string
}

/** A reference in a page of a space's main content; as a table, one that an older version wrote. */
export interface LinkTable {
  spaceId: string
  pageId: string
  position: number
  nodeKey: string
  kind: string
  /** What is referred to: an id, or a URL. */
  target: string
  /** The reference itself, as JSON; empty where its kind and target say all of it. */
  ref: string
  status: OneOf<typeof linkStatuses>
}

/** Links by numbers: store/content/link-rows.ts. */
export interface LinkSpaceTable {
  number: Generated<number>
  spaceId: string
}

export interface LinkPageTable {
  number: Generated<number>
  space: number
  pageId: string
}

export interface LinkTargetTable {
  number: Generated<number>
  space: number
  kind: string
  target: string
}

export interface LinkRowTable {
  page: number
  position: number
  space: number
  /** The number of its target. */
  target: number
  nodeKey: string
  ref: string
  status: LinkTable['status']
}

/** The search index beside the engine's own table: store/search-index/. */
export interface SearchSpaceTable {
  number: Generated<number>
  spaceId: string
  /** Another with each change of what the index holds of the space. */
  stamp: string | null
  /** Sections written since the index was last merged into one part. */
  written: Generated<number>
}

export interface SearchPageTable {
  number: number
  spaceId: string
  pageId: string
  title: string
  hidden: number
  entries: number
}

export interface SearchTextTable {
  number: number
  anchor: string
  title: string
  /** Empty where it is packed. */
  body: string
  /** store/packed/short-texts.ts. */
  packed: Uint8Array | null
}

/** Words of a space, in which parts of words are looked up. */
export interface SearchWordTable {
  space: number
  word: string
}
