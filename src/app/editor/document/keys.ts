/**
 * Keys of what is typed: every node has one, and no two have the same, after every transaction.
 *
 * 1. Of two nodes with one key (a block that was split, or copied) the one that stands where the key stood before keeps it, so
 *    that comments stay with their words. A block that was split at its very beginning goes on with its words.
 * 2. Keys in subtrees that did not change are read once.
 */
import type { Node as EditorNode, Mark } from 'prosemirror-model'
import { type EditorState, Plugin, type Transaction } from 'prosemirror-state'

import { originalOf } from './originals.ts'

export interface KeysOptions {
  /** A key that was never used. */
  makeKey(): string
}

export function keysPlugin({ makeKey }: KeysOptions): Plugin {
  return new Plugin({
    appendTransaction: (transactions, before, after) =>
      transactions.some((transaction) => transaction.docChanged)
        ? mendKeys({ transactions, before, after, makeKey })
        : null,
  })
}

interface Change {
  transactions: readonly Transaction[]
  before: EditorState
  after: EditorState
  makeKey(): string
}

function mendKeys({ transactions, before, after, makeKey }: Change): Transaction | null {
  if (isSound(after.doc) || isFiller(after.doc)) return null
  const positions = new Map<string, KeyedPosition[]>()
  const wanting: KeyedPosition[] = []
  for (const keyed of positionsIn(after.doc)) {
    const key = keyOf(keyed)
    const known = key === null ? undefined : positions.get(key)
    if (key === null) wanting.push(keyed)
    else if (known === undefined) positions.set(key, [keyed])
    else known.push(keyed)
  }
  const doubles = [...positions.values()].filter((same) => same.length > 1)
  const home = doubles.length === 0 ? new Map<string, number>() : homes(before.doc, transactions)
  for (const same of doubles) {
    const keeper = keeperOf(same, home)
    wanting.push(...same.filter((keyed) => keyed !== keeper))
  }
  const tr = after.tr
  for (const keyed of wanting) giveKey(tr, keyed, makeKey())
  return tr
}

/** A keyed node and where it stands, or a keyed mark and the words it is on. */
type KeyedPosition = { pos: number; node: EditorNode; mark?: Mark; end?: number }

const keyOf = ({ node, mark }: KeyedPosition): string | null => (mark ?? node).attrs.key

const isKeyed = (node: EditorNode): boolean => node.type.spec.attrs !== undefined && 'key' in node.type.spec.attrs

/** A page without content is shown as an empty paragraph, which is not its content and has no key. */
export const isFiller = ({ childCount, firstChild }: EditorNode): boolean =>
  childCount === 1 &&
  firstChild?.type.name === 'paragraph' &&
  firstChild.content.size === 0 &&
  firstChild.attrs.key === null &&
  originalOf(firstChild) === undefined

/** Without looking at every node: each subtree knows its keys, and whether one is missing. */
function isSound(doc: EditorNode): boolean {
  const seen = new Set<string>()
  for (let at = 0; at < doc.childCount; at += 1) {
    const keys = keysIn(doc.child(at))
    if (keys === undefined) return false
    for (const key of keys) {
      if (seen.has(key)) return false
      seen.add(key)
    }
  }
  return true
}

const known = new WeakMap<EditorNode, readonly string[] | 'wanting'>()

function keysIn(node: EditorNode): readonly string[] | undefined {
  let keys = known.get(node)
  if (keys === undefined) {
    const found = positionsOf(node, 0).map(keyOf)
    const given = found.filter((key) => key !== null)
    keys = given.length === found.length ? given : 'wanting'
    known.set(node, keys)
  }
  return keys === 'wanting' ? undefined : keys
}

function positionsIn(doc: EditorNode): KeyedPosition[] {
  const positions: KeyedPosition[] = []
  doc.forEach((child, offset) => {
    positions.push(...positionsOf(child, offset))
  })
  return positions
}

function positionsOf(node: EditorNode, pos: number): KeyedPosition[] {
  const positions: KeyedPosition[] = isKeyed(node) ? [{ pos, node }] : []
  if (node.isTextblock) return [...positions, ...inlinePositions(node, pos + 1)]
  node.forEach((child, offset) => {
    positions.push(...positionsOf(child, pos + 1 + offset))
  })
  return positions
}

function inlinePositions(parent: EditorNode, start: number): KeyedPosition[] {
  const positions: KeyedPosition[] = []
  let open: KeyedPosition | undefined
  parent.forEach((child, offset) => {
    const pos = start + offset
    if (isKeyed(child)) positions.push({ pos, node: child })
    const mark = child.marks.find(({ type }) => type.name === 'link' || type.name === 'annotation')
    if (mark !== undefined && open?.mark?.eq(mark)) open.end = pos + child.nodeSize
    else if (mark === undefined) open = undefined
    else {
      open = { pos, node: child, mark, end: pos + child.nodeSize }
      positions.push(open)
    }
  })
  return positions
}

/** Where each key of the document before would stand now. */
function homes(doc: EditorNode, transactions: readonly Transaction[]): Map<string, number> {
  const home = new Map<string, number>()
  for (const keyed of positionsIn(doc)) {
    const key = keyOf(keyed)
    let pos = keyed.pos
    let isGone = false
    for (const { mapping } of transactions) {
      const mapped = mapping.mapResult(pos, 1)
      pos = mapped.pos
      isGone ||= mapped.deletedAfter
    }
    if (key !== null && !isGone) home.set(key, pos)
  }
  return home
}

function keeperOf(same: readonly KeyedPosition[], home: ReadonlyMap<string, number>): KeyedPosition | undefined {
  const [first] = same
  const key = first && keyOf(first)
  const atHome = key === null || key === undefined ? undefined : same.find(({ pos }) => pos === home.get(key))
  const keeper = atHome ?? first
  const isEmptied = keeper?.node.isTextblock === true && keeper.node.content.size === 0
  return isEmptied ? (same.find(({ node }) => node.content.size > 0) ?? keeper) : keeper
}

function giveKey(tr: Transaction, { pos, node, mark, end }: KeyedPosition, key: string): void {
  if (mark === undefined) {
    tr.setNodeAttribute(pos, 'key', key)
    if ('paragraph' in node.attrs) tr.setNodeAttribute(pos, 'paragraph', { ...node.attrs.paragraph, key: `${key}-0` })
    if ('json' in node.attrs) tr.setNodeAttribute(pos, 'json', withKeys(node.attrs.json, key))
    return
  }
  const { fragments } = mark.attrs
  const attrs = {
    ...mark.attrs,
    key,
    ...(fragments === undefined ? {} : { fragments: withKeys(fragments, `${key}-0`) }),
  }
  tr.addMark(pos, end ?? pos + node.nodeSize, mark.type.create(attrs))
}

/** What is carried whole gets new keys inside as well. */
export function withKeys(carried: unknown, key: string): unknown {
  let count = 0
  const rename = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rename)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(
      ([name, inner]) => [name, name === 'data' ? inner : rename(inner)] as const,
    )
    const copy: Record<string, unknown> = Object.fromEntries(entries)
    if (typeof copy.key === 'string') {
      copy.key = count === 0 ? key : `${key}-${count}`
      count += 1
    }
    return copy
  }
  return rename(carried)
}
