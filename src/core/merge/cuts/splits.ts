/** Blocks that one side cut in two: see align.ts. */

import { same } from '../../diff/equal.ts'
import { isTextBlock, partsOf, type TextBlock } from '../../diff/parts.ts'
import { newBudget } from '../../diff/sequence.ts'
import { hasWord, type Token, tokensOf } from '../../diff/tokens.ts'
import type { AnyBlock, JSONDocument } from '../../document/tree/nodes.ts'
import type { Side } from '../conflicts.ts'
import type { Three } from '../three-way.ts'
import { byKey, isProse, type Keyed, replaceBlocks } from './blocks.ts'
import { findCut, withTokens } from './find-cut.ts'

/** A block and the new one that a side has behind it; `item` is the new list item that holds it. */
interface Split {
  side: Side
  key: string
  left: TextBlock
  right: TextBlock
  item?: AnyBlock
  /** Where the base is cut, in its words, and where the other side's version is. */
  at: number
  otherAt: number
}

export function applySplits(three: Three<JSONDocument>): Three<JSONDocument> {
  const keyed = { base: byKey(three.base), ours: byKey(three.ours), theirs: byKey(three.theirs) }
  const ours = splitsOf('ours', three.ours, keyed)
  const theirs = splitsOf('theirs', three.theirs, keyed)
  if (ours.size + theirs.size === 0) return three
  const changes = { base: new Map(), ours: new Map(), theirs: new Map() }
  for (const key of new Set([...ours.keys(), ...theirs.keys()])) {
    const [one, other] = [ours.get(key), theirs.get(key)]
    // Of two cuts of one block the earlier is made first; the later is then one of its right half.
    const split = one === undefined || (other !== undefined && other.at < one.at) ? other : one
    if (split === undefined) continue
    const twin = one !== undefined && other !== undefined && one.at === other.at ? other : undefined
    applySplit(split, twin, { keyed, changes })
  }
  return {
    base: replaceBlocks(three.base, changes.base),
    ours: replaceBlocks(three.ours, changes.ours),
    theirs: replaceBlocks(three.theirs, changes.theirs),
  }
}

function splitsOf(side: Side, document: JSONDocument, keyed: Three<Keyed>): Map<string, Split> {
  const splits = new Map<string, Split>()
  const budget = newBudget()
  const other = keyed[side === 'ours' ? 'theirs' : 'ours']
  const consider = (left: AnyBlock | undefined, right: AnyBlock | undefined, item?: AnyBlock): void => {
    if (!isProse(left) || !isProse(right) || left.key === undefined || right.key === undefined) return
    const base = keyed.base.get(left.key)
    if (!isProse(base) || same(base, left) || keyed.base.has(right.key)) return
    const version = other.get(left.key)
    const found = findCut({ base, left, right, other: isProse(version) ? version : base }, budget)
    if (found !== undefined)
      splits.set(left.key, { side, key: left.key, left, right, ...found, ...(item === undefined ? {} : { item }) })
  }
  const visit = (holder: JSONDocument | AnyBlock): void => {
    for (const blocks of partsOf(holder).values())
      blocks.forEach((block, index) => {
        const next = blocks[index + 1]
        consider(block, next)
        if (isNewItem(next, keyed.base) && block.type === 'list-item') consider(lastProse(block), next.nodes[0], next)
        if (!isTextBlock(block)) visit(block)
      })
  }
  visit(document)
  return splits
}

type ListItem = Extract<AnyBlock, { type: 'list-item' }>

const isNewItem = (block: AnyBlock | undefined, base: Keyed): block is ListItem =>
  block?.type === 'list-item' && block.key !== undefined && !base.has(block.key)

function lastProse({ nodes }: ListItem): AnyBlock | undefined {
  return nodes.findLast((node) => isProse(node))
}

type Changes = Three<Map<AnyBlock, AnyBlock[]>>

function applySplit(
  { side, key, left, right, item, at, otherAt }: Split,
  twin: Split | undefined,
  { keyed, changes }: { keyed: Three<Keyed>; changes: Changes },
): void {
  const base = keyed.base.get(key)
  const hasHead = isProse(base) && tokensOf(base.nodes, new Map()).slice(0, at).some(hasWord)
  const cut = (of: 'base' | Side, index: number): void => {
    const block = keyed[of].get(key)
    if (!isProse(block)) return
    const tokens = tokensOf(block.nodes, new Map())
    const [head, tail] = cutTokens(tokens, index, { left, right })
    const second = withTokens(twin === undefined ? right : commonOf(right, twin.right, block), tail)
    // A side that took away all that belongs to one half has deleted that half.
    const isEmptied = hasHead && !head.some(hasWord) && tail.some(hasWord)
    const first = isEmptied ? [] : [withTokens(block, head)]
    const rest = tail.some(hasWord) ? [second] : []
    const holder = item === undefined ? undefined : holderOf(block, keyed[of])
    if (item === undefined || holder === undefined) {
      changes[of].set(block, [...first, ...rest])
      return
    }
    changes[of].set(block, first)
    if (rest.length > 0) changes[of].set(holder, [holder, Object.assign({ ...item }, { nodes: rest })])
  }
  const other = side === 'ours' ? 'theirs' : 'ours'
  cut('base', at)
  if (twin !== undefined && twin.right.key !== right.key) {
    // Both cut at the same place: the two right halves are one block, and so are their items.
    const same = Object.assign({ ...twin.right }, { key: right.key })
    changes[other].set(twin.right, [same])
    if (twin.item !== undefined && item !== undefined)
      changes[other].set(twin.item, [Object.assign({ ...twin.item }, { key: item.key })])
  } else if (right.key !== undefined && !keyed[other].has(right.key)) cut(other, otherAt)
}

/** What both right halves are, so that what only one of them is counts as its side's wish. */
function commonOf(right: TextBlock, twin: TextBlock, block: TextBlock): TextBlock {
  const fields = new Map<string, unknown>(Object.entries(twin.data))
  const data = Object.entries(right.data).filter(([name, value]) => same(value, fields.get(name)))
  return Object.assign(
    { ...(right.type === twin.type ? right : block) },
    { key: right.key, data: Object.fromEntries(data) },
  )
}

function holderOf(block: AnyBlock, keyed: Keyed): ListItem | undefined {
  for (const holder of keyed.values())
    if (holder.type === 'list-item' && holder.nodes.some((node) => node === block)) return holder
  return undefined
}

/** The two halves, with blanks at the cut only where the side that cut has kept them. */
function cutTokens(
  tokens: readonly Token[],
  at: number,
  { left, right }: { left: TextBlock; right: TextBlock },
): [Token[], Token[]] {
  const isBlank = (token: Token | undefined): boolean => token?.inline === undefined && token?.text.trim() === ''
  const head = tokens.slice(0, at)
  const tail = tokens.slice(at)
  if (!isBlank(tokensOf(left.nodes, new Map()).at(-1))) while (head.length > 0 && isBlank(head.at(-1))) head.pop()
  if (!isBlank(tokensOf(right.nodes, new Map())[0])) while (tail.length > 0 && isBlank(tail[0])) tail.shift()
  return [head, tail]
}
