/**
 * Conflicts, as they stand in a document: both versions of a block one after the other, each with
 * `data.conflict: { id, side }`. Blocks with the same id are versions of one block; a side without a block has
 * deleted it.
 *
 * The mark is a field of the block and no block around it, so that every place of the tree can hold one, and
 * it is resolved by ordinary edits: take the mark off the version to keep, delete the other.
 *
 * 1. Marks stand on blocks that print one by one: never on a code line, an image, or inside a table cell, a title or
 *    a caption. A conflict there marks the nearest block around it.
 * 2. A marked block holds no other marks: its inside is decided as the mark says.
 */

import { walkBlocks } from '../diff/parts.ts'
import { type ConflictMarker, markerOf, type Side, withoutMarker } from '../document/tree/conflict-marker.ts'
import { eightDigits, hashText } from '../document/tree/hash.ts'
import type { AnyBlock, JSONDocument } from '../document/tree/nodes.ts'
import { type Signatures, signatureOf } from '../document/tree/signature.ts'
import { isBlock, mapChildren } from '../document/tree/walk.ts'

export type { Side }

export interface DocumentConflict {
  id: string
  /** Both sides changed it, or one changed what the other deleted. */
  kind: 'edit' | 'delete'
  ours: AnyBlock[]
  theirs: AnyBlock[]
}

export const conflictOf = (block: AnyBlock): ConflictMarker | undefined => markerOf(block.data)

/** The id of a conflict over a block: its key where that can stand in a mark, so that both versions lead back to it. */
export function conflictId(block: AnyBlock, { index, signatures }: { index: number; signatures: Signatures }): string {
  const { key } = block
  if (key === undefined) return `${made}${eightDigits(signatureOf(block, signatures))}.${index}`
  return /^[\w.-]{1,100}$/.test(key) && !key.startsWith(made) ? key : `${made}${hashText(key)}`
}

const made = 'conflict.'

/** Every conflict of a document, in reading order. */
export function conflictsIn(document: JSONDocument): DocumentConflict[] {
  const found = new Map<string, DocumentConflict>()
  walkBlocks(document, (block) => {
    const marker = conflictOf(block)
    if (marker === undefined) return
    const conflict = found.get(marker.id) ?? { id: marker.id, kind: 'delete', ours: [], theirs: [] }
    conflict[marker.side].push(block)
    if (conflict.ours.length > 0 && conflict.theirs.length > 0) conflict.kind = 'edit'
    found.set(marker.id, conflict)
  })
  return [...found.values()]
}

export function hasConflicts(document: JSONDocument): boolean {
  return conflictsIn(document).length > 0
}

/** The document as one side has it: its versions without their marks, the other side's left out. */
export function withoutConflicts(document: JSONDocument, side: Side = 'ours'): JSONDocument {
  return resolved(document, () => side)
}

/** The document with one conflict decided and the others as they are; `both` keeps both versions, one after the other. */
export function resolveConflict(document: JSONDocument, id: string, side: Side | 'both'): JSONDocument {
  return resolved(document, (found) => (found === id ? side : undefined))
}

function resolved(document: JSONDocument, sideOf: (id: string) => Side | 'both' | undefined): JSONDocument {
  const strip = <Of extends JSONDocument | AnyBlock>(node: Of): Of => {
    const copy = { ...node }
    const keep = (child: { object: string }): boolean => {
      if (!isAnyBlock(child)) return true
      const marker = conflictOf(child)
      const side = marker === undefined ? undefined : sideOf(marker.id)
      return side === undefined || side === 'both' || side === marker?.side
    }
    if ('nodes' in copy) Object.assign(copy, { nodes: copy.nodes.filter(keep) })
    if ('fragments' in copy)
      Object.assign(copy, { fragments: copy.fragments.map((part) => ({ ...part, nodes: part.nodes.filter(keep) })) })
    return mapChildren(copy, (child) => {
      if (child.object === 'fragment') return mapChildren(child, (inner) => (isBlock(inner) ? strip(inner) : inner))
      if (!isBlock(child)) return child
      const marker = conflictOf(child)
      const side = marker === undefined ? undefined : sideOf(marker.id)
      if (marker === undefined || side === undefined) return strip(child)
      // Of two versions that both stay, ours goes on as the block that it was.
      return strip(side === 'both' && marker.side === 'theirs' ? withoutMarker(child) : unmarked(child, marker))
    })
  }
  return conflictsIn(document).length === 0 ? document : strip(document)
}

/** A version that was kept takes the block's own key again: comments and later merges know it by that. */
function unmarked<Of extends AnyBlock>(block: Of, { id }: ConflictMarker): Of {
  const copy = withoutMarker(block)
  return id.startsWith(made) ? copy : Object.assign(copy, { key: id })
}

function isAnyBlock(node: { object: string }): node is AnyBlock {
  return node.object === 'block'
}
