/**
 * Inline content as HTML: within tables, captions, summaries and aligned paragraphs, and wherever Markdown cannot say
 * what the tree says. This form is exact for every content, whatever stands around it.
 */

import { noteTarget } from '../syntax/attributes.ts'
import { charactersOf, splitEmoji } from '../syntax/emoji.ts'
import { encodeAttribute, encodeHtml, printElement } from '../syntax/html-scan.ts'
import { labelOf } from '../tree/labels.ts'
import type { Button, InlineContent, InlineIcon, InlineImage, Mark } from '../tree/nodes.ts'
import { noteNameOf, type PrintContext, targetOf } from './context.ts'
import { type Nested, nestMarks } from './nest-marks.ts'

export function htmlInlines(nodes: readonly InlineContent[], context: PrintContext): string {
  const writer = new HtmlWriter()
  nodes.forEach((node, at) => {
    writeNode(node, nodes, at, context, writer)
  })
  return writer.finish()
}

/** Words alone. */
export function htmlText(text: string): string {
  const writer = new HtmlWriter()
  writer.text(text)
  return writer.finish()
}

/** Text whose every character counts: in `pre`, and in the elements that hold an expression or a label. */
export function htmlExact(text: string): string {
  return encodeHtml(text).replace(
    /[\n\r\t]/g,
    (character) => `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`,
  )
}

/** Writes spaces so that they are kept: plain ones where HTML keeps them, character references where it does not. */
class HtmlWriter {
  #out: string[] = []
  #atStart = true
  #space: number | undefined

  markup(source: string): void {
    this.#out.push(source)
  }

  /** Something that is not text, but holds its place in the line. */
  single(source: string): void {
    this.#out.push(source)
    this.#atStart = false
    this.#space = undefined
  }

  text(content: string): void {
    for (const piece of content.split(/( |\n)/)) {
      if (piece === ' ') this.#writeSpace()
      else if (piece === '\n') this.#writeBreak()
      else if (piece !== '') this.single(encodeHtml(piece).replaceAll('\t', '&#x9;'))
    }
  }

  finish(): string {
    this.#hardenSpace()
    return this.#out.join('')
  }

  #writeSpace() {
    if (this.#atStart || this.#space !== undefined) return this.single('&#x20;')
    this.#space = this.#out.length
    this.#out.push(' ')
  }

  #writeBreak(): void {
    this.#hardenSpace()
    this.#out.push('<br>')
    this.#atStart = true
  }

  /** The last space turned out to stand at the end of a line. */
  #hardenSpace(): void {
    if (this.#space !== undefined) this.#out[this.#space] = '&#x20;'
    this.#space = undefined
  }
}

function writeNode(
  node: InlineContent,
  nodes: readonly InlineContent[],
  at: number,
  context: PrintContext,
  writer: HtmlWriter,
): void {
  if (node.object === 'text') {
    writeNested(nestMarks(node.leaves), writer)
    return
  }
  if (node.type === 'link' || node.type === 'annotation') {
    const open =
      node.type === 'link'
        ? printElement('a', [['href', targetOf(node.data.ref, context)]])
        : printElement('a', [
            ['data-footnote-ref', true],
            ['href', noteTarget(noteNameOf(node, context))],
          ])
    writer.markup(open)
    node.nodes.forEach((child, index) => {
      writeNode(child, node.nodes, index, context, writer)
    })
    writer.markup('</a>')
    return
  }
  writer.single(node.type === 'emoji' ? htmlEmoji(node.data.code, nodes, at) : htmlSingle(node, context))
}

function writeNested(nested: readonly Nested[], writer: HtmlWriter): void {
  for (const part of nested) {
    if (part.kind === 'text') {
      writer.text(part.text)
      continue
    }
    writer.markup(openMark(part.mark))
    writeNested(part.children, writer)
    writer.markup(closeMark(part.mark))
  }
}

const markElements: Readonly<Record<Mark['type'], string>> = {
  bold: 'strong',
  italic: 'em',
  strikethrough: 'del',
  code: 'code',
  keyboard: 'kbd',
  superscript: 'sup',
  subscript: 'sub',
  color: 'mark',
}

