/**
 * Keys that last: a comment hangs on a node's key, and a block merge pairs nodes by it, so a key must survive the
 * way through Markdown, which has no place for keys.
 *
 * 1. A node that has a key keeps it, unless a node before it in the document has the same.
 * 2. Given the previous version, a node that is equal to one of its siblings then, or most like the one in its
 *    place, takes that one's key.
 * 3. Any other key is made from the node's content and, where that clashes, a number. Nothing is random: the same
 *    arguments give the same keys.
 */

import { eightDigits } from './hash.ts'
import type { JSONDocument, Node } from './nodes.ts'
import { pairSiblings } from './pair.ts'
import { type Signatures, signatureOf } from './signature.ts'
import { adoptTableIds } from './table/adopt-table-ids.ts'
import { childrenOf, mapChildren } from './walk.ts'

export function assignKeys(document: JSONDocument, previous?: JSONDocument): JSONDocument {
  // Names within tables are the only ones to adopt, and looking for them costs as much as all the rest.
  const isAdopting = previous !== undefined && hasTable(document) && hasTable(previous)
  const adopted = isAdopting ? adoptIds(document, previous, new Map()) : document
  const keying: Keying = {
    taken: new Set(),
    own: new Map(),
    inherited: new Map(),
    signatures: new Map(),
    counts: new Map(),
  }
  claimOwn(adopted, keying)
  if (previous !== undefined) inherit(adopted, previous, keying)
  return mapChildren(adopted, (node) => withKey(node, keying))
}

type Keying = {
  taken: Set<string>
  own: Map<Node, string>
  inherited: Map<Node, string>
  signatures: Signatures
  /** How often a key was made from this content, so that equal nodes do not count from one again. */
  counts: Map<string, number>
}

/** Texts carry no keys of their own: nothing refers to one. */
const isKeyed = (node: Node): boolean => node.object !== 'text'

function claimOwn(node: Node | JSONDocument, keying: Keying): void {
  for (const child of childrenOf(node)) {
    if (isKeyed(child) && child.key !== undefined && !keying.taken.has(child.key)) {
      keying.taken.add(child.key)
      keying.own.set(child, child.key)
    }
    claimOwn(child, keying)
  }
}

function inherit(node: Node | JSONDocument, before: Node | JSONDocument, keying: Keying): void {
  const pairs = pairSiblings(childrenOf(node), childrenOf(before), keying.signatures)
  for (const [child, old] of pairs) {
    if (isKeyed(child) && old.key !== undefined && !keying.own.has(child) && !keying.taken.has(old.key)) {
      keying.taken.add(old.key)
      keying.inherited.set(child, old.key)
    }
    inherit(child, old, keying)
  }
}

function withKey(node: Node, keying: Keying): Node {
  if (!isKeyed(node)) return node
  const key = keying.own.get(node) ?? keying.inherited.get(node) ?? freshKey(node, keying)
  return Object.assign(
    mapChildren(node, (child) => withKey(child, keying)),
    { key },
  )
}

function freshKey(node: Node, keying: Keying): string {
  const base = eightDigits(signatureOf(node, keying.signatures))
  let count = keying.counts.get(base) ?? 1
  let key = count === 1 ? base : `${base}-${count}`
  while (keying.taken.has(key)) {
    count += 1
    key = `${base}-${count}`
  }
  keying.counts.set(base, count + 1)
  keying.taken.add(key)
  return key
}

const hasTable = (node: Node | JSONDocument): boolean =>
  ('type' in node && node.type === 'table') || childrenOf(node).some(hasTable)

/** Rows and columns of a table are named by place when they come from Markdown; here they get their old names. */
function adoptIds<Of extends Node | JSONDocument>(node: Of, before: Node | JSONDocument, signatures: Signatures): Of {
  const children = childrenOf(node)
  if (children.length === 0) return node
  const pairs = new Map(pairSiblings(children, childrenOf(before), signatures))
  return mapChildren(node, (child) => {
    const old = pairs.get(child)
    if (old === undefined) return child
    if (child.object === 'block' && old.object === 'block' && child.type === 'table' && old.type === 'table')
      return adoptTableIds(child, old)
    return adoptIds(child, old, signatures)
  })
}
