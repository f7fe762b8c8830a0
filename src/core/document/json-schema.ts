/**
 * The document tree as JSON Schema, generated from the rows that validate it, for clients that generate types from the
 * API's description. A container of blocks takes every top-level block, as the API does.
 */
import { refSchema } from './content-ref.ts'
import { colorData } from './tree/data.ts'
import { type JsonSchema, recordSchema } from './tree/fields.ts'
import {
  blockRows,
  type ChildType,
  type FragmentRow,
  inlineRows,
  markTypes,
  type Row,
  topLevels,
} from './tree/schema.ts'
import { tableDataSchema } from './tree/table/table-schema.ts'

/** The components that describe documents, by name. */
export function documentSchemas(): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {
    JSONDocument: {
      type: 'object',
      required: ['object', 'data', 'nodes'],
      properties: {
        object: { const: 'document' },
        data: { type: 'object', properties: { schemaVersion: { type: 'integer' } } },
        nodes: { type: 'array', items: toComponent('DocumentBlock') },
        meta: { type: 'object', properties: { token: { type: 'string' } } },
      },
    },
    DocumentBlock: unionOf(topLevels),
    DocumentText: textSchema,
    DocumentMark: markSchema,
    ContentRef: refSchema(),
    FileRef: refSchema(['file', 'url']),
  }
  for (const [type, row] of Object.entries(blockRows)) schemas[nameOf(type)] = nodeSchema('block', type, row)
  for (const [type, row] of Object.entries(inlineRows)) schemas[nameOf(type)] = nodeSchema('inline', type, row)
  return schemas
}

/** `list-item` → `DocumentBlockListItem`; `inline-math` → `DocumentInlineMath`. */
function nameOf(type: string): string {
  if (type === 'text') return 'DocumentText'
  const kind = Object.hasOwn(blockRows, type) ? 'Block' : 'Inline'
  const words = type.replace(/^inline-/, '').split('-')
  return `Document${kind}${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`
}

const toComponent = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

function unionOf(types: readonly ChildType[]): JsonSchema {
  const [first, ...others] = types.map((type) => toComponent(nameOf(type)))
  return first && others.length === 0 ? first : { oneOf: [first, ...others] }
}

const childrenSchema = ({ nodes = [], flow, exactlyOne }: Pick<Row, 'nodes' | 'flow' | 'exactlyOne'>): JsonSchema => ({
  type: 'array',
  items: flow ? toComponent('DocumentBlock') : unionOf(nodes),
  ...(exactlyOne ? { minItems: 1, maxItems: 1 } : {}),
})

function nodeSchema(object: 'block' | 'inline', type: string, row: Row): JsonSchema {
  const data = type === 'table' ? tableDataSchema : recordSchema(row.data)
  const needs = [
    ...(Array.isArray(data.required) ? ['data'] : []),
    ...(row.nodes ? ['nodes'] : []),
    ...(row.fragments ? ['fragments'] : []),
  ]
  return {
    type: 'object',
    required: ['object', 'type', ...needs],
    properties: {
      object: { const: object },
      type: { const: type },
      key: { type: 'string', maxLength: 128 },
      isVoid: { const: row.nodes === undefined },
      data,
      ...(row.nodes ? { nodes: childrenSchema(row) } : {}),
      ...(row.fragments ? { fragments: fragmentsSchema(row.fragments) } : {}),
      ...(type.startsWith('heading-') ? { meta: headingMeta } : {}),
    },
  }
}

const headingMeta = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', description: 'The id of the heading in addresses. Ignored when sent.' } },
}

function fragmentsSchema(rows: Readonly<Record<string, FragmentRow>>): JsonSchema {
  const variants = Object.entries(rows).map(([type, row]) => ({
    type: 'object',
    required: ['object', 'nodes'],
    properties: {
      object: { const: 'fragment' },
      key: { type: 'string', maxLength: 128 },
      fragment: { type: 'string' },
      type: { const: type },
      nodes: childrenSchema(row),
    },
  }))
  return { type: 'array', items: variants.length === 1 ? variants[0] : { anyOf: variants } }
}

const markSchema: JsonSchema = {
  oneOf: [
    {
      type: 'object',
      required: ['type'],
      properties: {
        object: { const: 'mark' },
        type: { type: 'string', enum: markTypes.filter((type) => type !== 'color') },
      },
    },
    {
      type: 'object',
      required: ['type', 'data'],
      properties: { object: { const: 'mark' }, type: { const: 'color' }, data: recordSchema(colorData) },
    },
  ],
}

const textSchema: JsonSchema = {
  type: 'object',
  required: ['object', 'leaves'],
  properties: {
    object: { const: 'text' },
    key: { type: 'string', maxLength: 128 },
    leaves: {
      type: 'array',
      items: {
        type: 'object',
        required: ['text'],
        properties: {
          object: { const: 'leaf' },
          text: { type: 'string' },
          marks: { type: 'array', items: toComponent('DocumentMark') },
        },
      },
    },
  },
}
