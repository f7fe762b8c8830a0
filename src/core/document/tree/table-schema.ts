/**
 * Reading the data of a table: its columns (`definition`), its rows (`records`) and its view must speak of each other.
 */
import {
  boolean,
  type Fields,
  integer,
  listOf,
  mapOf,
  number,
  object,
  oneOf,
  optional,
  Problem,
  type Reader,
  record,
  ref,
  required,
  string,
  stringMatching,
} from './fields.ts'
import { cardSizes, columnTextAlignments, objectFits, type TableDefinitionType, verticalAlignments } from './nodes.ts'

/** Reads `table.data`; drops cells of columns that do not exist, refuses a view of columns that do not exist. */
export function readTableData(value: unknown, path: string): Record<string, unknown> {
  const data = object(value, path)
  const definition = mapOf(readDefinition)(data.definition, `${path}.definition`)
  for (const [id, column] of Object.entries(definition))
    if (column.id !== id) throw new Problem(`${path}.definition.${id}.id`, `must be ${id}, as its name in the map`)
  const view = readView(data.view, `${path}.view`)
  for (const id of columnsOf(view))
    if (!Object.hasOwn(definition, id))
      throw new Problem(`${path}.view`, `names the column ${id}, which is not defined`)
  const records = mapOf((row, at) => readRow(row, at, definition))(data.records, `${path}.records`)
  const rest = record(tableFields)(data, path)
  return { view, records, definition, ...rest }
}

const cellMerge = record({
  anchor: required(record({ record: required(string), column: required(string) })),
  rowSpan: optional(integer(1, 50)),
  colSpan: optional(integer(1, 50)),
})
const tableFields: Fields = {
  cellMerges: optional(listOf(cellMerge)),
  fullWidth: optional(boolean),
  search: optional(boolean),
}

const columns = required(listOf(string))
const views: Readonly<Record<'grid' | 'cards', Fields>> = {
  grid: {
    columns,
    hideHeader: required(boolean),
    columnWidths: optional(mapOf(number)),
    stickyHeader: optional(boolean),
    stickyFirstColumn: optional(boolean),
    useNewSizing: optional(boolean),
  },
  cards: {
    cardSize: required(oneOf(cardSizes)),
    columns,
    targetDefinition: optional(string),
    coverDefinition: optional(string),
    coverDefinitionDark: optional(string),
    hideColumnTitle: optional(boolean),
    wrap: optional(boolean),
  },
}
const viewType = oneOf(['grid', 'cards'])

function readView(value: unknown, path: string): Record<string, unknown> {
  const type = viewType(object(value, path).type, `${path}.type`)
  return { type, ...record(views[type])(value, path) }
}

function columnsOf(view: Record<string, unknown>): string[] {
  const named = [view.targetDefinition, view.coverDefinition, view.coverDefinitionDark]
  const listed: unknown[] = Array.isArray(view.columns) ? view.columns : []
  return [...listed, ...named].filter((id) => typeof id === 'string')
}

const base: Fields = { id: required(string), title: required(string) }
const option = record({ value: required(string), label: required(string), color: required(string) })
const definitionTypes: Readonly<Record<TableDefinitionType, Fields>> = {
  text: {
    textAlignment: required(oneOf(columnTextAlignments)),
    verticalAlignment: optional(oneOf(verticalAlignments)),
  },
  number: {},
  checkbox: {},
  files: {},
  'content-ref': {},
  image: {},
  users: { multiple: required(boolean) },
  rating: { max: required(integer(1, 100)) },
  select: { multiple: required(boolean), options: required(listOf(option, 1000)) },
}
const definitionType = oneOf([
  'text',
  'number',
  'checkbox',
  'files',
  'users',
  'rating',
  'select',
  'content-ref',
  'image',
])

function readDefinition(value: unknown, path: string): Record<string, unknown> {
  const from = object(value, path)
  const type = definitionType(from.type, `${path}.type`)
  // A text column without an alignment reads from the left, as a new column does.
  const filled = type === 'text' ? { textAlignment: 'left', ...from } : from
  return { ...record(base)(filled, path), type, ...record(definitionTypes[type])(filled, path) }
}

const fileRef = ref('file', 'url')
const framedImage = record({ ref: required(fileRef), objectFit: optional(oneOf(objectFits)), alt: optional(string) })
const cellTypes: Readonly<Record<TableDefinitionType, Reader>> = {
  text: string,
  number,
  rating: number,
  checkbox: boolean,
  files: listOf(stringMatching(/^[^\u0000-\u001f\u007f-\u009f]{1,2048}$/, 'the id or the URL of a file'), 1000),
  users: listOf(string, 1000),
  select: listOf(string, 1000),
  'content-ref': ref(),
  image: (value, path) => ('ref' in object(value, path) ? framedImage(value, path) : fileRef(value, path)),
}

function readRow(
  value: unknown,
  path: string,
  definition: Record<string, Record<string, unknown>>,
): Record<string, unknown> {
  const from = object(value, path)
  const cells = object(from.values, `${path}.values`)
  const values: Record<string, unknown> = {}
  for (const [id, column] of Object.entries(definition)) {
    const cell = Object.hasOwn(cells, id) ? cells[id] : undefined
    if (cell === undefined || cell === null) continue
    const type = definitionType(column.type, path)
    values[id] = cellTypes[type](cell, `${path}.values.${id}`)
  }
  return { orderIndex: string(from.orderIndex, `${path}.orderIndex`), values }
}
