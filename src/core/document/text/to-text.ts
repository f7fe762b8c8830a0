/**
 * Plain text: what a reader sees, without the marks. For search, for word counts, for a page's excerpt.
 */

import { charactersOf } from '../syntax/emoji.ts'
import type { Block, Fragment, InlineContent, JSONDocument, Node, Table } from '../tree/nodes.ts'
import { columnsOf, rowsOf } from '../tree/table/table-ids.ts'
import { childrenOf } from '../tree/walk.ts'
import { diagramOf } from './diagram.ts'

/** The text of a document: one line a paragraph, an empty line between top-level blocks. */
export function toText(document: JSONDocument): string {
  return document.nodes
    .map(textOf)
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The text of one node and all it holds. */
export function textOf(node: Node): string {
  if (node.object === 'text') return node.leaves.map((leaf) => leaf.text).join('')
  if (node.object === 'fragment') return fragmentText(node)
  switch (node.type) {
    case 'emoji':
      return charactersOf(node.data.code)
    case 'expression':
      return node.data.expression
    case 'inline-math':
    case 'math':
      return node.data.formula
    case 'button':
      return node.data.label
    case 'mention':
    case 'content-ref':
      return node.data.label ?? ''
    case 'embed':
      return node.data.caption ?? ''
    case 'drawing':
      return node.data.alt ?? ''
    case 'integration':
      return diagramOf(node) ?? ''
    case 'inline-image':
      return node.data.alt ?? node.data.caption ?? ''
    case 'annotation':
    case 'link':
      return inlineText(node.nodes)
    case 'paragraph':
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return inlineText(node.nodes) + annotationText(node.nodes)
    case 'code-line':
      return inlineText(node.nodes)
    case 'table':
      return tableText(node)
    case 'tabs-item':
      return joinLines([node.data.title ?? '', ...node.nodes.map(textOf)])
    case 'prompt':
      return joinLines([node.data.description, ...node.nodes.map(textOf)])
    case 'image':
      return joinLines([node.data.alt ?? '', ...node.fragments.map(fragmentText)])
    default:
      return joinLines(childrenOf(node).map(textOf))
  }
}

export function inlineText(nodes: readonly InlineContent[]): string {
  return nodes.map(textOf).join('')
}

export function fragmentText(fragment: Fragment<string, Block>): string {
  return joinLines(fragment.nodes.map(textOf))
}

/** The notes behind annotated words are read after the paragraph they are in. */
function annotationText(nodes: readonly InlineContent[]): string {
  const notes = nodes.flatMap((node) =>
    node.object === 'inline' && node.type === 'annotation' ? node.fragments.map(fragmentText) : [],
  )
  return notes.length === 0 ? '' : `\n${notes.join('\n')}`
}

function tableText(table: Table): string {
  const columns = columnsOf(table)
  const cells = new Map(table.fragments.map((cell) => [cell.fragment, cell]))
  const titles = columns.map((column) => column.title)
  const labels = new Map(
    columns.map((column) => [
      column.id,
      new Map(column.type === 'select' ? column.options.map((option) => [option.value, option.label]) : []),
    ]),
  )
  const rows = rowsOf(table).map(([, row]) =>
    columns.map((column) => {
      const value = row.values[column.id]
      if (column.type === 'text') {
        const cell = typeof value === 'string' ? cells.get(value) : undefined
        return cell === undefined ? '' : fragmentText(cell)
      }
      if (column.type === 'select' && Array.isArray(value))
        return value.map((chosen) => labels.get(column.id)?.get(chosen) ?? chosen).join(', ')
      return typeof value === 'number' ? String(value) : ''
    }),
  )
  return joinLines([titles, ...rows].map((row) => row.filter((cell) => cell !== '').join('\t')))
}

/** Parts one below the other; empty ones leave no line. */
export function joinLines(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n')
}
