/** A whole page of HTML: its title, what it says, and the rest left out. */

import { makeDocument } from '../../document/tree/make.ts'
import type { JSONDocument } from '../../document/tree/nodes.ts'
import { normalise } from '../../document/tree/normalise.ts'
import { cutTo } from '../../text.ts'
import { readBlocks } from './blocks.ts'
import type { HtmlContext } from './context.ts'
import { findMain } from './main-content.ts'
import { attribute, findElement, type HtmlElement, type HtmlNode, lineIn } from './tree.ts'

export interface HtmlPage {
  title: string | undefined
  description?: string | undefined
  document: JSONDocument
}

export type Dialect = Omit<HtmlContext, 'depth'> & {
  /** Where what the page says stands; found by looking when absent. */
  main?: (nodes: readonly HtmlNode[]) => HtmlElement | undefined
  /** The element that holds the title. */
  title?: (nodes: readonly HtmlNode[]) => HtmlElement | undefined
  /** Its first-level headings are several, and none of them the title. */
  noTitle?: boolean
}

export function readElements(nodes: readonly HtmlNode[], dialect: Dialect): HtmlPage {
  const main = dialect.main?.(nodes) ?? findMain(nodes)
  const inside = main ? [main] : nodes
  const isTitle = ({ tagName }: HtmlElement): boolean => tagName === 'h1' && dialect.noTitle !== true
  const first = dialect.title?.(nodes) ?? findElement(inside, isTitle)
  const line = first && lineWithoutSigns(first)
  const head = findElement(nodes, ({ tagName }) => tagName === 'title')
  const described = findElement(
    nodes,
    (element) => element.tagName === 'meta' && attribute(element, 'name') === 'description',
  )
  const context: HtmlContext = {
    ...dialect,
    depth: 0,
    isSkipped: (element) => element === first || dialect.isSkipped?.(element) === true,
  }
  const document = normalise(makeDocument(readBlocks(main ? main.childNodes : inside, context)))
  const description = described && attribute(described, 'content')?.trim()
  return {
    title: line || (head && lineIn(head)) || undefined,
    ...(description ? { description: cutTo(description, 1000) } : {}),
    document,
  }
}

/** The title without the sign of its own address. */
const lineWithoutSigns = (element: HtmlElement): string => lineIn(element).replace(/[#¶§\u200b\s]+$/u, '')
