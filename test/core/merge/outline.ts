/**
 * Documents as text a person can read and write: one line a block, children indented.
 *
 * `p a: Words, *bold* and [links](url)` is a paragraph with the key `a`; `hint b style=info` a hint; `~caption` a
 * fragment; `column c1 text Name` and `row r1 | cell | cell` make a table; `!ours(b)` is the mark of a conflict. A word
 * that stands alone before the colon is a key; fields are `name=value`, the value JSON or a bare word.
 */
import {
  annotation,
  codeLine,
  fragment,
  leaf,
  link,
  makeDocument,
  paragraph,
} from '../../../src/core/document/tree/make.ts'
import type { AnyBlock, InlineContent, JSONDocument, Table, Text } from '../../../src/core/document/tree/nodes.ts'
import { columnsOf, rowsOf } from '../../../src/core/document/tree/table/table-ids.ts'
import { conflictOf } from '../../../src/core/merge/conflicts.ts'

export function readOutline(text: string): JSONDocument {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('#'))
    .map((line) => ({ depth: (line.length - line.trimStart().length) / 2, text: line.trim() }))
  const document = makeDocument([])
  Object.assign(document, { nodes: readBlocks(treeOf(lines)) })
  return document
}

export function printOutline(document: JSONDocument): string {
  return document.nodes.flatMap((block) => printBlock(block, '')).join('\n')
}

interface Line {
  text: string
  inner: Line[]
}

function treeOf(lines: readonly { depth: number; text: string }[]): Line[] {
  const root: Line = { text: '', inner: [] }
  const open: Line[] = [root]
  for (const { depth, text } of lines) {
    const line: Line = { text, inner: [] }
    open.length = depth + 1
    open.at(-1)?.inner.push(line)
    open.push(line)
  }
  return root.inner
}

const names: Record<string, string> = {
  p: 'paragraph',
  h1: 'heading-1',
  h2: 'heading-2',
  h3: 'heading-3',
  ul: 'list-unordered',
  ol: 'list-ordered',
  tasks: 'list-tasks',
  li: 'list-item',
  line: 'code-line',
}
const shorts = Object.fromEntries(Object.entries(names).map(([short, type]) => [type, short]))
const voids = new Set(['divider', 'embed', 'math', 'file', 'drawing', 'reusable-content', 'content-ref', 'integration'])

const readBlocks = (lines: readonly Line[]): AnyBlock[] => lines.map(readBlock)

function readBlock({ text, inner }: Line): AnyBlock {
  const found =
    /^(\S+?)(?: ([^\s=:!]+))?((?: [\w-]+=(?:"[^"]*"|\{.*?\}|[^\s:]+))*)((?: !\w+\([^)]*\))?)(?:: ?(.*))?$/.exec(text)
  if (found === null) throw new Error(`not a block: ${text}`)
  const [, name = '', key, fields = '', mark = '', words = ''] = found
  const type = names[name] ?? name
  const data: Record<string, unknown> = {}
  for (const [, field = '', value = ''] of fields.matchAll(/ ([\w-]+)=("[^"]*"|\{.*?\}|\S+)/g))
    data[field] = readValue(value)
  const [, side, id] = /!(\w+)\(([^)]*)\)/.exec(mark) ?? []
  if (side !== undefined) data.conflict = { id, side }
  const block = bareBlock(type, data, { words, inner })
  return key === undefined ? block : Object.assign(block, { key })
}

function bareBlock(type: string, data: object, { words, inner }: { words: string; inner: Line[] }): AnyBlock {
  if (type === 'table') return readTable(data, inner)
  const isWords = type === 'paragraph' || type.startsWith('heading-')
  const isFramed = type === 'image' || type === 'expandable'
  const block = {
    object: 'block',
    type,
    isVoid: voids.has(type) || isFramed,
    data,
    ...(isFramed ? { fragments: inner.map((part) => fragment(part.text.slice(1), readBlocks(part.inner))) } : {}),
    ...(isWords ? { nodes: readWords(words) } : type === 'code-line' ? { nodes: codeLine(words).nodes } : {}),
    ...(isWords || isFramed || type === 'code-line' || voids.has(type) ? {} : { nodes: readBlocks(inner) }),
  }
  if (!isAnyBlock(block)) throw new Error(`not a block: ${type}`)
  return block
}

function readWords(words: string): InlineContent[] {
  const nodes: InlineContent[] = []
  const push = (text: string, isBold: boolean): void => {
    if (text === '') return
    const last = nodes.at(-1)
    const part = leaf(text, isBold ? [{ object: 'mark', type: 'bold' }] : [])
    if (last?.object === 'text') last.leaves.push(part)
    else nodes.push({ object: 'text', leaves: [part] } satisfies Text)
  }
  for (const piece of words.split(/(\*[^*]+\*|\[[^\]]*\]\([^)]*\)|\[\^[^\]]*\])/)) {
    const linked = /^\[([^\]]*)\]\(([^)]*)\)$/.exec(piece)
    const noted = /^\[\^([^\]]*)\]$/.exec(piece)
    if (linked !== null)
      nodes.push(link({ kind: 'url', url: linked[2] ?? '' }, [{ object: 'text', leaves: [leaf(linked[1] ?? '')] }]))
    else if (noted !== null) nodes.push(annotation([], [paragraph(noted[1] ?? '')]))
    else if (piece.startsWith('*') && piece.length > 1) push(piece.slice(1, -1), true)
    else push(piece, false)
  }
  return nodes
}

