/** What the editor holds as a document. Nodes that were made before are the same objects, so only what changed costs anything. */
import type { Node as EditorNode, Mark } from 'prosemirror-model'
import { charactersOf } from '../../../core/document/syntax/emoji.ts'
import type { AnyBlock, Block, JSONDocument, Leaf } from '../../../core/document/tree/nodes.ts'
import { schemaVersion } from '../../../core/document/tree/nodes.ts'
import { markTypes } from '../../../core/document/tree/schema.ts'
import { isFiller } from './keys.ts'
import { markName, typeName } from './names.ts'
import { originalOf, remember } from './originals.ts'
import { tableOf } from './table-rows.ts'

export function toDocument(doc: EditorNode, data: JSONDocument['data'] = { schemaVersion }): JSONDocument {
  return { object: 'document', data, nodes: toBlocks(doc) }
}

/** The top-level blocks. A page without content is shown as one empty paragraph, which is not its content. */
export function toBlocks(doc: EditorNode): Block[] {
  if (isFiller(doc)) return []
  return childBlocks(doc).filter(isTopLevel)
}

/** The children of `doc` are top-level blocks; this is where the types learn of it. */
function isTopLevel(_: AnyBlock): _ is Block {
  return true
}

function toBlock(node: EditorNode): AnyBlock {
  const known = originalOf(node)
  if (known !== undefined) return known
  const made = typed(makeBlock(node))
  remember(node, made)
  return made
}

/** An object of the rows' shape; the schema, made from the rows, vouches for it. */
const typed = (made: object): AnyBlock => Object.assign(Object.create(Object.prototype), made)

function childBlocks(parent: EditorNode): AnyBlock[] {
  const blocks: AnyBlock[] = []
  parent.forEach((child) => {
    blocks.push(toBlock(child))
  })
  return blocks
}

function makeBlock(node: EditorNode): object {
  const { key, data, json } = node.attrs
  if (node.type.name === 'verbatim') return json
  const block = { object: 'block', type: typeName(node.type.name), ...(key === null ? {} : { key }) }
  if (node.type.name === 'table') return { ...block, isVoid: true, ...tableOf(node, childBlocks) }
  if (node.type.name === 'image' || node.type.name === 'expandable') {
    const fragments: object[] = []
    node.forEach((part) => {
      fragments.push(fragmentOf(part))
    })
    return { ...block, isVoid: true, data, fragments }
  }
  if (node.isTextblock) return { ...block, isVoid: false, data, nodes: toInlines(node) }
  return node.isLeaf ? { ...block, isVoid: true, data } : { ...block, isVoid: false, data, nodes: childBlocks(node) }
}

function fragmentOf(part: EditorNode): object {
  const { key, name } = part.attrs
  const type = typeName(part.type.name)
  return {
    object: 'fragment',
    ...(key === null ? {} : { key }),
    fragment: name === '' ? type : name,
    type,
    nodes: part.type.name === 'expandable_title' ? [titleLine(part)] : childBlocks(part),
  }
}

function titleLine(title: EditorNode): object {
  const { key, data } = title.attrs.paragraph
  return {
    object: 'block',
    type: 'paragraph',
    key: key ?? `${title.attrs.key}-0`,
    isVoid: false,
    data,
    nodes: toInlines(title),
  }
}

type Words = { object: 'text'; leaves: Leaf[] } | Record<string, unknown>

/** Inline content: neighbours under one link are its words; neighbouring texts are one text. */
function toInlines(parent: EditorNode): Words[] {
  const made: Words[] = []
  let wrap: Mark | undefined
  let into = made
  parent.forEach((child) => {
    // A link without words says nothing, and a line of code cannot hold it.
    if (parent.type.name === 'code_line' && child.attrs.json?.type === 'link') return
    const around = child.marks.find(({ type }) => type.name === 'link' || type.name === 'annotation')
    const holds = around && mayHold(around, child) ? around : undefined
    if (!holds) into = made
    else if (!wrap?.eq(holds)) {
      into = []
      made.push(wrapped(holds, into))
    }
    wrap = holds
    push(into, child, holds !== undefined)
  })
  return made
}

/** Words and pictures can be a link, words can be annotated; an emoji in either is its characters. */
function mayHold(around: Mark, child: EditorNode): boolean {
  if (child.isText || child.type.name === 'emoji') return true
  return around.type.name === 'link' && child.type.name === 'inline_image'
}

function wrapped(mark: Mark, nodes: Words[]): Words {
  const { key, data, fragments } = mark.attrs
  const inline = {
    object: 'inline',
    type: mark.type.name,
    ...(key === null ? {} : { key }),
    isVoid: false,
    data,
    nodes,
  }
  return mark.type.name === 'annotation' ? { ...inline, fragments } : inline
}

function push(into: Words[], child: EditorNode, isWrapped: boolean): void {
  if (child.isText || (isWrapped && child.type.name === 'emoji')) {
    const leaf = leafOf(child)
    const before = into.at(-1)
    if (before !== undefined && isText(before)) join(before.leaves, leaf)
    else into.push({ object: 'text', leaves: [leaf] })
    return
  }
  if (child.type.name === 'verbatim_inline') into.push(child.attrs.json)
  else
    into.push({
      object: 'inline',
      type: typeName(child.type.name),
      ...(child.attrs.key === null ? {} : { key: child.attrs.key }),
      isVoid: true,
      data: child.attrs.data,
    })
}

const isText = (words: Words): words is { object: 'text'; leaves: Leaf[] } => words.object === 'text'

function join(leaves: Leaf[], leaf: Leaf): void {
  const before = leaves.at(-1)
  if (before !== undefined && JSON.stringify(before.marks) === JSON.stringify(leaf.marks)) before.text += leaf.text
  else leaves.push(leaf)
}

function leafOf(child: EditorNode): Leaf {
  const marks = markTypes.flatMap((type) => {
    const found = child.marks.find((mark) => mark.type.name === markName(type))
    if (found === undefined) return []
    return [
      type === 'color' ? { object: 'mark' as const, type, data: found.attrs.data } : { object: 'mark' as const, type },
    ]
  })
  return { object: 'leaf', text: child.isText ? (child.text ?? '') : charactersOf(child.attrs.data.code), marks }
}
