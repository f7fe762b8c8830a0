/** Titles that other writers give to what has none in the tree: a line of Markdown, in bold. */
import { parseTokens } from '../syntax/markdown-parser.ts'
import { paragraph, text } from '../tree/make.ts'
import type { InlineContent, Mark, Paragraph, Text } from '../tree/nodes.ts'
import type { ReadContext } from './context.ts'
import { readTokens } from './inline.ts'

/** A title is one line of Markdown. */
export function readTitle(title: string, context: ReadContext): InlineContent[] {
  const [open, inline, , ...rest] = parseTokens(title.replace(/\s+/g, ' ').trim(), context.env)
  const isLine = open?.type === 'paragraph_open' && inline?.type === 'inline' && rest.length === 0
  return isLine ? readTokens(inline.children ?? [], context) : title === '' ? [] : [text(title)]
}

export function boldParagraph(nodes: readonly InlineContent[]): Paragraph {
  return paragraph(nodes.map(embolden))
}

export function titleParagraphs(title: string | undefined, context: ReadContext): Paragraph[] {
  const nodes = title ? readTitle(title, context) : []
  return nodes.length === 0 ? [] : [boldParagraph(nodes)]
}

const bold: Mark = { object: 'mark', type: 'bold' }

function embolden(node: InlineContent): InlineContent {
  if (node.object === 'text') return boldText(node)
  if (node.type === 'annotation') return { ...node, nodes: node.nodes.map(boldText) }
  if (node.type !== 'link') return node
  return { ...node, nodes: node.nodes.map((child) => (child.object === 'text' ? boldText(child) : child)) }
}

function boldText(node: Text): Text {
  const leaves = node.leaves.map((leaf) =>
    leaf.marks.some((mark) => mark.type === 'bold') ? leaf : { ...leaf, marks: [...leaf.marks, bold] },
  )
  return { ...node, leaves }
}
