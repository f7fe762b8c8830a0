/**
 * Three-way merge of tables: columns and rows by their names, cells one by one.
 *
 * 1. Columns and rows that both sides added are both there; names given twice (a table read from Markdown names
 *    its rows by place) are told apart, unless they name the same thing.
 * 2. A column or row that one side deleted and the other wrote in stays, and clashes.
 * 3. A text cell is a list of blocks and merges like one; any other cell is one value.
 * 4. A column whose type one side changed has that side's cells; where the other wrote in it, it clashes.
 */

import { same } from '../diff/equal.ts'
import type { AnyBlock, Fragment, Table, TableRecord, TableValue } from '../document/tree/nodes.ts'
import { orderIndexAt, rowsOf } from '../document/tree/table/table-ids.ts'
import type { MergeContext } from './blocks.ts'
import type { Side } from './conflicts.ts'
import { inOrder, mergeOrders } from './order.ts'
import { type Cells, isTouched, mergeCell, readCells, type Tables } from './table-cells.ts'
import { tellApart } from './table-names.ts'
import { choose, chooseFields } from './three-way.ts'

/** `node` is the table to fill: its type and key are settled. */
export function mergeTable(
  versions: Partial<Record<keyof Tables, Table | undefined>>,
  node: AnyBlock,
  context: MergeContext,
): { node: AnyBlock; clash: boolean } {
  const one = versions.ours ?? versions.theirs
  if (one === undefined) return { node, clash: false }
  const base = versions.base ?? emptied(one)
  const ours = versions.ours ?? base
  const tables: Tables = { base, ours, theirs: tellApart(versions.theirs ?? base, { base, ours }) }
  const work: Work = { tables, cells: readCells(tables), context, clash: false }
  const columns = keptColumns(work)
  const rows = keptRows(work, columns)
  const filled = fillCells(work, columns, rows)
  const data = {
    ...mergeView(work, columns),
    records: filled.records,
    definition: Object.fromEntries(columns),
    ...mergeRest(work, columns, rows),
  }
  Object.assign(node, { data, fragments: filled.fragments })
  return { node, clash: work.clash && context.prefer === undefined }
}

interface Work {
  tables: Tables
  cells: Cells
  context: MergeContext
  clash: boolean
}
type Columns = ReadonlyMap<string, object>

function emptied(table: Table): Table {
  return {
    ...table,
    data: { ...table.data, definition: {}, records: {}, view: { ...table.data.view, columns: [] } },
    fragments: [],
  }
}

/** The definitions of the columns that stay, merged field by field. */
function keptColumns(work: Work): Columns {
  const { base, ours, theirs } = definitionsOf(work.tables)
  const rows = [
    ...new Set([...Object.keys(work.tables.ours.data.records), ...Object.keys(work.tables.theirs.data.records)]),
  ]
  const columns = new Map<string, object>()
  for (const id of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const three = { base: base[id], ours: ours[id], theirs: theirs[id] }
    const left = three.ours ?? three.theirs
    if (left === undefined) continue
    if (three.base !== undefined && (three.ours === undefined || three.theirs === undefined)) {
      const keeper = three.ours === undefined ? 'theirs' : 'ours'
      const isEdited = !same(left, three.base) || rows.some((row) => isTouched(work.cells, keeper, { row, column: id }))
      if (!isEdited || !keeps(work, keeper)) continue
      columns.set(id, left)
      continue
    }
    const torn = tornColumn(work, id, rows)
    if (torn !== undefined) {
      work.clash = true
      columns.set(id, torn)
      continue
    }
    const merged = chooseFields(
      { base: three.base ?? {}, ours: three.ours ?? left, theirs: three.theirs ?? left },
      work.context.prefer,
    )
    work.clash ||= merged.clashes.length > 0
    columns.set(id, merged.value)
  }
  return columns
}

