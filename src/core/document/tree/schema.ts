/**
 * One row a node type: its data fields, the children it takes, its fragments. `validate.ts` reads a value by these
 * rows; nothing else knows which node may hold what.
 *
 * The `nodes` column is the published one. It is narrower than what authors write (a table in a tab, a code block in
 * a hint), and refusing or moving such blocks would lose work, so every container of blocks (`flow`) takes every
 * top-level block unless the caller asks for the listed children alone.
 */
import {
  boolean,
  type Fields,
  integer,
  length,
  listOf,
  number,
  object,
  oneOf,
  optional,
  plainObject,
  type Reader,
  record,
  ref,
  required,
  string,
  stringMatching,
  url,
} from './fields.ts'
import {
  type BlockType,
  buttonKinds,
  buttonSizes,
  codeOverflows,
  hintStyles,
  type InlineType,
  imagesAlignments,
  inlineImageSizes,
  lineChanges,
  type MarkType,
  promptExpansions,
  textAlignments,
  textColors,
  updatesFormats,
  verticalAlignments,
} from './nodes.ts'

export type ChildType = BlockType | InlineType | 'text'
export type FragmentRow = {
  nodes: readonly ChildType[]
  flow?: boolean
  /** How many nodes it holds; an empty one is filled with an empty paragraph. */
  exactlyOne?: boolean
}
export type Row = {
  data: Fields
  /** The child nodes; a row without them is void. */
  nodes?: readonly ChildType[]
  flow?: boolean
  exactlyOne?: boolean
  fragments?: Readonly<Record<string, FragmentRow>>
}

const essentials = [
  'paragraph',
  'heading-1',
  'heading-2',
  'heading-3',
  'list-ordered',
  'list-unordered',
  'list-tasks',
  'divider',
] as const
export const topLevels: readonly BlockType[] = [
  ...essentials,
  'blockquote',
  'hint',
  'prompt',
  'images',
  'file',
  'drawing',
  'embed',
  'code',
  'math',
  'expandable',
  'tabs',
  'table',
  'swagger',
  'openapi-operation',
  'openapi-schemas',
  'openapi-webhook',
  'content-ref',
  'integration',
  'reusable-content',
  'stepper',
  'if',
  'columns',
  'updates',
]
const rich = [
  'content-ref',
  'code',
  'embed',
  'file',
  'images',
  'drawing',
  'hint',
  'prompt',
  'blockquote',
  'math',
  'integration',
] as const
const inlines = [
  'text',
  'inline-image',
  'link',
  'emoji',
  'icon',
  'expression',
  'inline-math',
  'annotation',
  'mention',
  'button',
] as const

const icon = optional(string)
const flag = optional(boolean)
const fileRef = ref('file', 'url')
const openapiRef = required(ref('openapi', 'url'))
const align = optional(oneOf(textAlignments))
const anchorId = stringMatching(/^[-a-z0-9.+_]+$/, 'an anchor of a-z, 0-9 and -.+_')
const heading: Row = { data: { id: optional(anchorId), align }, nodes: inlines }

