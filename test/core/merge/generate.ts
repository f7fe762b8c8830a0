/**
 * Documents made at random, and random edits of them.
 *
 * A document is a model that is easy to change, made from a number; an edit is a number too, so that a failing triple
 * shrinks to few edits. Words that an edit writes are marked with its side and occur nowhere else: a law can look for
 * them.
 */
import fc from 'fast-check'
import { fragment, leaf, makeDocument } from '../../../src/core/document/tree/make.ts'
import type { AnyBlock, JSONDocument } from '../../../src/core/document/tree/nodes.ts'
import { orderIndexAt } from '../../../src/core/document/tree/table/table-ids.ts'
import { type Dice, makeDice } from './dice.ts'

export interface Triple {
  base: JSONDocument
  ours: JSONDocument
  theirs: JSONDocument
  /** Words that a side wrote and that are still in its document. */
  written: { ours: string[]; theirs: string[] }
}

/** Numbers that make a triple: what a failing law prints is as short as this. */
export interface Recipe {
  seed: number
  size: number
  hasKeys: boolean
  /** Whether a paragraph may have a word twice; which of two equal words was deleted, nobody can tell. */
  hasEchoes: boolean
  ours: number[]
  theirs: number[]
}

export const recipes: fc.Arbitrary<Recipe> = fc.record({
  seed: fc.nat(9999),
  size: fc.integer({ min: 1, max: 9 }),
  hasKeys: fc.integer({ min: 0, max: 9 }).map((n) => n < 9),
  hasEchoes: fc.boolean(),
  ours: fc.array(fc.nat(119_999), { maxLength: 5 }),
  theirs: fc.array(fc.nat(119_999), { maxLength: 5 }),
})

export function makeTriple({ seed, size, hasKeys, hasEchoes, ours, theirs }: Recipe): Triple {
  const dice = makeDice(seed)
  const count = { next: 0 }
  const root: Model = { type: 'document', key: '', data: {}, words: [], kids: [] }
  for (let at = 0; at < size; at += 1) root.kids.push(makeModel(dice, hasEchoes ? 'k' : 'u', count, 2))
  const oursModel = edited(root, ours, 'o')
  const theirsModel = edited(root, theirs, 't')
  return {
    base: documentOf(root, hasKeys),
    ours: documentOf(oursModel, hasKeys),
    theirs: documentOf(theirsModel, hasKeys),
    written: { ours: writtenIn(oursModel, 'o'), theirs: writtenIn(theirsModel, 't') },
  }
}

export interface Model {
  type: string
  key: string
  data: Record<string, unknown>
  words: { text: string; isBold: boolean }[]
  kids: Model[]
  columns?: { id: string; type: 'text' | 'number'; title: string }[]
  rows?: { id: string; cells: Record<string, string | number> }[]
}

const vocabulary = 'the a of page guide note setup build run user key file list text open close save'.split(' ')
const flows = ['document', 'hint', 'list-item', 'tabs-item', 'expandable', 'blockquote']

function makeModel(dice: Dice, side: string, count: { next: number }, depth: number): Model {
  const key = (): string => `${side}${count.next++}`
  const word = (): string => (side === 'k' ? dice.pick(vocabulary) : `${side}w${count.next++}`)
  const leafModel = (type: string): Model => ({
    type,
    key: key(),
    data: {},
    words: Array.from({ length: dice.below(7) + (side === 'k' || side === 'u' ? 0 : 1) }, () => ({
      text: word(),
      isBold: dice.below(9) === 0,
    })),
    kids: [],
  })
  const inner = (count: number): Model[] =>
    Array.from({ length: count }, () => makeModel(dice, side, counted, depth - 1))
  const counted = count
  const holder = (type: string, kids: Model[], data: Record<string, unknown> = {}): Model => ({
    type,
    key: key(),
    data,
    words: [],
    kids,
  })
  const roll = depth === 0 ? 0 : dice.below(14)
  if (roll === 1) return holder('hint', inner(1 + dice.below(2)), { style: 'info' })
  if (roll === 2)
    return holder(
      'list-unordered',
      [1, 2].map(() => holder('list-item', inner(1))),
    )
  if (roll === 3)
    return holder(
      'tabs',
      [1, 2].map(() => holder('tabs-item', inner(1), { title: word() })),
    )
  if (roll === 4) return holder('expandable', [leafModel('paragraph'), ...inner(1)])
  if (roll === 5) return holder('code', [leafModel('code-line'), leafModel('code-line'), leafModel('code-line')])
  if (roll === 6) return leafModel('heading-1')
  if (roll === 7) return makeTableModel(key(), word)
  if (roll === 8) return holder('divider', [])
  return leafModel('paragraph')
}

