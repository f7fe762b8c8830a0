/**
 * Tables in HTML: what a table of pipes cannot say. The attributes of the table are its view, those of the header
 * cells its columns (`table-markup.ts` has their names), and a cell's text is whatever stands in it.
 */
import { type Attributes, isBlank } from '../syntax/html-scan.ts'
import { isOn, readDefinition, readView } from '../syntax/table-markup.ts'
import { inlineText } from '../text/to-text.ts'
import { fragment, paragraph } from '../tree/make.ts'
import {
  type Block,
  type Fragment,
  objectFits,
  type Table,
  type TableCellMerge,
  type TableDefinition,
  type TableImage,
  type TableRecord,
  type TableSelectOption,
  type TableValue,
} from '../tree/nodes.ts'
import { cellName, columnId, orderIndexAt, rowId } from '../tree/table/table-ids.ts'
import { readBlocks } from './blocks.ts'
import { deeper, type ReadContext, resolveFile, resolveTarget } from './context.ts'
import { rawText } from './elements.ts'
import { readInlines } from './inline.ts'
import type { Element, Raw } from './raw.ts'

type Cell = { element: Element; children: readonly Raw[] }

export function readHtmlTable(attributes: Attributes, children: readonly Raw[], context: ReadContext): Block[] {
  const inside = deeper(context, 2)
  const rows = rowsIn(children)
  const { grid, merges, isTooSparse } = layGrid(rows)
  if (isTooSparse) return readBlocks(wordsOf(rows, children), context)
  const hasHead = rows[0]?.every((cell) => cell.element.name === 'th') === true
  const width = widthOf(grid)
  const head: (Cell | undefined)[] = hasHead ? (grid[0] ?? []) : []
  const body = hasHead ? grid.slice(1) : grid
  const definitions = Array.from({ length: width }, (_, index) => {
    const cell = head[index]
    const title = cell === undefined ? '' : inlineText(readInlines(cell.children, inside))
    const column = readDefinition(columnId(index), title, cell?.element.attributes ?? new Map())
    if (column.type === 'select' && column.options.length === 0) column.options.push(...optionsIn(cell?.children ?? []))
    return body.every((row) => fits(column, row[index])) ? column : readDefinition(column.id, title, new Map())
  })
  if (width === 0)
    return readBlocks(
      children.filter((raw) => !isPart(raw)),
      context,
    )
  const reading: Reading = { context: inside, fragments: [], definitions }
  const records: Table['data']['records'] = {}
  body.forEach((row, index) => {
    records[rowId(index)] = readRow(row, index, reading)
  })
  const heads = head.map((cell) => cell?.element.attributes ?? new Map<string, string>())
  const down = hasHead ? 1 : 0
  const cellMerges = merges.flatMap(({ row, column, rowSpan, colSpan }): TableCellMerge[] => {
    if (row < down) return []
    const anchor = { record: rowId(row - down), column: columnId(column) }
    return [{ anchor, ...(rowSpan > 1 ? { rowSpan } : {}), ...(colSpan > 1 ? { colSpan } : {}) }]
  })
  const data: Table['data'] = {
    view: readView(attributes, heads, definitions, hasHead),
    records,
    definition: Object.fromEntries(definitions.map((column) => [column.id, column])),
    ...(cellMerges.length > 0 ? { cellMerges } : {}),
    ...(attributes.get('data-full-width') === 'true' ? { fullWidth: true } : {}),
    ...(isOn(attributes, 'data-search') ? { search: true } : {}),
  }
  const caption = readBlocks(
    children.filter((raw) => !isPart(raw)),
    context,
  )
  return [...caption, { object: 'block', type: 'table', isVoid: true, data, fragments: reading.fragments }]
}

/** A column whose words are no numbers is a column of words, whatever it says. */
function fits(column: TableDefinition, cell: Cell | undefined): boolean {
  const words = cell === undefined ? '' : rawText(cell.children).trim()
  if (column.type === 'number' || column.type === 'rating') return Number.isFinite(Number(words))
  return column.type !== 'checkbox' || /^(?:true|false)?$/.test(words)
}

function isPart(raw: Raw): boolean {
  if (raw.kind === 'html-text') return isBlank(raw.source)
  if (raw.kind === 'gap') return true
  return raw.kind === 'element' && /^(?:thead|tbody|tfoot|tr|col|colgroup)$/.test(raw.element.name)
}

