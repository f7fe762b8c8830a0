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
export type VerticalAlignment = (typeof verticalAlignments)[number]
export type Length = number | { unit: string; value: number }
/** The name of an icon, without its prefix. */
export type Icon = string

export type ContentRefFile = { kind: 'file'; file: string; space?: string }
export type ContentRefURL = { kind: 'url'; url: string }
export type ContentRefPage = { kind: 'page'; page: string; space?: string }
export type ContentRefAnchor = { kind: 'anchor'; anchor: string; page?: string; space?: string }
export type ContentRefUser = { kind: 'user'; user: string }
export type ContentRefCollection = { kind: 'collection'; collection: string }
export type ContentRefSpace = { kind: 'space'; space: string }
export type ContentRefReusableContent = { kind: 'reusable-content'; reusableContent: string; space?: string }
export type ContentRefTag = { kind: 'tag'; tag: string; space?: string }
export type ContentRefOpenAPI = { kind: 'openapi'; spec: string }
export type ContentRef =
  | ContentRefFile
  | ContentRefURL
  | ContentRefPage
  | ContentRefAnchor
  | ContentRefUser
  | ContentRefCollection
  | ContentRefSpace
  | ContentRefReusableContent
  | ContentRefTag
  | ContentRefOpenAPI

/** What an image, a file or an include points at: a URL too, for Markdown whose target nobody could resolve. */
export type FileRef = ContentRefFile | ContentRefURL
export type ReusableContentRef = ContentRefReusableContent | ContentRefURL
export type OpenAPIRef = ContentRefOpenAPI | ContentRefURL

export type Mark =
  | { object: 'mark'; type: 'bold' | 'italic' | 'code' | 'keyboard' | 'strikethrough' | 'superscript' | 'subscript' }
  | { object: 'mark'; type: 'color'; data: { text: TextColor; background: TextColor } }
export type MarkType = Mark['type']
export type Leaf = { object: 'leaf'; text: string; marks: Mark[] }
export type Text = { object: 'text'; key?: string; leaves: Leaf[] }

