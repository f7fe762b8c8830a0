/** HTML as the parser of the standard reads it, and the few questions that readers ask of its tree. */
import { type DefaultTreeAdapterTypes, parseFragment, parse as parseHtml } from 'parse5'

export type HtmlNode = DefaultTreeAdapterTypes.ChildNode
export type HtmlElement = DefaultTreeAdapterTypes.Element
type Parent = DefaultTreeAdapterTypes.ParentNode

export const parsePage = (html: string): HtmlElement[] => elementsIn(parseHtml(html).childNodes)
export const parsePart = (html: string): HtmlNode[] => parseFragment(html).childNodes

export const isElement = (node: HtmlNode): node is HtmlElement => 'tagName' in node
export const isText = (node: HtmlNode): node is DefaultTreeAdapterTypes.TextNode => node.nodeName === '#text'

export const elementsIn = (nodes: readonly HtmlNode[]): HtmlElement[] => nodes.filter(isElement)

/** What an element holds; a template keeps it apart. */
export const childrenOf = (element: Parent): readonly HtmlNode[] =>
  'content' in element ? element.content.childNodes : element.childNodes

export const attribute = (element: HtmlElement, name: string): string | undefined =>
  element.attrs.find((one) => (one.prefix ? `${one.prefix}:${one.name}` : one.name) === name)?.value

export const classesOf = (element: HtmlElement): string[] =>
  (attribute(element, 'class') ?? '').split(/\s+/).filter((name) => name !== '')

/** No page is deeper than this on purpose; a hostile one is cut off instead of overflowing the stack. */
const mostDepth = 400

/** The first element that fits, from the top, before those after it. */
export function findElement(
  nodes: readonly HtmlNode[],
  isIt: (element: HtmlElement) => boolean,
  depth = 0,
): HtmlElement | undefined {
  if (depth > mostDepth) return undefined
  for (const node of nodes) {
    if (!isElement(node)) continue
    const found = isIt(node) ? node : findElement(childrenOf(node), isIt, depth + 1)
    if (found) return found
  }
  return undefined
}

/** All that fit, those inside one that fits too. */
export function findAll(nodes: readonly HtmlNode[], isIt: (element: HtmlElement) => boolean, depth = 0): HtmlElement[] {
  if (depth > mostDepth) return []
  return elementsIn(nodes).flatMap((element) => [
    ...(isIt(element) ? [element] : []),
    ...findAll(childrenOf(element), isIt, depth + 1),
  ])
}

/** Those that fit, from the top: what is inside one of them is not looked at. */
export function findOutermost(
  nodes: readonly HtmlNode[],
  isIt: (element: HtmlElement) => boolean,
  depth = 0,
): HtmlElement[] {
  if (depth > mostDepth) return []
  return elementsIn(nodes).flatMap((element) =>
    isIt(element) ? [element] : findOutermost(childrenOf(element), isIt, depth + 1),
  )
}

/** The words in a node, as they stand in the source. */
export function wordsOf(node: HtmlNode, depth = 0): string {
  if (isText(node)) return node.value
  if (!isElement(node) || depth > mostDepth || node.tagName === 'script' || node.tagName === 'style') return ''
  return node.tagName === 'br'
    ? '\n'
    : childrenOf(node)
        .map((child) => wordsOf(child, depth + 1))
        .join('')
}

/** The words in one line. */
export const lineIn = (node: HtmlNode): string => wordsOf(node).replace(/\s+/g, ' ').trim()

/** The declarations of a `style` attribute. */
export function styleOf(text: string | undefined): Map<string, string> {
  const found = new Map<string, string>()
  for (const part of (text ?? '').split(';')) {
    const at = part.indexOf(':')
    if (at > 0)
      found.set(
        part.slice(0, at).trim().toLowerCase(),
        part
          .slice(at + 1)
          .trim()
          .toLowerCase(),
      )
  }
  return found
}
