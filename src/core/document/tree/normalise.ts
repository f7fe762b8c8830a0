/**
 * The one form of a tree among those that say the same. Reading Markdown always answers with this form, and printing
 * begins with it, so a tree that goes through Markdown comes back as `normalise` of itself.
 *
 * What it changes, and nothing else:
 * 1. Inline content: adjacent texts and adjacent leaves of equal marks are one; empty leaves are gone; marks are
 *    listed once, in the order of the schema.
 * 2. A character that is an emoji, in text without marks that stands directly in a block, is an `emoji` inline.
 * 3. A container of blocks that holds none holds one empty paragraph; an empty list, set of tabs, set of images and
 *    the like is gone; a caption without content is gone.
 * 4. Code lines carry no marks and no line breaks; a code block has at least one line.
 * 5. Fields that say what is so without them are gone: flags that are false, empty optional strings, `start: 1`,
 *    `checked` outside a task list.
 * 6. References that spell a target of another kind are of that kind (`refs.ts`).
 * 7. Columns and rows of tables are named by place, and every text cell has its fragment.
 * 8. Keys are gone, since Markdown has no place for them.
 */

import { inlineText } from '../text/to-text.ts'
import { addMarker, markerOf, withMarker } from './conflict-marker.ts'
import { code, codeLine, fragment, listItem, paragraph, parentBlock, text } from './make.ts'
import type {
  AnyBlock,
  Block,
  Code,
  CodeLine,
  Expandable,
  ExpandableFragment,
  Image,
  JSONDocument,
  List,
  ListItem,
  Node,
} from './nodes.ts'
import { canonicalRef, slimData } from './normalise-data.ts'
import { normaliseInlines, plainTexts } from './normalise-inline.ts'
import { normaliseTable } from './normalise-table.ts'
import { withRefs } from './refs.ts'
import { blockRows, topLevels } from './schema.ts'
import { fragmentNodes } from './walk.ts'

export function normalise(document: JSONDocument): JSONDocument {
  return { ...document, nodes: normaliseBlocks(document.nodes) }
}

/** The blocks in their one form; the very same where they are in it already, so that nothing is copied for nothing. */
export function normaliseBlocks(nodes: readonly Block[]): Block[] {
  const blocks: Block[] = []
  for (const node of nodes) {
    const normal = normaliseBlock(node)
    if (normal !== undefined && isBlockTopLevel(normal)) blocks.push(normal)
  }
  return blocks
}

const isTopLevel: ReadonlySet<string> = new Set(topLevels)

export function isBlockTopLevel(node: Node): node is Block {
  return node.object === 'block' && isTopLevel.has(node.type)
}

/** Blocks of a container, which is never empty. */
export function filled(nodes: readonly Block[]): Block[] {
  const blocks = normaliseBlocks(nodes)
  return blocks.length > 0 ? blocks : [paragraph()]
}

/** The block that stands for this one: none for an empty list. A marker stays on it. */
function normaliseBlock(block: Node): Node | undefined {
  const normal = normaliseUnmarked(block)
  const marker = block.object === 'block' ? markerOf(block.data) : undefined
  return marker === undefined || normal === undefined ? normal : addMarker([normal], marker)[0]
}

function normaliseUnmarked(block: Node): Node | undefined {
  const node = withRefs(block, canonicalRef)
  if (node.object !== 'block') return undefined
  const row = blockRows[node.type]
  const data = slimData(node.data, row)
  switch (node.type) {
    case 'paragraph':
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return put(node, { data, nodes: normaliseInlines(node.nodes) })
    case 'code':
      return put(node, { data, nodes: codeLines(node.nodes) })
    case 'prompt':
      return put(node, { data, nodes: promptCode(node.nodes) })
    case 'list-tasks':
    case 'list-unordered':
    case 'list-ordered':
      return normaliseList(node)
    case 'table':
      return normaliseTable(node)
    case 'image':
      return put(node, { data, fragments: captions(node) })
    case 'expandable':
      return put(node, { data, fragments: expandableParts(node) })
    default:
      break
  }
  if (!('nodes' in node)) return put(node, { data })
  if (row.flow === true) return put(node, { data, nodes: filled(node.nodes.filter(isBlockTopLevel)) })
  const nodes: Node[] = []
  for (const child of node.nodes) {
    const normal = normaliseBlock(child)
    if (normal !== undefined) nodes.push(normal)
  }
  return nodes.length === 0 ? undefined : put(node, { data, nodes })
}

