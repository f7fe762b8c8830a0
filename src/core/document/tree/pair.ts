/**
 * Which of the nodes a parent holds now was which of the nodes it held before.
 *
 * Equal nodes are paired first, in order; what is left between two pairs is paired by likeness of its words, and a
 * node that is alone of its type in such a gap on both sides is the same node rewritten.
 */

import { textOf } from '../text/to-text.ts'
import type { Node } from './nodes.ts'
import { type Signatures, signatureOf } from './signature.ts'

export type Pair = readonly [node: Node, before: Node]

export function pairSiblings(nodes: readonly Node[], before: readonly Node[], signatures: Signatures): Pair[] {
  if (nodes.length === 0 || before.length === 0) return []
  const partners = pairEqual(nodes, before, signatures)
  const usedBefore = new Set(partners.values())
  const pairs: Pair[] = []
  let gap: { nodes: Node[]; from: number } = { nodes: [], from: 0 }
  const closeGap = (until: number): void => {
    const free = before.slice(gap.from, until).filter((old) => !usedBefore.has(old))
    for (const pair of pairGap(gap.nodes, free)) {
      usedBefore.add(pair[1])
      pairs.push(pair)
    }
  }
  const indexes = new Map(before.map((old, index) => [old, index]))
  for (const node of nodes) {
    const partner = partners.get(node)
    if (partner === undefined) {
      gap.nodes.push(node)
      continue
    }
    const index = indexes.get(partner) ?? 0
    pairs.push([node, partner])
    // A node that moved up closes no gap: what stands before it in the old order comes later in the new one.
    if (index < gap.from) continue
    closeGap(index)
    gap = { nodes: [], from: index + 1 }
  }
  closeGap(before.length)
  return pairs
}

function pairEqual(nodes: readonly Node[], before: readonly Node[], signatures: Signatures): Map<Node, Node> {
  const waiting = new Map<number, Node[]>()
  for (const old of before) {
    const signature = signatureOf(old, signatures)
    const queue = waiting.get(signature)
    if (queue === undefined) waiting.set(signature, [old])
    else queue.push(old)
  }
  for (const queue of waiting.values()) queue.reverse()
  const partners = new Map<Node, Node>()
  for (const node of nodes) {
    const partner = waiting.get(signatureOf(node, signatures))?.pop()
    if (partner !== undefined) partners.set(node, partner)
  }
  return partners
}

const widest = 64
const alike = 0.3

function pairGap(nodes: readonly Node[], before: readonly Node[]): Pair[] {
  if (nodes.length === 0 || before.length === 0) return []
  if (nodes.length > widest || before.length > widest) return pairInOrder(nodes, before)
  const words = new Map([...nodes, ...before].map((node) => [node, wordsOf(node)]))
  const kinds = countKinds(nodes)
  const oldKinds = countKinds(before)
  const scored: { pair: Pair; score: number; apart: number }[] = []
  nodes.forEach((node, index) => {
    before.forEach((old, oldIndex) => {
      const kind = kindOf(node)
      if (kind !== kindOf(old)) return
      const score = likeness(words.get(node) ?? noWords, words.get(old) ?? noWords)
      const alone = kinds.get(kind) === 1 && oldKinds.get(kind) === 1
      if (score >= alike || alone) scored.push({ pair: [node, old], score, apart: Math.abs(index - oldIndex) })
    })
  })
  scored.sort((a, b) => b.score - a.score || a.apart - b.apart)
  const used = new Set<Node>()
  const pairs: Pair[] = []
  for (const { pair } of scored) {
    if (used.has(pair[0]) || used.has(pair[1])) continue
    used.add(pair[0]).add(pair[1])
    pairs.push(pair)
  }
  return pairs
}

/** For gaps too wide to compare every two nodes: the same type in the same place. */
function pairInOrder(nodes: readonly Node[], before: readonly Node[]): Pair[] {
  const pairs: Pair[] = []
  nodes.forEach((node, index) => {
    const old = before[index]
    if (old !== undefined && kindOf(node) === kindOf(old)) pairs.push([node, old])
  })
  return pairs
}

function countKinds(nodes: readonly Node[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const node of nodes) counts.set(kindOf(node), (counts.get(kindOf(node)) ?? 0) + 1)
  return counts
}

/** Headings of any level and lists of any kind are one kind: changing the level does not make a new node. */
function kindOf(node: Node): string {
  if (node.object === 'text') return 'text'
  return node.object + node.type.replace(/^(heading|list)-(?!item).*/, '$1')
}

const noWords: ReadonlySet<string> = new Set()

function wordsOf(node: Node): ReadonlySet<string> {
  const words = textOf(node)
    .slice(0, 4000)
    .match(/[\p{L}\p{N}]+/gu)
  return words === null ? noWords : new Set(words)
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 && b.size === 0) return 1
  let common = 0
  for (const word of a) if (b.has(word)) common += 1
  return (2 * common) / (a.size + b.size)
}
