/** Tables of a document as tables and cards of a book. */
import type { Block, ContentRef, FileRef, Table, TableDefinition, TableValue } from '../document/tree/nodes.ts'
import { fileValueRef } from '../document/tree/refs.ts'
import { columnsOf, rowsOf } from '../document/tree/table/table-ids.ts'
import type { BookBlock, Cell } from './book.ts'
import { columnWidths, withBreaks } from './column-widths.ts'
import { type BookRefs, plain } from './inlines.ts'

interface Reading {
  refs: BookRefs
  blocks: (nodes: readonly Block[]) => BookBlock[]
  /** What text cells hold, by the name of their fragment. */
  cells: ReadonlyMap<string, readonly Block[]>
}

/** Row after row, since a table may have thousands: between them nothing comes, for others to have a turn. */
export function* bookTable(table: Table, options: Omit<Reading, 'cells'>): Generator<undefined, BookBlock> {
  const cells = new Map(table.fragments.map((fragment) => [fragment.fragment, fragment.nodes]))
  const reading: Reading = { ...options, cells }
  return table.data.view.type === 'cards' ? cardsOf(table, table.data.view, reading) : yield* gridOf(table, reading)
}

function* gridOf(table: Table, reading: Reading): Generator<undefined, BookBlock> {
  const { view } = table.data
  const shown = new Set(view.columns)
  const columns = columnsOf(table).filter((column) => shown.has(column.id))
  const widths = view.type === 'grid' ? view.columnWidths : undefined
  const records = rowsOf(table)
  const merges = mergesOf(
    table,
    columns,
    records.map(([id]) => id),
  )
  const rows = yield* eachRow(records, ([, record], row) =>
    columns.flatMap((column, index): Cell[] => {
      const merge = merges.get(`${row} ${index}`)
      if (merge === 'covered') return []
      const align = alignOf(column)
      return [
        {
          blocks: valueBlocks(column, record.values[column.id], reading),
          ...(align === undefined ? {} : { align }),
          ...merge,
        },
      ]
    }),
  )
  const head = columns.map((column): Cell => {
    const align = alignOf(column)
    return {
      blocks: column.title === '' ? [] : [{ kind: 'paragraph', content: plain(column.title) }],
      ...(align === undefined ? {} : { align }),
    }
  })
  const isHeadless = (view.type === 'grid' && view.hideHeader) || head.every((cell) => cell.blocks.length === 0)
  const shares = columnWidths(
    columns.map((column) => widths?.[column.id] ?? 0),
    isHeadless ? [] : head,
    rows,
  )
  const breakable = (row: readonly Cell[]): Cell[] =>
    // A row that others reach into has fewer cells than columns.
    row.length === columns.length ? row.map((cell, index) => withBreaks(cell, shares, index)) : [...row]
  return {
    kind: 'table',
    ...(isHeadless ? {} : { head: breakable(head) }),
    rows: yield* eachRow(rows, breakable),
    widths: shares,
  }
}

function* eachRow<Row, Made>(rows: readonly Row[], make: (row: Row, at: number) => Made): Generator<undefined, Made[]> {
  const made: Made[] = []
  for (const [at, row] of rows.entries()) {
    made.push(make(row, at))
    yield
  }
  return made
}

/** Which cells span others, and which are covered by one that does; by row and column. */
function mergesOf(
  table: Table,
  columns: readonly TableDefinition[],
  records: readonly string[],
): Map<string, 'covered' | { columns: number; rows: number }> {
  const merges = new Map<string, 'covered' | { columns: number; rows: number }>()
  for (const { anchor, colSpan = 1, rowSpan = 1 } of table.data.cellMerges ?? []) {
    const row = records.indexOf(anchor.record)
    const column = columns.findIndex((one) => one.id === anchor.column)
    if (row < 0 || column < 0 || merges.has(`${row} ${column}`)) continue
    const span = {
      columns: Math.max(1, Math.min(colSpan, columns.length - column)),
      rows: Math.max(1, Math.min(rowSpan, records.length - row)),
    }
    for (let down = 0; down < span.rows; down += 1)
      for (let across = 0; across < span.columns; across += 1)
        if (down > 0 || across > 0) merges.set(`${row + down} ${column + across}`, 'covered')
    merges.set(`${row} ${column}`, span)
  }
  return merges
}

