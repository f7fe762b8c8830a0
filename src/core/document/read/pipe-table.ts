/**
 * Tables of pipes and dashes: a grid of text columns.
 */

import type { Token } from '../syntax/markdown-parser.ts'
import { inlineText } from '../text/to-text.ts'
import { fragment, paragraph } from '../tree/make.ts'
import type { Block, Fragment, InlineContent, Table, TableDefinition } from '../tree/nodes.ts'
import { cellName, columnId, orderIndexAt, rowId } from '../tree/table/table-ids.ts'
import { readBlocks } from './blocks.ts'
import { deeper, type ReadContext } from './context.ts'
import { isInlineRaw } from './html.ts'
import { readTokens } from './inline.ts'
import { buildInline, isOfTree } from './raw-tree.ts'

type Cell = { nodes: InlineContent[]; blocks?: Block[]; align: 'left' | 'center' | 'right' }

export function readPipeTable(tokens: readonly Token[], context: ReadContext): Block[] {
  const rows = cellsOf(tokens, deeper(context, 2))
  const [head = [], ...body] = rows
  const definition: Record<string, TableDefinition> = {}
  head.forEach((cell, index) => {
    const id = columnId(index)
    definition[id] = { id, title: inlineText(cell.nodes), type: 'text', textAlignment: cell.align }
  })
  const columns = Object.keys(definition)
  const records: Table['data']['records'] = {}
  const fragments: Fragment<'table-cell'>[] = []
  body.forEach((row, index) => {
    const id = rowId(index)
    const values: Record<string, string> = {}
    columns.forEach((column, at) => {
      const name = cellName(id, column)
      values[column] = name
      fragments.push(fragment('table-cell', row[at]?.blocks ?? [paragraph(row[at]?.nodes ?? [])], name))
    })
    records[id] = { orderIndex: orderIndexAt(index), values }
  })
  const data = { view: { type: 'grid' as const, columns, hideHeader: false }, records, definition }
  return [{ object: 'block', type: 'table', isVoid: true, data, fragments }]
}

function cellsOf(tokens: readonly Token[], context: ReadContext): Cell[][] {
  const rows: Cell[][] = []
  let align: Cell['align'] = 'left'
  for (const token of tokens) {
    if (token.type === 'tr_open') rows.push([])
    if (token.type === 'th_open' || token.type === 'td_open') {
      const style = String(token.attrGet('style') ?? '')
      align = style.endsWith('center') ? 'center' : style.endsWith('right') ? 'right' : 'left'
    }
    if (token.type === 'inline') rows.at(-1)?.push(cellOf(token.children ?? [], align, rows.length === 1, context))
  }
  return rows
}

/** Lists and paragraphs in a cell are written in HTML; a title is words whatever it holds. */
function cellOf(tokens: readonly Token[], align: Cell['align'], isHead: boolean, context: ReadContext): Cell {
  if (!isHead && tokens.some(isOfTree)) {
    const raws = buildInline(tokens)
    if (!raws.every(isInlineRaw)) {
      const blocks = readBlocks(raws, context)
      return { nodes: [], blocks: blocks.length === 0 ? [paragraph()] : blocks, align }
    }
  }
  return { nodes: readTokens(tokens, context), align }
}
