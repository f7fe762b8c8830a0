/** A document as the difference from another: top-level blocks put, taken away and ordered by their keys. */
import { assignKeys } from './keys.ts'
import type { Block, JSONDocument } from './nodes.ts'

export interface BlockChanges {
  /** New or changed blocks; one without a key is new. */
  put: readonly Block[]
  gone?: readonly string[] | undefined
  /** The keys of all blocks in their order. Without it blocks stay where they are, and new ones come last. */
  order?: readonly string[] | undefined
}

export type Patched = { ok: true; document: JSONDocument } | { ok: false; field: string; message: string }

export function patchDocument(base: JSONDocument, { put, gone = [], order }: BlockChanges): Patched {
  const removed = new Set(gone)
  const blocks = new Map<string, Block>()
  const unnamed: Block[] = []
  for (const block of base.nodes) if (block.key !== undefined && !removed.has(block.key)) blocks.set(block.key, block)
  for (const [index, block] of put.entries()) {
    if (block.key === undefined) unnamed.push(block)
    else if (removed.has(block.key)) return refusal(`put.${index}.key`, 'is among those that are `gone`')
    else blocks.set(block.key, block)
  }
  if (order === undefined) return done(base, [...blocks.values(), ...unnamed])
  if (unnamed.length > 0) return refusal('put', 'needs a key for every block where an `order` is given')
  const nodes: Block[] = []
  for (const [index, key] of order.entries()) {
    const block = blocks.get(key)
    if (block === undefined) return refusal(`order.${index}`, `names no block, or one for the second time: ${key}`)
    blocks.delete(key)
    nodes.push(block)
  }
  const [left] = blocks.keys()
  return left === undefined ? done(base, nodes) : refusal('order', `leaves out the block ${left}`)
}

const done = (base: JSONDocument, nodes: Block[]): Patched => ({ ok: true, document: assignKeys({ ...base, nodes }) })

const refusal = (field: string, message: string): Patched => ({ ok: false, field, message })
