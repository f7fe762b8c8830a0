/**
 * Tables: grids and cards, every type of column, cells with any block in them.
 */
import fc, { type Arbitrary } from 'fast-check'
import { fragment, paragraph } from '../../../src/core/document/tree/make.ts'
import {
  type Block,
  type Fragment,
  type Table,
  type TableDefinition,
  type TableRecord,
  type TableValue,
  verticalAlignments,
} from '../../../src/core/document/tree/nodes.ts'
import { blocks } from './arbitrary-blocks.ts'
import { inlines } from './arbitrary-inline.ts'
import { anyRef, fileRef, flag, hostile, nonEmpty, some } from './arbitrary-text.ts'

const definition: Arbitrary<TableDefinition> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record({ title: hostile, textAlignment: fc.constantFrom('left' as const, 'center' as const, 'right' as const) })
      .map(({ title, textAlignment }): TableDefinition => ({ id: '', title, type: 'text', textAlignment })),
  },
  fc
    .record({ title: hostile, verticalAlignment: fc.constantFrom(...verticalAlignments) })
    .map((data): TableDefinition => ({ id: '', type: 'text', textAlignment: 'left', ...data })),
  fc
    .record({
      title: hostile,
      type: fc.constantFrom(
        'number' as const,
        'checkbox' as const,
        'files' as const,
        'content-ref' as const,
        'image' as const,
      ),
    })
    .map((data): TableDefinition => ({ id: '', ...data })),
  fc.record({ title: hostile, multiple: flag }).map((data): TableDefinition => ({ id: '', type: 'users', ...data })),
  fc
    .record({ title: hostile, max: fc.integer({ min: 1, max: 10 }) })
    .map((data): TableDefinition => ({ id: '', type: 'rating', ...data })),
  fc.record({ title: hostile, multiple: flag, label: hostile, color: fc.constantFrom('red', 'a"b') }).map(
    ({ title, multiple, label, color }): TableDefinition => ({
      id: '',
      title,
      type: 'select',
      multiple,
      options: [
        { value: 'o1', label, color },
        { value: 'o,2', label: 'x', color },
      ],
    }),
  ),
)

function cellOf(column: TableDefinition): Arbitrary<TableValue> {
  switch (column.type) {
    case 'number':
    case 'rating':
      return fc.constantFrom(0, 1, 2.5, -7, 1e21, null)
    case 'checkbox':
      return fc.constantFrom(true, false, null)
    case 'files':
      return fc.array(fc.constantFrom('f1', 'a-b_c', 'dir/x (1).pdf', 'https://x.y/z.png'), { maxLength: 2 })
    case 'users':
      return fc.array(fc.constantFrom('u1', 'u 2', 'u,3'), { maxLength: 2 })
    case 'select':
      return fc.array(fc.constantFrom('o1', 'o,2'), { maxLength: 2 })
    case 'content-ref':
      return fc.option(anyRef.filter((ref) => !(ref.kind === 'url' && ref.url === '')))
    case 'image':
      return fc.option(
        fc.oneof(
          fileRef.filter((ref) => !(ref.kind === 'url' && ref.url === '')),
          fc
            .record({
              ref: fileRef.filter((ref) => !(ref.kind === 'url' && ref.url === '')),
              rest: some({
                objectFit: fc.constantFrom('contain' as const, 'cover' as const, 'fill' as const),
                alt: nonEmpty,
              }),
            })
            .map(({ ref, rest }) => ({ ref, ...rest })),
        ),
      )
    default:
      return fc.constant(null)
  }
}

export function table(depth: number): Arbitrary<Block> {
  const cell: Arbitrary<Block[]> = fc.oneof(
    { weight: 6, arbitrary: fc.record({ nodes: inlines(depth) }).map(({ nodes }) => [paragraph(nodes)]) },
    { weight: 1, arbitrary: blocks(depth - 2) },
  )
  return fc
    .record({
      columns: fc.array(definition, { minLength: 1, maxLength: 3 }),
      isPlain: flag,
      rows: fc.integer({ min: 0, max: 3 }),
      isCards: flag,
      hidden: fc.integer({ min: 0, max: 5 }),
      grid: some({
        columnWidths: fc.constant({ c0: 120.5 }),
        stickyHeader: flag,
        stickyFirstColumn: flag,
        useNewSizing: flag,
      }),
      cards: some({
        targetDefinition: fc.constant('c0'),
        coverDefinition: fc.constant('c0'),
        coverDefinitionDark: fc.constant('c0'),
        hideColumnTitle: flag,
        wrap: flag,
      }),
      cardSize: fc.constantFrom('medium' as const, 'large' as const),
      hideHeader: flag,
      rest: some({ fullWidth: flag, search: flag }),
      merge: flag,
    })
    .chain((shape) => {
      const columns = shape.columns.map((column, at): TableDefinition => {
        const id = `c${at}`
        return shape.isPlain
          ? {
              id,
              title: column.title,
              type: 'text',
              textAlignment: column.type === 'text' ? column.textAlignment : 'left',
            }
          : { ...column, id }
      })
      const row = fc.tuple(...columns.map((column) => (column.type === 'text' ? cell : cellOf(column))))
      return fc.array(row, { minLength: shape.rows, maxLength: shape.rows }).map((rows): Table => {
        const fragments: Fragment<'table-cell'>[] = []
        const records: Record<string, TableRecord> = {}
        rows.forEach((values, place) => {
          const record: Record<string, TableValue> = {}
          columns.forEach((column, at) => {
            const value = values[at]
            if (column.type !== 'text') record[column.id] = isBlocks(value) || value === undefined ? null : value
            else {
              record[column.id] = `cell ${place} ${at}`
              fragments.push(fragment('table-cell', isBlocks(value) ? value : [], `cell ${place} ${at}`))
            }
          })
          // The order of the map is not the order of the rows.
          records[`r${rows.length - place}`] = { orderIndex: String.fromCharCode(97 + place), values: record }
        })
        const shown = columns.map((column) => column.id).filter((_, at) => shape.isPlain || at !== shape.hidden)
        const extra = shape.isPlain ? {} : shape.grid
        const merges =
          shape.merge && !shape.isPlain && rows.length > 0
            ? { cellMerges: [{ anchor: { record: 'r1', column: 'c0' }, rowSpan: 2, colSpan: 1 }] }
            : {}
        return {
          object: 'block',
          type: 'table',
          isVoid: true,
          data: {
            view:
              shape.isCards && !shape.isPlain
                ? { type: 'cards', cardSize: shape.cardSize, columns: shown, ...shape.cards }
                : { type: 'grid', columns: shown, hideHeader: shape.hideHeader && !shape.isPlain, ...extra },
            records,
            definition: Object.fromEntries(columns.map((column) => [column.id, column])),
            ...(shape.isPlain ? {} : shape.rest),
            ...merges,
          },
          fragments,
        }
      })
    })
}

function isBlocks(value: unknown): value is Block[] {
  return (
    Array.isArray(value) && value.every((entry) => typeof entry === 'object' && entry !== null && 'object' in entry)
  )
}
