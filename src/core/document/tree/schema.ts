/**
 * One row a node type: its data fields, the children it takes, its fragments. `validate.ts` reads a value by these
 * rows; nothing else knows which node may hold what.
 *
 * The `nodes` column is the published one. It is narrower than what authors write (a table in a tab, a code block in
 * a hint), and refusing or moving such blocks would lose work, so every container of blocks (`flow`) takes every
 * top-level block unless the caller asks for the listed children alone.
 */
import { blockData, inlineData } from './data.ts'
import type { Fields } from './fields.ts'
import type { BlockType, InlineType, MarkType } from './nodes.ts'

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

export const blockRows: Readonly<Record<BlockType, Row>> = {
  paragraph: { data: blockData.paragraph, nodes: inlines },
  'heading-1': { data: blockData['heading-1'], nodes: inlines },
  'heading-2': { data: blockData['heading-2'], nodes: inlines },
  'heading-3': { data: blockData['heading-3'], nodes: inlines },
  'code-line': { data: blockData['code-line'], nodes: ['text', 'annotation', 'expression'] },
  code: {
    data: blockData.code,
    nodes: ['code-line'],
  },
  embed: { data: blockData.embed },
  integration: { data: blockData.integration },
  // The data of a table is more than fields: `table-schema.ts` reads it.
  table: { data: blockData.table, fragments: { 'table-cell': { nodes: topLevels, flow: true } } },
  hint: {
    data: blockData.hint,
    nodes: [...essentials, 'embed', 'integration', 'table'],
    flow: true,
  },
  blockquote: { data: blockData.blockquote, nodes: [...essentials, 'blockquote'], flow: true },
  math: { data: blockData.math },
  'list-item': {
    data: blockData['list-item'],
    nodes: [...essentials, 'code', 'hint', 'blockquote', 'math', 'table'],
    flow: true,
  },
  'list-ordered': { data: blockData['list-ordered'], nodes: ['list-item'] },
  'list-unordered': { data: blockData['list-unordered'], nodes: ['list-item'] },
  'list-tasks': { data: blockData['list-tasks'], nodes: ['list-item'] },
  divider: { data: blockData.divider },
  prompt: {
    data: blockData.prompt,
    nodes: ['code'],
    exactlyOne: true,
  },
  if: { data: blockData.if, nodes: topLevels, flow: true },
  image: {
    data: blockData.image,
    fragments: { caption: { nodes: ['paragraph'] } },
  },
  images: { data: blockData.images, nodes: ['image'] },
  file: { data: blockData.file },
  drawing: { data: blockData.drawing },
  'reusable-content': { data: blockData['reusable-content'] },
  expandable: {
    data: blockData.expandable,
    fragments: {
      'expandable-title': { nodes: ['paragraph'], exactlyOne: true },
      'expandable-body': { nodes: topLevels, flow: true },
    },
  },
  'content-ref': { data: blockData['content-ref'] },
  'tabs-item': {
    data: blockData['tabs-item'],
    nodes: [...essentials, ...rich],
    flow: true,
  },
  tabs: { data: blockData.tabs, nodes: ['tabs-item'] },
  swagger: { data: blockData.swagger },
  'openapi-operation': { data: blockData['openapi-operation'] },
  'openapi-schemas': { data: blockData['openapi-schemas'] },
  'openapi-webhook': { data: blockData['openapi-webhook'] },
  'stepper-step': {
    data: blockData['stepper-step'],
    nodes: [...essentials, ...rich, 'expandable'],
    flow: true,
  },
  stepper: { data: blockData.stepper, nodes: ['stepper-step'] },
  column: {
    data: blockData.column,
    nodes: [...essentials, ...rich, 'table', 'expandable', 'stepper'],
    flow: true,
  },
  columns: { data: blockData.columns, nodes: ['column'] },
  update: {
    data: blockData.update,
    nodes: [...essentials, ...rich, 'tabs', 'expandable'],
    flow: true,
  },
  updates: { data: blockData.updates, nodes: ['update'] },
}

export const inlineRows: Readonly<Record<InlineType, Row>> = {
  'inline-image': { data: inlineData['inline-image'] },
  link: { data: inlineData.link, nodes: ['text', 'inline-image'] },
  emoji: { data: inlineData.emoji },
  icon: { data: inlineData.icon },
  expression: { data: inlineData.expression },
  'inline-math': { data: inlineData['inline-math'] },
  annotation: {
    data: inlineData.annotation,
    nodes: ['text'],
    fragments: { 'annotation-body': { nodes: topLevels, flow: true } },
  },
  mention: { data: inlineData.mention },
  button: { data: inlineData.button },
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
