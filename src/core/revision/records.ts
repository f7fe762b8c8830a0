/**
 * What a revision holds: pages, files, reusable contents and variables, each kind a map from id to record.
 *
 * A record is a plain JSON value and never changes; a changed page is another record under the same id. Pages form a tree
 * by `parent` and stand among their siblings in the order of `rank` (texts that sort between any two others, see
 * core/order.ts), so that an edit, a move or a rename changes one record whatever the size of the space.
 *
 * 1. A page keeps its id through renames and moves, for ever.
 * 2. `slug` is unique among siblings; a page's path is the slugs from the root down to it. Link pages have none.
 * 3. Groups stand at the root only. Only documents and groups have children.
 * 4. A field without a value is absent.
 */
import type { z } from 'zod'
import type { ContentRef } from '../document/tree/nodes.ts'
import type { OneOf, pageTypes } from '../enumerations.ts'
import type { Cover, Layout } from './page-shapes.ts'

export type PageType = OneOf<typeof pageTypes>

export type PageLayout = Partial<z.output<typeof Layout>>
export type PageCover = z.output<typeof Cover>

export interface GitBlob {
  oid: string
  path: string
}

export interface PageRecord {
  id: string
  type: PageType
  /** The page it stands under; absent at the root. */
  parent?: string
  rank: string
  title: string
  slug?: string
  /** Hash of its document; absent while the page is empty. */
  document?: string
  emoji?: string
  icon?: string
  description?: string
  linkTitle?: string
  hidden?: boolean
  noIndex?: boolean
  noRobotsIndex?: boolean
  /** Expression that decides whether a visitor sees it. */
  condition?: string
  layout?: PageLayout
  cover?: PageCover
  variables?: Record<string, string>
  tags?: string[]
  /** Front matter that Lectern does not know, kept so that it prints back. */
  extra?: Record<string, unknown>
  /** Where a link page points. */
  target?: ContentRef
  computed?: { type: string; dependencies?: Record<string, unknown>; props?: Record<string, unknown> }
  computedSeed?: string
  git?: GitBlob
  /**
   * Which import made it: what it made it may remove again. Absent on pages made by hand, and on those with a file in a
   * folder that was imported, which `git` tells.
   */
  origin?: string
  /** Hidden because its repository's table of contents leaves it out; `hidden` says whether its file says so, too. */
  unlisted?: { hidden: boolean }
  createdAt?: string
  updatedAt?: string
}

export interface FileRecord {
  id: string
  name: string
  contentType: string
  size: number
  /** Hash of the bytes. */
  blob: string
  dimensions?: { width: number; height: number }
  git?: GitBlob
  origin?: string
  createdAt?: string
}

export interface ReusableRecord {
  id: string
  title: string
  document?: string
  git?: GitBlob
  origin?: string
}

export type Variables = Record<string, string>
