/**
 * A document as the editor holds it. The original of every node is remembered (`originals.ts`), so that what nobody touches
 * comes back as the very same object: opening and saving a page changes nothing.
 */
import type { Node as EditorNode, Mark } from 'prosemirror-model'
import { assignKeys } from '../../../core/document/tree/keys.ts'
import { makeDocument } from '../../../core/document/tree/make.ts'
import type { Block, InlineContent, JSONDocument, Leaf, Node } from '../../../core/document/tree/nodes.ts'
import { normalise } from '../../../core/document/tree/normalise.ts'
import { blockRows, inlineRows } from '../../../core/document/tree/schema.ts'
import { markName, nodeName } from './names.ts'
import { remember } from './originals.ts'
import { schema } from './schema.ts'
import { tableRows } from './table-rows.ts'

export function fromDocument(document: Pick<JSONDocument, 'nodes'>): EditorNode {
  const blocks = document.nodes.map(fromBlock)
  return make('doc', {}, blocks.length === 0 ? [make('paragraph', {}, [])] : blocks)
}

/** The block; in its normal form when it does not fit as it is; as it is, closed, when that does not fit either. */
export function fromBlock(block: Block): EditorNode {
  return remember(checked(() => blockNode(block)) ?? checked(() => normalNode(block)) ?? verbatim(block), block)
}

function checked(build: () => EditorNode | undefined): EditorNode | undefined {
  try {
    const node = build()
    node?.check()
    return node
  } catch (problem) {
    // The library names what does not fit by exceptions of this kind.
    if (problem instanceof RangeError || problem instanceof DoesNotFit) return undefined
    throw problem
  }
}

class DoesNotFit extends Error {}

function normalNode(block: Block): EditorNode | undefined {
  const before = makeDocument([block])
  const [normal] = assignKeys(normalise(before), before).nodes
  return normal === undefined ? undefined : blockNode(normal)
}

const verbatim = (node: Node): EditorNode => make('verbatim', { key: node.key ?? null, json: node }, [])

function blockNode(block: Node): EditorNode {
  if (block.object !== 'block' || !Object.hasOwn(blockRows, block.type)) throw new DoesNotFit()
  const attrs = { key: block.key ?? null, data: block.data }
  if (block.type === 'table') {
    const { records: _, ...data } = block.data
    return remember(make('table', { key: attrs.key, data }, tableRows(block, blockNode)), block)
  }
  return remember(make(nodeName(block.type), attrs, contentOf(block)), block)
}

function contentOf(block: Exclude<Node, { object: 'text' }>): EditorNode[] {
  if ('fragments' in block && block.object === 'block') return block.fragments.map(fragmentNode)
  if (!('nodes' in block)) return []
  const nodes: readonly Node[] = block.nodes
  return nodes.flatMap((node) => (node.object === 'block' ? [blockNode(node)] : isWords(node) ? inlineNodes(node) : []))
}

function fragmentNode(fragment: Extract<Node, { object: 'fragment' }>): EditorNode {
  const attrs = { key: fragment.key ?? null, name: fragment.fragment }
  if (fragment.type !== 'expandable-title') return make(nodeName(fragment.type), attrs, contentOf(fragment))
  const [line, ...more] = fragment.nodes
  if (line?.type !== 'paragraph' || more.length > 0) throw new DoesNotFit()
  return make('expandable_title', { ...attrs, paragraph: { key: line.key ?? null, data: line.data } }, contentOf(line))
}

const isWords = (node: Node): node is InlineContent => node.object === 'text' || node.object === 'inline'

function inlineNodes(node: InlineContent, around: readonly Mark[] = []): EditorNode[] {
  if (node.object === 'text') return node.leaves.flatMap((leaf) => leafNode(leaf, around))
  const key = node.key ?? null
  if (node.type !== 'link' && node.type !== 'annotation') {
    if (!Object.hasOwn(inlineRows, node.type)) return [make('verbatim_inline', { key, json: node }, [])]
    return [make(nodeName(node.type), { key, data: node.data }, [], around)]
  }
  const attrs = node.type === 'link' ? { key, data: node.data } : { key, data: node.data, fragments: node.fragments }
  const mark = markType(node.type).create(attrs)
  const words = node.nodes.flatMap((child) => inlineNodes(child, [mark]))
  // Without words there is nothing to carry a mark.
  return words.length === 0 ? [make('verbatim_inline', { key, json: node }, [])] : words
}

function leafNode(leaf: Leaf, around: readonly Mark[]): EditorNode[] {
  if (leaf.text === '') return []
  let marks: readonly Mark[] = around
  for (const mark of leaf.marks)
    marks = markType(markName(mark.type))
      .create(mark.type === 'color' ? { data: mark.data } : null)
      .addToSet(marks)
  return [schema.text(leaf.text, marks)]
}

function make(name: string, attrs: Record<string, unknown>, content: EditorNode[], marks: readonly Mark[] = []) {
  const type = schema.nodes[name]
  if (type === undefined) throw new DoesNotFit()
  return type.create(attrs, content, marks)
}

function markType(name: string) {
  const type = schema.marks[name]
  if (type === undefined) throw new DoesNotFit()
  return type
}