function readTable(data: object, inner: readonly Line[]): Table {
  const table: Table = {
    object: 'block',
    type: 'table',
    isVoid: true,
    data: { view: { type: 'grid', columns: [], hideHeader: false }, records: {}, definition: {}, ...data },
    fragments: [],
  }
  const columns: { id: string; type: string }[] = []
  for (const { text } of inner) {
    const [kind, id = '', ...rest] = text.split(' | ')[0]?.trim().split(' ') ?? []
    if (kind === 'column') {
      const [type = 'text', ...title] = rest
      columns.push({ id, type })
      table.data.view.columns.push(id)
      const definition = { id, title: title.join(' '), type, ...(type === 'text' ? { textAlignment: 'left' } : {}) }
      Object.assign(table.data.definition, { [id]: definition })
      continue
    }
    const values: Record<string, unknown> = {}
    text
      .split('|')
      .slice(1)
      .forEach((cell, place) => {
        const column = columns[place]
        if (column === undefined || cell.trim() === '') return
        if (column.type !== 'text') values[column.id] = readValue(cell.trim())
        else {
          values[column.id] = `${id}/${column.id}`
          table.fragments.push(fragment('table-cell', [paragraph(readWords(cell.trim()))], `${id}/${column.id}`))
        }
      })
    const orderIndex = String(Object.keys(table.data.records).length + 1).padStart(7, '0')
    Object.assign(table.data.records, { [id]: { orderIndex, values } })
  }
  return table
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function printBlock(block: AnyBlock, indent: string): string[] {
  const { conflict: _, ...data } = { conflict: undefined, ...block.data }
  const mark = conflictOf(block)
  const fields = block.type === 'table' ? {} : data
  const head = [
    shorts[block.type] ?? block.type,
    ...(block.key === undefined ? [] : [block.key]),
    ...Object.entries(fields).map(([name, value]) => `${name}=${printValue(value)}`),
    ...(mark === undefined ? [] : [`!${mark.side}(${mark.id})`]),
  ].join(' ')
  if (block.type === 'paragraph' || block.type.startsWith('heading-') || block.type === 'code-line')
    return [`${indent}${head}: ${'nodes' in block ? printWords(block.nodes) : ''}`.trimEnd()]
  const deeper = `${indent}  `
  if (block.type === 'table') return [indent + head, ...printTable(block).map((line) => deeper + line)]
  if ('fragments' in block)
    return [
      indent + head,
      ...block.fragments.flatMap((part) => [
        `${deeper}~${part.fragment}`,
        ...part.nodes.flatMap((child) => printBlock(child, `${deeper}  `)),
      ]),
    ]
  if (!('nodes' in block)) return [indent + head]
  const children: readonly unknown[] = block.nodes
  return [indent + head, ...children.flatMap((child) => (isAnyBlock(child) ? printBlock(child, deeper) : []))]
}

function isAnyBlock(value: unknown): value is AnyBlock {
  return typeof value === 'object' && value !== null && 'object' in value && value.object === 'block'
}

function printWords(nodes: readonly unknown[]): string {
  return nodes
    .map((node) => {
      if (!isInline(node)) return ''
      if (node.object === 'text')
        return node.leaves.map(({ text, marks }) => (marks.length > 0 ? `*${text}*` : text)).join('')
      if (node.type === 'link') return `[${printWords(node.nodes)}](${'url' in node.data.ref ? node.data.ref.url : ''})`
      if (node.type === 'annotation')
        return `[^${node.fragments.flatMap((part) => part.nodes.map((child) => printBlock(child, '').join(' '))).join(' ')}]`
      return `<${node.type}>`
    })
    .join('')
}

function isInline(value: unknown): value is InlineContent {
  return typeof value === 'object' && value !== null && 'object' in value
}

function printTable(table: Table): string[] {
  const columns = columnsOf(table)
  const cells = new Map(table.fragments.map((cell) => [cell.fragment, cell]))
  return [
    ...columns.map(({ id, type, title }) => `column ${id} ${type} ${title}`.trimEnd()),
    ...rowsOf(table).map(([id, { values }]) =>
      [
        `row ${id}`,
        ...columns.map(({ id: column }) => {
          const value = values[column]
          const cell = typeof value === 'string' ? cells.get(value) : undefined
          if (cell === undefined) return value === undefined ? '' : printValue(value)
          return cell.nodes.map((node) => ('nodes' in node ? printWords(node.nodes) : node.type)).join(' / ')
        }),
      ]
        .join(' | ')
        .trimEnd(),
    ),
  ]
}

function printValue(value: unknown): string {
  return typeof value === 'string' && /^[\w-]+$/.test(value) ? value : JSON.stringify(value)
}
