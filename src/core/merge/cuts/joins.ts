/** Two neighbours that one side made one block, by deleting the break between them: see align.ts. */

import { same } from '../../diff/equal.ts'
import { isTextBlock, partsOf, type TextBlock } from '../../diff/parts.ts'
import { type Budget, newBudget } from '../../diff/sequence.ts'
import { hasWord, type Token, tokensOf } from '../../diff/tokens.ts'
import { hunksBetween } from '../../diff/words.ts'
import type { AnyBlock, JSONDocument } from '../../document/tree/nodes.ts'
import type { Side } from '../conflicts.ts'
import type { Three } from '../three-way.ts'
import { byKey, isProse, type Keyed, replaceBlocks } from './blocks.ts'
import { withTokens } from './find-cut.ts'

export function applyJoins(three: Three<JSONDocument>): Three<JSONDocument> {
  for (const side of ['ours', 'theirs'] as const) {
    const joined = applyFirstJoin(three, side)
    if (joined !== undefined) return joined
  }
  return three
}

/** One join at a time: the next may be of the block that this one makes. */
function applyFirstJoin(three: Three<JSONDocument>, side: Side): Three<JSONDocument> | undefined {
  const otherSide = side === 'ours' ? 'theirs' : 'ours'
  const own = byKey(three[side])
  const pairs = neighboursOf(three.base).filter(({ first, second }) => isJoined(first, second, own))
  if (pairs.length === 0) return undefined
  const others = new Map(neighboursOf(three[otherSide]).map((pair) => [pair.first.key, pair]))
  const other = byKey(three[otherSide])
  const budget = newBudget()
  for (const { first, second } of pairs) {
    const now = own.get(first.key ?? '')
    if (!isProse(now)) continue
    const blank = joinOf({ first, second, now }, budget)
    const pair = others.get(first.key)
    const isApart = other.has(second.key ?? '') && pair?.second.key !== second.key
    if (blank === undefined || isApart || !isProse(other.get(first.key ?? ''))) continue
    const changes = new Map<AnyBlock, AnyBlock[]>([
      [first, [joined(first, second, blank)]],
      [second, []],
    ])
    const otherChanges = new Map<AnyBlock, AnyBlock[]>()
    if (pair !== undefined && pair.second.key === second.key) {
      otherChanges.set(pair.first, [joined(pair.first, pair.second, blank)])
      otherChanges.set(pair.second, [])
    }
    return {
      ...three,
      base: replaceBlocks(three.base, changes),
      [otherSide]: replaceBlocks(three[otherSide], otherChanges),
    }
  }
  return undefined
}

interface Neighbours {
  first: TextBlock
  second: TextBlock
}

function neighboursOf(document: JSONDocument): Neighbours[] {
  const found: Neighbours[] = []
  const visit = (holder: JSONDocument | AnyBlock): void => {
    for (const blocks of partsOf(holder).values())
      blocks.forEach((first, index) => {
        const second = blocks[index + 1]
        if (isProse(first) && isProse(second) && first.key !== undefined && second.key !== undefined)
          found.push({ first, second })
        if (!isTextBlock(first)) visit(first)
      })
  }
  visit(document)
  return found
}

function isJoined(first: TextBlock, second: TextBlock, own: Keyed): boolean {
  const now = own.get(first.key ?? '')
  return !own.has(second.key ?? '') && isProse(now) && !same(first, now)
}

/** The blanks between the two, if the side has most of the second block behind what it has of the first. */
function joinOf({ first, second, now }: Neighbours & { now: TextBlock }, budget: Budget): Token[] | undefined {
  const signatures = new Map()
  const [one, two, both] = [first, second, now].map((block) => tokensOf(block.nodes, signatures))
  if (one === undefined || two === undefined || both === undefined) return undefined
  const { partners } = hunksBetween([...one, ...two], both, budget)
  const indexes = two.flatMap((token, index) => (hasWord(token) ? [partners[one.length + index] ?? -1] : []))
  const kept = indexes.filter((index) => index >= 0)
  if (kept.length === 0 || kept.length * 2 < indexes.length) return undefined
  const before = both[(kept[0] ?? 0) - 1]
  return before !== undefined && before.inline === undefined && before.text.trim() === '' ? [before] : []
}

function joined(first: TextBlock, second: TextBlock, blank: readonly Token[]): TextBlock {
  const [one, two] = [tokensOf(first.nodes, new Map()), tokensOf(second.nodes, new Map())]
  const [last, next] = [one.at(-1), two[0]]
  const isParted = last === undefined || next === undefined || last.text.trim() === '' || next.text.trim() === ''
  // Two words must not become one, whatever the side that joined them had there.
  const isGlued = !isParted && hasWord(last) && hasWord(next) && blank.length === 0
  const between = isGlued ? [{ text: ' ', marks: [], face: ' ', isWord: false }] : isParted ? [] : blank
  return withTokens(first, [...one, ...between, ...two])
}
