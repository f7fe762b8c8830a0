/**
 * All that a published page shows, as one plain value: who asks and what they may see was decided before it was made.
 *
 * Everything is cheap to build: the tree is a slice (see tree.ts), references are asked for by callbacks while the page
 * is written, and the outline comes out of the document itself. Texts are unescaped, addresses unchecked; rendering does
 * both.
 */

import type { Customization } from '../../core/customization/shape.ts'
import type { JSONDocument } from '../../core/document/tree/nodes.ts'
import type { SpecPart } from '../../core/openapi/part.ts'
import type { PageCover, PageLayout } from '../../core/revision/records.ts'
import type { Questions, ResolvedRef } from '../render/context.ts'
import type { TreeSlice } from './tree.ts'

export interface PageView extends SiteFrame {
  /** Where the references of the document lead, when all of them are known: then a heavy page is written in a thread. */
  refs?: ReadonlyMap<string, ResolvedRef | undefined>
  /** What the document shows of specs, by `refKey`: writing that takes long enough for a thread. */
  specs?: ReadonlyMap<string, SpecPart> | undefined
  /** Whether writing its document would hold up others: see `isHeavy` in render/aside.ts. */
  isHeavy?: boolean
  page: PageInfo
  /** Absent while the page is empty. */
  document?: JSONDocument
  /** From the section down to the page's parent. */
  breadcrumbs: readonly Crumb[]
  previous?: PageLink
  next?: PageLink
  /** Pages under this one, shown when it has no content of its own. */
  children?: readonly PageLink[]
  questions: Questions
}

/** What stands around every page of a site, the ones that stand in for a page too. */
export interface SiteFrame {
  site: SiteInfo
  customization: Customization
  assets: AssetUrls
  /** Tabs over the page; empty on a site of one section. */
  sections: readonly SectionEntry[]
  versions: readonly VariantEntry[]
  languages: readonly VariantEntry[]
  tree: TreeSlice
  /** Names the tree: pages with the same key share it, and moving between them keeps it as it is. */
  treeKey: string
  questions: Pick<Questions, 'resolve' | 'holds'>
  /** False where search must not be offered: before a visitor has signed in. */
  search?: boolean
  /** Language of the content as a tag (`ar`); the interface's own comes from the customization. */
  language?: string
  direction?: 'ltr' | 'rtl'
}

export interface SiteInfo {
  id: string
  title: string
  /** Absolute, without a trailing slash. */
  url: string
  /** The part of `url` after the host, without a trailing slash; empty at the root of a host. */
  basePath: string
  /** The first page. */
  home: string
  rss?: string
  /** Nothing of the site may be indexed: unlisted or private. */
  noIndex?: boolean
}

/** Where the static files are; their names are made of their content, so that they never change. */
export interface AssetUrls {
  /** The site's own style sheet: `siteStyle(…).css`. */
  style: string
  /** browser/early.ts, run before the first paint. */
  early: string
  /** browser/main.ts. */
  script: string
  /** Style of formulas, for pages that have any. */
  math: string
  /** The frame that draws diagrams, for pages that have any. */
  diagrams: string
  preload: readonly string[]
  themeColor: { light: string; dark: string }
}

export interface PageInfo {
  id: string
  /** The place of the site that the page stands in, which feedback names beside the page. */
  siteSpace?: string
  title: string
  emoji?: string
  icon?: string
  description?: string
  tags?: readonly string[]
  layout?: PageLayout
  cover?: PageCover
  updatedAt?: string
  noIndex?: boolean
  /** Absolute address that search engines are to know the page by. */
  canonical: string
  /** The same page in other languages. */
  alternates?: readonly { language: string; href: string }[]
  markdownUrl?: string
  /** Where its file is edited, and the name of what hosts it. */
  edit?: { url: string; host?: string }
  pdfUrl?: string
}

export interface PageLink {
  title: string
  href: string
  emoji?: string
  icon?: string
  description?: string
}
export type Crumb = { title: string; href?: string }
export type SectionLink = { title: string; href: string; icon?: string; description?: string; current?: boolean }
export type SectionEntry = SectionLink | { title: string; icon?: string; sections: readonly SectionLink[] }
export type VariantEntry = {
  title: string
  href: string
  language?: string
  current?: boolean
  /** Whether it leads to the same page of the variant; otherwise to where the variant begins. */
  isTwin?: boolean
}

/** What the server sends. */
export interface RenderedPage {
  html: string
  /** Value of the Content-Security-Policy header that this page needs. */
  policy: string
}
