/**
 * What changed between two documents, block by block and inside a block word by word, as a review page shows it.
 *
 * The list follows the new document; what was removed stands where it was. A block that was moved and changed is
 * `moved`, with the changes inside.
 */

import type { AnyBlock, JSONDocument, Table, TableValue } from '../document/tree/nodes.ts'
import type { Signatures } from '../document/tree/signature.ts'
import { columnsOf, rowsOf } from '../document/tree/table/table-ids.ts'
import type { blockChangeKinds, OneOf } from '../enumerations.ts'
import { same } from './equal.ts'
import { type Matches, matchBlocks } from './match.ts'
import { cellPart, cellsOf, inlinesOf, isTextBlock, noBlocks, type Parts, partsOf, slotsOf } from './parts.ts'
import { type Budget, longestRising, newBudget } from './sequence.ts'
import type { WordChange } from './word-change.ts'
import { diffWords } from './words.ts'

export type ChangeKind = OneOf<typeof blockChangeKinds>
export interface BlockChange {
  kind: ChangeKind
  key: string | undefined
  before?: AnyBlock
  after?: AnyBlock
  /** In a text block that changed. */
  words?: WordChange[]
  /** Names of the fields of `data` that changed, and `type`. */
  fields?: string[]
  /** What changed inside a container. */
  children?: BlockChange[]
  /** What changed in the named parts of a block: a title, a caption. */
  parts?: { part: string; children: BlockChange[] }[]
  /** What changed in a table. */
  table?: TableChange
}
export interface TableChange {
  columns: { kind: ChangeKind; id: string; title: string }[]
  rows: { kind: ChangeKind; id: string; cells: CellChange[] }[]
}
export interface CellChange {
  kind: ChangeKind
  column: string
  before?: TableValue
  after?: TableValue
  /** In a text cell. */
  children?: BlockChange[]
}

export function diffDocuments(before: JSONDocument, after: JSONDocument): BlockChange[] {
  const tools = { signatures: new Map(), budget: newBudget(), trustsKeys: false }
  const slotted = (document: JSONDocument) => ({ document, slots: slotsOf(document) })
  return diffLists(before.nodes, after.nodes, {
    ...tools,
    matches: matchBlocks(slotted(before), slotted(after), tools),
  })
}

interface Diff {
  matches: Matches
  signatures: Signatures
  budget: Budget
}

function diffLists(before: readonly AnyBlock[], after: readonly AnyBlock[], diff: Diff): BlockChange[] {
  const indexes = new Map(before.map((block, index) => [block, index]))
  const known = after.filter((block) => indexes.has(partnerOf(block, diff) ?? block))
  const rising = longestRising(known.map((block) => indexes.get(partnerOf(block, diff) ?? block) ?? 0))
  const stays = new Set(known.filter((_, index) => rising.has(index)))
  const changes: BlockChange[] = []
  let at = 0
  const removeUntil = (end: number): void => {
    for (const old of before.slice(at, end))
      if (!diff.matches.fromBase.has(old)) changes.push({ kind: 'removed', key: old.key, before: old })
    at = Math.max(at, end)
  }
  // What was replaced comes before what replaces it.
  const removeHere = (): void => {
    for (let old = before[at]; old !== undefined && !diff.matches.fromBase.has(old); old = before[at])
      removeUntil(at + 1)
  }
  for (const block of after) {
    const old = partnerOf(block, diff)
    if (old === undefined) {
      removeHere()
      changes.push({ kind: 'added', key: block.key, after: block })
    } else {
      const index = indexes.get(old)
      if (stays.has(block) && index !== undefined) {
        removeUntil(index)
        at = index + 1
      }
      changes.push(diffBlocks(old, block, stays.has(block), diff))
    }
  }
  removeUntil(before.length)
  return changes
}

const partnerOf = (block: AnyBlock, { matches }: Diff): AnyBlock | undefined => matches.toBase.get(block)

