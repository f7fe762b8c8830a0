/**
 * Tables: with pipes where that says it all, otherwise in HTML. A cell that holds more than words has its blocks as
 * Markdown between empty lines, so that any block can stand in a table.
 */

import { escapeText, keepEdges } from '../syntax/escape.ts'
import { printElement } from '../syntax/html-scan.ts'
import { headAttributes, tableAttributes } from '../syntax/table-markup.ts'
import {
  type Block,
  columnTextAlignments,
  type Fragment,
  type ListItem,
  type Paragraph,
  type Table,
  type TableDefinition,
  type TableRecord,
  type TableValue,
} from '../tree/nodes.ts'
import { cellFinder } from '../tree/normalise-table.ts'
import { fileValueRef, isRef } from '../tree/refs.ts'
import { columnsOf, rowsOf } from '../tree/table/table-ids.ts'
import { printBlocks, printImages } from './blocks.ts'
import { type PrintContext, targetOf } from './context.ts'
import { htmlExact, htmlInlines, htmlText } from './html.ts'
import { markdownInlines } from './inline.ts'
import { isPlainText, printPlainLine } from './plain.ts'
import { readsAs } from './words.ts'

export function printTable(table: Table, context: PrintContext): string {
  const pipes = printPipes(table, context)
  if (pipes === undefined) return printHtmlTable(table, context)
  return pipes.isPlain || readsAs(pipes.printed, table, context) ? pipes.printed : printHtmlTable(table, context)
}

/** `isPlain`: the words of the table are no Markdown anywhere, and need no proof. */
function printPipes(table: Table, context: PrintContext): { printed: string; isPlain: boolean } | undefined {
  const { view, cellMerges, fullWidth, search } = table.data
  const columns = columnsOf(table)
  const isBare = view.type === 'grid' && Object.keys(view).length === 3 && !view.hideHeader && cellMerges === undefined
  if (!isBare || fullWidth !== undefined || search !== undefined || view.columns.length !== columns.length)
    return undefined
  if (!columns.every((column) => column.type === 'text' && column.verticalAlignment === undefined)) return undefined
  const cellOf = cellFinder(table)
  const head = columns.map((column) => inPipes(keepEdges(escapeText(column.title, false)).replaceAll('\n', '<br>')))
  let isPlain = columns.every(isPlainColumn)
  const rows: string[][] = []
  for (const [, row] of rowsOf(table)) {
    const line: string[] = []
    for (const column of columns) {
      const nodes = cellOf(String(row.values[column.id]))?.nodes ?? []
      const [words] = nodes
      const plain = nodes.length === 1 && words?.type === 'paragraph' ? printPlainCell(words, context) : undefined
      if (plain === undefined && nodes.length > 0) isPlain = false
      const printed = plain ?? printPipeCell(nodes, context)
      if (printed === undefined) return undefined
      line.push(printed)
    }
    rows.push(line)
  }
  return { printed: layOut(columns, [head, ...rows]), isPlain }
}

/** The blocks of a cell in one line; nothing where that cannot be. */
function printPipeCell(nodes: readonly Block[], context: PrintContext): string | undefined {
  const [first] = nodes
  if (first === undefined) return ''
  if (nodes.length === 1 && isWords(first))
    return inPipes(markdownInlines(first.nodes, { marks: 'markdown', breaks: 'br' }, context))
  const parts = nodes.map((block) => (block.type === 'images' ? undefined : htmlBlock(block, context)))
  return parts.every((part) => part !== undefined) ? inPipes(parts.join('')) : undefined
}

/** A column that a header of pipes says all about: a title of mere words, and where the words stand. */
function isPlainColumn(column: TableDefinition): boolean {
  if (column.type !== 'text' || Object.keys(column).length !== 4) return false
  return columnTextAlignments.includes(column.textAlignment) && isPlainText(column.title)
}

/** The words of a cell that holds nothing else, and nothing that could be read in another way behind a pipe. */
function printPlainCell({ data, nodes }: Paragraph, context: PrintContext): string | undefined {
  const printed = Object.keys(data).length > 0 ? undefined : printPlainLine(nodes, context)
  return printed?.includes('|') ? undefined : printed
}

const inPipes = (words: string): string => words.replaceAll('|', '\\|')

function isWords(block: Block | undefined): block is Paragraph {
  return block?.type === 'paragraph' && block.data.align === undefined
}