/** The column as the preferred side has it, when one side wrote in it and the other gave it another type. */
function tornColumn(work: Work, column: string, rows: readonly string[]): object | undefined {
  const { base, ours, theirs } = work.tables
  const typeOf = ({ data }: Table): string | undefined => data.definition[column]?.type
  if (typeOf(ours) === undefined || typeOf(theirs) === undefined || typeOf(ours) === typeOf(theirs)) return undefined
  const isWritten = (side: 'ours' | 'theirs'): boolean =>
    rows.some((row) => isTouched(work.cells, side, { row, column }))
  const isTorn =
    (typeOf(ours) !== typeOf(base) && typeOf(theirs) !== typeOf(base)) ||
    (typeOf(ours) === typeOf(base) && isWritten('ours')) ||
    (typeOf(theirs) === typeOf(base) && isWritten('theirs'))
  return isTorn ? (work.context.prefer === 'theirs' ? theirs : ours).data.definition[column] : undefined
}

const definitionsOf = ({ base, ours, theirs }: Tables) => ({
  base: base.data.definition,
  ours: ours.data.definition,
  theirs: theirs.data.definition,
})

/** A deletion that met an edit: the edit stays and clashes, unless the side that deleted decides. */
function keeps(work: Work, keeper: 'ours' | 'theirs'): boolean {
  if (work.context.prefer !== undefined) return work.context.prefer === keeper
  work.clash = true
  return true
}

/** The names of the rows that stay, in order. */
function keptRows(work: Work, columns: Columns): string[] {
  const { base, ours, theirs } = work.tables
  const all = [
    ...new Set([...columns.keys(), ...Object.keys(ours.data.definition), ...Object.keys(theirs.data.definition)]),
  ]
  const isKept = (id: string): boolean => {
    const inOurs = Object.hasOwn(ours.data.records, id)
    const inTheirs = Object.hasOwn(theirs.data.records, id)
    if ((inOurs && inTheirs) || !Object.hasOwn(base.data.records, id)) return true
    const keeper = inOurs ? 'ours' : 'theirs'
    return all.some((column) => isTouched(work.cells, keeper, { row: id, column })) && keeps(work, keeper)
  }
  const verdicts = new Map<string, boolean>()
  const names = (table: Table): string[] => rowsOf(table).map(([id]) => id)
  const stays = (id: string): boolean => {
    const verdict = verdicts.get(id) ?? isKept(id)
    verdicts.set(id, verdict)
    return verdict
  }
  const orders = { base: names(base), ours: names(ours).filter(stays), theirs: names(theirs).filter(stays) }
  return inOrder(mergeOrders(orders))
}

function fillCells(work: Work, columns: Columns, rows: readonly string[]) {
  const { ours, theirs } = work.tables
  const records: Record<string, TableRecord> = {}
  const named = new Map<string, Fragment<'table-cell'>>()
  const orderIndexes = orderIndexesOf(work.tables, rows)
  const kept = new Set(rows)
  const inOurs = Object.keys(ours.data.records).filter((id) => kept.has(id))
  for (const row of new Set([...inOurs, ...rows])) {
    const values: Record<string, TableValue> = {}
    const written = [ours, theirs].flatMap((table) => Object.keys(table.data.records[row]?.values ?? {}))
    for (const column of new Set(written)) {
      if (!columns.has(column)) continue
      const owner = ownerOf(work.tables, column, columns)
      const isTaken = (name: string): boolean => named.has(name)
      const merged = mergeCell(work.cells, { row, column }, { context: work.context, isTaken, owner })
      work.clash ||= merged.clash
      if (merged.value !== undefined) values[column] = merged.value
      if (merged.fragment !== undefined) named.set(merged.fragment.fragment, merged.fragment)
    }
    records[row] = { orderIndex: orderIndexes.get(row) ?? '', values }
  }
  const namesOf = (table: Table): string[] => table.fragments.map(({ fragment }) => fragment)
  const leading = same(namesOf(ours), namesOf(work.tables.base)) ? theirs : ours
  const order = new Map(namesOf(leading).map((name, index) => [name, index]))
  const indexOf = (cell: Fragment<'table-cell'>): number => order.get(cell.fragment) ?? order.size
  return { records, fragments: [...named.values()].sort((a, b) => indexOf(a) - indexOf(b)) }
}

