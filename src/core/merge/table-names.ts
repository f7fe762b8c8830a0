/**
 * Rows and columns that two sides added under one name are two rows and two columns, unless they say the same.
 */

import { cellPart, cellsOf } from '../diff/parts.ts'
import type { Table } from '../document/tree/nodes.ts'
import { signatureOf } from '../document/tree/signature.ts'
import { renameTable } from '../document/tree/table/adopt-table-ids.ts'
import { uniqueName } from '../text.ts'

/** `theirs` with its new rows and columns named as the same ones of `ours`, or else as nothing of `ours` is named. */
export function tellApart(theirs: Table, { base, ours }: { base: Table; ours: Table }): Table {
  const faceOfColumn = ({ data }: Table, id: string): string => {
    const { id: _, ...rest } = { id, ...data.definition[id] }
    return JSON.stringify(rest)
  }
  const columns = newNames({ base, ours, theirs }, ({ data }) => data.definition, faceOfColumn)
  const renamed = columns.size === 0 ? theirs : renameTable(theirs, columns, new Map())
  const rows = newNames({ base, ours, theirs: renamed }, ({ data }) => data.records, faceOfRow)
  return rows.size === 0 ? renamed : renameTable(renamed, new Map(), rows)
}

function newNames(
  { base, ours, theirs }: { base: Table; ours: Table; theirs: Table },
  named: (table: Table) => object,
  faceOf: (table: Table, id: string) => string,
): Map<string, string> {
  const isNew = (id: string): boolean => !Object.hasOwn(named(base), id)
  const added = Object.keys(named(theirs)).filter(isNew)
  const inOurs = Object.keys(named(ours)).filter(isNew)
  if (added.length === 0 || inOurs.length === 0) return new Map()
  const names = new Map<string, string>()
  const faces = new Map(inOurs.map((id) => [id, faceOf(ours, id)]))
  // What has the same name and says the same is the same; only what is left looks for a twin of another name.
  const isSettled = (id: string): boolean => faces.get(id) === faceOf(theirs, id)
  const free = new Map<string, string[]>()
  for (const [id, face] of faces)
    if (!(Object.hasOwn(named(theirs), id) && isSettled(id))) free.set(face, [...(free.get(face) ?? []), id])
  const taken = new Set([base, ours, theirs].flatMap((table) => Object.keys(named(table))))
  for (const id of added) {
    if (isSettled(id)) continue
    const twin = free.get(faceOf(theirs, id))?.shift()
    if (twin === undefined && !faces.has(id)) continue
    const name = twin ?? uniqueName(id, (candidate) => taken.has(candidate))
    taken.add(name)
    names.set(id, name)
  }
  return names
}

/** What a row says, without the keys of what stands in it. */
function faceOfRow(table: Table, row: string): string {
  const cells = cellsOf(table)
  const values = Object.entries(table.data.records[row]?.values ?? {}).map(([column, value]) => {
    const text = cells.get(cellPart(row, column))
    return text === undefined ? [column, value] : [column, text.map((block) => signatureOf(block, new Map()))]
  })
  return JSON.stringify(values.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)))
}
