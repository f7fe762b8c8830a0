/**
 * Printing with proof: a paragraph, a heading or a table is printed as people write it, read back, and printed in a
 * stricter form when the two are not the same. Hostile text can only cost looks, never content. What can be read in one way
 * only needs no proof (plain.ts).
 */

import { printElement } from '../syntax/html-scan.ts'
import type { Block, Heading, Paragraph } from '../tree/nodes.ts'
import { normaliseBlocks } from '../tree/normalise.ts'
import { sameNodes } from '../tree/same.ts'
import type { PrintContext } from './context.ts'
import { htmlInlines } from './html.ts'
import { type InlineStyle, markdownInlines } from './inline.ts'
import { printPlain, printPlainLine } from './plain.ts'

const pretty: InlineStyle = { marks: 'markdown', breaks: 'backslash' }
const strict: InlineStyle = { marks: 'html', breaks: 'backslash' }

export function printParagraph(node: Paragraph, context: PrintContext): string {
  const { align } = node.data
  if (align === undefined && node.nodes.length > 0) {
    const plain = printPlain(node.nodes, context)
    if (plain !== undefined) return plain
    for (const style of [pretty, strict]) {
      const printed = markdownInlines(node.nodes, style, context)
      if (readsAs(printed, node, context)) return printed
    }
  }
  return `${printElement('p', [['align', alignments[align ?? 'none']]])}${htmlInlines(node.nodes, context)}</p>`
}

const alignments: Readonly<Record<string, string | undefined>> = { start: 'left', center: 'center', end: 'right' }
const levels = { 'heading-1': 2, 'heading-2': 3, 'heading-3': 4 } as const

export function printHeading(node: Heading, context: PrintContext): string {
  const { id, align } = node.data
  const level = levels[node.type]
  const sign = '#'.repeat(level)
  const anchor = id === undefined ? '' : ` <a href="#${id}" id="${id}"></a>`
  if (align === undefined) {
    const plain = printPlainLine(node.nodes, context)
    if (plain !== undefined) return `${sign} ${plain}${anchor}`
    for (const marks of ['markdown', 'html'] as const) {
      const words = markdownInlines(node.nodes, { marks, breaks: 'br' }, context).replace(/#$/, '\\#')
      const printed = `${sign} ${words}${anchor}`.trimEnd()
      if (readsAs(printed, node, context)) return printed
    }
  }
  const open = printElement(`h${level}`, [
    ['align', alignments[align ?? 'none']],
    ['id', id],
  ])
  return `${open}${htmlInlines(node.nodes, context)}</h${level}>`
}

/** Whether a printed piece is read as this one block, which is normal. */
export function readsAs(printed: string, block: Block, context: PrintContext): boolean {
  const { readBack, targets, byName } = context
  if (readBack === undefined) return true
  const read = readBack(printed, { targets, isNote: (name) => byName.has(name) })
  // Nearly everything is read in its normal form; what is equal to a normal block would not change.
  return sameNodes(read, [block]) || sameNodes(normaliseBlocks(read), [block])
}
