/**
 * Three-way merge of one document.
 *
 * `base` is what both sides started from. Blocks are matched by key, and where keys do not help by likeness; blocks
 * both sides changed are merged word by word, field by field, cell by cell. A block that one side split or joined is
 * split or joined for all three first (see cuts/align.ts).
 *
 * Promises:
 * 1. A side that equals `base` contributes nothing; merging a document with itself changes nothing.
 * 2. Nothing is dropped in silence: what both sides changed differently, and an edit that meets a deletion, stays in
 *    the document as a conflict (see conflicts.ts).
 * 3. Two insertions at one place are both kept, ours first; the same insertion is kept once. A block that both sides
 *    moved stands where ours has it. In all else the sides may be exchanged.
 * 4. Time is bounded: when a document is too much changed to align, more of it conflicts.
 */

import { same } from '../diff/equal.ts'
import { assignKeys } from '../document/tree/keys.ts'
import type { AnyBlock, Block, JSONDocument, Node } from '../document/tree/nodes.ts'
import { childrenOf, mapChildren } from '../document/tree/walk.ts'
import { alignVersions } from './alignment.ts'
import { mergeList } from './blocks.ts'
import { conflictsIn, type DocumentConflict } from './conflicts.ts'
import { alignCuts } from './cuts/align.ts'
import { chooseFields, type Three } from './three-way.ts'

export interface MergedDocument {
  document: JSONDocument
  conflicts: DocumentConflict[]
}

export function mergeDocuments({ base, ours, theirs }: Three<JSONDocument>): MergedDocument {
  const document = mergedOf({ base, ours, theirs })
  return { document, conflicts: conflictsIn(document) }
}

function mergedOf({ base, ours, theirs }: Three<JSONDocument>): JSONDocument {
  if (same(ours, theirs) || same(theirs, base)) return ours
  if (same(ours, base)) return theirs
  const cut = alignCuts({ base, ours, theirs })
  const lists = { base: cut.base.nodes, ours: cut.ours.nodes, theirs: cut.theirs.nodes }
  const { nodes } = mergeList(lists, { alignment: alignVersions(cut), holdsMarkers: true })
  const data = chooseFields({ base: base.data, ours: ours.data, theirs: theirs.data }, 'ours')
  const document: JSONDocument = { ...ours, nodes: nodes.filter(isTopLevel) }
  Object.assign(document, { data: data.value })
  return hasDoubleKeys(document) ? assignKeys(unshared(document)) : document
}

/** The merge of lists of top-level blocks holds nothing else; this is where the types learn of it. */
function isTopLevel(_: AnyBlock): _ is Block {
  return true
}

/** Two versions of a block share what is the same in both; keys are given to objects, so each gets its own. */
function unshared<Of extends JSONDocument | Node>(node: Of): Of {
  return mapChildren(node, unshared)
}

function hasDoubleKeys(document: JSONDocument): boolean {
  const seen = new Set<string>()
  const visit = (node: Node | JSONDocument): boolean =>
    childrenOf(node).some((child) => {
      if (child.object === 'text') return false
      if (child.key !== undefined && seen.has(child.key)) return true
      if (child.key !== undefined) seen.add(child.key)
      return visit(child)
    })
  return visit(document)
}
