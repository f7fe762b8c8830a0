/**
 * Small constructors of nodes, so that code which makes a tree says what it makes and not how it is spelt.
 */
import {
  type Annotation,
  type Block,
  type Code,
  type CodeLine,
  type ContentRef,
  type FileRef,
  type Fragment,
  type Heading,
  type HeadingType,
  type Image,
  type InlineContent,
  type JSONDocument,
  type Leaf,
  type Link,
  type List,
  type ListItem,
  type ListType,
  type Mark,
  type Paragraph,
  schemaVersion,
  type Text,
} from './nodes.ts'

export function makeDocument(nodes: Block[]): JSONDocument {
  return { object: 'document', data: { schemaVersion }, nodes }
}

/** What a page holds that nobody has written yet. */
export const emptyDocument: JSONDocument = makeDocument([])

export function leaf(text: string, marks: Mark[] = []): Leaf {
  return { object: 'leaf', text, marks }
}

export function text(content: string, marks: Mark[] = []): Text {
  return { object: 'text', leaves: [leaf(content, marks)] }
}

export function paragraph(content: string | InlineContent[] = [], data: Paragraph['data'] = {}): Paragraph {
  return { object: 'block', type: 'paragraph', isVoid: false, data, nodes: contentOf(content) }
}

export function heading(type: HeadingType, content: string | InlineContent[], data: Heading['data'] = {}): Heading {
  return { object: 'block', type, isVoid: false, data, nodes: contentOf(content) }
}

export function listItem(nodes: Block[], data: ListItem['data'] = {}): ListItem {
  return { object: 'block', type: 'list-item', isVoid: false, data, nodes }
}

export function list(type: ListType, nodes: ListItem[], start?: number): List {
  if (type !== 'list-ordered') return { object: 'block', type, isVoid: false, data: {}, nodes }
  return { object: 'block', type, isVoid: false, data: start === undefined || start === 1 ? {} : { start }, nodes }
}

export function code(source: string, data: Code['data'] = {}): Code {
  return { object: 'block', type: 'code', isVoid: false, data, nodes: source.split('\n').map((line) => codeLine(line)) }
}

export function codeLine(content: string | CodeLine['nodes'], data: CodeLine['data'] = {}): CodeLine {
  const nodes = typeof content === 'string' ? (content === '' ? [] : [text(content)]) : content
  return { object: 'block', type: 'code-line', isVoid: false, data, nodes }
}

export function image(data: Image['data'], caption?: InlineContent[][]): Image {
  const fragments: Image['fragments'] = caption?.length
    ? [
        fragment(
          'caption',
          caption.map((nodes) => paragraph(nodes)),
        ),
      ]
    : []
  return { object: 'block', type: 'image', isVoid: true, data, fragments }
}

export function link(ref: ContentRef, nodes: Link['nodes']): Link {
  return { object: 'inline', type: 'link', isVoid: false, data: { ref }, nodes }
}

export function annotation(nodes: Text[], body: Block[]): Annotation {
  const fragments: Annotation['fragments'] = [fragment('annotation-body', body)]
  return { object: 'inline', type: 'annotation', isVoid: false, data: {}, nodes, fragments }
}

/** A fragment whose name is its type, or, in a table, a name of its own. */
export function fragment<Name extends string, Child>(
  type: Name,
  nodes: Child[],
  name: string = type,
): Fragment<Name, Child> {
  return { object: 'fragment', fragment: name, type, nodes }
}

/** A block without children or fragments; where it is used, its type is checked against the tree's. */
export function voidBlock<const Type extends string, Data>(type: Type, data: Data) {
  return { object: 'block' as const, type, isVoid: true as const, data }
}

/** An inline without children. */
export function voidInline<const Type extends string, Data>(type: Type, data: Data) {
  return { object: 'inline' as const, type, isVoid: true as const, data }
}

/** A block with children. */
export function parentBlock<const Type extends string, Data, Child>(type: Type, data: Data, nodes: Child[]) {
  return { object: 'block' as const, type, isVoid: false as const, data, nodes }
}

export function isFileRef(ref: ContentRef): ref is FileRef {
  return ref.kind === 'file' || ref.kind === 'url'
}

function contentOf(content: string | InlineContent[]): InlineContent[] {
  if (typeof content !== 'string') return content
  return content === '' ? [] : [text(content)]
}
