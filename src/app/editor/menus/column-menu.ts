/** The settings of a table's column: title, type, options, place. */
import type { Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { TableDefinition, TableDefinitionType } from '../../../core/document/tree/nodes.ts'
import {
  deleteColumn,
  hideColumn,
  insertColumn,
  moveColumn,
  retypeColumn,
  setColumn,
} from '../blocks/table-commands.ts'
import type { EditorContext } from '../context.ts'
import { button, make } from '../dom.ts'
import { openPopover } from './popover.ts'

export interface ColumnPosition {
  view: EditorView
  context: EditorContext
  pos: number
  column: string
}

export function openColumnMenu({ view, context, pos, column: id }: ColumnPosition, at: DOMRect): void {
  const { texts, root } = context
  const definition = (): TableDefinition | undefined => view.state.doc.nodeAt(pos)?.attrs.data.definition[id]
  const column = definition()
  if (column === undefined) return
  const run = (change: (tr: Transaction) => Transaction): void => view.dispatch(change(view.state.tr))
  const title = make('input', {
    class: 'ed-input',
    'aria-label': texts.table.columnTitle,
    placeholder: texts.table.columnTitle,
  })
  title.value = column.title
  title.addEventListener('change', () => run((tr) => setColumn(tr, pos, id, { title: title.value.trim() })))
  const type = make('select', { class: 'ed-input', 'aria-label': texts.table.columnType })
  for (const [value, label] of Object.entries(texts.table.types)) {
    const option = make('option', { value }, label)
    option.selected = value === column.type
    type.append(option)
  }
  type.addEventListener('change', () => {
    const wanted = Object.keys(texts.table.types).find((name): name is TableDefinitionType => name === type.value)
    if (wanted !== undefined) run((tr) => retypeColumn(tr, pos, id, wanted))
    popover.close()
  })
  const index = (): number => view.state.doc.nodeAt(pos)?.attrs.data.view.columns.indexOf(id) ?? 0
  const act = (label: string, change: (tr: Transaction) => Transaction) =>
    button(label, {
      class: 'ed-row',
      text: label,
      press: () => {
        run(change)
        popover.close()
        view.focus()
      },
    })
  const options =
    column.type === 'select'
      ? [optionsField(column, (fields) => run((tr) => setColumn(tr, pos, id, fields)), texts.table.options)]
      : []
  const popover = openPopover(
    at,
    {
      root,
      takesFocus: true,
      role: 'dialog',
      'aria-label': texts.table.columnMenu(column.title || texts.table.untitled),
    },
    title,
    type,
    ...options,
    act(texts.table.insertBefore, (tr) => insertColumn(tr, pos, index())),
    act(texts.table.insertAfter, (tr) => insertColumn(tr, pos, index() + 1)),
    act(texts.table.moveLeft, (tr) => moveColumn(tr, pos, id, -1)),
    act(texts.table.moveRight, (tr) => moveColumn(tr, pos, id, 1)),
    act(texts.table.hide, (tr) => hideColumn(tr, pos, id)),
    act(texts.table.deleteColumn, (tr) => deleteColumn(tr, pos, id)),
  )
}

function optionsField(
  column: Extract<TableDefinition, { type: 'select' }>,
  change: (fields: object) => void,
  label: string,
): HTMLElement {
  const input = make('input', { class: 'ed-input', 'aria-label': label, placeholder: label })
  input.value = column.options.map((option) => option.label).join(', ')
  input.addEventListener('change', () => {
    const labels = [...new Set(input.value.split(',').map((part) => part.trim()))].filter((part) => part !== '')
    // An option that keeps its label keeps its value, so that cells stay as they are.
    const options = labels.map(
      (name) =>
        column.options.find((option) => option.label === name) ?? { value: name, label: name, color: 'default' },
    )
    change({ options })
  })
  return input
}
