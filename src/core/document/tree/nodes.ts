/**
 * The document tree: every block, inline, mark and table value a page can hold.
 *
 * The names are the ones of the public document format, so that a document read from the API can be written back
 * unchanged. Everything else in this folder reads or makes these types.
 *
 * 1. A document is a value: functions return new nodes and never change the ones they were given.
 * 2. `data` and `isVoid` are always present, `key` is present once `assignKeys` has run, and a field that has no
 *    value is absent, never `undefined` in stored JSON.
 * 3. A line break inside a paragraph is the character `\n` in a leaf.
 */
import type { ContentRefOf, RefKind } from '../content-ref.ts'
import type { blockData, colorData, inlineData } from './data.ts'
import type { DataOf } from './fields.ts'
import type { TableData } from './table/table-schema.ts'

export const textColors = [
  'default',
  'green',
  'blue',
  'red',
  'orange',
  'yellow',
  'purple',
  'pink',
  'violet',
  'cyan',
  '$primary',
  '$tint',
  '$info',
  '$success',
  '$warning',
  '$danger',
] as const
export const textAlignments = ['start', 'center', 'end'] as const
export const hintStyles = ['info', 'warning', 'danger', 'success'] as const
export const codeOverflows = ['scroll', 'wrap'] as const
export const lineChanges = ['added', 'removed'] as const
export const imagesAlignments = ['center', 'left', 'right'] as const
export const verticalAlignments = ['top', 'middle', 'bottom'] as const
export const columnTextAlignments = ['center', 'right', 'left'] as const
export const updatesFormats = ['numeric', 'full', 'short'] as const
export const promptExpansions = ['hidden', 'partial', 'full'] as const
export const inlineImageSizes = ['original', 'line'] as const
export const buttonKinds = ['primary', 'secondary'] as const
export const buttonSizes = ['small', 'medium', 'large'] as const
export const cardSizes = ['medium', 'large'] as const
export const objectFits = ['contain', 'fill', 'cover'] as const

export type TextColor = (typeof textColors)[number]
export type TextAlignment = (typeof textAlignments)[number]
export type Length = number | { unit: string; value: number }

export type ContentRef = ContentRefOf<RefKind>
export type ContentRefTag = ContentRefOf<'tag'>

/** What an image, a file or an include points at: a URL too, for Markdown whose target nobody could resolve. */
export type FileRef = ContentRefOf<'file' | 'url'>
export type ReusableContentRef = ContentRefOf<'reusable-content' | 'url'>
export type OpenAPIRef = ContentRefOf<'openapi' | 'url'>

export type Mark =
  | { object: 'mark'; type: 'bold' | 'italic' | 'code' | 'keyboard' | 'strikethrough' | 'superscript' | 'subscript' }
  | { object: 'mark'; type: 'color'; data: DataOf<typeof colorData> }
export type MarkType = Mark['type']
export type Leaf = { object: 'leaf'; text: string; marks: Mark[] }
export type Text = { object: 'text'; key?: string; leaves: Leaf[] }

/** The data of a node type, as `data.ts` has its fields. */
export type NodeData<Type> = Type extends keyof typeof blockData
  ? DataOf<(typeof blockData)[Type]>
  : Type extends keyof typeof inlineData
    ? DataOf<(typeof inlineData)[Type]>
    : never

// Three shapes a block or an inline can have: with nothing inside, with child nodes, with named fragments.
interface Void<Of, Type> {
  object: Of
  type: Type
  key?: string
  isVoid: true
  data: NodeData<Type>
}
interface Parent<Of, Type, Child> {
  object: Of
  type: Type
  key?: string
  isVoid: false
  data: NodeData<Type>
  nodes: Child[]
}
interface Framed<Type, Part, Data = NodeData<Type>> {
  object: 'block'
  type: Type
  key?: string
  isVoid: true
  data: Data
  fragments: Part[]
}

/** The data of a node type that has no fields. */
export type NoData = Record<never, never>

/** A named part of a node that holds nodes of its own: a caption, a title, the text of a table cell. */
export interface Fragment<Name extends string = string, Child = Block> {
  object: 'fragment'
  key?: string
  fragment: string
  type: Name
  nodes: Child[]
}

export type InlineImage = Void<'inline', 'inline-image'>
export type Link = Parent<'inline', 'link', Text | InlineImage>
export type Emoji = Void<'inline', 'emoji'>
export type InlineIcon = Void<'inline', 'icon'>
export type Expression = Void<'inline', 'expression'>
export type InlineMath = Void<'inline', 'inline-math'>
export type Annotation = {
  object: 'inline'
  type: 'annotation'
  key?: string
  isVoid: false
  data: NoData
  nodes: Text[]
  fragments: Fragment<'annotation-body'>[]
}
/** `label` is what the writer calls a page outside; pages of ours are called by their titles. */
export type Mention = Void<'inline', 'mention'>
/** A button carries either a `ref` or an `action`. */
export type Button = Void<'inline', 'button'>
export type Inline = InlineImage | Link | Emoji | InlineIcon | Expression | InlineMath | Annotation | Mention | Button
export type InlineType = Inline['type']
/** What stands in a paragraph or a heading. */
export type InlineContent = Inline | Text

