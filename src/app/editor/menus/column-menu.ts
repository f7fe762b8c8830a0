/** The settings of a table's column: title, type, options, place. */
import type { Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import {
  columnTextAlignments,
  type TableDefinition,
  type TableDefinitionType,
} from '../../../core/document/tree/nodes.ts'
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
  /** Where the table is now: others may write above it while the menu is open. */
  getPos(): number | undefined
  column: string
}

export function openColumnMenu({ view, context, getPos, column: id }: ColumnPosition, at: DOMRect): void {
  const { texts, root } = context
  const data = () => view.state.doc.nodeAt(getPos() ?? 0)?.attrs.data
  const column: TableDefinition | undefined = data()?.definition?.[id]
  if (column === undefined) return
  const run = (change: (tr: Transaction, pos: number) => Transaction): void => {
    const pos = getPos()
    if (pos !== undefined) view.dispatch(change(view.state.tr, pos))
  }
  const set = (fields: object): void => run((tr, pos) => setColumn(tr, pos, id, fields))
  const title = make('input', {
    class: 'ed-input',
    'aria-label': texts.table.columnTitle,
    placeholder: texts.table.columnTitle,
  })
  title.value = column.title
  title.addEventListener('change', () => set({ title: title.value.trim() }))
  const type = make('select', { class: 'ed-input', 'aria-label': texts.table.columnType })
  for (const [value, label] of Object.entries(texts.table.types)) {
    const option = make('option', { value }, label)
    option.selected = value === column.type
    type.append(option)
  }
  type.addEventListener('change', () => {
    const wanted = Object.keys(texts.table.types).find((name): name is TableDefinitionType => name === type.value)
    if (wanted !== undefined) run((tr, pos) => retypeColumn(tr, pos, { id, type: wanted, locale: context.locale }))
    popover.close()
  })
  const index = (): number => data()?.view?.columns?.indexOf(id) ?? 0
  const act = (label: string, change: (tr: Transaction, pos: number) => Transaction) =>
    button(label, {
      class: 'ed-row',
      text: label,
      press: () => {
        run(change)
        popover.close()
        view.focus()
      },
    })
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
    ...ofType(column, set, context),
    act(texts.table.insertBefore, (tr, pos) => insertColumn(tr, pos, index())),
    act(texts.table.insertAfter, (tr, pos) => insertColumn(tr, pos, index() + 1)),
    act(texts.table.moveLeft, (tr, pos) => moveColumn(tr, pos, id, -1)),
    act(texts.table.moveRight, (tr, pos) => moveColumn(tr, pos, id, 1)),
    act(texts.table.hide, (tr, pos) => hideColumn(tr, pos, id)),
    act(texts.table.deleteColumn, (tr, pos) => deleteColumn(tr, pos, id)),
  )
}

/** What only columns of this type have. */
function ofType(column: TableDefinition, set: (fields: object) => void, { texts }: EditorContext): HTMLElement[] {
  if (column.type === 'text') {
    const align = make('select', { class: 'ed-input' })
    for (const value of columnTextAlignments) {
      const option = make('option', { value }, texts.panel.options[value])
      option.selected = value === column.textAlignment
      align.append(option)
    }
    align.addEventListener('change', () => set({ textAlignment: align.value }))
    return [make('label', { class: 'ed-label' }, texts.panel.fields.align, align)]
  }
  if (column.type === 'rating') {
    const most = make('input', { class: 'ed-input', type: 'number', min: 1, max: 10 })
    most.value = String(column.max)
    most.addEventListener('change', () => set({ max: Math.min(10, Math.max(1, Math.round(Number(most.value)) || 5)) }))
    return [make('label', { class: 'ed-label' }, texts.table.most, most)]
  }
  if (column.type !== 'select' && column.type !== 'users') return []
  const box = make('input', { type: 'checkbox' })
  box.checked = column.multiple
  box.addEventListener('change', () => set({ multiple: box.checked }))
  return [
    ...(column.type === 'select' ? [optionsField(column, set, texts.table.options)] : []),
    make('label', { class: 'ed-check' }, box, texts.table.multiple),
  ]
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
    // An option that keeps its label, or its place, keeps its value, so that cells stay as they are.
    const isKept = new Set(labels)
    const options = labels.map((name, index) => {
      const known = column.options.find((option) => option.label === name)
      const renamed = labels.length === column.options.length ? column.options[index] : undefined
      if (known !== undefined) return known
      return renamed !== undefined && !isKept.has(renamed.label)
        ? { ...renamed, label: name }
        : { value: name, label: name, color: 'default' }
    })
    change({ options })
  })
  return input
}
