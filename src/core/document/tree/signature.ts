/** What a node says, as a hash: equal nodes are found by it whatever their keys. */
import { Hash } from './hash.ts'
import type { JSONDocument, Leaf, Node } from './nodes.ts'
import { childrenOf } from './walk.ts'

export type Signatures = Map<Node | JSONDocument, number>

/** A hash of what a node says, without its keys; the same for equal nodes wherever they stand. */
export function signatureOf(node: Node | JSONDocument, signatures: Signatures): number {
  const known = signatures.get(node)
  if (known !== undefined) return known
  const hash = new Hash().add('type' in node ? node.type : node.object).end()
  if (node.object === 'text') addLeaves(hash, node.leaves)
  else if (node.object !== 'fragment') addData(hash, node.data)
  for (const child of childrenOf(node)) hash.end().addDigest(signatureOf(child, signatures))
  const made = hash.digest()
  signatures.set(node, made)
  return made
}

function addLeaves(hash: Hash, leaves: readonly Leaf[]): void {
  for (const { text, marks } of leaves) {
    hash.add(text).end()
    if (marks.length > 0) hash.add(JSON.stringify(marks))
    hash.end()
  }
}

/** Most data has no fields. */
function addData(hash: Hash, data: object): void {
  for (const _ in data) {
    const text = JSON.stringify(data)
    if (text !== '{}') hash.add(text)
    return
  }
}
