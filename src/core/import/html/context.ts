/** What reading HTML carries along. */
import type { Block, ContentRef, FileRef, Mark } from '../../document/tree/nodes.ts'
import { isSafeUrl } from '../../document/tree/refs.ts'
import type { HtmlElement, HtmlNode } from './tree.ts'

export interface HtmlContext {
  /** Where a relative address leads; undefined when links stay as they are spelt. */
  base?: string | undefined
  /** What an element says in the dialect of the source; undefined for one that is plain HTML there, too. */
  special?: (element: HtmlElement, context: HtmlContext) => Block[] | undefined
  /** Marks that an element has by a class or a style. */
  marks?: (element: HtmlElement) => Mark[]
  /** Elements of which nothing is kept, beside those that never say anything. */
  isSkipped?: (element: HtmlElement) => boolean
  /** Keeps the bytes of a picture that is written inside the page; the path under which it will be found. */
  keepImage?: (type: string, base64: string) => string | undefined
  /** Joins an address to the one of the page. */
  join?: (target: string, base: string) => string | undefined
  /** The address that a link of the source really means. */
  unwrap?: (href: string) => string
  /** Second-level headings are the first below a title, unless the source begins with first-level ones. */
  levels?: 'from-first' | undefined
  /** How deep the elements around it are. */
  depth: number
}

export type ReadBlocks = (nodes: readonly HtmlNode[], context: HtmlContext) => Block[]

/** The deepest nesting that is kept; what is deeper is read as words. */
export const mostNesting = 40

export const deeper = (context: HtmlContext): HtmlContext => ({ ...context, depth: context.depth + 1 })

/** What a link leads to; undefined for one that leads nowhere safe. */
export function targetOf(href: string | undefined, context: HtmlContext): ContentRef | undefined {
  const target = href?.trim()
  if (target === undefined || target === '') return undefined
  if (target.startsWith('#')) {
    const spelt = decode(target.slice(1))
    const anchor = context.levels === undefined ? spelt : spelt.toLowerCase()
    return /^\S{1,256}$/u.test(anchor) ? { kind: 'anchor', anchor } : undefined
  }
  const meant = context.unwrap?.(target) ?? target
  const joined = context.base === undefined ? meant : (context.join?.(meant, context.base) ?? meant)
  return isSafeUrl(joined) && joined.length <= 2048 ? { kind: 'url', url: joined } : undefined
}

/** The picture that an address means. */
export function imageOf(src: string | undefined, context: HtmlContext): FileRef | undefined {
  const inside = /^data:(image\/[a-z+.-]+);base64,([a-z0-9+/=\s]+)$/i.exec(src ?? '')
  if (inside) {
    const path = context.keepImage?.(inside[1] ?? '', inside[2] ?? '')
    return path === undefined ? undefined : { kind: 'url', url: path }
  }
  const ref = targetOf(src, context)
  return ref?.kind === 'url' ? ref : undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