function makeTableModel(key: string, word: () => string): Model {
  return {
    type: 'table',
    key,
    data: {},
    words: [],
    kids: [],
    columns: [
      { id: 'column-1', type: 'text', title: 'Name' },
      { id: 'column-2', type: 'number', title: 'Count' },
    ],
    rows: [1, 2, 3].map((n) => ({ id: `row-${n}`, cells: { 'column-1': word(), 'column-2': n } })),
  }
}

function edited(root: Model, edits: readonly number[], side: string): Model {
  const copy = structuredClone(root)
  const count = { next: 0 }
  for (const seed of edits) editOnce(copy, { dice: makeDice(seed), isCut: seed >= 100_000 }, side, count)
  return copy
}

interface Spot {
  holder: Model
  at: number
  block: Model
}

/** Numbers from 100,000 on split a paragraph or join two, which came later than the others. */
function editOnce(
  root: Model,
  { dice, isCut }: { dice: Dice; isCut: boolean },
  side: string,
  count: { next: number },
): void {
  const spots: Spot[] = []
  const holders: Model[] = [root]
  const visit = (holder: Model): void => {
    holder.kids.forEach((block, at) => {
      spots.push({ holder, at, block })
      if (flows.includes(block.type)) holders.push(block)
      visit(block)
    })
  }
  visit(root)
  if (isCut) {
    cutOrJoin(spots, dice, side, count)
    return
  }
  const spot = spots.length === 0 ? undefined : dice.pick(spots)
  const roll = dice.below(12)
  if (roll <= 1 || spot === undefined) {
    insert(dice.pick(holders), dice, side, count)
    return
  }
  const { holder, at, block } = spot
  const isFixed = holder.type === 'expandable' && at === 0
  if (roll === 2 && !isFixed) holder.kids.splice(at, 1)
  else if (roll === 3 && !isFixed) move(spot, holder, dice)
  else if (roll === 4 && !isFixed && flows.includes(holder.type)) move(spot, dice.pick(holders), dice)
  else if (roll === 5) changeData(block, dice)
  else if (block.rows !== undefined) editTable(block, dice, side, count)
  else if (block.words.length > 0) editWords(block, dice, side, count)
}

function cutOrJoin(spots: readonly Spot[], dice: Dice, side: string, count: { next: number }): void {
  const isProse = (block: Model | undefined): boolean => block?.type === 'paragraph' || block?.type === 'heading-1'
  const prose = spots.filter(({ holder, at, block }) => isProse(block) && !(holder.type === 'expandable' && at === 0))
  if (prose.length === 0) return
  const { holder, at, block } = dice.pick(prose)
  const next = holder.kids[at + 1]
  if (next !== undefined && isProse(next) && dice.below(3) === 0) {
    block.words.push(...next.words)
    holder.kids.splice(at + 1, 1)
  } else if (block.words.length > 1) {
    const words = block.words.splice(1 + dice.below(block.words.length - 1))
    const right: Model = { type: 'paragraph', key: `${side}${count.next++}`, data: {}, words, kids: [] }
    if (holder.type !== 'list-item') holder.kids.splice(at + 1, 0, right)
    else {
      const list = spots.find(({ block: other }) => other === holder)
      const item: Model = { type: 'list-item', key: `${side}${count.next++}`, data: {}, words: [], kids: [right] }
      list?.holder.kids.splice(list.at + 1, 0, item)
    }
  }
}

function insert(holder: Model, dice: Dice, side: string, count: { next: number }): void {
  const lowest = holder.type === 'expandable' ? 1 : 0
  holder.kids.splice(lowest + dice.below(holder.kids.length + 1 - lowest), 0, makeModel(dice, side, count, 1))
}

function move({ holder, at, block }: Spot, target: Model, dice: Dice): void {
  const isInside = (model: Model): boolean => model === target || model.kids.some(isInside)
  if (isInside(block)) return
  holder.kids.splice(at, 1)
  const lowest = target.type === 'expandable' ? 1 : 0
  target.kids.splice(lowest + dice.below(target.kids.length + 1 - lowest), 0, block)
}

function changeData(block: Model, dice: Dice): void {
  if (block.type === 'hint') block.data.style = dice.pick(['info', 'warning', 'danger'])
  else if (block.type === 'tabs-item') block.data.icon = dice.pick(['star', 'moon'])
  else if (block.type === 'code') block.data.syntax = dice.pick(['js', 'ts'])
  else if (block.type === 'expandable') block.data.defaultExpanded = true
  else if (block.type === 'paragraph' || block.type === 'heading-1') {
    block.data.align = dice.pick(['center', 'end'])
  }
}

function editWords(block: Model, dice: Dice, side: string, count: { next: number }): void {
  const at = dice.below(block.words.length)
  const fresh = { text: `${side}w${count.next++}`, isBold: false }
  const roll = dice.below(5)
  if (roll === 0) block.words.splice(at, 1)
  else if (roll === 1) block.words.splice(at, 0, fresh)
  else if (roll === 2) block.words.push(fresh)
  else if (roll === 3)
    block.words = block.words.map((word, place) =>
      place === at ? { ...word, isBold: block.type !== 'code-line' } : word,
    )
  else block.words.splice(at, 1, fresh)
}

