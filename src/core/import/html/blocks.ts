/**
 * From the elements of a page to the blocks of a document. Elements that mean nothing here are looked through: what they
 * hold stays, in its place.
 */

import { slugOf } from '../../document/text/anchors.ts'
import { inlineText } from '../../document/text/to-text.ts'
import {
  code,
  fragment,
  heading,
  image,
  list,
  listItem,
  paragraph,
  parentBlock,
  voidBlock,
} from '../../document/tree/make.ts'
import type { Block, Code, HeadingType, Image, InlineContent, ListItem, TabsItem } from '../../document/tree/nodes.ts'
import { isSafeUrl } from '../../document/tree/refs.ts'
import { deeper, type HtmlContext, mostNesting } from './context.ts'
import { readHint } from './hints.ts'
import { inlineImageOf, readInlines } from './inline.ts'
import { isNoise } from './noise.ts'
import { readTable } from './table.ts'
import {
  attribute,
  childrenOf,
  classesOf,
  elementsIn,
  findAll,
  findElement,
  type HtmlElement,
  type HtmlNode,
  isElement,
  isText,
  lineIn,
  wordsOf,
} from './tree.ts'

const inlineTags = new Set([
  'a', 'abbr', 'b', 'bdi', 'bdo', 'br', 'cite', 'code', 'data', 'del', 'dfn', 'em', 'font', 'i', 'img', 'ins', 'kbd', 'label',
  'mark', 'math', 'q', 's', 'samp', 'small', 'span', 'strike', 'strong', 'sub', 'sup', 'time', 'tt', 'u', 'var', 'wbr', 'picture',
  'source', 'input', 'svg',
]) // biome-ignore format: a list of names.

export function readBlocks(nodes: readonly HtmlNode[], context: HtmlContext): Block[] {
  const blocks: Block[] = []
  let line: HtmlNode[] = []
  const endLine = (): void => {
    blocks.push(...paragraphsOf(line, context))
    line = []
  }
  for (const node of nodes) {
    if (isText(node)) line.push(node)
    else if (isElement(node) && !isNoise(node, context)) {
      const special = context.special?.(node, context) ?? readSpecial(node, context)
      if (special) {
        endLine()
        blocks.push(...special)
      } else if (inlineTags.has(node.tagName) && !holdsBlocks(node)) line.push(node)
      else {
        endLine()
        blocks.push(...(context.depth > mostNesting ? wordsAlone(node) : readElement(node, deeper(context))))
      }
    }
  }
  endLine()
  return blocks
}

const wordsAlone = (node: HtmlElement): Block[] => {
  const words = lineIn(node)
  return words === '' ? [] : [paragraph(words)]
}

/** A link or span around whole blocks is read as if it were not there. */
const holdsBlocks = (element: HtmlElement): boolean =>
  findElement(childrenOf(element), ({ tagName }) => blockTags.has(tagName)) !== undefined

const blockTags = new Set([
  'p', 'div', 'ul', 'ol', 'table', 'pre', 'blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'section', 'article', 'details', 'hr',
  'figure', 'iframe',
]) // biome-ignore format: a list of names.

/** Pictures alone in a line are a block of pictures; everything else is a paragraph. */
function paragraphsOf(nodes: readonly HtmlNode[], context: HtmlContext): Block[] {
  const content = readInlines(nodes, context)
  const pictures = picturesIn(content)
  if (pictures) return pictures.length > 0 ? [parentBlock('images', {}, pictures)] : []
  return [paragraph(content)]
}

function picturesIn(content: readonly InlineContent[]): Image[] | undefined {
  const pictures: Image[] = []
  for (const node of content) {
    if (node.object === 'text') {
      if (node.leaves.some((leaf) => leaf.text.trim() !== '')) return undefined
    } else if (node.type === 'inline-image') {
      const { ref, alt } = node.data
      pictures.push(image({ ref, ...(alt === undefined ? {} : { alt }) }))
    } else if (node.type === 'link') {
      // A picture that links to itself in full size, as wikis do, is a picture.
      const inner = picturesIn(node.nodes)
      if (!inner || inner.length === 0) return undefined
      pictures.push(...inner)
    } else return undefined
  }
  return pictures
}

