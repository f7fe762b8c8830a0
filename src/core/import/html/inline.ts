/** Words, marks, links and pictures within a line of HTML. */
import { InlineBuilder } from '../../document/read/inline-builder.ts'
import { elementMarks } from '../../document/syntax/element-marks.ts'
import { voidInline } from '../../document/tree/make.ts'
import type { InlineContent, InlineImage, Mark } from '../../document/tree/nodes.ts'
import { type HtmlContext, imageOf, mostNesting, targetOf } from './context.ts'
import { isNoise } from './noise.ts'
import {
  attribute,
  childrenOf,
  classesOf,
  type HtmlElement,
  type HtmlNode,
  isElement,
  isText,
  wordsOf,
} from './tree.ts'

/** Exporters write more of HTML than people do in Markdown. */
const marks = { ...elementMarks, cite: 'italic', dfn: 'italic', var: 'italic' } as Readonly<typeof elementMarks>

export function readInlines(nodes: readonly HtmlNode[], context: HtmlContext): InlineContent[] {
  const builder = new InlineBuilder()
  readInto(nodes, builder, context, 0)
  return builder.finish()
}

function readInto(nodes: readonly HtmlNode[], builder: InlineBuilder, context: HtmlContext, depth: number): void {
  for (const node of nodes) {
    if (isText(node)) addWords(node.value, builder)
    else if (isElement(node)) {
      if (depth > mostNesting) addWords(wordsOf(node), builder)
      else readElement(node, builder, context, depth)
    }
  }
}

function addWords(words: string, builder: InlineBuilder): void {
  const clean = words.replace(/[\u200b\ufeff]/g, '')
  for (const part of clean.match(/[\t\n\f\r ]+|[^\t\n\f\r ]+/g) ?? []) {
    if (/^[\t\n\f\r ]/.test(part)) builder.space()
    else builder.text(part)
  }
}

function readElement(element: HtmlElement, builder: InlineBuilder, context: HtmlContext, depth: number): void {
  if (isNoise(element, context)) return
  const { tagName } = element
  const inside = (): void => readInto(childrenOf(element), builder, context, depth + 1)
  const formula = formulaOf(element)
  if (tagName === 'br') builder.lineBreak()
  else if (tagName === 'img') readImage(element, builder, context)
  else if (formula !== undefined) builder.inline(voidInline('inline-math', { formula }))
  else if (tagName === 'a') {
    const ref = targetOf(attribute(element, 'href'), context)
    const isEmpty = wordsOf(element).trim() === '' && !hasImage(element)
    if (ref === undefined || isEmpty) inside()
    else withLink(builder, ref, inside)
  } else withMarks(element, builder, context, inside)
}

function withMarks(element: HtmlElement, builder: InlineBuilder, context: HtmlContext, inside: () => void): void {
  const { tagName } = element
  const type = Object.hasOwn(marks, tagName) ? marks[tagName] : undefined
  const own: Mark[] = [
    ...(type === undefined ? [] : [{ object: 'mark' as const, type }]),
    ...(context.marks?.(element) ?? []),
  ]
  for (const mark of own) builder.startMark(mark)
  if (isBlockLike.test(tagName)) builder.space()
  inside()
  if (isBlockLike.test(tagName)) builder.space()
  for (const mark of own) builder.endMark(mark.type)
}

function withLink(builder: InlineBuilder, ref: Parameters<InlineBuilder['startLink']>[0], inside: () => void): void {
  const isOuter = !builder.isInLink
  if (isOuter) builder.startLink(ref)
  inside()
  if (isOuter) builder.endLink()
}

const hasImage = (element: HtmlElement): boolean =>
  childrenOf(element).some((child) => isElement(child) && (child.tagName === 'img' || hasImage(child)))

const isBlockLike = /^(?:p|div|li|ul|ol|tr|td|th|h[1-6]|section|dd|dt|figure|figcaption)$/

function readImage(element: HtmlElement, builder: InlineBuilder, context: HtmlContext): void {
  const image = inlineImageOf(element, context)
  if (image) builder.image(image)
  // A picture that cannot be had still has its words; emoticons of Confluence and GitHub are nothing else.
  else addWords(attribute(element, 'alt') ?? '', builder)
}

export function inlineImageOf(element: HtmlElement, context: HtmlContext): InlineImage | undefined {
  const sources = ['data-src', 'src', 'data-original'].map((name) => attribute(element, name)).filter((one) => one)
  const ref = sources.map((source) => imageOf(source, context)).find((found) => found !== undefined)
  if (!ref) return undefined
  const alt = attribute(element, 'alt')?.trim()
  return voidInline('inline-image', { ref, ...(alt ? { alt } : {}) })
}

/** A formula as KaTeX, MathJax and MathML with a TeX annotation write it. */
function formulaOf(element: HtmlElement): string | undefined {
  const classes = classesOf(element)
  if (element.tagName === 'script')
    return attribute(element, 'type')?.startsWith('math/tex') ? wordsOf(element).trim() : undefined
  if (element.tagName !== 'math' && !classes.includes('katex') && !classes.includes('notion-text-equation-token'))
    return undefined
  const find = (nodes: readonly HtmlNode[]): string | undefined => {
    for (const node of nodes) {
      if (!isElement(node)) continue
      if (node.tagName === 'annotation' && attribute(node, 'encoding') === 'application/x-tex') return wordsOf(node)
      const found = find(childrenOf(node))
      if (found !== undefined) return found
    }
    return undefined
  }
  return find([element])?.trim()
}
