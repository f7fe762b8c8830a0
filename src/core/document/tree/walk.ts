/**
 * Going through a tree: every node once, in reading order, with the path that names it.
 */
import type { AnyBlock, Block, Fragment, JSONDocument, Node } from './nodes.ts'

/** Calls `visit` for every node below `root`, parents before their children. */
export function walk(root: JSONDocument | Node, visit: (node: Node) => void): void {
  const { nodes, fragments }: Parent = root
  if (nodes) walkAll(nodes, visit)
  if (fragments) walkAll(fragments, visit)
}

function walkAll(nodes: readonly Node[], visit: (node: Node) => void): void {
  for (const node of nodes) {
    visit(node)
    // Most nodes are texts, below which there is nothing.
    if (node.object !== 'text') walk(node, visit)
  }
}

interface Parent {
  object: string
  nodes?: readonly Node[]
  fragments?: readonly Node[]
}

/** The child nodes and then the fragments of a node; a text has none. */
export function childrenOf(node: JSONDocument | Node): readonly Node[] {
  const { nodes, fragments }: Parent = node
  if (!fragments) return nodes ?? none
  return nodes ? [...nodes, ...fragments] : fragments
}

const none: readonly Node[] = []

/**
 * A copy of the node with every child replaced by what `change` makes of it, one level deep. `change` must answer
 * with a node of the same place: a list item for a list item. That is why the types here are the caller's burden.
 */
export function mapChildren<Of extends JSONDocument | Node>(node: Of, change: (child: Node) => Node): Of {
  if (node.object === 'text') return node
  const copy = { ...node }
  if ('nodes' in copy) Object.assign(copy, { nodes: copy.nodes.map(change) })
  if ('fragments' in copy) Object.assign(copy, { fragments: copy.fragments.map(change) })
  return copy
}

export function isBlock(node: Node | JSONDocument): node is AnyBlock {
  return node.object === 'block'
}

/** The nodes of a node's fragment of this type, or none. */
export function fragmentNodes(node: { fragments: readonly Fragment<string, unknown>[] }, type: string): Block[] {
  const found = node.fragments.find((fragment) => fragment.type === type)
  return found === undefined ? [] : found.nodes.filter((child): child is Block => isNode(child) && isBlock(child))
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'object' in value
}