function readElement(element: HtmlElement, context: HtmlContext): Block[] {
  const children = childrenOf(element)
  switch (element.tagName) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return readHeading(element, context)
    case 'ul':
    case 'ol':
    case 'menu':
      return readList(element, context)
    case 'li':
      return readList({ ...element, tagName: 'ul', attrs: [], childNodes: [element] }, context)
    case 'pre':
      return [readCode(element)]
    case 'blockquote':
      return readWithin('blockquote', {}, children, context)
    case 'table':
      return readTable(element, context, readBlocks)
    case 'hr':
      return [voidBlock('divider', {})]
    case 'figure':
      return readFigure(element, context)
    case 'details':
      return readDetails(element, context)
    case 'dl':
      return readDefinitions(children, context)
    case 'iframe':
    case 'video':
    case 'embed':
      return readEmbed(element)
    default:
      return readBlocks(children, context)
  }
}

function readWithin(
  type: 'blockquote',
  data: Record<never, never>,
  children: readonly HtmlNode[],
  context: HtmlContext,
): Block[] {
  const nodes = readBlocks(children, context)
  return nodes.length === 0 ? [] : [parentBlock(type, data, nodes)]
}

/** Second-level headings are the first below the title of a page; there are three levels. */
function readHeading(element: HtmlElement, context: HtmlContext): Block[] {
  const content = readInlines(childrenOf(element), context)
  if (inlineText(content).trim() === '') return paragraphsOf(childrenOf(element), context)
  const level = Number(element.tagName.slice(1)) + (context.levels === 'from-first' ? 1 : 0)
  const type: HeadingType = level <= 2 ? 'heading-1' : level === 3 ? 'heading-2' : 'heading-3'
  const id = idOf(element, context)
  const isFit = id !== undefined && id.length <= 256 && /^[-a-z0-9.+_]+$/.test(id) && id !== slugOf(inlineText(content))
  return [heading(type, content, isFit ? { id } : {})]
}

/** Documents name the places in them by empty links, in any case. */
function idOf(element: HtmlElement, { levels }: HtmlContext): string | undefined {
  const own = attribute(element, 'id')
  if (levels === undefined) return own
  const anchor = findElement(childrenOf(element), (one) => one.tagName === 'a' && attribute(one, 'id') !== undefined)
  return ((anchor && attribute(anchor, 'id')) ?? own)?.toLowerCase()
}

function readList(element: HtmlElement, context: HtmlContext): Block[] {
  const items: ListItem[] = []
  let isTasks = false
  for (const node of childrenOf(element)) {
    if (!isElement(node)) continue
    // A list right inside a list, as editors write it, belongs to the item before.
    if (node.tagName === 'ul' || node.tagName === 'ol') {
      const nested = readList(node, context)
      const last = items.at(-1)
      if (last) last.nodes.push(...nested)
      else items.push(listItem(nested))
      continue
    }
    const box = findElement(childrenOf(node), isCheckbox)
    const checked = box === undefined ? taskState(node) : attribute(box, 'checked') !== undefined
    if (checked !== undefined) isTasks = true
    const nodes = readBlocks(childrenOf(node), context)
    items.push(listItem(nodes.length > 0 ? nodes : [paragraph()], checked === undefined ? {} : { checked }))
  }
  if (items.length === 0) return []
  const start = Number(attribute(element, 'start') ?? 1)
  const type = isTasks ? 'list-tasks' : element.tagName === 'ol' ? 'list-ordered' : 'list-unordered'
  return [list(type, items, Number.isInteger(start) && start >= 0 ? start : undefined)]
}

const isCheckbox = (element: HtmlElement): boolean =>
  element.tagName === 'input' && attribute(element, 'type') === 'checkbox'

/** How Confluence and Notion show that a task is done. */
function taskState(item: HtmlElement): boolean | undefined {
  if (attribute(item, 'data-inline-task-id') !== undefined) return classesOf(item).includes('checked')
  const box = findElement(childrenOf(item), (element) => classesOf(element).includes('checkbox'))
  return box && classesOf(box).includes('checkbox-on')
}