export function openMark(mark: Mark): string {
  if (mark.type !== 'color') return `<${markElements[mark.type]}>`
  const { text, background } = mark.data
  const color = text !== 'default' || background === 'default' ? `color:${text};` : ''
  return `<mark style="${color}${background === 'default' ? '' : `background-color:${background};`}">`
}

export function closeMark(mark: Mark): string {
  return `</${markElements[mark.type]}>`
}

type Single = Exclude<Extract<InlineContent, { isVoid: true }>, { type: 'emoji' }>

/** An inline that holds nothing, as an element. */
export function htmlSingle(node: Single, context: PrintContext): string {
  switch (node.type) {
    case 'inline-image':
      return htmlInlineImage(node, context)
    case 'icon':
      return htmlIcon(node)
    case 'expression':
      return `<code class="expression">${htmlExact(node.data.expression)}</code>`
    case 'inline-math':
      return `<span data-formula="${encodeAttribute(node.data.formula)}"></span>`
    case 'mention': {
      const target = targetOf(node.data.ref, context)
      return `${printElement('a', [
        ['href', target],
        ['data-mention', true],
      ])}${htmlExact(node.data.label ?? labelOf(target))}</a>`
    }
    case 'button':
      return htmlButton(node, context)
  }
}

/** The picture itself, where it is read as this emoji and no more. */
export function htmlEmoji(code: string, nodes: readonly InlineContent[], at: number): string {
  const characters = charactersOf(code)
  const before = edgeOf(nodes[at - 1]).slice(-24)
  const stands = standsAlone(before, characters, edgeAfter(nodes, at))
  return stands ? characters : `<span data-emoji="${code}"></span>`
}

function standsAlone(before: string, characters: string, after: string): boolean {
  const parts = splitEmoji(before + characters + after)
  let offset = 0
  for (let index = 0; index < parts.length && offset <= before.length; index++) {
    const part = parts[index] as string
    if (index % 2 === 1 && offset === before.length) return part === characters
    offset += part.length
  }
  return false
}

/** What follows, through as many nodes as an emoji can reach over. */
function edgeAfter(nodes: readonly InlineContent[], at: number): string {
  let edge = ''
  for (let next = at + 1; next < nodes.length && edge.length < 24; next += 1) {
    const more = edgeOf(nodes[next])
    if (more === '') break
    edge += more.slice(0, 24)
  }
  return edge.slice(0, 24)
}

function edgeOf(node: InlineContent | undefined): string {
  if (node?.object === 'text') return node.leaves.map((leaf) => leaf.text).join('')
  return node?.type === 'emoji' ? charactersOf(node.data.code) : ''
}

export function htmlInlineImage({ data }: InlineImage, context: PrintContext): string {
  const img = printElement('img', [
    ['src', targetOf(data.ref, context)],
    ['alt', data.alt ?? ''],
    ['data-size', data.size],
    ['title', data.caption],
  ])
  return inPicture(img, data.refDark === undefined ? undefined : targetOf(data.refDark, context))
}

export function inPicture(img: string, dark: string | undefined): string {
  if (dark === undefined) return img
  const source = printElement('source', [
    ['srcset', dark],
    ['media', '(prefers-color-scheme: dark)'],
  ])
  return `<picture>${source}${img}</picture>`
}

function htmlIcon({ data }: InlineIcon): string {
  const style = data.color === undefined ? undefined : `color:${data.color};`
  return `${printElement('i', [
    ['class', `fa-${data.icon}`],
    ['style', style],
  ])}:${data.icon}:</i>`
}

function htmlButton({ data }: Button, context: PrintContext): string {
  const { action, ref } = data
  const shared = [
    ['class', `button ${data.kind}`],
    ['data-size', data.size],
    ['data-icon', data.icon],
  ] as const
  const label = htmlExact(data.label)
  if (ref !== undefined) return `${printElement('a', [['href', targetOf(ref, context)], ...shared])}${label}</a>`
  const attributes = [
    ['type', 'button'],
    ...shared,
    ['data-action', action?.action],
    ['data-query', action !== undefined && 'query' in action ? action.query : undefined],
    ['data-slug', action !== undefined && 'slug' in action ? action.slug : undefined],
  ] as const
  return `${printElement('button', attributes)}${label}</button>`
}
