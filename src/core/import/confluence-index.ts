/** The tree of pages that `index.html` of a Confluence export shows. */
import {
  attribute,
  childrenOf,
  elementsIn,
  findElement,
  findOutermost,
  type HtmlElement,
  lineIn,
  parsePage,
} from './html/tree.ts'

export interface PageListEntry {
  title: string
  href: string
  children: PageListEntry[]
}

export function readPageList(html: string): PageListEntry[] {
  const outer = findOutermost(parsePage(html), ({ tagName }) => tagName === 'ul')
  return outer.flatMap((list) => entriesOf(list, 0))
}

function entriesOf(list: HtmlElement, depth: number): PageListEntry[] {
  if (depth > 50) return []
  return elementsIn(childrenOf(list)).flatMap((item) => {
    const parts = elementsIn(childrenOf(item))
    const link = parts.find(({ tagName }) => tagName === 'a') ?? findElement(parts, ({ tagName }) => tagName === 'a')
    const children = parts.filter(({ tagName }) => tagName === 'ul').flatMap((inner) => entriesOf(inner, depth + 1))
    const href = link && attribute(link, 'href')
    return href === undefined ? children : [{ title: lineIn(link ?? item), href: decode(href), children }]
  })
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