/** The side whose cells go with the type that the column has now, where the sides differ in it. */
function ownerOf({ ours, theirs }: Tables, column: string, columns: Columns): Side | undefined {
  const now = columns.get(column)
  const typeOf = ({ data }: Table): string | undefined => data.definition[column]?.type
  if (now === undefined || !('type' in now) || typeOf(ours) === typeOf(theirs)) return undefined
  return typeOf(ours) === now.type ? 'ours' : typeOf(theirs) === now.type ? 'theirs' : undefined
}

/** Each row's own, as long as they say the order; numbered anew when they do not. */
function orderIndexesOf({ base, ours, theirs }: Tables, rows: readonly string[]): Map<string, string> {
  const own = rows.map((row) => {
    const [old, one, other] = [base, ours, theirs].map((table) => table.data.records[row]?.orderIndex)
    return choose({ base: old, ours: one ?? other, theirs: other ?? one }).value ?? ''
  })
  const isRising = own.every((index, nth) => nth === 0 || index > (own[nth - 1] ?? ''))
  return new Map(rows.map((row, index) => [row, isRising ? (own[index] ?? '') : orderIndexAt(index)]))
}

/** The view field by field, its columns as an order. */
function mergeView(work: Work, columns: Columns): { view: object } {
  const { base, ours, theirs } = work.tables
  const fields = { base: base.data.view, ours: ours.data.view, theirs: theirs.data.view }
  const shown = inOrder(
    mergeOrders({ base: fields.base.columns, ours: fields.ours.columns, theirs: fields.theirs.columns }),
  )
  const wasHidden = (id: string): boolean =>
    fields.base.columns.includes(id) && !(fields.ours.columns.includes(id) && fields.theirs.columns.includes(id))
  const merged = chooseFields(fields, work.context.prefer)
  work.clash ||= merged.clashes.some((name) => name !== 'columns' && name !== 'columnWidths')
  const widths = chooseFields(
    { base: widthsOf(fields.base), ours: widthsOf(fields.ours), theirs: widthsOf(fields.theirs) },
    work.context.prefer,
  )
  const view = merged.value
  view.columns = shown.filter((id) => columns.has(id) && !(wasHidden(id) && isStillDefined(work, id)))
  const kept = Object.entries(widths.value).filter(([id]) => columns.has(id))
  if ('columnWidths' in view) view.columnWidths = Object.fromEntries(kept)
  for (const name of ['targetDefinition', 'coverDefinition', 'coverDefinitionDark'])
    if (typeof view[name] === 'string' && !columns.has(view[name])) delete view[name]
  return { view }
}

/** Hidden, not deleted: both sides still define it. */
function isStillDefined({ tables }: Work, id: string): boolean {
  return Object.hasOwn(tables.ours.data.definition, id) && Object.hasOwn(tables.theirs.data.definition, id)
}

const widthsOf = (view: Table['data']['view']): object => (view.type === 'grid' ? (view.columnWidths ?? {}) : {})

function mergeRest(work: Work, columns: Columns, rows: readonly string[]): object {
  const restOf = ({ data }: Table): object => {
    const { view: _, records: __, definition: ___, cellMerges: ____, ...rest } = data
    return rest
  }
  const { base, ours, theirs } = work.tables
  const { prefer } = work.context
  const rest = chooseFields({ base: restOf(base), ours: restOf(ours), theirs: restOf(theirs) }, prefer)
  const merges = choose(
    { base: base.data.cellMerges, ours: ours.data.cellMerges, theirs: theirs.data.cellMerges },
    prefer,
  )
  work.clash ||= rest.clashes.length > 0 || merges.clash
  const kept = merges.value?.filter(({ anchor }) => columns.has(anchor.column) && rows.includes(anchor.record))
  return kept === undefined ? rest.value : { cellMerges: kept, ...rest.value }
}
