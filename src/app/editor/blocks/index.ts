/** Which node has which view; the others are drawn by the schema. */
import type { NodeViewConstructor } from 'prosemirror-view'
import type { EditorContext } from '../context.ts'
import { codeView } from './code.ts'
import {
  columnsView,
  columnView,
  expandableView,
  hintView,
  ifView,
  listItemView,
  promptView,
  stepperView,
  stepView,
  updateView,
} from './containers.ts'
import { inlineMathView, mathView } from './math.ts'
import {
  buttonView,
  cardView,
  expressionView,
  iconView,
  imagesView,
  imageView,
  inlineImageView,
  mentionView,
} from './media.ts'
import { tableView, textCellView, valueCellView } from './table.ts'
import { tabsView } from './tabs.ts'
import type { MakeView } from './view-parts.ts'

const views: Readonly<Record<string, MakeView>> = {
  hint: hintView,
  if: ifView,
  prompt: promptView,
  expandable: expandableView,
  stepper: stepperView,
  stepper_step: stepView,
  columns: columnsView,
  column: columnView,
  update: updateView,
  list_item: listItemView,
  code: codeView,
  math: mathView,
  inline_math: inlineMathView,
  images: imagesView,
  image: imageView,
  tabs: tabsView,
  table: tableView,
  table_text: textCellView,
  table_value: valueCellView,
  mention: mentionView,
  inline_image: inlineImageView,
  button: buttonView,
  expression: expressionView,
  icon: iconView,
}
const cards = ['file', 'drawing', 'embed', 'content_ref', 'reusable_content', 'integration', 'swagger', 'verbatim']
const apiCards = ['openapi_operation', 'openapi_schemas', 'openapi_webhook']

export function nodeViews(context: EditorContext): Record<string, NodeViewConstructor> {
  const all = [...Object.entries(views), ...[...cards, ...apiCards].map((name) => [name, cardView] as const)]
  return Object.fromEntries(
    all.map(([name, makeView]) => [name, (node, view, getPos) => makeView({ node, view, getPos, context })]),
  )
}