function cardsOf(table: Table, view: Extract<Table['data']['view'], { type: 'cards' }>, reading: Reading): BookBlock {
  const shown = new Set(view.columns)
  const special = new Set([view.targetDefinition, view.coverDefinition, view.coverDefinitionDark])
  const columns = columnsOf(table).filter((column) => shown.has(column.id) && !special.has(column.id))
  return {
    kind: 'cards',
    cards: rowsOf(table).map(([, { values }]) => {
      const target = view.targetDefinition === undefined ? undefined : values[view.targetDefinition]
      const cover = view.coverDefinition === undefined ? undefined : values[view.coverDefinition]
      const to = isRef(target) ? reading.refs.targetOf(target) : undefined
      const file = fileOf(cover)
      const image = file === undefined ? undefined : reading.refs.imageOf(file)
      return {
        blocks: columns.flatMap((column) => valueBlocks(column, values[column.id], reading)),
        ...(to === undefined ? {} : { to }),
        ...(image === undefined ? {} : { image }),
      }
    }),
  }
}

function valueBlocks(
  column: TableDefinition,
  value: TableValue | undefined,
  { refs, blocks, cells }: Reading,
): BookBlock[] {
  const words = (text: string): BookBlock[] => (text === '' ? [] : [{ kind: 'paragraph', content: plain(text) }])
  switch (column.type) {
    case 'text': {
      const cell = typeof value === 'string' ? cells.get(value) : undefined
      return cell === undefined ? [] : blocks(cell)
    }
    case 'checkbox':
      return words(value === true ? '☑' : '☐')
    case 'rating':
      return words(typeof value === 'number' ? `${value} / ${column.max}` : '')
    case 'number':
      return words(typeof value === 'number' ? String(value) : '')
    case 'select': {
      const labels = new Map(column.options.map((option) => [option.value, option.label]))
      return words(Array.isArray(value) ? value.map((chosen) => labels.get(chosen) ?? chosen).join(', ') : '')
    }
    case 'content-ref':
      return isRef(value) ? namedRef(value, refs) : []
    case 'files':
      return Array.isArray(value) ? value.flatMap((file) => namedRef({ kind: 'file', file }, refs)) : []
    case 'users':
      return Array.isArray(value) ? words(value.map((user) => refs.nameOf({ kind: 'user', user })).join(', ')) : []
    case 'image': {
      const file = fileOf(value)
      const image = file === undefined ? undefined : refs.imageOf(file)
      return image === undefined ? [] : [{ kind: 'pictures', align: 'left', pictures: [{ image, alt: '' }] }]
    }
  }
}

function namedRef(ref: ContentRef, refs: BookRefs): BookBlock[] {
  const to = refs.targetOf(ref)
  const content = plain(refs.nameOf(ref))
  return [{ kind: 'paragraph', content: to === undefined ? content : [{ kind: 'link', to, content }] }]
}

const alignOf = (column: TableDefinition): Cell['align'] | undefined =>
  column.type === 'text' ? column.textAlignment : column.type === 'number' ? 'right' : undefined

const isRef = (value: TableValue | undefined): value is ContentRef =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && 'kind' in value

function fileOf(value: TableValue | undefined): FileRef | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return value[0] === undefined ? undefined : fileOf(fileValueRef(value[0]))
  const ref = 'ref' in value ? value.ref : value
  return 'kind' in ref && (ref.kind === 'file' || ref.kind === 'url') ? ref : undefined
}
