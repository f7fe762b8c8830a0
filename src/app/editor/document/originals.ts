/** Which stored block an editor's node was made from, or was last made into. Both are never changed, so this stays true. */
import type { Node as EditorNode } from 'prosemirror-model'
import type { AnyBlock } from '../../../core/document/tree/nodes.ts'

const originals = new WeakMap<EditorNode, AnyBlock>()

export function remember(node: EditorNode, block: AnyBlock): EditorNode {
  originals.set(node, block)
  return node
}

export const originalOf = (node: EditorNode): AnyBlock | undefined => originals.get(node)