export const blockRows: Readonly<Record<BlockType, Row>> = {
  paragraph: { data: { align }, nodes: inlines },
  'heading-1': heading,
  'heading-2': heading,
  'heading-3': heading,
  'code-line': {
    data: { highlighted: flag, change: optional(oneOf(lineChanges)) },
    nodes: ['text', 'annotation', 'expression'],
  },
  code: {
    data: {
      syntax: optional(string),
      title: optional(string),
      overflow: optional(oneOf(codeOverflows)),
      lineNumbers: flag,
      fullWidth: flag,
      expandable: flag,
      collapsedLineCount: optional(integer(1, 1_000_000)),
    },
    nodes: ['code-line'],
  },
  embed: { data: { url: required(url), fullWidth: flag, caption: optional(string) } },
  integration: {
    data: {
      integration: required(string),
      block: required(string),
      props: required(plainObject),
      action: optional(plainObject),
      url: optional(url),
      fullWidth: flag,
    },
  },
  // The data of a table is more than fields: `table-schema.ts` reads it.
  table: { data: {}, fragments: { 'table-cell': { nodes: topLevels, flow: true } } },
  hint: {
    data: { style: required(oneOf(hintStyles)), icon },
    nodes: [...essentials, 'embed', 'integration', 'table'],
    flow: true,
  },
  blockquote: { data: {}, nodes: [...essentials, 'blockquote'], flow: true },
  math: { data: { formula: required(string) } },
  'list-item': {
    data: { checked: flag },
    nodes: [...essentials, 'code', 'hint', 'blockquote', 'math', 'table'],
    flow: true,
  },
  'list-ordered': { data: { start: optional(number) }, nodes: ['list-item'] },
  'list-unordered': { data: {}, nodes: ['list-item'] },
  'list-tasks': { data: {}, nodes: ['list-item'] },
  divider: { data: {} },
  prompt: {
    data: {
      description: required(string),
      icon,
      openInAIProviders: flag,
      defaultExpanded: optional(oneOf(promptExpansions)),
    },
    nodes: ['code'],
    exactlyOne: true,
  },
  if: { data: { expression: required(string) }, nodes: topLevels, flow: true },
  image: {
    data: {
      ref: required(fileRef),
      refDark: optional(fileRef),
      width: optional(length),
      height: optional(length),
      alt: optional(string),
    },
    fragments: { caption: { nodes: ['paragraph'] } },
  },
  images: { data: { align: optional(oneOf(imagesAlignments)), fullWidth: flag, withFrame: flag }, nodes: ['image'] },
  file: { data: { ref: required(fileRef) } },
  drawing: { data: { ref: optional(fileRef), alt: optional(string) } },
  'reusable-content': { data: { ref: required(ref('reusable-content', 'url')) } },
  expandable: {
    data: { defaultExpanded: flag },
    fragments: {
      'expandable-title': { nodes: ['paragraph'], exactlyOne: true },
      'expandable-body': { nodes: topLevels, flow: true },
    },
  },
  'content-ref': { data: { ref: required(ref()), label: optional(string) } },
  'tabs-item': {
    data: { title: optional(string), icon, slug: optional(string) },
    nodes: [...essentials, ...rich],
    flow: true,
  },
  tabs: { data: { fullWidth: flag }, nodes: ['tabs-item'] },
  swagger: {
    data: {
      path: required(string),
      method: required(string),
      ref: required(fileRef),
      expanded: flag,
      fullWidth: flag,
    },
  },
  'openapi-operation': {
    data: { path: required(string), method: required(string), ref: openapiRef, headless: flag },
  },
  'openapi-schemas': {
    data: { schemas: required(listOf(string)), ref: openapiRef, grouped: flag, title: optional(string) },
  },
  'openapi-webhook': {
    data: { name: required(string), method: required(string), ref: openapiRef, headless: flag },
  },
  'stepper-step': {
    data: { icon: optional(string) },
    nodes: [...essentials, ...rich, 'expandable'],
    flow: true,
  },
  stepper: { data: {}, nodes: ['stepper-step'] },
  column: {
    data: { width: optional(length), verticalAlignment: optional(oneOf(verticalAlignments)) },
    nodes: [...essentials, ...rich, 'table', 'expandable', 'stepper'],
    flow: true,
  },
  columns: { data: { fullWidth: flag }, nodes: ['column'] },
  update: {
    data: { date: required(string), tags: optional(listOf(ref('tag'), 100)) },
    nodes: [...essentials, ...rich, 'tabs', 'expandable'],
    flow: true,
  },
  updates: { data: { format: required(oneOf(updatesFormats)) }, nodes: ['update'] },
}

const iconName = stringMatching(/^[\w-]{1,50}$/, 'the name of an icon')
const emojiCode = stringMatching(/^[0-9a-f]{1,6}(?:-[0-9a-f]{1,6}){0,63}$/, 'code points such as 1f600 or 2764-fe0f')
const asked = record({ action: required(oneOf(['search', 'ask'])), query: required(string) })
const selected = record({ action: required(oneOf(['select'])), slug: required(string) })
const anyAction = oneOf(['search', 'ask', 'select'])
const readAction: Reader = (value, path) =>
  anyAction(object(value, path).action, `${path}.action`) === 'select' ? selected(value, path) : asked(value, path)

export const inlineRows: Readonly<Record<InlineType, Row>> = {
  'inline-image': {
    data: {
      ref: required(fileRef),
      refDark: optional(fileRef),
      caption: optional(string),
      alt: optional(string),
      size: optional(oneOf(inlineImageSizes)),
    },
  },
  link: { data: { ref: required(ref()) }, nodes: ['text', 'inline-image'] },
  emoji: { data: { code: required(emojiCode) } },
  icon: { data: { icon: required(iconName), color: optional(oneOf(textColors)) } },
  expression: { data: { expression: required(string) } },
  'inline-math': { data: { formula: required(string) } },
  annotation: {
    data: {},
    nodes: ['text'],
    fragments: { 'annotation-body': { nodes: topLevels, flow: true } },
  },
  mention: { data: { ref: required(ref()), label: optional(string) } },
  button: {
    data: {
      label: required(string),
      kind: required(oneOf(buttonKinds)),
      size: optional(oneOf(buttonSizes)),
      icon,
      ref: optional(ref()),
      action: optional(readAction),
    },
  },
}

export const markTypes: readonly MarkType[] = [
  'bold',
  'italic',
  'strikethrough',
  'color',
  'superscript',
  'subscript',
  'keyboard',
  'code',
]
export const colorFields: Fields = { text: required(oneOf(textColors)), background: required(oneOf(textColors)) }
