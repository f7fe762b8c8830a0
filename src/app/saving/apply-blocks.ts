/**
 * Brings blocks that came from elsewhere into an open editor: as steps that change as little as possible, so that the cursor,
 * the history and what is being typed stay where they are.
 *
 * 1. After it the editor holds exactly the given blocks.
 * 2. Blocks are found by key. Those that stay in order are not touched; inside a text only the words that differ are.
 * 3. It is not part of the history, and ends the step of it that was being written: what one types afterwards is a step of its own.
 */

import { closeHistory } from 'prosemirror-history'
import { type Node as EditorNode, Fragment, Slice } from 'prosemirror-model'
import { type EditorState, Selection, TextSelection, type Transaction } from 'prosemirror-state'
import { alignSequences, longestRising, newBudget } from '../../core/diff/sequence.ts'
import { makeDocument } from '../../core/document/tree/make.ts'
import type { Block } from '../../core/document/tree/nodes.ts'
import { fromDocument } from '../editor/document/from-document.ts'
import { isEqual } from './patch.ts'
import { unitsOf } from './text-units.ts'

export const remoteMeta = 'lectern-remote'

export function applyBlocks(
  state: EditorState,
  blocks: readonly Block[],
  { undoable } = { undoable: false },
): Transaction {
  const tr = state.tr.setMeta(remoteMeta, true)
  if (!undoable) closeHistory(tr.setMeta('addToHistory', false))
  const held = cursorOf(state)
  const wanted = fromDocument(makeDocument([...blocks]))
  const have = state.doc.children
  const want = wanted.children
  const positions = new Map(want.map((node, at) => [node.attrs.key, at]))
  const stays = have.map((node) => (node.attrs.key === null ? undefined : positions.get(node.attrs.key)))
  const known = have.flatMap((_, at) => (stays[at] === undefined ? [] : [at]))
  const rising = longestRising(known.map((at) => stays[at] ?? -1))
  const anchored = new Set(known.filter((_, index) => rising.has(index)))
  const before = new Map<number, number>()
  for (const at of anchored) before.set(stays[at] ?? -1, at)
  // Insert first and delete last: a document is never empty in between.
  let pos = 0
  let at = 0
  const skipTo = (end: number): void => {
    for (; at < end; at += 1) pos += tr.doc.nodeAt(pos)?.nodeSize ?? 0
  }
  const doomed: { from: number; to: number }[] = []
  want.forEach((node, index) => {
    const old = before.get(index)
    if (old === undefined) {
      tr.insert(pos, node)
      pos += node.nodeSize
      return
    }
    while (at < old) {
      const size = tr.doc.nodeAt(pos)?.nodeSize ?? 0
      doomed.push({ from: pos, to: pos + size })
      skipTo(at + 1)
    }
    changeNode(tr, pos, node)
    skipTo(at + 1)
  })
  while (at < have.length) {
    const size = tr.doc.nodeAt(pos)?.nodeSize ?? 0
    doomed.push({ from: pos, to: pos + size })
    skipTo(at + 1)
  }
  for (const { from, to } of doomed.reverse()) tr.delete(from, to)
  restore(tr, held)
  return tr
}

/** Makes the node at `pos` equal to `wanted`, from the inside. */
function changeNode(tr: Transaction, pos: number, wanted: EditorNode): void {
  const now = tr.doc.nodeAt(pos)
  if (now === null || now === wanted || now.eq(wanted)) {
    // Equal, but the stored object is the newer one: it is what the next save compares with.
    return
  }
  const isSameKind = now.type === wanted.type && !now.isLeaf
  if (!isSameKind) {
    tr.replaceWith(pos, pos + now.nodeSize, wanted)
    return
  }
  if (!isEqual(now.attrs, wanted.attrs)) tr.setNodeMarkup(pos, null, wanted.attrs)
  if (now.isTextblock) changeWords(tr, pos + 1, now, wanted)
  else if (isPaired(now, wanted)) {
    let inside = pos + 1
    wanted.forEach((child) => {
      changeNode(tr, inside, child)
      inside += tr.doc.nodeAt(inside)?.nodeSize ?? 0
    })
  } else changeRange(tr, pos + 1, now, wanted)
}

