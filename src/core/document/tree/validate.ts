/**
 * Reading a document that came from outside: what is well formed is copied, everything else is named and refused.
 *
 * 1. The answer shares no object with the input, and holds no field the schema does not name.
 * 2. A refusal says where and why in one sentence: `nodes[3].nodes[0].data.style must be one of info, warning …`.
 * 3. Depth and size are bounded before any node costs more than its own reading.
 */
import { markerOf } from './conflict-marker.ts'
import { colorData } from './data.ts'
import { cleanText, listOf, object, Problem, plain, type Read, readRecord, string } from './fields.ts'
import { type JSONDocument, schemaVersion } from './nodes.ts'
import { blockRows, type ChildType, inlineRows, markTypes, type Row, topLevels } from './schema.ts'
import { maxSize, tableSize, textSize } from './size.ts'
import { readTableData } from './table/table-schema.ts'

export type Validated = { ok: true; document: JSONDocument } | { ok: false; problem: { path: string; message: string } }

export type ValidateOptions = {
  /** How much a document may hold, in the measure of `size.ts`. */
  maxSize?: number
  /** `open` (the default) lets every container take every top-level block; `listed` is the published schema. */
  nesting?: 'open' | 'listed'
}

export const maxDepth = 100

/** The document, copied, with the keys that it came with, or the first problem found in it. */
export function validateDocument(value: unknown, options: ValidateOptions = {}): Validated {
  const reading: Reading = { left: options.maxSize ?? maxSize, listed: options.nesting === 'listed' }
  try {
    const read = readDocument(value, reading)
    if (!isRead(read)) throw new Problem('', 'must be a document')
    return { ok: true, document: read }
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem
    const path = problem.path.replace(/^\./, '')
    return {
      ok: false,
      problem: { path, message: path === '' ? `The document ${problem.message}.` : `${path} ${problem.message}.` },
    }
  }
}

type Reading = { left: number; listed: boolean }
type Out = Record<string, unknown>
type NodePosition = { path: string; depth: number; reading: Reading }

/** What the schema has read is a document; this is where the types learn of it. */
function isRead(value: Out): value is Out & JSONDocument {
  return value.object === 'document'
}

function readDocument(value: unknown, reading: Reading): Out {
  const from = object(value, '')
  if (from.object !== 'document') throw new Problem('object', 'must be document')
  const data: Out = { schemaVersion }
  for (const [name, entry] of Object.entries(from.data === undefined ? {} : object(from.data, 'data')))
    if (name !== '__proto__') data[name] = plain(entry, `data.${name}`)
  const nodes = readNodes(from.nodes, { path: 'nodes', depth: 1, reading }, topLevels)
  const out: Out = { object: 'document', data, nodes }
  if (from.meta !== undefined) {
    const { token } = object(from.meta, 'meta')
    out.meta = token === undefined ? {} : { token: string(token, 'meta.token') }
  }
  return out
}

function readNodes(value: unknown, { path, depth, reading }: NodePosition, allowed: readonly ChildType[]): Out[] {
  if (!Array.isArray(value)) throw new Problem(path, 'must be a list of nodes')
  if (depth > maxDepth) throw new Problem(path, `is nested more than ${maxDepth} levels deep`)
  return value.map((node: unknown, index) => readNode(node, { path: `${path}[${index}]`, depth, reading }, allowed))
}

function readNode(value: unknown, position: NodePosition, allowed: readonly ChildType[]): Out {
  const { path, reading } = position
  const from = object(value, path)
  if (from.object === 'text' && allowed.includes('text')) return readText(from, path, reading)
  count(reading, 1, path)
  const row = rowOf(from, path)
  const type = String(from.type)
  if (!allowed.some((candidate) => candidate === type))
    throw new Problem(path, `cannot be a ${type}: here stand ${allowed.join(', ')}`)
  if (type === 'table') countTable(from, path, reading)
  const data: Out =
    type === 'table' ? readTableData(from.data, `${path}.data`) : readRecord(row.data, from.data ?? {}, `${path}.data`)
  const mark =
    from.object === 'block' && typeof from.data === 'object' && from.data !== null ? markerOf(from.data) : undefined
  if (mark) data.conflict = mark
  const out: Out = { object: from.object, type, ...keyOf(from, path), isVoid: row.nodes === undefined, data }
  if (row.nodes !== undefined) {
    out.nodes = readNodes(
      from.nodes ?? [],
      { path: `${path}.nodes`, depth: position.depth + 1, reading },
      open(row, reading),
    )
    exact(row, out.nodes, `${path}.nodes`)
  }
  if (row.fragments !== undefined) out.fragments = readFragments(from.fragments ?? [], position, row.fragments)
  if (type === 'button') checkButton(data, path)
  return out
}

