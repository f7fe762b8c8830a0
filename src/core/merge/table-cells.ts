/**
 * One cell of three tables: what each version has there, and the merge of it.
 */

import { same } from '../diff/equal.ts'
import { cellPart, cellsOf, noBlocks, type Parts } from '../diff/parts.ts'
import type { AnyBlock, Fragment, Table, TableValue } from '../document/tree/nodes.ts'
import { cellName } from '../document/tree/table/table-ids.ts'
import { uniqueName } from '../text.ts'
import { type MergeContext, mergeList } from './blocks.ts'
import type { Side } from './conflicts.ts'
import { choose, type Three } from './three-way.ts'

export type Tables = Three<Table>
/** The tables, with their text cells by place and their fragments by name. */
export interface Cells {
  tables: Tables
  texts: Three<Parts>
  fragments: ReadonlyMap<string, Fragment<'table-cell'>>
}
export interface Spot {
  row: string
  column: string
}
export interface MergedCell {
  value: TableValue | undefined
  fragment?: Fragment<'table-cell'>
  clash: boolean
}

export function readCells(tables: Tables): Cells {
  const { base, ours, theirs } = tables
  const named = [...theirs.fragments, ...ours.fragments].map((cell) => [cell.fragment, cell] as const)
  return {
    tables,
    texts: { base: cellsOf(base), ours: cellsOf(ours), theirs: cellsOf(theirs) },
    fragments: new Map(named),
  }
}

/** Whether a side has written something of its own in a cell. */
export function isTouched(cells: Cells, side: Side, spot: Spot): boolean {
  const now = faceIn(cells, side, spot)
  return now !== undefined && !same(now, faceIn(cells, 'base', spot))
}

/** `isTaken` tells the names of fragments that other cells have; `owner` is the side whose cells alone fit the column. */
export function mergeCell(
  cells: Cells,
  spot: Spot,
  { context, isTaken, owner }: { context: MergeContext; isTaken: (name: string) => boolean; owner: Side | undefined },
): MergedCell {
  if (owner !== undefined) return cellOf(cells, spot, { side: owner, isTaken })
  const texts = {
    base: textIn(cells, 'base', spot),
    ours: textIn(cells, 'ours', spot),
    theirs: textIn(cells, 'theirs', spot),
  }
  if (texts.ours === undefined && texts.theirs === undefined) return mergeValue(cells, spot, context)
  const mayBeText = (version: keyof Tables): boolean =>
    (cells.tables[version].data.definition[spot.column]?.type ?? 'text') === 'text'
  if (!mayBeText('base') || !mayBeText('ours') || !mayBeText('theirs')) {
    const { side, clash } = sideOfCell(cells, spot, context)
    return { ...cellOf(cells, spot, { side, isTaken }), clash }
  }
  const lists = { base: texts.base ?? noBlocks, ours: texts.ours ?? noBlocks, theirs: texts.theirs ?? noBlocks }
  const gone = deleterOf(cells, spot)
  const merged =
    gone === undefined
      ? mergeList(lists, { ...context, holdsMarkers: false })
      : mergeList({ ...lists, [gone]: lists.base }, { ...context, holdsMarkers: false, gone })
  return { ...asText(cells, { spot, nodes: merged.nodes, isTaken }), clash: merged.clash }
}

function cellOf(
  cells: Cells,
  spot: Spot,
  { side, isTaken }: { side: Side; isTaken: (name: string) => boolean },
): MergedCell {
  const text = textIn(cells, side, spot)
  if (text === undefined) return { value: valueIn(cells, side, spot), clash: false }
  return { ...asText(cells, { spot, nodes: text, isTaken }), clash: false }
}

/** The side that deleted the row or the column of a cell: it has no opinion on what stands in it. */
function deleterOf({ tables }: Cells, spot: Spot): Side | undefined {
  if (!isIn(tables.base, spot)) return undefined
  return !isIn(tables.ours, spot) ? 'ours' : !isIn(tables.theirs, spot) ? 'theirs' : undefined
}

function isIn({ data }: Table, { row, column }: Spot): boolean {
  return Object.hasOwn(data.records, row) && Object.hasOwn(data.definition, column)
}

/** What a version has in a cell, comparable: blocks for text, else the value; nothing for an empty cell. */
function faceIn(cells: Cells, version: keyof Tables, spot: Spot): unknown {
  const text = textIn(cells, version, spot)
  if (text !== undefined) return text.length === 0 ? undefined : text
  if (cells.tables[version].data.definition[spot.column]?.type === 'text') return undefined
  return valueIn(cells, version, spot) ?? undefined
}

function textIn({ texts }: Cells, version: keyof Tables, { row, column }: Spot): readonly AnyBlock[] | undefined {
  return texts[version].get(cellPart(row, column))
}

function valueIn({ tables }: Cells, version: keyof Tables, { row, column }: Spot): TableValue | undefined {
  return tables[version].data.records[row]?.values[column]
}

function mergeValue(cells: Cells, spot: Spot, { prefer }: MergeContext): MergedCell {
  const gone = deleterOf(cells, spot)
  const base = valueIn(cells, 'base', spot)
  const ours = gone === 'ours' ? base : valueIn(cells, 'ours', spot)
  const theirs = gone === 'theirs' ? base : valueIn(cells, 'theirs', spot)
  const { value, clash } = choose({ base, ours, theirs }, prefer)
  return { value: clash && prefer === undefined ? (value ?? theirs) : value, clash }
}

/** A side changed the type of the column: cells are compared whole, and taken whole from one side. */
function sideOfCell(cells: Cells, spot: Spot, { prefer }: MergeContext): { side: Side; clash: boolean } {
  const base = faceIn(cells, 'base', spot)
  const ours = faceIn(cells, 'ours', spot)
  const { clash } = choose({ base, ours, theirs: faceIn(cells, 'theirs', spot) }, prefer)
  const isTheirs = clash ? prefer === 'theirs' : same(ours, base)
  return { side: isTheirs ? 'theirs' : 'ours', clash }
}

function asText(
  cells: Cells,
  { spot, nodes, isTaken }: { spot: Spot; nodes: readonly AnyBlock[]; isTaken: (name: string) => boolean },
): Omit<MergedCell, 'clash'> {
  const names = [valueIn(cells, 'ours', spot), valueIn(cells, 'theirs', spot)]
  const wished = names.find((name) => typeof name === 'string') ?? cellName(spot.row, spot.column)
  const name = uniqueName(wished, isTaken)
  const fragment: Fragment<'table-cell'> = {
    object: 'fragment',
    type: 'table-cell',
    ...cells.fragments.get(wished),
    fragment: name,
    nodes: [],
  }
  Object.assign(fragment, { nodes: [...nodes] })
  return { value: name, fragment }
}