function editTable(table: Model, dice: Dice, side: string, count: { next: number }): void {
  const { rows = [], columns = [] } = table
  const word = (): string => `${side}w${count.next++}`
  const roll = dice.below(6)
  const row = rows.length === 0 ? undefined : dice.pick(rows)
  const column = columns.length === 0 ? undefined : dice.pick(columns)
  if (roll === 0) {
    const cells = Object.fromEntries(columns.map(({ id, type }) => [id, type === 'text' ? word() : 7]))
    const id = `row-${rows.length + 1}${dice.pick(['', side])}`
    if (rows.some((other) => other.id === id)) return
    rows.splice(dice.below(rows.length + 1), 0, { id, cells })
  } else if (roll === 1 && rows.length > 1 && row !== undefined) rows.splice(rows.indexOf(row), 1)
  else if (roll === 2) {
    const id = `column-${columns.length + 1}${dice.pick(['', side])}`
    if (columns.some((other) => other.id === id)) return
    columns.splice(dice.below(columns.length + 1), 0, { id, type: 'text', title: word() })
    if (row !== undefined) row.cells[id] = word()
  } else if (roll === 3 && columns.length > 1 && column !== undefined) {
    columns.splice(columns.indexOf(column), 1)
    for (const { cells } of rows) delete cells[column.id]
  } else if (row !== undefined && column !== undefined)
    row.cells[column.id] = column.type === 'text' ? `${row.cells[column.id] ?? ''} ${word()}`.trim() : dice.below(99)
}

export function documentOf(root: Model, hasKeys: boolean): JSONDocument {
  const document = makeDocument([])
  Object.assign(document, { nodes: root.kids.map((kid) => blockOf(kid, hasKeys)) })
  return document
}

function blockOf(model: Model, hasKeys: boolean): AnyBlock {
  const { type, key, data, words, kids } = model
  const inner = (): AnyBlock[] => kids.map((kid) => blockOf(kid, hasKeys))
  const head = { object: 'block', type, ...(hasKeys ? { key } : {}), isVoid: false, data: { ...data } }
  if (type === 'table') return asBlock({ ...head, isVoid: true, ...tableOf(model) })
  if (type === 'divider') return asBlock({ ...head, isVoid: true })
  if (type === 'expandable') {
    const [title, ...body] = inner()
    const fragments = [
      fragment('expandable-title', title === undefined ? [] : [title]),
      fragment('expandable-body', body),
    ]
    return asBlock({ ...head, isVoid: true, fragments })
  }
  const isWords = type === 'paragraph' || type === 'heading-1' || type === 'code-line'
  return asBlock({ ...head, nodes: isWords ? wordsOf(words) : inner() })
}

function wordsOf(words: Model['words']): object[] {
  const leaves = words.map(({ text, isBold }, at) =>
    leaf(at === words.length - 1 ? text : `${text} `, isBold ? [{ object: 'mark', type: 'bold' }] : []),
  )
  return leaves.length === 0 ? [] : [{ object: 'text', leaves }]
}

function tableOf({ columns = [], rows = [] }: Model) {
  const definition = Object.fromEntries(
    columns.map((column) => [column.id, { ...column, ...(column.type === 'text' ? { textAlignment: 'left' } : {}) }]),
  )
  const fragments: object[] = []
  const records = rows.map(({ id, cells }, place) => {
    const values: Record<string, unknown> = {}
    for (const { id: column, type } of columns) {
      const cell = cells[column]
      if (cell === undefined) continue
      values[column] = type === 'text' ? `${id}/${column}` : cell
      if (type !== 'text') continue
      const content = {
        object: 'block',
        type: 'paragraph',
        isVoid: false,
        data: {},
        nodes: wordsOf([{ text: String(cell), isBold: false }]),
      }
      fragments.push({ object: 'fragment', fragment: `${id}/${column}`, type: 'table-cell', nodes: [content] })
    }
    return [id, { orderIndex: orderIndexAt(place), values }]
  })
  const view = { type: 'grid', columns: columns.map(({ id }) => id), hideHeader: false }
  return { data: { view, records: Object.fromEntries(records), definition }, fragments }
}

function asBlock(value: object): AnyBlock {
  const isBlock = (block: object): block is AnyBlock => 'type' in block
  if (!isBlock(value)) throw new Error('not a block')
  return value
}

function writtenIn(root: Model, side: string): string[] {
  return [...JSON.stringify(root).matchAll(new RegExp(`${side}w\\d+`, 'g'))].map(([word]) => word)
}