/** The same node without its key and with these fields; that they fit the node is the caller's word. */
function put(node: AnyBlock, fields: { data: object; nodes?: object; fragments?: object }): Node {
  // The API answers headings with their ids, which are not stored.
  const hasMeta = 'meta' in node && node.meta !== undefined
  const isSame =
    node.key === undefined &&
    !hasMeta &&
    node.data === fields.data &&
    (fields.nodes === undefined || ('nodes' in node && node.nodes === fields.nodes)) &&
    fields.fragments === undefined
  if (isSame) return node
  const { key, ...keyless } = node
  if (!('meta' in keyless)) return Object.assign(keyless, fields)
  const { meta, ...rest } = keyless
  return Object.assign(rest, fields)
}

function listData(data: { start?: number }): { start?: number } {
  const { start } = data
  if (start === undefined || start === 1 || !Number.isInteger(start) || start < 0 || start > 999_999_999) return {}
  return { start }
}

function normaliseList(list: List): Node | undefined {
  if (list.nodes.length === 0) return undefined
  const nodes = list.nodes.map((item): ListItem => {
    const data = list.type === 'list-tasks' ? { checked: item.data.checked === true } : {}
    const marker = markerOf(item.data)
    const normal = listItem(filled(item.nodes), data)
    return marker === undefined ? normal : withMarker(normal, marker)
  })
  return put(list, { data: list.type === 'list-ordered' ? listData(list.data) : {}, nodes })
}

function codeLines(lines: readonly CodeLine[]): CodeLine[] {
  const made: CodeLine[] = []
  for (const line of lines) {
    if (isPlainLine(line)) {
      made.push(line)
      continue
    }
    const { highlighted, change } = line.data
    const data: CodeLine['data'] = {
      ...(highlighted === true ? { highlighted } : {}),
      ...(change === undefined ? {} : { change }),
    }
    for (const nodes of splitLine(plainTexts(line.nodes))) made.push(codeLine(nodes, data))
  }
  return made.length === 0 ? [codeLine('')] : made
}

/** A line as reading makes them: nothing, or one text without marks. */
function isPlainLine({ key, data, nodes }: CodeLine): boolean {
  if (key !== undefined || Object.keys(data).length > 0) return false
  const [only] = nodes
  if (only === undefined) return true
  if (nodes.length > 1 || only.object !== 'text' || only.key !== undefined || only.leaves.length !== 1) return false
  const [part] = only.leaves
  return part !== undefined && part.marks.length === 0 && part.text !== '' && !part.text.includes('\n')
}

/** A line break in a code line makes two lines of it. */
function splitLine(nodes: CodeLine['nodes']): CodeLine['nodes'][] {
  const lines: CodeLine['nodes'][] = [[]]
  for (const node of nodes) {
    const parts = node.object === 'text' ? inlineText([node]).split('\n') : [undefined]
    parts.forEach((part, index) => {
      if (index > 0) lines.push([])
      if (part === undefined) lines.at(-1)?.push(node)
      else if (part !== '') lines.at(-1)?.push(text(part))
    })
  }
  return lines
}

/** The code of a prompt is its words alone: how it is shown is the prompt's affair. */
function promptCode(nodes: readonly Code[]): Code[] {
  const [first] = nodes
  if (first === undefined) return [code('')]
  const { syntax } = first.data
  return [parentBlock('code', syntax === undefined || syntax === '' ? {} : { syntax }, codeLines(first.nodes))]
}

function captions(node: Image): Image['fragments'] {
  const lines = node.fragments.flatMap((part) => part.nodes).map((line) => normaliseInlines(line.nodes))
  const filled = lines.filter((line) => line.length > 0)
  return filled.length === 0
    ? []
    : [
        fragment(
          'caption',
          filled.map((line) => paragraph(line)),
        ),
      ]
}

function expandableParts(node: Expandable): ExpandableFragment[] {
  const title = fragmentNodes(node, 'expandable-title').flatMap((line) => (line.type === 'paragraph' ? line.nodes : []))
  const body = filled(fragmentNodes(node, 'expandable-body'))
  return [fragment('expandable-title', [paragraph(normaliseInlines(title))]), fragment('expandable-body', body)]
}
