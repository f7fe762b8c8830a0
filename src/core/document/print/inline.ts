/**
 * Inline content as Markdown, in the way people write it. It is right for ordinary text; `print-words.ts` reads it
 * back before it is used.
 */

import { noteTarget } from '../syntax/attributes.ts'
import {
  escapeLineStart,
  escapeText,
  keepEdges,
  printCodeSpan,
  printDestination,
  printTitle,
} from '../syntax/escape.ts'
import { labelOf } from '../tree/labels.ts'
import type { InlineContent, InlineImage, Mark } from '../tree/nodes.ts'
import { noteNameOf, type PrintContext, signOf, targetOf } from './context.ts'
import { closeMark, htmlEmoji, htmlInlineImage, htmlSingle, openMark } from './html.ts'
import { type Nested, nestMarks } from './nest-marks.ts'

export type InlineStyle = {
  /** Marks as `**` and `_`, or as HTML, which has no rules about what stands beside it. */
  marks: 'markdown' | 'html'
  /** Line breaks as a backslash at the end of the line, or as `<br>` where there is but one line. */
  breaks: 'backslash' | 'br'
}

export function markdownInlines(nodes: readonly InlineContent[], style: InlineStyle, context: PrintContext): string {
  const whole = nodes.map((node, at) => printNode(node, nodes, at, style, context)).join('')
  const lines = whole.split('\n')
  const last = lines.length - 1
  const lastWords = lines.findLastIndex((line) => line !== '')
  return lines
    .map((line, at) => {
      // A break at the very end has no line to break from; a backslash there would be text.
      const isBroken = at < last
      // Where there is but one line, it stands behind something that has begun the block already.
      const escaped = style.breaks === 'br' ? keepEdges(line) : escapeLineStart(keepEdges(line))
      if (!isBroken) return escaped
      return style.breaks === 'br' || at >= lastWords ? `${escaped}<br>` : `${escaped}\\\n`
    })
    .join('')
}

function printNode(
  node: InlineContent,
  nodes: readonly InlineContent[],
  at: number,
  style: InlineStyle,
  context: PrintContext,
): string {
  if (node.object === 'text') {
    const before = at === 0 ? '' : '.'
    const next = nodes[at + 1]
    const words = printNested(nestMarks(node.leaves), {
      style,
      inLink: false,
      before,
      after: next === undefined ? '' : '.',
    })
    // An exclamation mark before a link makes it an image.
    return next?.object === 'inline' && words.endsWith('!') ? `${words.slice(0, -1)}\\!` : words
  }
  switch (node.type) {
    case 'link':
      return `[${labelNodes(node.nodes, style, context)}](${printDestination(targetOf(node.data.ref, context))})`
    case 'annotation': {
      const name = noteNameOf(node, context)
      if (signOf(node) === name) return `[^${name}]`
      return `[${labelNodes(node.nodes, style, context)}](${noteTarget(name)})[^${name}]`
    }
    case 'mention': {
      const target = targetOf(node.data.ref, context)
      return `[${escapeText(node.data.label ?? labelOf(target), true).replaceAll('\n', ' ')}](${printDestination(target)} "mention")`
    }
    case 'inline-math': {
      const { formula } = node.data
      return formula === '' || /^\s|\s$|\$|\n/.test(formula) ? htmlSingle(node, context) : `$$${formula}$$`
    }
    case 'inline-image':
      return printImage(node, context)
    case 'emoji':
      return htmlEmoji(node.data.code, nodes, at)
    default:
      return htmlSingle(node, context)
  }
}

function printImage(node: InlineImage, context: PrintContext): string {
  const { data } = node
  if (data.size !== undefined || data.refDark !== undefined || /\n/.test(`${data.alt}${data.caption}`))
    return htmlInlineImage(node, context)
  const title = data.caption === undefined ? '' : ` ${printTitle(data.caption)}`
  return `![${escapeText(data.alt ?? '', true)}](${printDestination(targetOf(data.ref, context))}${title})`
}

function labelNodes(
  nodes: readonly (InlineContent | InlineImage)[],
  style: InlineStyle,
  context: PrintContext,
): string {
  return nodes
    .map((node) => {
      if (node.object === 'text')
        return printNested(nestMarks(node.leaves), { style, inLink: true, before: '', after: '' })
      return node.type === 'inline-image' ? printImage(node, context) : ''
    })
    .join('')
}

type Around = { style: InlineStyle; inLink: boolean; before: string; after: string }

function printNested(nested: readonly Nested[], around: Around): string {
  // Pieces are joined once: looking at the end of a string that is still growing costs its whole length each time.
  const pieces: string[] = []
  let { before } = around
  nested.forEach((part, at) => {
    const next = nested[at + 1]
    const after = next === undefined ? around.after : firstOf(next)
    const piece =
      part.kind === 'text'
        ? escapeText(part.text, around.inLink)
        : printMark(part.mark, part.children, { ...around, before, after })
    pieces.push(piece)
    if (piece !== '') before = piece.slice(-1)
  })
  return pieces.join('')
}

const firstOf = (part: Nested): string => (part.kind === 'text' ? part.text.slice(0, 1) : '*')

const delimiters: Readonly<Partial<Record<Mark['type'], string>>> = { bold: '**', italic: '_', strikethrough: '~~' }

function printMark(mark: Mark, children: readonly Nested[], around: Around): string {
  const delimiter = around.style.marks === 'markdown' ? delimiters[mark.type] : undefined
  if (mark.type === 'code') {
    const words = children.map((child) => (child.kind === 'text' ? child.text : '')).join('')
    const span = printCodeSpan(words)
    if (span !== undefined) return span
  }
  if (delimiter === undefined)
    return openMark(mark) + printNested(children, { ...around, before: '>', after: '<' }) + closeMark(mark)
  const inner = printNested(children, { ...around, before: delimiter.slice(-1), after: delimiter.slice(0, 1) })
  if (!canWrap(inner, delimiter, around)) return openMark(mark) + inner + closeMark(mark)
  return delimiter + inner + delimiter
}

/** Whether the delimiters open and close here: CommonMark's rules on what stands beside them. */
function canWrap(inner: string, delimiter: string, { before, after }: Around): boolean {
  const first = inner.slice(0, 1)
  const last = inner.slice(-1)
  if (first === '' || isSpace(first) || isSpace(last)) return false
  const opens = !isPunctuation(first) || isEdge(before)
  const closes = !isPunctuation(last) || isEdge(after)
  return opens && closes && (delimiter !== '_' || (isEdge(before) && isEdge(after)))
}

const isSpace = (character: string): boolean => /^\s$/u.test(character)
const isPunctuation = (character: string): boolean => /^[\p{P}\p{S}]$/u.test(character)
const isEdge = (character: string): boolean => character === '' || isSpace(character) || isPunctuation(character)