const isPaired = (now: EditorNode, wanted: EditorNode): boolean =>
  now.childCount === wanted.childCount &&
  now.children.every((child, at) => {
    const other = wanted.child(at)
    return child.type === other.type && child.attrs.key === other.attrs.key && child.attrs.id === other.attrs.id
  })

/** From the first difference to the last. */
function changeRange(tr: Transaction, start: number, now: EditorNode, wanted: EditorNode): void {
  let head = 0
  let from = start
  while (head < Math.min(now.childCount, wanted.childCount) && now.child(head).eq(wanted.child(head))) {
    from += now.child(head).nodeSize
    head += 1
  }
  let tail = 0
  let to = start + now.content.size
  const most = Math.min(now.childCount, wanted.childCount) - head
  while (tail < most && now.child(now.childCount - 1 - tail).eq(wanted.child(wanted.childCount - 1 - tail))) {
    to -= now.child(now.childCount - 1 - tail).nodeSize
    tail += 1
  }
  const nodes = wanted.children.slice(head, wanted.childCount - tail)
  tr.replace(from, to, new Slice(Fragment.from(nodes), 0, 0))
}

function changeWords(tr: Transaction, start: number, now: EditorNode, wanted: EditorNode): void {
  const old = unitsOf(now)
  const fresh = unitsOf(wanted)
  const partners = alignSequences(
    old.map(({ face }) => face),
    fresh.map(({ face }) => face),
    newBudget(),
  )
  const changes: { from: number; to: number; nodes: EditorNode[] }[] = []
  let pos = start
  let next = 0
  let open: { from: number; to: number; nodes: EditorNode[] } | undefined
  const change = () => {
    open ??= { from: pos, to: pos, nodes: [] }
    return open
  }
  const close = (): void => {
    if (open !== undefined) changes.push(open)
    open = undefined
  }
  old.forEach((unit, at) => {
    const partner = partners[at] ?? -1
    if (partner < 0) change().to = pos + unit.size
    else {
      while (next < partner) change().nodes.push(fresh[next++]?.node ?? unit.node)
      close()
      next = partner + 1
    }
    pos += unit.size
  })
  while (next < fresh.length) {
    const unit = fresh[next++]
    if (unit !== undefined) change().nodes.push(unit.node)
  }
  close()
  for (const { from, to, nodes } of changes.reverse()) tr.replaceWith(from, to, Fragment.fromArray(nodes))
}

/** Where the cursor is, by the key of its block: a block that was moved takes the cursor along. */
type Cursor = { key: string; anchor: number; head: number } | undefined

function cursorOf(state: EditorState): Cursor {
  const { $anchor, $head, anchor, head } = state.selection
  const key = $anchor.depth === 0 ? null : $anchor.node(1).attrs.key
  if (key === null || key === undefined || $head.depth === 0 || $head.before(1) !== $anchor.before(1)) return undefined
  return { key, anchor: anchor - $anchor.before(1), head: head - $anchor.before(1) }
}

function restore(tr: Transaction, cursor: Cursor): void {
  if (cursor === undefined) return
  const { $anchor } = tr.selection
  if ($anchor.depth > 0 && $anchor.node(1).attrs.key === cursor.key) return
  let found: number | undefined
  tr.doc.forEach((node, offset) => {
    if (node.attrs.key === cursor.key) found = offset
  })
  if (found === undefined) return
  const within = (offset: number): number => Math.min(tr.doc.content.size, (found ?? 0) + offset)
  const $at = tr.doc.resolve(within(cursor.anchor))
  if ($at.parent.isTextblock) tr.setSelection(TextSelection.between($at, tr.doc.resolve(within(cursor.head))))
  else tr.setSelection(Selection.near($at))
}
