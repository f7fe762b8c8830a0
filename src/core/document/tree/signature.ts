/** What a node says, as a hash: equal nodes are found by it whatever their keys. */
import { hashText } from './hash.ts'
import type { JSONDocument, Node } from './nodes.ts'
import { childrenOf } from './walk.ts'

export type Signatures = Map<Node | JSONDocument, string>

/** A hash of what a node says, without its keys; the same for equal nodes wherever they stand. */
export function signatureOf(node: Node | JSONDocument, signatures: Signatures): string {
  const known = signatures.get(node)
  if (known !== undefined) return known
  const inner = childrenOf(node).map((child) => signatureOf(child, signatures))
  const self =
    node.object === 'text'
      ? JSON.stringify(node.leaves)
      : node.object === 'fragment'
        ? node.type
        : JSON.stringify(node.data)
  const type = 'type' in node ? node.type : node.object
  const made = hashText(`${type} ${self} ${inner.join(' ')}`)
  signatures.set(node, made)
  return made
}