// Three shapes a block or an inline can have: with nothing inside, with child nodes, with named fragments.
interface Void<Of, Type, Data> {
  object: Of
  type: Type
  key?: string
  isVoid: true
  data: Data
}
interface Parent<Of, Type, Data, Child> {
  object: Of
  type: Type
  key?: string
  isVoid: false
  data: Data
  nodes: Child[]
}
interface Framed<Type, Data, Part> {
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

export type DocumentAction =
  | { action: 'search' | 'ask'; query: string }
  | {
      action: 'select'
      slug: string
    }

export type InlineImage = Void<
  'inline',
  'inline-image',
  { ref: FileRef; refDark?: FileRef; caption?: string; alt?: string; size?: (typeof inlineImageSizes)[number] }
>
export type Link = Parent<'inline', 'link', { ref: ContentRef }, Text | InlineImage>
export type Emoji = Void<'inline', 'emoji', { code: string }>
export type InlineIcon = Void<'inline', 'icon', { icon: string; color?: TextColor }>
export type Expression = Void<'inline', 'expression', { expression: string }>
export type InlineMath = Void<'inline', 'inline-math', { formula: string }>
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
export type Mention = Void<'inline', 'mention', { ref: ContentRef; label?: string }>
/** A button carries either a `ref` or an `action`. */
export type Button = Void<
  'inline',
  'button',
  {
    label: string
    kind: (typeof buttonKinds)[number]
    size?: (typeof buttonSizes)[number]
    icon?: Icon
    ref?: ContentRef
    action?: DocumentAction
  }
>
export type Inline = InlineImage | Link | Emoji | InlineIcon | Expression | InlineMath | Annotation | Mention | Button
export type InlineType = Inline['type']
/** What stands in a paragraph or a heading. */
export type InlineContent = Inline | Text

export type HeadingType = 'heading-1' | 'heading-2' | 'heading-3'
export type ListType = 'list-ordered' | 'list-unordered' | 'list-tasks'

export type Paragraph = Parent<'block', 'paragraph', { align?: TextAlignment }, InlineContent>
export type Heading = Parent<'block', HeadingType, { id?: string; align?: TextAlignment }, InlineContent>
export type CodeLine = Parent<
  'block',
  'code-line',
  { highlighted?: boolean; change?: (typeof lineChanges)[number] },
  Text | Annotation | Expression
>
export type Code = Parent<
  'block',
  'code',
  {
    syntax?: string
    title?: string
    overflow?: (typeof codeOverflows)[number]
    lineNumbers?: boolean
    fullWidth?: boolean
    expandable?: boolean
    collapsedLineCount?: number
  },
  CodeLine
>
export type Embed = Void<'block', 'embed', { url: string; fullWidth?: boolean; caption?: string }>
export type PlainValue = string | number | boolean | null | PlainValue[] | { [name: string]: PlainValue }
export type PlainObject = { [name: string]: PlainValue }
export type Integration = Void<
  'block',
  'integration',
  {
    integration: string
    block: string
    props: PlainObject
    action?: PlainObject
    url?: string
    fullWidth?: boolean
  }
>
export type Hint = Parent<'block', 'hint', { style: (typeof hintStyles)[number]; icon?: Icon }, Block>
export type Blockquote = Parent<'block', 'blockquote', NoData, Block>
export type MathBlock = Void<'block', 'math', { formula: string }>
export type ListItem = Parent<'block', 'list-item', { checked?: boolean }, Block>
export type ListOrdered = Parent<'block', 'list-ordered', { start?: number }, ListItem>
export type ListUnordered = Parent<'block', 'list-unordered', NoData, ListItem>
export type ListTasks = Parent<'block', 'list-tasks', NoData, ListItem>
export type List = ListOrdered | ListUnordered | ListTasks
export type Divider = Void<'block', 'divider', NoData>
export type Prompt = Parent<
  'block',
  'prompt',
  {
    description: string
    icon?: Icon
    openInAIProviders?: boolean
    defaultExpanded?: (typeof promptExpansions)[number]
  },
  Code
>
export type If = Parent<'block', 'if', { expression: string }, Block>
export type Image = Framed<
  'image',
  { ref: FileRef; refDark?: FileRef; width?: Length; height?: Length; alt?: string },
  Fragment<'caption', Paragraph>
>
export type Images = Parent<
  'block',
  'images',
  { align?: (typeof imagesAlignments)[number]; fullWidth?: boolean; withFrame?: boolean },
  Image
>
export type FileBlock = Void<'block', 'file', { ref: FileRef }>
export type Drawing = Void<'block', 'drawing', { ref?: FileRef; alt?: string }>
export type ReusableContent = Void<'block', 'reusable-content', { ref: ReusableContentRef }>
export type ExpandableFragment = Fragment<'expandable-title', Paragraph> | Fragment<'expandable-body'>
export type Expandable = Framed<'expandable', { defaultExpanded?: boolean }, ExpandableFragment>
export type ContentRefBlock = Void<'block', 'content-ref', { ref: ContentRef; label?: string }>
export type TabsItem = Parent<'block', 'tabs-item', { title?: string; icon?: Icon; slug?: string }, Block>
export type Tabs = Parent<'block', 'tabs', { fullWidth?: boolean }, TabsItem>
export type Swagger = Void<
  'block',
  'swagger',
  { path: string; method: string; ref: FileRef; expanded?: boolean; fullWidth?: boolean }
>
export type OpenAPIOperation = Void<
  'block',
  'openapi-operation',
  { path: string; method: string; ref: OpenAPIRef; headless?: boolean }
>
export type OpenAPISchemas = Void<
  'block',
  'openapi-schemas',
  { schemas: string[]; ref: OpenAPIRef; grouped?: boolean; title?: string }
>
export type OpenAPIWebhook = Void<
  'block',
  'openapi-webhook',
  { name: string; method: string; ref: OpenAPIRef; headless?: boolean }
>
export type StepperStep = Parent<'block', 'stepper-step', { icon?: string }, Block>
export type Stepper = Parent<'block', 'stepper', NoData, StepperStep>
export type Column = Parent<'block', 'column', { width?: Length; verticalAlignment?: VerticalAlignment }, Block>
export type Columns = Parent<'block', 'columns', { fullWidth?: boolean }, Column>
export type Update = Parent<'block', 'update', { date: string; tags?: ContentRefTag[] }, Block>
export type Updates = Parent<'block', 'updates', { format: (typeof updatesFormats)[number] }, Update>

export type TableViewGrid = {
  type: 'grid'
  columns: string[]
  hideHeader: boolean
  columnWidths?: Record<string, number>
  stickyHeader?: boolean
  stickyFirstColumn?: boolean
  useNewSizing?: boolean
}
export type TableViewCards = {
  type: 'cards'
  cardSize: (typeof cardSizes)[number]
  columns: string[]
  targetDefinition?: string
  coverDefinition?: string
  coverDefinitionDark?: string
  hideColumnTitle?: boolean
  wrap?: boolean
}
export type TableView = TableViewGrid | TableViewCards
export type TableSelectOption = { value: string; label: string; color: string }
type DefinitionOf<Type extends string, Rest = object> = { id: string; title: string; type: Type } & Rest
export type TableDefinition =
  | DefinitionOf<
      'text',
      { textAlignment: (typeof columnTextAlignments)[number]; verticalAlignment?: VerticalAlignment }
    >
  | DefinitionOf<'number' | 'checkbox' | 'files' | 'content-ref' | 'image'>
  | DefinitionOf<'users', { multiple: boolean }>
  | DefinitionOf<'rating', { max: number }>
  | DefinitionOf<'select', { multiple: boolean; options: TableSelectOption[] }>
export type TableDefinitionType = TableDefinition['type']
export type TableImage = FileRef | { ref: FileRef; objectFit?: (typeof objectFits)[number]; alt?: string }
/** The value of a text cell is the name of the fragment that holds its content. */
export type TableValue = number | string | null | boolean | string[] | ContentRef | TableImage
export type TableRecord = { orderIndex: string; values: Record<string, TableValue> }
export type TableCellMerge = { anchor: { record: string; column: string }; rowSpan?: number; colSpan?: number }
export type Table = Framed<
  'table',
  {
    view: TableView
    records: Record<string, TableRecord>
    definition: Record<string, TableDefinition>
    cellMerges?: TableCellMerge[]
    fullWidth?: boolean
    search?: boolean
  },
  Fragment<'table-cell'>
>

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