function count(reading: Reading, size: number, path: string): void {
  reading.left -= size
  if (reading.left < 0) throw new Problem(path, 'is one node too many for a document')
}

/** Before any of it is read: the cells of many columns and many rows are more than what the input spells out. */
function countTable({ data, fragments }: Out, path: string, reading: Reading): void {
  const { definition, records } = object(data, `${path}.data`)
  const shape = {
    data: {
      definition: object(definition, `${path}.data.definition`),
      records: object(records, `${path}.data.records`),
    },
    fragments: Array.isArray(fragments) ? fragments : [],
  }
  count(reading, tableSize(shape) - 1, path)
}

function rowOf(from: Out, path: string): Row {
  const rows: Readonly<Record<string, Row>> = from.object === 'inline' ? inlineRows : blockRows
  if (from.object !== 'block' && from.object !== 'inline')
    throw new Problem(`${path}.object`, 'must be block, inline or text')
  const row = typeof from.type === 'string' && Object.hasOwn(rows, from.type) ? rows[from.type] : undefined
  if (row === undefined) throw new Problem(`${path}.type`, `is not a type of ${from.object}: ${String(from.type)}`)
  return row
}

function open(row: { nodes?: readonly ChildType[]; flow?: boolean }, reading: Reading): readonly ChildType[] {
  return row.flow === true && !reading.listed ? topLevels : (row.nodes ?? [])
}

function exact(row: { exactlyOne?: boolean }, nodes: unknown, path: string): void {
  if (row.exactlyOne === true && Array.isArray(nodes) && nodes.length !== 1)
    throw new Problem(path, 'must hold exactly one node')
}

function readFragments(value: unknown, position: NodePosition, rows: NonNullable<Row['fragments']>): Out[] {
  const { path, depth, reading } = position
  const only = Object.keys(rows).length === 1 ? Object.keys(rows)[0] : undefined
  const readFragment: Read<Out> = (entry, at) => {
    const from = object(entry, at)
    count(reading, 1, at)
    if (from.object !== 'fragment') throw new Problem(`${at}.object`, 'must be fragment')
    // Some writers give a fragment its name alone, some its type alone.
    const type = [from.type, from.fragment, only].find((name) => typeof name === 'string' && Object.hasOwn(rows, name))
    const row = typeof type === 'string' ? rows[type] : undefined
    if (row === undefined) throw new Problem(`${at}.type`, `must be one of ${Object.keys(rows).join(', ')}`)
    const nodes = readNodes(from.nodes, { path: `${at}.nodes`, depth: depth + 2, reading }, open(row, reading))
    exact(row, nodes, `${at}.nodes`)
    const fragment = from.fragment === undefined ? type : string(from.fragment, `${at}.fragment`)
    return { object: 'fragment', ...keyOf(from, at), fragment, type, nodes }
  }
  const fragments = listOf(readFragment, maxSize)(value, `${path}.fragments`)
  const seen = new Set(fragments.map((fragment) => fragment.fragment))
  if (seen.size !== fragments.length) throw new Problem(`${path}.fragments`, 'must have different names')
  return fragments
}

function readText(from: Out, path: string, reading: Reading): Out {
  const leaves = readLeaves(from.leaves, `${path}.leaves`)
  count(reading, textSize({ leaves }), path)
  return { object: 'text', ...keyOf(from, path), leaves }
}

const readLeaf: Read<Out & { marks: Out[] }> = (value, path) => {
  const from = object(value, path)
  const marks = readMarks(from.marks ?? [], `${path}.marks`)
  return { object: 'leaf', text: string(from.text, `${path}.text`), marks }
}

const readMark: Read<Out> = (value, path) => {
  const from = object(value, path)
  const type = markTypes.find((candidate) => candidate === from.type)
  if (type === undefined) throw new Problem(`${path}.type`, `must be one of ${markTypes.join(', ')}`)
  if (type !== 'color') return { object: 'mark', type }
  return { object: 'mark', type, data: readRecord(colorData, from.data, `${path}.data`) }
}

const readLeaves = listOf(readLeaf, maxSize)
const readMarks = listOf(readMark, 50)

function keyOf(from: Out, path: string): { key?: string } {
  if (from.key === undefined || from.key === null || from.key === '') return {}
  const key = string(from.key, `${path}.key`)
  if (key.length > 128) throw new Problem(`${path}.key`, 'must have at most 128 characters')
  return { key: cleanText(key) }
}

function checkButton(data: Out, path: string): void {
  if ((data.ref === undefined) === (data.action === undefined))
    throw new Problem(`${path}.data`, 'must have either a ref or an action')
}
