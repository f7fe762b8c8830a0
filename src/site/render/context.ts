/**
 * What rendering needs besides the document: the questions only the caller can answer, what was computed beforehand, and
 * what one page gathers while it is written (icons, notes, outline, styles, ids).
 */

import { hashText } from '../../core/document/tree/hash.ts'
import type { ContentRef, JSONDocument, Node, ReusableContentRef } from '../../core/document/tree/nodes.ts'
import type { SpecPart } from '../../core/openapi/part.ts'
import { isExternal, safeUrl } from '../../core/safe-url.ts'
import type { Highlighted } from '../../theme/token-kinds.ts'
import type { Strings } from '../locales/strings.ts'
import type { Html } from './html.ts'
import type { IconSheet } from './icons.ts'
import type { PreparedSpec } from './openapi/prepare.ts'

/** Where a reference leads. Everything here is plain text; the renderer checks and escapes it. */
export interface ResolvedRef {
  href: string
  title?: string
  description?: string
  icon?: string
  emoji?: string
  /** Of a file. */
  contentType?: string
  size?: number
  width?: number
  height?: number
}

/** The questions a document asks. None may throw; each must answer at once. */
export interface Questions {
  resolve(ref: ContentRef): ResolvedRef | undefined
  /** Whether the visitor meets a condition. */
  holds(expression: string): boolean
  /** What an inline expression says to this visitor; nothing when it cannot be told. */
  evaluate(expression: string): string | undefined
  reusable(ref: ReusableContentRef): JSONDocument | undefined
  /** What the document shows of a spec. */
  spec?(ref: ContentRef): SpecPart | undefined
}

/** What the asynchronous phase found: see prepare.ts. */
export interface Prepared {
  code: ReadonlyMap<Node, Highlighted>
  math: ReadonlyMap<string, Html | undefined>
  specs: ReadonlyMap<Node, PreparedSpec>
}

export interface OutlineEntry {
  id: string
  title: string
  level: 1 | 2 | 3
}

export interface RenderContext extends Questions {
  prepared: Prepared
  strings: Strings
  /** Tag of the interface's language, for dates and numbers. */
  locale: string
  /** The site's own address, to tell links that leave it. */
  siteUrl: string
  /** Path of the site on its host, without a trailing slash. */
  basePath: string
  externalTarget: 'self' | 'blank'
  icons: IconSheet
  /** Declarations that cannot be classes of the style sheet, each under a class named after its content. */
  styles: Map<string, string>
  /** Bodies of annotations, which stand after the text. */
  notes: Html[]
  outline: OutlineEntry[]
  anchors: Map<Node, string>
  /** By what else links may name a heading: see `otherAnchorsOf`. */
  otherAnchors: ReadonlyMap<Node, readonly string[]>
  ids: Map<string, number>
  /** How deep in reusable contents the writer is. */
  depth: number
  images: number
  embeds: number
  /** Level of the tag of the heading last written. */
  heading: number
}

export const deepestInclude = 8

/** The class that carries the declaration. Only our own text and checked numbers may come in here. */
export function styleClass(context: RenderContext, declaration: string): string {
  const found = context.styles.get(declaration)
  if (found !== undefined) return found
  const name = `x${hashText(declaration)}`
  context.styles.set(declaration, name)
  return name
}

/** An id nobody on the page has yet. */
export function uniqueId(context: RenderContext, wanted: string): string {
  const count = context.ids.get(wanted)
  context.ids.set(wanted, (count ?? 0) + 1)
  return count === undefined ? wanted : uniqueId(context, `${wanted}-${count}`)
}

export type Target = ResolvedRef & { external: boolean }

/** Where the reference leads, with an address that is safe to print; nothing when it leads nowhere. */
export function targetOf(context: RenderContext, ref: ContentRef | undefined | null): Target | undefined {
  if (ref === undefined || ref === null) return undefined
  const found = context.resolve(ref) ?? plainTarget(ref)
  if (found === undefined) return undefined
  const href = safeUrl(found.href)
  return href === undefined ? undefined : { ...found, href, external: isExternal(href, context.siteUrl) }
}

function plainTarget(ref: ContentRef): ResolvedRef | undefined {
  if (ref.kind === 'url') return { href: ref.url }
  if (ref.kind === 'anchor' && ref.page === undefined) return { href: `#${encodeURIComponent(ref.anchor)}` }
  return undefined
}