export function readCode(element: HtmlElement): Code {
  const inner = findElement(childrenOf(element), ({ tagName }) => tagName === 'code')
  const names = [
    element,
    ...(inner ? [inner] : []),
    ...(element.parentNode && 'attrs' in element.parentNode ? [element.parentNode] : []),
  ]
    .flatMap(classesOf)
    .join(' ')
  const named = /(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|brush:\s*)([\w+#-]+)/.exec(names)?.[1]
  const syntax = attribute(element, 'data-language') ?? attribute(inner ?? element, 'data-language') ?? named
  const lines = findAll(
    childrenOf(element),
    (one) => classesOf(one).includes('token-line') || classesOf(one).includes('ec-line'),
  )
  const source =
    lines.length > 0 ? lines.map((line) => wordsOf(line).replace(/\n$/, '')).join('\n') : wordsOf(inner ?? element)
  const isNamed = syntax !== undefined && !/^(?:none|default|notranslate|text)$/.test(syntax)
  return code(source.replace(/^\n/, '').replace(/\s+$/, ''), isNamed ? { syntax: syntax.toLowerCase() } : {})
}

function readFigure(element: HtmlElement, context: HtmlContext): Block[] {
  const children = childrenOf(element)
  const caption = elementsIn(children).find(({ tagName }) => tagName === 'figcaption')
  const picture = findElement(children, ({ tagName }) => tagName === 'img')
  const others = children.filter((child) => child !== caption)
  const words = caption ? readInlines(childrenOf(caption), context) : []
  const shown = picture && inlineImageOf(picture, context)
  if (!shown || findElement(others, ({ tagName }) => tagName === 'pre' || tagName === 'table')) {
    const title = inlineText(words).trim()
    const blocks = readBlocks(others, context)
    const [first] = blocks
    if (first?.type === 'code' && title !== '')
      return [{ ...first, data: { ...first.data, title } }, ...blocks.slice(1)]
    return [...blocks, ...(title === '' ? [] : [paragraph(words)])]
  }
  const { ref, alt } = shown.data
  const data = { ref, ...(alt === undefined ? {} : { alt }) }
  return [parentBlock('images', {}, [image(data, words.length > 0 ? [words] : undefined)])]
}

function readDetails(element: HtmlElement, context: HtmlContext): Block[] {
  const children = childrenOf(element)
  const summary = elementsIn(children).find(({ tagName }) => tagName === 'summary')
  const body = readBlocks(
    children.filter((child) => child !== summary),
    context,
  )
  return [
    expandable(
      summary ? readInlines(childrenOf(summary), context) : [],
      body,
      attribute(element, 'open') !== undefined,
    ),
  ]
}

export const expandable = (title: InlineContent[], body: Block[], isOpen = false): Block => ({
  object: 'block',
  type: 'expandable',
  isVoid: true,
  data: isOpen ? { defaultExpanded: true } : {},
  fragments: [fragment('expandable-title', [paragraph(title)]), fragment('expandable-body', body)],
})

/** Terms stand in bold above what is said of them. */
function readDefinitions(children: readonly HtmlNode[], context: HtmlContext): Block[] {
  return elementsIn(children).flatMap((node) => {
    if (node.tagName === 'div') return readDefinitions(childrenOf(node), context)
    if (node.tagName !== 'dt') return readBlocks(childrenOf(node), context)
    return [paragraph(readInlines([{ ...node, tagName: 'strong' }], context))]
  })
}

function readEmbed(element: HtmlElement): Block[] {
  const source = findElement([element], (one) => /^https?:\/\//.test(attribute(one, 'src') ?? ''))
  const url = source && attribute(source, 'src')
  return url !== undefined && isSafeUrl(url) && url.length <= 2048 ? [voidBlock('embed', { url })] : []
}

/** What generators of docs make of their own blocks: call-outs, tabs. */
function readSpecial(element: HtmlElement, context: HtmlContext): Block[] | undefined {
  return readTabs(element, context) ?? readHint(element, context, readBlocks)
}

function readTabs(element: HtmlElement, context: HtmlContext): Block[] | undefined {
  if (!/^(?:div|section|starlight-tabs)$/.test(element.tagName)) return undefined
  const bar = elementsIn(childrenOf(element)).find((child) => roleOf(child) === 'tablist') ?? listInside(element)
  if (!bar) return undefined
  const names = findAll([bar], (one) => roleOf(one) === 'tab').map(lineIn)
  const panels = findAll(childrenOf(element), (one) => roleOf(one) === 'tabpanel').slice(0, names.length)
  if (names.length === 0 || panels.length === 0) return undefined
  const items = panels.map((panel, at): TabsItem => {
    const nodes = readBlocks(childrenOf(panel), context)
    return parentBlock('tabs-item', { title: names[at] ?? '' }, nodes.length > 0 ? nodes : [paragraph()])
  })
  return [parentBlock('tabs', {}, items)]
}

const listInside = (element: HtmlElement): HtmlElement | undefined =>
  elementsIn(childrenOf(element))
    .flatMap((child) => elementsIn(childrenOf(child)))
    .find((child) => roleOf(child) === 'tablist')

const roleOf = (element: HtmlElement): string | undefined => attribute(element, 'role')
