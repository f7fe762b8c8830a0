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
import { marked, markOf } from './conflict-mark.ts'
import { code, codeLine, fragment, listItem, paragraph, parentBlock, text } from './make.ts'
import type {
  Block,
  Code,
  CodeLine,
  ContentRef,
  Expandable,
  ExpandableFragment,
  Image,
  JSONDocument,
  List,
  Node,
} from './nodes.ts'
import { normaliseInlines, plainTexts } from './normalise-inline.ts'
import { normaliseTable } from './normalise-table.ts'
import { parseRef, printRef, withRefs } from './refs.ts'
import { blockRows, type Row, topLevels } from './schema.ts'
import { inlineText } from './to-text.ts'
import { fragmentNodes } from './walk.ts'

export function normalise(document: JSONDocument): JSONDocument {
  return { ...document, nodes: normaliseBlocks(document.nodes) }
}

export function normaliseBlocks(nodes: readonly Block[]): Block[] {
  return nodes.flatMap((node) => normaliseBlock(node)).filter(isBlockTopLevel)
}

export function isBlockTopLevel(node: Node): node is Block {
  return node.object === 'block' && topLevels.includes(node.type)
}

/** Blocks of a container, which is never empty. */
export function filled(nodes: readonly Block[]): Block[] {
  const blocks = normaliseBlocks(nodes)
  return blocks.length > 0 ? blocks : [paragraph()]
}

/** The blocks that stand for this one: none for an empty list, otherwise one. A mark stays on it. */
function normaliseBlock(block: Node): Node[] {
  return marked(normaliseUnmarked(block), block.object === 'block' ? markOf(block.data) : undefined)
}

function normaliseUnmarked(block: Node): Node[] {
  const node = withRefs(block, canonicalRef)
  if (node.object !== 'block') return []
  const row = blockRows[node.type]
  const slim = put(node, { data: slimData(node.data, row) })
  Reflect.deleteProperty(slim, 'key')
  switch (node.type) {
    case 'paragraph':
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return [put(slim, { nodes: normaliseInlines(node.nodes) })]
    case 'code':
      return [put(slim, { nodes: codeLines(node.nodes) })]
    case 'prompt':
      return [put(slim, { nodes: promptCode(node.nodes) })]
    case 'list-tasks':
    case 'list-unordered':
    case 'list-ordered':
      return normaliseList(node, slim)
    case 'table':
      return normaliseTable(node)
    case 'image':
      return [put(slim, { fragments: captions(node) })]
    case 'expandable':
      return [put(slim, { fragments: expandableParts(node) })]
    default:
      break
  }
  if (!('nodes' in node)) return [slim]
  if (row.flow === true) return [put(slim, { nodes: filled(node.nodes.filter(isBlockTopLevel)) })]
  const nodes = node.nodes.flatMap((child: Node) => normaliseBlock(child))
  return nodes.length === 0 ? [] : [put(slim, { nodes })]
}

export const canonicalRef = (ref: ContentRef): ContentRef => parseRef(printRef(ref))

/** The same node with other fields; that they fit the node is the caller's word. */
function put<Of extends object>(node: Of, fields: object): Of {
  return Object.assign({ ...node }, fields)
}

/** Data without what goes without saying. */
export function slimData<Data extends object>(data: Data, row: Row): Data {
  const slim = { ...data }
  for (const name of Object.keys(slim)) {
    const value: unknown = Reflect.get(slim, name)
    // Schemas are grouped unless told; every other flag is off unless told.
    const usual =
      name === 'grouped'
        ? value === true
        : value === false || value === '' || (Array.isArray(value) && value.length === 0)
    if (value === undefined || (usual && row.data[name]?.required !== true)) Reflect.deleteProperty(slim, name)
  }
  return slim
}

function listData(data: { start?: number }): { start?: number } {
  const { start } = data
  if (start === undefined || start === 1 || !Number.isInteger(start) || start < 0 || start > 999_999_999) return {}
  return { start }
}

function normaliseList(list: List, slim: Node): Node[] {
  if (list.nodes.length === 0) return []
  const nodes = list.nodes.flatMap((item) => {
    const data = list.type === 'list-tasks' ? { checked: item.data.checked === true } : {}
    return marked([listItem(filled(item.nodes), data)], markOf(item.data))
  })
  return [put(slim, { data: list.type === 'list-ordered' ? listData(list.data) : {}, nodes })]
}

function codeLines(lines: readonly CodeLine[]): CodeLine[] {
  const made = lines.flatMap((line) => {
    const data: CodeLine['data'] = line.data.highlighted === true ? { highlighted: true } : {}
    return splitLine(plainTexts(line.nodes)).map((nodes) => codeLine(nodes, data))
  })
  return made.length === 0 ? [codeLine('')] : made
}

/** A line break in a code line makes two lines of it. */
function splitLine(nodes: CodeLine['nodes']): CodeLine['nodes'][] {
  const lines: CodeLine['nodes'][] = [[]]
  for (const node of nodes) {
    const parts = node.object === 'text' ? inlineText([node]).split('\n') : [undefined]
    parts.forEach((part, place) => {
      if (place > 0) lines.push([])
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
  const said = lines.filter((line) => line.length > 0)
  return said.length === 0
    ? []
    : [
        fragment(
          'caption',
          said.map((line) => paragraph(line)),
        ),
      ]
}

function expandableParts(node: Expandable): ExpandableFragment[] {
  const title = fragmentNodes(node, 'expandable-title').flatMap((line) => (line.type === 'paragraph' ? line.nodes : []))
  const body = filled(fragmentNodes(node, 'expandable-body'))
  return [fragment('expandable-title', [paragraph(normaliseInlines(title))]), fragment('expandable-body', body)]
}