export type HeadingType = 'heading-1' | 'heading-2' | 'heading-3'
export type ListType = 'list-ordered' | 'list-unordered' | 'list-tasks'

export type Paragraph = Parent<'block', 'paragraph', InlineContent>
export type Heading = Parent<'block', HeadingType, InlineContent> & { meta?: { id: string } }
export type CodeLine = Parent<'block', 'code-line', Text | Annotation | Expression>
export type Code = Parent<'block', 'code', CodeLine>
export type Embed = Void<'block', 'embed'>
export type PlainValue = string | number | boolean | null | PlainValue[] | { [name: string]: PlainValue }
export type PlainObject = { [name: string]: PlainValue }
export type Integration = Void<'block', 'integration'>
export type Hint = Parent<'block', 'hint', Block>
export type Blockquote = Parent<'block', 'blockquote', Block>
export type MathBlock = Void<'block', 'math'>
export type ListItem = Parent<'block', 'list-item', Block>
export type ListOrdered = Parent<'block', 'list-ordered', ListItem>
export type ListUnordered = Parent<'block', 'list-unordered', ListItem>
export type ListTasks = Parent<'block', 'list-tasks', ListItem>
export type List = ListOrdered | ListUnordered | ListTasks
export type Divider = Void<'block', 'divider'>
export type Prompt = Parent<'block', 'prompt', Code>
export type If = Parent<'block', 'if', Block>
export type Image = Framed<'image', Fragment<'caption', Paragraph>>
export type Images = Parent<'block', 'images', Image>
export type FileBlock = Void<'block', 'file'>
export type Drawing = Void<'block', 'drawing'>
export type ReusableContent = Void<'block', 'reusable-content'>
export type ExpandableFragment = Fragment<'expandable-title', Paragraph> | Fragment<'expandable-body'>
export type Expandable = Framed<'expandable', ExpandableFragment>
export type ContentRefBlock = Void<'block', 'content-ref'>
export type TabsItem = Parent<'block', 'tabs-item', Block>
export type Tabs = Parent<'block', 'tabs', TabsItem>
export type Swagger = Void<'block', 'swagger'>
export type OpenAPIOperation = Void<'block', 'openapi-operation'>
export type OpenAPISchemas = Void<'block', 'openapi-schemas'>
export type OpenAPIWebhook = Void<'block', 'openapi-webhook'>
export type StepperStep = Parent<'block', 'stepper-step', Block>
export type Stepper = Parent<'block', 'stepper', StepperStep>
export type Column = Parent<'block', 'column', Block>
export type Columns = Parent<'block', 'columns', Column>
export type Update = Parent<'block', 'update', Block>
export type Updates = Parent<'block', 'updates', Update>

export type TableView = TableData['view']
export type TableViewGrid = Extract<TableView, { type: 'grid' }>
export type TableViewCards = Extract<TableView, { type: 'cards' }>
export type TableDefinition = TableData['definition'][string]
export type TableDefinitionType = TableDefinition['type']
export type TableSelectOption = Extract<TableDefinition, { type: 'select' }>['options'][number]
export type TableRecord = TableData['records'][string]
/** The value of a text cell is the name of the fragment that holds its content. */
export type TableValue = TableRecord['values'][string]
export type { TableImage } from './table/table-schema.ts'
export type TableCellMerge = NonNullable<TableData['cellMerges']>[number]
export type Table = Framed<'table', Fragment<'table-cell'>, TableData>

export type BlockTopLevel =
  | Paragraph
  | Heading
  | List
  | Divider
  | Blockquote
  | Hint
  | Prompt
  | Images
  | FileBlock
  | Drawing
  | Embed
  | Code
  | MathBlock
  | Expandable
  | Tabs
  | Table
  | Swagger
  | OpenAPIOperation
  | OpenAPISchemas
  | OpenAPIWebhook
  | ContentRefBlock
  | Integration
  | ReusableContent
  | Stepper
  | If
  | Columns
  | Updates
export type BlockPart = ListItem | CodeLine | Image | TabsItem | StepperStep | Column | Update
/** What a container holds; the parts of lists, tabs and the like appear only in their own container. */
export type Block = BlockTopLevel
export type AnyBlock = BlockTopLevel | BlockPart
export type BlockType = AnyBlock['type']
export type Node = AnyBlock | Inline | Text | Fragment

export type JSONDocument = {
  object: 'document'
  data: { schemaVersion?: number; [name: string]: PlainValue | undefined }
  nodes: Block[]
  meta?: { token?: string }
}

export const schemaVersion = 8