function rowsIn(children: readonly Raw[]): Cell[][] {
  return children.flatMap((raw) => {
    if (raw.kind !== 'element' || !/^(?:thead|tbody|tfoot|tr)$/.test(raw.element.name)) return []
    if (raw.element.name !== 'tr')
      return [...rowsIn(raw.children), ...strayRow(raw.children.filter((child) => !isPart(child)))]
    const cells = raw.children.flatMap((cell) => {
      if (cell.kind === 'element' && /^t[dh]$/.test(cell.element.name))
        return [{ element: cell.element, children: cell.children }]
      return strayRow([cell].filter((child) => !isPart(child))).flat()
    })
    return cells.length === 0 ? [] : [cells]
  })
}

/** What stands in a table but in no cell has a cell of its own. */
function strayRow(children: Raw[]): Cell[][] {
  if (children.length === 0) return []
  const element: Element = { kind: 'open', name: 'td', attributes: new Map(), isVoid: false, source: '' }
  return [[{ element, children }]]
}

/** Spans of spans could make a small source a table of millions of cells: then nothing spans. */
function layGrid(rows: readonly Cell[][]): Laid {
  const merges: Merge[] = []
  const grid = spread(rows, merges)
  const most = Math.max(20_000, rows.reduce((sum, row) => sum + row.length, 0) * 4)
  if (widthOf(grid) * rows.length <= most) return { grid, merges, isTooSparse: false }
  return { grid: rows.map((row) => [...row]), merges: [], isTooSparse: widthOf(rows) * rows.length > most }
}

type Laid = { grid: (Cell | undefined)[][]; merges: Merge[]; isTooSparse: boolean }

const widthOf = (rows: readonly (readonly unknown[])[]): number =>
  rows.reduce((most, row) => Math.max(most, row.length), 0)

/** One long row among many short ones would be a table of empty cells: what stands in it is blocks instead. */
function wordsOf(rows: readonly Cell[][], children: readonly Raw[]): Raw[] {
  const cells = rows.flatMap((row) => row.flatMap((cell): Raw[] => [...cell.children, { kind: 'gap' }]))
  return [...children.filter((raw) => !isPart(raw)), ...cells]
}

type Merge = { row: number; column: number; rowSpan: number; colSpan: number }

/** The cells at their columns: a cell that spans others in HTML leaves them out, and here they are put back empty. */
function spread(rows: readonly Cell[][], merges: Merge[]): (Cell | undefined)[][] {
  const taken = new Map<number, Set<number>>()
  let covered = 0
  return rows.map((cells, row) => {
    const line: (Cell | undefined)[] = []
    for (const cell of cells) {
      while (taken.get(row)?.has(line.length)) line.push(undefined)
      const { attributes } = cell.element
      const own = {
        row,
        column: line.length,
        rowSpan: span(attributes, 'data-rowspan'),
        colSpan: span(attributes, 'data-colspan'),
      }
      const html = { ...own, rowSpan: span(attributes, 'rowspan'), colSpan: span(attributes, 'colspan') }
      line.push(cell)
      if (own.rowSpan > 1 || own.colSpan > 1) merges.push(own)
      else if ((html.rowSpan > 1 || html.colSpan > 1) && covered < 100_000) {
        covered += html.rowSpan * html.colSpan
        merges.push(html)
        for (let below = 1; below < html.rowSpan; below += 1) {
          const columns = taken.get(row + below) ?? new Set()
          for (let right = 0; right < html.colSpan; right += 1) columns.add(html.column + right)
          taken.set(row + below, columns)
        }
        for (let right = 1; right < html.colSpan; right += 1) line.push(undefined)
      }
    }
    return line
  })
}

function span(attributes: Attributes, name: string): number {
  const value = Number(attributes.get(name) ?? 1)
  return Number.isInteger(value) && value >= 1 && value <= 50 ? value : 1
}

type Reading = { context: ReadContext; fragments: Fragment<'table-cell'>[]; definitions: readonly TableDefinition[] }

function readRow(row: readonly (Cell | undefined)[], index: number, reading: Reading): TableRecord {
  const values: Record<string, TableValue> = {}
  reading.definitions.forEach((column, at) => {
    const cell = row[at]
    if (column.type === 'text') {
      const name = cellName(rowId(index), column.id)
      const nodes = cell === undefined ? [] : readBlocks(cell.children, reading.context)
      reading.fragments.push(fragment('table-cell', nodes.length === 0 ? [paragraph()] : nodes, name))
      values[column.id] = name
      return
    }
    const value = cell === undefined ? null : readValue(column, cell, reading.context)
    if (value !== null) values[column.id] = value
  })
  return { orderIndex: orderIndexAt(index), values }
}

