/** How each source writes HTML: where the content stands, what its own blocks look like. */
import { parentBlock, voidBlock } from '../document/tree/make.ts'
import type { Hint, Mark } from '../document/tree/nodes.ts'
import { expandable, readBlocks, readCode } from './html/blocks.ts'
import type { HtmlContext } from './html/context.ts'
import { readInlines } from './html/inline.ts'
import type { Dialect } from './html/page.ts'
import {
  attribute,
  childrenOf,
  classesOf,
  findAll,
  findElement,
  type HtmlElement,
  type HtmlNode,
  isElement,
  lineIn,
  styleOf,
  wordsOf,
} from './html/tree.ts'

export type DialectName = 'plain' | 'confluence' | 'notion' | 'google-docs' | 'word'

const has = (element: HtmlElement, name: string): boolean => classesOf(element).includes(name)
const byId =
  (id: string) =>
  (nodes: readonly HtmlNode[]): HtmlElement | undefined =>
    findElement(nodes, (element) => attribute(element, 'id') === id)

/** The dialect of a page; some are told by what stands on it. */
export function dialectOf(name: DialectName, nodes: readonly HtmlNode[]): Dialect {
  switch (name) {
    case 'confluence':
      return confluence
    case 'notion':
      return notion
    case 'google-docs':
      return googleDocs(nodes)
    case 'word':
      return writtenDocument(nodes)
    default:
      return {}
  }
}

