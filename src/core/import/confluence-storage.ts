/**
 * The storage format of Confluence, as exports of a space as XML hold it: XHTML with elements of its own for macros, links
 * and pictures. Those are turned into plain elements, and the rest is read like any page.
 */
import { makeDocument } from '../document/tree/make.ts'
import type { JSONDocument } from '../document/tree/nodes.ts'
import { normalise } from '../document/tree/normalise.ts'
import { readBlocks } from './html/blocks.ts'
import {
  attribute,
  childrenOf,
  elementsIn,
  findElement,
  type HtmlElement,
  type HtmlNode,
  isElement,
  lineIn,
  parsePart,
  wordsOf,
} from './html/tree.ts'

export interface StorageTargets {
  /** Paths of pages, by title. */
  pages: Readonly<Record<string, string>>
  /** Paths of attachments of the page, by name. */
  files: Readonly<Record<string, string>>
}

export function readStorage(source: string, targets: StorageTargets): JSONDocument {
  const nodes = parsePart(asHtml(source)).map((node) => rewritten(node, targets, 0))
  return normalise(makeDocument(readBlocks(nodes, { depth: 0 })))
}

/** XML as HTML reads it: no element closes itself, and raw text is escaped. */
const asHtml = (source: string): string =>
  source
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;'))
    .replace(/<((?:ac|ri):[\w-]+)((?:\s+[\w:-]+="[^"]*")*)\s*\/>/g, '<$1$2></$1>')

function rewritten(node: HtmlNode, targets: StorageTargets, depth: number): HtmlNode {
  if (!isElement(node) || depth > 300) return node
  const made = replace(node, targets) ?? node
  made.childNodes = made.childNodes.map((child) => rewritten(child, targets, depth + 1))
  for (const child of made.childNodes) if ('parentNode' in child) child.parentNode = made
  return made
}

function replace(element: HtmlElement, targets: StorageTargets): HtmlElement | undefined {
  switch (element.tagName) {
    case 'ac:structured-macro':
    case 'ac:macro':
      return macroOf(element)
    case 'ac:link':
      return linkOf(element, targets)
    case 'ac:image':
      return imageOf(element, targets)
    case 'ac:task-list':
      return renamed(element, 'ul')
    case 'ac:task':
      return taskOf(element)
    case 'ac:emoticon':
      return renamed(element, 'span', {}, [words(attribute(element, 'ac:emoji-fallback') ?? '')])
    case 'ac:placeholder':
    case 'ac:task-id':
    case 'ac:parameter':
      return renamed(element, 'script')
    default:
      return undefined
  }
}

function renamed(
  element: HtmlElement,
  tagName: string,
  attributes: Record<string, string> = {},
  children: readonly HtmlNode[] = element.childNodes,
): HtmlElement {
  const attrs = Object.entries(attributes).map(([name, value]) => ({ name, value }))
  return { ...element, tagName, nodeName: tagName, attrs, childNodes: [...children] }
}

const words = (text: string): HtmlNode => ({ nodeName: '#text', value: text, parentNode: null })

const parameterOf = (macro: HtmlElement, name: string): string | undefined => {
  const found = elementsIn(childrenOf(macro)).find(
    (one) => one.tagName === 'ac:parameter' && attribute(one, 'ac:name') === name,
  )
  return found && lineIn(found)
}

const bodyOf = (macro: HtmlElement): readonly HtmlNode[] =>
  elementsIn(childrenOf(macro))
    .filter(({ tagName }) => tagName === 'ac:rich-text-body' || tagName === 'ac:plain-text-body')
    .flatMap(childrenOf)

const callouts: Readonly<Record<string, string>> = {
  info: 'info',
  note: 'warning',
  warning: 'danger',
  tip: 'tip',
  panel: 'info',
}

function macroOf(macro: HtmlElement): HtmlElement {
  const name = attribute(macro, 'ac:name') ?? ''
  const title = parameterOf(macro, 'title')
  const body = bodyOf(macro)
  if (name === 'code' || name === 'noformat') {
    const language = parameterOf(macro, 'language')
    const source = renamed(macro, 'pre', language ? { 'data-language': language } : {}, [
      words(body.map((one) => wordsOf(one)).join('')),
    ])
    if (title === undefined) return source
    return renamed(macro, 'figure', {}, [source, renamed(macro, 'figcaption', {}, [words(title)])])
  }
  if (Object.hasOwn(callouts, name)) {
    const head = title === undefined ? [] : [renamed(macro, 'div', { class: 'admonition-title' }, [words(title)])]
    return renamed(macro, 'div', { class: `admonition ${callouts[name]}` }, [...head, ...body])
  }
  if (name === 'expand')
    return renamed(macro, 'details', {}, [renamed(macro, 'summary', {}, [words(title ?? 'Details')]), ...body])
  if (name === 'status') return renamed(macro, 'code', {}, [words(title ?? '')])
  // A list of headings or of pages is made by the site itself.
  if (name === 'toc' || name === 'children' || name === 'pagetree') return renamed(macro, 'script', {}, [])
  return renamed(macro, 'div', {}, body)
}

function linkOf(link: HtmlElement, { pages, files }: StorageTargets): HtmlElement {
  const inside = (name: string): HtmlElement | undefined =>
    findElement(childrenOf(link), ({ tagName }) => tagName === name)
  const page = inside('ri:page')
  const file = inside('ri:attachment')
  const title = page && attribute(page, 'ri:content-title')
  const name = file && attribute(file, 'ri:filename')
  const target = title === undefined ? name && files[name] : pages[title]
  const anchor = attribute(link, 'ac:anchor')
  const body = inside('ac:link-body') ?? inside('ac:plain-text-link-body')
  const shown = body ? childrenOf(body) : [words(title ?? name ?? anchor ?? '')]
  const href = `${target === undefined ? '' : `/${target}`}${anchor === undefined ? '' : `#${anchor}`}`
  return href === '' ? renamed(link, 'span', {}, shown) : renamed(link, 'a', { href }, shown)
}

function imageOf(image: HtmlElement, { files }: StorageTargets): HtmlElement {
  const file = findElement(childrenOf(image), ({ tagName }) => tagName === 'ri:attachment')
  const address = findElement(childrenOf(image), ({ tagName }) => tagName === 'ri:url')
  const caption = findElement(childrenOf(image), ({ tagName }) => tagName === 'ac:caption')
  const path = file && files[attribute(file, 'ri:filename') ?? '']
  const src = path === undefined ? address && attribute(address, 'ri:value') : `/${path}`
  const alt = attribute(image, 'ac:alt') ?? attribute(image, 'ac:title') ?? ''
  if (src === undefined) return renamed(image, 'span', {}, [words(alt)])
  const picture = renamed(image, 'img', { src, alt }, [])
  if (!caption) return picture
  return renamed(image, 'figure', {}, [picture, renamed(image, 'figcaption', {}, childrenOf(caption))])
}

function taskOf(task: HtmlElement): HtmlElement {
  const status = findElement(childrenOf(task), ({ tagName }) => tagName === 'ac:task-status')
  const body = findElement(childrenOf(task), ({ tagName }) => tagName === 'ac:task-body')
  const isDone = status !== undefined && lineIn(status) === 'complete'
  const box = renamed(task, 'input', { type: 'checkbox', ...(isDone ? { checked: '' } : {}) }, [])
  return renamed(task, 'li', {}, [box, ...(body ? childrenOf(body) : [])])
}