function readValue(column: TableDefinition, cell: Cell, context: ReadContext): TableValue {
  const words = rawText(cell.children).trim()
  switch (column.type) {
    case 'number':
    case 'rating':
      return words === '' || !Number.isFinite(Number(words)) ? null : Number(words)
    case 'checkbox':
      return words === 'true' || null
    case 'users':
      return namesIn(cell.children, 'data-user', words).map(({ name }) => name)
    case 'select':
      return namesIn(cell.children, 'data-option', words).map((named) => optionOf(column, named))
    case 'files':
      return linksIn(cell.children).map((target) => {
        const ref = resolveFile(context, target.href, 'file')
        if (ref?.kind === 'file' && ref.space === undefined) return ref.file
        // A path that is one bare word would pass for the id of a file.
        return /^[\w-]+$/.test(target.href) ? `./${target.href}` : target.href
      })
    case 'content-ref': {
      const target = linksIn(cell.children)[0]?.href ?? words
      return target === '' ? null : resolveTarget(context, target, 'content-ref')
    }
    case 'image':
      return imageValue(cell, words, context)
    default:
      return null
  }
}

function imageValue(cell: Cell, words: string, context: ReadContext): TableValue {
  const target = linksIn(cell.children)[0] ?? { href: words, alt: undefined }
  const ref = target.href === '' ? null : resolveFile(context, target.href, 'image')
  if (ref === null) return null
  const objectFit = objectFits.find((fit) => fit === cell.element.attributes.get('data-object-fit'))
  const framed: TableImage = {
    ref,
    ...(objectFit === undefined ? {} : { objectFit }),
    ...(target.alt ? { alt: target.alt } : {}),
  }
  return objectFit === undefined && !target.alt && !cell.element.attributes.has('data-framed') ? ref : framed
}

/** Targets of the links and images in a cell. */
function linksIn(raws: readonly Raw[]): { href: string; alt: string | undefined }[] {
  return raws.flatMap((raw) => {
    if (raw.kind !== 'element') return []
    const { name, attributes } = raw.element
    const href = name === 'a' ? attributes.get('href') : name === 'img' ? attributes.get('src') : undefined
    if (href === undefined) return linksIn(raw.children)
    return [{ href, alt: attributes.get('data-alt') ?? (name === 'img' ? attributes.get('alt') : undefined) }]
  })
}

type Named = { name: string; label: string }

function namesIn(raws: readonly Raw[], attribute: string, words: string): Named[] {
  const named = raws.flatMap((raw): Named[] => {
    const name = raw.kind === 'element' ? raw.element.attributes.get(attribute) : undefined
    // Older printers put the comma between two choices into the first.
    return raw.kind === 'element' && name !== undefined
      ? [{ name, label: rawText(raw.children).replace(/,\s*$/, '') }]
      : []
  })
  if (named.length > 0) return named
  return words.split(',').flatMap((word) => (word.trim() === '' ? [] : [{ name: word.trim(), label: word.trim() }]))
}

/** The choices of a column as `<option>`s in its head, the way other editors write them. */
function optionsIn(raws: readonly Raw[]): TableSelectOption[] {
  return raws.flatMap((raw) => {
    if (raw.kind !== 'element') return []
    const { name, attributes } = raw.element
    const value = attributes.get('value')
    if (name !== 'option' || value === undefined) return optionsIn(raw.children)
    const label = attributes.get('label') ?? rawText(raw.children)
    return [{ value, label: label === '' ? value : label, color: attributes.get('color') ?? 'default' }]
  })
}

/** A choice is stored by its value; a table written by hand may name it by its label, or name a new one. */
function optionOf(column: Extract<TableDefinition, { type: 'select' }>, { name, label }: Named): string {
  const { byValue, byLabel } = choicesOf(column)
  const known = byValue.has(name) ? name : byLabel.get(name)
  if (known !== undefined) return known
  column.options.push({ value: name, label, color: 'default' })
  byValue.add(name)
  if (!byLabel.has(label)) byLabel.set(label, name)
  return name
}

type Choices = { byValue: Set<string>; byLabel: Map<string, string> }

/** The choices of a column, to look one up: a column may have as many as it has rows. */
const choices = new WeakMap<TableDefinition, Choices>()

function choicesOf(column: Extract<TableDefinition, { type: 'select' }>): Choices {
  const known = choices.get(column)
  if (known !== undefined) return known
  const made: Choices = { byValue: new Set(), byLabel: new Map() }
  for (const { value, label } of column.options) {
    made.byValue.add(value)
    if (!made.byLabel.has(label)) made.byLabel.set(label, value)
  }
  choices.set(column, made)
  return made
}
