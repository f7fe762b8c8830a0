/** The menu of a block: turn into, settings, condition, move, duplicate, delete; for rows of tables their own. */
import type { Command, EditorState } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { deleteRow, insertRow, moveRow, tableAround } from '../blocks/table-commands.ts'
import { deleteBlock, duplicateBlock, moveBlock, nodeType, selectedBlock, turnInto } from '../commands.ts'
import type { EditorContext } from '../context.ts'
import { button, make } from '../dom.ts'
import { blockName, hasSettings } from './block-panel.ts'
import { openPopover } from './popover.ts'

const kinds = [
  'paragraph',
  'heading-1',
  'heading-2',
  'heading-3',
  'list-unordered',
  'list-ordered',
  'list-tasks',
  'blockquote',
  'code',
  'hint',
] as const

export function openBlockMenu(view: EditorView, context: EditorContext, at: DOMRect): void {
  const { texts, root } = context
  const block = selectedBlock(view.state)
  if (block === undefined) return
  const act = (label: string, run: () => void): HTMLElement =>
    button(label, {
      class: 'ed-row',
      text: label,
      role: 'menuitem',
      press: () => {
        popover.close()
        // Before it runs: what it opens takes the focus and keeps it.
        view.focus()
        run()
      },
    })
  const command = (label: string, what: Command): HTMLElement => act(label, () => what(view.state, view.dispatch, view))
  const rows: HTMLElement[] = []
  if (hasSettings(block.node)) rows.push(act(texts.menu.settings, () => context.openPanel(view, block.pos)))
  const table = tableAround(view.state)
  const rowIndex = block.node.type.name === 'table_row' ? view.state.doc.resolve(block.pos).index() : table?.row
  if (table !== undefined && rowIndex !== undefined) {
    const { pos } = table
    rows.push(
      act(texts.table.insertAbove, () => view.dispatch(insertRow(view.state.tr, pos, rowIndex))),
      act(texts.table.insertBelow, () => view.dispatch(insertRow(view.state.tr, pos, rowIndex + 1))),
      act(`${texts.menu.moveUp}: ${texts.table.rowMenu(rowIndex + 1)}`, () =>
        view.dispatch(moveRow(view.state.tr, pos, rowIndex, rowIndex - 1)),
      ),
      act(`${texts.menu.moveDown}: ${texts.table.rowMenu(rowIndex + 1)}`, () =>
        view.dispatch(moveRow(view.state.tr, pos, rowIndex, rowIndex + 1)),
      ),
      act(texts.table.deleteRow, () => view.dispatch(deleteRow(view.state.tr, pos, rowIndex))),
    )
  }
  rows.push(
    command(texts.menu.moveUp, moveBlock(-1)),
    command(texts.menu.moveDown, moveBlock(1)),
    command(texts.menu.duplicate, duplicateBlock),
  )
  if (isInCodeLine(view.state)) rows.push(act(texts.menu.highlightLine, () => highlightLines(view)))
  const { comment } = context
  const { key } = block.node.attrs
  if (comment !== undefined && typeof key === 'string') rows.push(act(texts.menu.comment, () => comment(key)))
  if (block.node.type.isInGroup('flow')) rows.push(act(texts.menu.condition, () => wrapInCondition(view, context)))
  rows.push(command(texts.menu.delete, deleteBlock))
  const turnIntos = kinds.map((kind) => command(texts.blocks[kind], turnInto(kind)))
  const isText = block.node.isTextblock || block.node.type.name.startsWith('list')
  const popover = openPopover(
    at,
    {
      root,
      takesFocus: true,
      role: 'menu',
      'aria-label': blockName(block.node, context),
      class: 'ed-menu',
      on: { keydown: moveFocus },
    },
    ...rows,
    ...(isText ? [make('div', { class: 'ed-group', role: 'presentation' }, texts.menu.turnInto), ...turnIntos] : []),
  )
}

const isInCodeLine = ({ selection }: EditorState): boolean => selection.$from.parent.type.name === 'code_line'

/** Marks the lines that are selected, or takes the marks away where all have one. */
function highlightLines(view: EditorView): void {
  const { doc, selection, tr } = view.state
  const lines: { pos: number; data: object; isMarked: boolean }[] = []
  doc.nodesBetween(selection.from, selection.to, (node, pos) => {
    if (node.type.name === 'code_line')
      lines.push({ pos, data: node.attrs.data, isMarked: node.attrs.data.highlighted === true })
  })
  const highlighted = lines.every(({ isMarked }) => isMarked) ? undefined : true
  for (const { pos, data } of lines) tr.setNodeAttribute(pos, 'data', withoutUndefined({ ...data, highlighted }))
  view.dispatch(tr)
}

const withoutUndefined = (data: object): object =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined))

function wrapInCondition(view: EditorView, context: EditorContext): void {
  const block = selectedBlock(view.state)
  if (block === undefined) return
  const wrapper = nodeType('if').create({ data: { expression: 'true' } }, block.node)
  view.dispatch(view.state.tr.replaceWith(block.pos, block.pos + block.node.nodeSize, wrapper))
  context.openPanel(view, block.pos)
}

/** Arrows go through the rows, as in any menu. */
function moveFocus(event: KeyboardEvent): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0 || !(event.currentTarget instanceof HTMLElement)) return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  const at = rows.findIndex((row) => row.matches(':focus'))
  rows[(at + step + rows.length) % rows.length]?.focus()
  event.preventDefault()
}
