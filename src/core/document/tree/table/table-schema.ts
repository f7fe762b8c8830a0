/**
 * Reading the data of a table: its columns (`definition`), its rows (`records`) and its view must speak of each other.
 */
import { ref } from '../../content-ref.ts'
import {
  boolean,
  type DataOf,
  type Fields,
  integer,
  type JsonSchema,
  listOf,
  mapOf,
  number,
  object,
  oneOf,
  optional,
  Problem,
  type Reader,
  reader,
  readRecord,
  record,
  required,
  string,
  stringMatching,
} from '../fields.ts'
import { cardSizes, columnTextAlignments, objectFits, verticalAlignments } from '../nodes.ts'

export type TableData = {
  view: View
  records: Record<string, Row>
  definition: Record<string, Definition>
} & DataOf<typeof tableFields>

/** Reads `table.data`; drops cells of columns that do not exist, refuses a view of columns that do not exist. */
export function readTableData(value: unknown, path: string): TableData {
  const data = object(value, path)
  const definition = mapOf(readDefinition)(data.definition, `${path}.definition`)
  for (const [id, column] of Object.entries(definition))
    if (column.id !== id) throw new Problem(`${path}.definition.${id}.id`, `must be ${id}, as its name in the map`)
  const view = readView(data.view, `${path}.view`)
  for (const id of columnsOf(view))
    if (!Object.hasOwn(definition, id))
      throw new Problem(`${path}.view`, `names the column ${id}, which is not defined`)
  const records = mapOf((row, at) => readRow(row, at, definition))(data.records, `${path}.records`)
  const rest = readRecord(tableFields, data, path)
  return { view, records, definition, ...rest }
}

const cellMerge = record({
  anchor: required(record({ record: required(string), column: required(string) })),
  rowSpan: optional(integer(1, 50)),
  colSpan: optional(integer(1, 50)),
})
const tableFields = {
  cellMerges: optional(listOf(cellMerge)),
  fullWidth: optional(boolean),
  search: optional(boolean),
} satisfies Fields

const columns = required(listOf(string))
const views = {
  grid: record({
    type: required(oneOf(['grid'])),
    columns,
    hideHeader: required(boolean),
    columnWidths: optional(mapOf(number)),
    stickyHeader: optional(boolean),
    stickyFirstColumn: optional(boolean),
    useNewSizing: optional(boolean),
  }),
  cards: record({
    type: required(oneOf(['cards'])),
    cardSize: required(oneOf(cardSizes)),
    columns,
    targetDefinition: optional(string),
    coverDefinition: optional(string),
    coverDefinitionDark: optional(string),
    hideColumnTitle: optional(boolean),
    wrap: optional(boolean),
  }),
}
type View = ReturnType<(typeof views)[keyof typeof views]>
const viewType = oneOf(['grid', 'cards'])

const readView = reader(oneOfReaders(views), (value, path): View => {
  const type = viewType(object(value, path).type, `${path}.type`)
  return views[type](value, path)
})

const columnsOf = (view: View): string[] =>
  view.type === 'grid'
    ? view.columns
    : [...view.columns, view.targetDefinition, view.coverDefinition, view.coverDefinitionDark].filter(
        (id) => id !== undefined,
      )

const definitionOf = <const Type extends string, const Of extends Fields>(type: Type, fields: Of) =>
  record({ id: required(string), title: required(string), type: required(oneOf([type])), ...fields })
const option = record({ value: required(string), label: required(string), color: required(string) })
const definitions = {
  text: definitionOf('text', {
    textAlignment: required(oneOf(columnTextAlignments)),
    verticalAlignment: optional(oneOf(verticalAlignments)),
  }),
  number: definitionOf('number', {}),
  checkbox: definitionOf('checkbox', {}),
  files: definitionOf('files', {}),
  users: definitionOf('users', { multiple: required(boolean) }),
  rating: definitionOf('rating', { max: required(integer(1, 100)) }),
  select: definitionOf('select', { multiple: required(boolean), options: required(listOf(option, 1000)) }),
  'content-ref': definitionOf('content-ref', {}),
  image: definitionOf('image', {}),
}
type Definition = ReturnType<(typeof definitions)[keyof typeof definitions]>
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

const readDefinition = reader(oneOfReaders(definitions), (value, path): Definition => {
  const from = object(value, path)
  const type = definitionType(from.type, `${path}.type`)
  // A text column without an alignment reads from the left, as a new column does.
  return definitions[type](type === 'text' ? { textAlignment: 'left', ...from } : from, path)
})

const fileRef = ref('file', 'url')
const framedImage = record({ ref: required(fileRef), objectFit: optional(oneOf(objectFits)), alt: optional(string) })
const tableImage = reader({ anyOf: [fileRef.schema, framedImage.schema] }, (value, path) =>
  'ref' in object(value, path) ? framedImage(value, path) : fileRef(value, path),
)
const cells = {
  text: string,
  number,
  rating: number,
  checkbox: boolean,
  files: listOf(stringMatching(/^[^\u0000-\u001f\u007f-\u009f]{1,2048}$/, 'the id or the URL of a file'), 1000),
  users: listOf(string, 1000),
  select: listOf(string, 1000),
  'content-ref': ref(),
  image: tableImage,
} satisfies Record<Definition['type'], Reader>
type Cell = ReturnType<(typeof cells)[keyof typeof cells]>
export type TableImage = ReturnType<typeof tableImage>
type Row = { orderIndex: string; values: Record<string, Cell | null> }

function readRow(value: unknown, path: string, definition: Record<string, Definition>): Row {
  const from = object(value, path)
  const given = object(from.values, `${path}.values`)
  const values: Row['values'] = {}
  for (const [id, { type }] of Object.entries(definition)) {
    const cell = Object.hasOwn(given, id) ? given[id] : undefined
    if (cell === undefined || cell === null) continue
    values[id] = cells[type](cell, `${path}.values.${id}`)
  }
  return { orderIndex: string(from.orderIndex, `${path}.orderIndex`), values }
}

export const tableDataSchema: JsonSchema = {
  type: 'object',
  required: ['view', 'records', 'definition'],
  properties: {
    view: readView.schema,
    records: mapOf(
      reader(
        {
          type: 'object',
          required: ['orderIndex', 'values'],
          properties: {
            orderIndex: string.schema,
            values: {
              type: 'object',
              additionalProperties: {
                anyOf: [...new Set(Object.values(cells).map(({ schema }) => schema)), { type: 'null' }],
              },
            },
          },
        },
        (value) => value,
      ),
    ).schema,
    definition: mapOf(readDefinition).schema,
    ...Object.fromEntries(Object.entries(tableFields).map(([name, { read }]) => [name, read.schema])),
  },
}

function oneOfReaders(readers: Readonly<Record<string, Reader>>): JsonSchema {
  return { oneOf: Object.values(readers).map(({ schema }) => schema) }
}
