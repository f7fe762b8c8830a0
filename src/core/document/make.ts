/**
 * Small constructors of nodes, so that code which makes a tree says what it makes and not how it is spelt.
 */
import {
  type Annotation,
  type AnyBlock,
  type Block,
  type Code,
  type CodeLine,
  type ContentRef,
  type FileRef,
  type Fragment,
  type Heading,
  type HeadingType,
  type Image,
  type Inline,
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
      ] // prettier-ignore
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

type VoidBlock = Extract<AnyBlock, { isVoid: true }>
type VoidInline = Extract<Inline, { isVoid: true }>
type DataOf<Of extends { type: string; data: unknown }, Type> = Extract<Of, { type: Type }>['data']

/** A block without children or fragments, by its type. */
export function voidBlock<Type extends Exclude<VoidBlock['type'], 'image' | 'expandable' | 'table'>>(
  type: Type,
  data: DataOf<VoidBlock, Type>,
): { object: 'block'; type: Type; isVoid: true; data: DataOf<VoidBlock, Type> } {
  return { object: 'block', type, isVoid: true, data }
}

/** An inline without children, by its type. */
export function voidInline<Type extends VoidInline['type']>(
  type: Type,
  data: DataOf<VoidInline, Type>,
): { object: 'inline'; type: Type; isVoid: true; data: DataOf<VoidInline, Type> } {
  return { object: 'inline', type, isVoid: true, data }
}

type ParentBlock = Extract<AnyBlock, { isVoid: false }>

/** A block with children, by its type. */
export function parentBlock<Type extends Exclude<ParentBlock['type'], HeadingType>>(
  type: Type,
  data: DataOf<ParentBlock, Type>,
  nodes: Extract<ParentBlock, { type: Type }>['nodes'],
): {
  object: 'block'
  type: Type
  isVoid: false
  data: DataOf<ParentBlock, Type>
  nodes: Extract<ParentBlock, { type: Type }>['nodes']
} {
  return { object: 'block', type, isVoid: false, data, nodes }
}

export function isFileRef(ref: ContentRef): ref is FileRef {
  return ref.kind === 'file' || ref.kind === 'url'
}

function contentOf(content: string | InlineContent[]): InlineContent[] {
  if (typeof content !== 'string') return content
  return content === '' ? [] : [text(content)]
}