const confluence: Dialect = {
  main: byId('main-content'),
  title: byId('title-text'),
  isSkipped: (element) =>
    has(element, 'page-metadata') || has(element, 'toc-macro') || has(element, 'breadcrumb-section'),
  special: (element, context) => {
    if (has(element, 'confluence-information-macro')) {
      const body = findElement(childrenOf(element), (one) => has(one, 'confluence-information-macro-body')) ?? element
      const title = findElement(childrenOf(element), (one) => one.tagName === 'p' && has(one, 'title'))
      const head = title ? readBlocks([{ ...title, tagName: 'p', childNodes: [strong(title)] }], context) : []
      const nodes = [...head, ...readBlocks(childrenOf(body), context)]
      return nodes.length === 0 ? [] : [parentBlock('hint', { style: macroStyle(element) }, nodes)]
    }
    if (has(element, 'code') && has(element, 'panel')) {
      const source = findElement([element], ({ tagName }) => tagName === 'pre')
      const title = findElement([element], (one) => has(one, 'codeHeader'))
      if (!source) return undefined
      const brush = /brush:\s*([\w+#-]+)/.exec(attribute(source, 'data-syntaxhighlighter-params') ?? '')?.[1]
      const read = readCode(source)
      const data = { ...read.data, ...(brush ? { syntax: brush } : {}), ...(title ? { title: lineIn(title) } : {}) }
      return [{ ...read, data }]
    }
    if (has(element, 'expand-container')) {
      const title = findElement([element], (one) => has(one, 'expand-control-text'))
      const body = findElement([element], (one) => has(one, 'expand-content'))
      const inside = body ? readBlocks(childrenOf(body), context) : []
      return [expandable(title ? readInlines(childrenOf(title), context) : [], inside)]
    }
    return undefined
  },
}

const strong = (title: HtmlElement): HtmlElement => ({ ...title, tagName: 'strong', nodeName: 'strong', attrs: [] })

/** What Confluence calls a warning is red, and its note is what others call a warning. */
function macroStyle(element: HtmlElement): Hint['data']['style'] {
  if (has(element, 'confluence-information-macro-warning')) return 'danger'
  if (has(element, 'confluence-information-macro-note')) return 'warning'
  return has(element, 'confluence-information-macro-tip') ? 'success' : 'info'
}

const notion: Dialect = {
  main: (nodes) => findElement(nodes, (element) => has(element, 'page-body')) ?? findElement(nodes, isArticle),
  title: (nodes) => findElement(nodes, (element) => has(element, 'page-title')),
  isSkipped: (element) => has(element, 'page-header-icon') || (element.tagName === 'header' && !has(element, 'page')),
  special: (element, context) => {
    if (element.tagName !== 'figure') return undefined
    if (has(element, 'callout')) {
      const icon = findElement(childrenOf(element), (one) => has(one, 'icon'))
      const inner: HtmlContext = { ...context, isSkipped: (one) => one === icon || context.isSkipped?.(one) === true }
      const nodes = readBlocks(childrenOf(element), inner)
      return nodes.length === 0 ? [] : [parentBlock('hint', { style: hintOf(icon && lineIn(icon)) }, nodes)]
    }
    if (has(element, 'link-to-page')) return readBlocks(childrenOf(element), context)
    if (has(element, 'equation')) {
      const formula = findElement(
        childrenOf(element),
        (one) => one.tagName === 'annotation' && attribute(one, 'encoding') === 'application/x-tex',
      )
      return formula ? [voidBlock('math', { formula: wordsOf(formula).trim() })] : undefined
    }
    return undefined
  },
}

const isArticle = ({ tagName }: HtmlElement): boolean => tagName === 'article'

const icons: readonly [RegExp, Hint['data']['style']][] = [
  [/⚠|❗|‼/u, 'warning'],
  [/🛑|❌|🚫|🔥/u, 'danger'],
  [/✅|✔|🎉/u, 'success'],
]

/** What a call-out means by its icon. */
export const hintOf = (icon: string | undefined): Hint['data']['style'] =>
  icons.find(([pattern]) => pattern.test(icon ?? ''))?.[1] ?? 'info'

/** Text documents have headings from the first level on; one alone is the title. */
function writtenDocument(nodes: readonly HtmlNode[]): Dialect {
  const headings = findAll(nodes, ({ tagName }) => tagName === 'h1')
  const body = findElement(nodes, ({ tagName }) => tagName === 'body')
  return {
    levels: 'from-first',
    main: () => body,
    title: () =>
      findElement(nodes, (element) => has(element, 'title')) ?? (headings.length === 1 ? headings[0] : undefined),
    noTitle: headings.length > 1,
  }
}

/** The export of Google Docs says bold and italic by classes of its own style sheet, and nests lists by their names. */
function googleDocs(nodes: readonly HtmlNode[]): Dialect {
  const sheet = findAll(nodes, ({ tagName }) => tagName === 'style')
    .flatMap((element) => element.childNodes)
    .map((node) => ('value' in node ? node.value : ''))
    .join('\n')
  const styles = new Map<string, Map<string, string>>()
  for (const [, name = '', body] of sheet.matchAll(/\.([\w-]+)\{([^}]*)\}/g)) styles.set(name, styleOf(body))
  for (const body of findAll(nodes, ({ tagName }) => tagName === 'body')) nestLists(body)
  return {
    ...writtenDocument(nodes),
    marks: (element) => {
      if (element.tagName !== 'span') return []
      const labels = new Map([
        ...classesOf(element).flatMap((name) => [...(styles.get(name) ?? [])]),
        ...styleOf(attribute(element, 'style')),
      ])
      return marksOf(labels)
    },
    unwrap: (href) => {
      const wrapped = /^https?:\/\/(?:www\.)?google\.com\/url\?(?:[^#]*&)?q=([^&#]+)/.exec(href)?.[1]
      return wrapped === undefined ? href : decode(wrapped)
    },
  }
}

function marksOf(style: ReadonlyMap<string, string>): Mark[] {
  const types: Exclude<Mark['type'], 'color'>[] = []
  if (/^(?:bold|[6-9]00)$/.test(style.get('font-weight') ?? '')) types.push('bold')
  if (style.get('font-style') === 'italic') types.push('italic')
  if (/line-through/.test(style.get('text-decoration') ?? '')) types.push('strikethrough')
  if (style.get('vertical-align') === 'super') types.push('superscript')
  if (style.get('vertical-align') === 'sub') types.push('subscript')
  if (/consolas|courier|mono/.test(style.get('font-family') ?? '')) types.push('code')
  return types.map((type) => ({ object: 'mark', type }))
}

/** Lists `lst-kix_x-1` behind `lst-kix_x-0` are inside its last item. */
function nestLists(parent: HtmlElement): void {
  const open: HtmlElement[] = []
  for (const child of [...parent.childNodes]) {
    if (!isElement(child)) continue
    const level = Number(/(?:^|\s)lst-[\w.]+-(\d)(?:\s|$)/.exec(attribute(child, 'class') ?? '')?.[1] ?? Number.NaN)
    if (Number.isNaN(level)) {
      open.length = 0
      continue
    }
    const before = open[level]
    open.length = Math.min(open.length, level)
    // A list that others interrupted goes on.
    if (before && Number(attribute(child, 'start') ?? 1) > 1 && nameOfList(before) === nameOfList(child)) {
      parent.childNodes.splice(parent.childNodes.indexOf(child), 1)
      for (const item of child.childNodes) item.parentNode = before
      before.childNodes.push(...child.childNodes)
      open[level] = before
      continue
    }
    const above = open[level - 1]
    const item = above && [...above.childNodes].reverse().find((node) => isElement(node) && node.tagName === 'li')
    if (item && isElement(item)) {
      parent.childNodes.splice(parent.childNodes.indexOf(child), 1)
      item.childNodes.push(child)
      child.parentNode = item
    }
    open[level] = child
  }
}

const nameOfList = (list: HtmlElement): string | undefined =>
  /(?:^|\s)(lst-[\w.]+-\d)(?:\s|$)/.exec(attribute(list, 'class') ?? '')?.[1]

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