function diffBlocks(before: AnyBlock, after: AnyBlock, stays: boolean, diff: Diff): BlockChange {
  const key = after.key ?? before.key
  if (same(before, after)) return { kind: stays ? 'same' : 'moved', key, before, after }
  const fields = changedFields(before, after)
  const change: BlockChange = { kind: stays ? 'changed' : 'moved', key, before, after }
  if (fields.length > 0) change.fields = fields
  if (isTextBlock(before) && isTextBlock(after)) change.words = diffWords(inlinesOf(before), inlinesOf(after), diff)
  else if (before.type === 'table' && after.type === 'table') change.table = diffTables(before, after, diff)
  else if ('fragments' in after) {
    const [olds, news] = [partsOf(before), partsOf(after)]
    change.parts = [...new Set([...olds.keys(), ...news.keys()])].map((part) => ({
      part,
      children: diffLists(olds.get(part) ?? noBlocks, news.get(part) ?? noBlocks, diff),
    }))
  } else if (partsOf(after).size > 0)
    change.children = diffLists(partsOf(before).get('nodes') ?? noBlocks, partsOf(after).get('nodes') ?? noBlocks, diff)
  return change
}

function changedFields(before: AnyBlock, after: AnyBlock): string[] {
  if (before.type === 'table') return []
  const old = new Map<string, unknown>(Object.entries(before.data))
  const now = new Map<string, unknown>(Object.entries(after.data))
  const names = [...new Set([...old.keys(), ...now.keys()])].filter((name) => !same(old.get(name), now.get(name)))
  return before.type === after.type ? names : ['type', ...names]
}

function diffTables(before: Table, after: Table, diff: Diff): TableChange {
  const columns = mergedNames(
    columnsOf(before).map(({ id }) => id),
    columnsOf(after).map(({ id }) => id),
  )
  const rows = mergedNames(
    rowsOf(before).map(([id]) => id),
    rowsOf(after).map(([id]) => id),
  )
  const texts = { before: cellsOf(before), after: cellsOf(after) }
  return {
    columns: columns.map(({ kind, id }) => {
      const [old, now] = [before.data.definition[id], after.data.definition[id]]
      const isChanged = kind === 'same' && !same(old, now)
      return { kind: isChanged ? 'changed' : kind, id, title: (now ?? old)?.title ?? '' }
    }),
    rows: rows.map(({ kind, id }) => {
      const cells = columns.map(({ id: column }) => diffCells({ before, after, texts, row: id, column }, diff))
      const isChanged = kind === 'same' && cells.some((cell) => cell.kind !== 'same')
      return { kind: isChanged ? 'changed' : kind, id, cells }
    }),
  }
}

/** The names of both in one order: the new one, with what was removed after what it stood behind. */
function mergedNames(before: readonly string[], after: readonly string[]): { kind: ChangeKind; id: string }[] {
  const indexes = new Map(before.map((id, index) => [id, index]))
  const known = after.filter((id) => indexes.has(id))
  const rising = longestRising(known.map((id) => indexes.get(id) ?? 0))
  const stays = new Set(known.filter((_, index) => rising.has(index)))
  const isLeft = new Set(after)
  const names: { kind: ChangeKind; id: string }[] = []
  let at = 0
  const removeUntil = (end: number): void => {
    for (const id of before.slice(at, end)) if (!isLeft.has(id)) names.push({ kind: 'removed', id })
    at = Math.max(at, end)
  }
  for (const id of after) {
    const index = indexes.get(id)
    if (index !== undefined && stays.has(id)) removeUntil(index)
    else if (index === undefined)
      for (let old = before[at]; old !== undefined && !isLeft.has(old); old = before[at]) removeUntil(at + 1)
    if (index !== undefined && stays.has(id)) at = index + 1
    names.push({ kind: index === undefined ? 'added' : stays.has(id) ? 'same' : 'moved', id })
  }
  removeUntil(before.length)
  return names
}

interface CellSpot {
  before: Table
  after: Table
  texts: { before: Parts; after: Parts }
  row: string
  column: string
}

function diffCells({ before, after, texts, row, column }: CellSpot, diff: Diff): CellChange {
  const part = cellPart(row, column)
  const [olds, news] = [texts.before.get(part), texts.after.get(part)]
  const [old, now] = [before.data.records[row]?.values[column], after.data.records[row]?.values[column]]
  const change: CellChange = { kind: 'same', column }
  if (olds !== undefined || news !== undefined) {
    const children = diffLists(olds ?? noBlocks, news ?? noBlocks, diff)
    const isChanged = children.some(({ kind }) => kind !== 'same')
    const kind = olds === undefined ? 'added' : news === undefined ? 'removed' : isChanged ? 'changed' : 'same'
    return { ...change, kind, children }
  }
  if (old !== undefined) change.before = old
  if (now !== undefined) change.after = now
  if (!same(old, now)) change.kind = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed'
  return change
}