/** Columns of one width, as far as that is readable. */
function layOut(columns: readonly TableDefinition[], lines: readonly string[][]): string {
  const widths = columns.map((_, at) => lines.reduce((most, line) => Math.max(most, line[at]?.length ?? 0), 3))
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 3)).join(' | ')} |`
  const rule = columns.map((column, at) => {
    const align = column.type === 'text' ? column.textAlignment : 'left'
    const dashes = '-'.repeat((widths[at] ?? 3) - (align === 'center' ? 2 : align === 'right' ? 1 : 0))
    return `${align === 'center' ? ':' : ''}${dashes}${align === 'left' ? '' : ':'}`
  })
  const [head = [], ...body] = lines
  return [row(head), row(rule), ...body.map(row)].join('\n')
}

function printHtmlTable(table: Table, context: PrintContext): string {
  const columns = columnsOf(table)
  const { view } = table.data
  const cells = new Map(table.fragments.map((cell) => [cell.fragment, cell]))
  const shown = new Set(view.columns)
  const heads = columns.map(
    (column) =>
      `${printElement('th', headAttributes(column, view, shown.has(column.id)))}${htmlText(column.title)}</th>`,
  )
  const merges = new Map(table.data.cellMerges?.map((merge) => [keyOf(merge.anchor), merge]))
  const rows = rowsOf(table).map(([id, row]) => {
    const line = columns.map((column) =>
      printCell(column, row, cells, merges.get(keyOf({ record: id, column: column.id })), context),
    )
    return `<tr>${line.join('')}</tr>`
  })
  const open = printElement('table', tableAttributes(table.data))
  return `${open}<thead><tr>${heads.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}

type Merge = NonNullable<Table['data']['cellMerges']>[number]

const keyOf = ({ record, column }: Merge['anchor']): string => JSON.stringify([record, column])

function printCell(
  column: TableDefinition,
  row: TableRecord,
  cells: ReadonlyMap<string, Fragment<'table-cell'>>,
  merge: Merge | undefined,
  context: PrintContext,
): string {
  const value = row.values[column.id]
  const isFramed = column.type === 'image' && typeof value === 'object' && value !== null && 'ref' in value
  const open = printElement('td', [
    ['data-object-fit', isFramed ? value.objectFit : undefined],
    ['data-framed', isFramed && value.objectFit === undefined && value.alt === undefined ? true : undefined],
    ['data-rowspan', merge?.rowSpan],
    ['data-colspan', merge?.colSpan],
  ])
  if (column.type === 'text') return `${open}${printTextCell(cells.get(String(value)), context)}</td>`
  return `${open}${value === undefined || value === null ? '' : printValue(column, value, context)}</td>`
}

function printTextCell(cell: Fragment<'table-cell'> | undefined, context: PrintContext): string {
  const blocks = cell?.nodes ?? []
  const [first] = blocks
  if (blocks.length === 1 && isWords(first) && !isLoneImage(first)) return htmlInlines(first.nodes, context)
  const parts = blocks.map((block) => htmlBlock(block, context))
  return parts.every((part) => part !== undefined) ? parts.join('') : `\n\n${printBlocks(blocks, context)}\n\n`
}

/** A paragraph of images alone would be read as a block of images. */
function isLoneImage(words: Paragraph): boolean {
  const shown = words.nodes.filter(
    (node) => node.object !== 'text' || node.leaves.some((leaf) => leaf.text.trim() !== ''),
  )
  return shown.length > 0 && shown.every((node) => node.object === 'inline' && node.type === 'inline-image')
}

/** The blocks that a line of HTML can hold. */
function htmlBlock(block: Block, context: PrintContext): string | undefined {
  if (isWords(block)) return `<p>${htmlInlines(block.nodes, context)}</p>`
  if (block.type === 'images') return printImages(block, context)
  if (block.type !== 'list-unordered' && block.type !== 'list-ordered') return undefined
  const items = block.nodes.map((item) => htmlItem(item, context))
  if (!items.every((item) => item !== undefined)) return undefined
  if (block.type === 'list-unordered') return `<ul>${items.join('')}</ul>`
  return `${printElement('ol', [['start', block.data.start]])}${items.join('')}</ol>`
}

function htmlItem(item: ListItem, context: PrintContext): string | undefined {
  const [first, ...rest] = item.nodes
  return isWords(first) && rest.length === 0 && !isLoneImage(first)
    ? `<li>${htmlInlines(first.nodes, context)}</li>`
    : undefined
}

function printValue(column: TableDefinition, value: TableValue, context: PrintContext): string {
  const anchor = (target: string, alt?: string): string =>
    `${printElement('a', [
      ['href', target],
      ['data-alt', alt],
    ])}${htmlExact(target)}</a>`
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (isRef(value)) return anchor(targetOf(value, context))
  if (Array.isArray(value)) {
    if (column.type === 'files') return value.map((file) => anchor(targetOf(fileValueRef(file), context))).join(', ')
    const name = column.type === 'users' ? 'data-user' : 'data-option'
    const labels = column.type === 'select' ? labelsOf(column.options) : new Map<string, string>()
    return value
      .map((entry) => `${printElement('span', [[name, entry]])}${htmlExact(labels.get(entry) ?? entry)}</span>`)
      .join(', ')
  }
  if (typeof value === 'object' && value !== null) return anchor(targetOf(value.ref, context), value.alt)
  return ''
}

type Options = Extract<TableDefinition, { type: 'select' }>['options']

/** The labels of a column's choices: made once, since a column may have as many as it has rows. */
const labels = new WeakMap<Options, ReadonlyMap<string, string>>()

function labelsOf(options: Options): ReadonlyMap<string, string> {
  const made = labels.get(options) ?? new Map(options.map((option) => [option.value, option.label]))
  labels.set(options, made)
  return made
}
