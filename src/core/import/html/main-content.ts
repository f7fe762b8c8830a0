/**
 * Where on a page of a website its content stands: generators of docs name it, the standard has an element for it, and on
 * other pages it is what holds most words that are not links.
 */
import {
  attribute,
  childrenOf,
  classesOf,
  elementsIn,
  findAll,
  findElement,
  type HtmlElement,
  type HtmlNode,
  lineIn,
} from './tree.ts'

/** From the narrowest: a page may have several. */
const named: readonly ((element: HtmlElement) => boolean)[] = [
  (element) => has(element, 'theme-doc-markdown'),
  (element) => has(element, 'sl-markdown-content'),
  (element) => has(element, 'vp-doc'),
  (element) => has(element, 'markdown-body'),
  (element) => has(element, 'md-content__inner'),
  (element) => attribute(element, 'itemprop') === 'articleBody',
  (element) => attribute(element, 'id') === 'content-area',
  (element) => has(element, 'rst-content') || has(element, 'bd-article'),
  (element) => element.tagName === 'article',
  (element) => element.tagName === 'main' || attribute(element, 'role') === 'main',
  (element) => attribute(element, 'id') === 'main-content' || attribute(element, 'id') === 'content',
]

const has = (element: HtmlElement, name: string): boolean => classesOf(element).includes(name)

export function findMain(nodes: readonly HtmlNode[]): HtmlElement | undefined {
  for (const isIt of named) {
    const found = findAll(nodes, isIt).filter((element) => lineIn(element).length > 20)
    // A list of articles is no article.
    if (found.length === 1 && found[0]) return withTitle(found[0], nodes)
  }
  const body = findElement(nodes, ({ tagName }) => tagName === 'body')
  return body && densest(body)
}

/** One level up, where only that has the title of the page and little else. */
function withTitle(element: HtmlElement, nodes: readonly HtmlNode[]): HtmlElement {
  const isTitle = ({ tagName }: HtmlElement): boolean => tagName === 'h1'
  if (findElement(childrenOf(element), isTitle) || !findElement(nodes, isTitle)) return element
  const parent = element.parentNode
  if (!parent || !('tagName' in parent) || !findElement(childrenOf(parent), isTitle)) return element
  return lineIn(parent).length < lineIn(element).length * 1.2 + 200 ? parent : element
}

/** Follows the child that holds most of the words, while one does. */
function densest(body: HtmlElement): HtmlElement {
  let at = body
  for (let depth = 0; depth < 30; depth++) {
    const whole = score(at)
    const best = elementsIn(childrenOf(at)).find((child) => !isApart(child) && score(child) > whole * 0.8)
    if (!best || /^(?:p|ul|ol|table|pre|blockquote)$/.test(best.tagName)) return at
    at = best
  }
  return at
}

const isApart = ({ tagName }: HtmlElement): boolean => /^(?:nav|header|footer|aside|script|style|form)$/.test(tagName)

/** Letters that are no links. */
function score(element: HtmlElement): number {
  if (isApart(element)) return 0
  const links = findAll(childrenOf(element), ({ tagName }) => tagName === 'a' || tagName === 'nav')
  return lineIn(element).length - links.reduce((sum, link) => sum + lineIn(link).length, 0)
}
