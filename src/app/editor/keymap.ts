/** The keys of the editor. Escape and then Tab leads out of it, so nobody is caught. */
import {
  baseKeymap,
  chainCommands,
  createParagraphNear,
  deleteSelection,
  exitCode,
  joinBackward,
  joinTextblockBackward,
  lift,
  liftEmptyBlock,
  newlineInCode,
  selectNodeBackward,
  splitBlock,
  toggleMark,
} from 'prosemirror-commands'
import { undoInputRule } from 'prosemirror-inputrules'
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list'
import { type Command, NodeSelection, Selection, TextSelection } from 'prosemirror-state'
import { CellSelection, extendCells } from './blocks/cell-selection.ts'
import { goToNextCell } from './blocks/table-commands.ts'
import {
  chooseNext,
  deleteBlock,
  duplicateBlock,
  enterBlock,
  leaveContainer,
  moveBlock,
  nodeType,
  selectAround,
  selectMore,
  toggleList,
  turnInto,
} from './commands.ts'
import { markName } from './document/names.ts'
import { schema } from './document/schema.ts'
import { enterAfterFence } from './input-rules.ts'
import { redoMine, undoMine } from './undo-mine.ts'

const mark = (name: 'bold' | 'italic' | 'code' | 'strikethrough' | 'superscript' | 'subscript'): Command => {
  const type = schema.marks[markName(name)]
  return type === undefined ? () => false : toggleMark(type)
}

const inCodeLine = (state: Parameters<Command>[0]): boolean => state.selection.$from.parent.type.name === 'code_line'

const lineBreak: Command = (state, dispatch) => {
  if (!state.selection.$from.parent.isTextblock || inCodeLine(state)) return false
  if (dispatch) dispatch(state.tr.insertText('\n').scrollIntoView())
  return true
}

/** A new line of code begins as deep as the one before. */
const codeLine: Command = (state, dispatch) => {
  const { $from } = state.selection
  if (!inCodeLine(state)) return false
  if (dispatch) {
    const indent = /^[ \t]*/.exec($from.parent.textContent)?.[0] ?? ''
    const tr = state.tr.deleteSelection()
    const at = tr.selection.from
    tr.split(at, 1, [{ type: nodeType('code-line') }])
    const deep = indent.slice(0, $from.parentOffset)
    if (deep !== '') tr.insertText(deep, at + 2)
    dispatch(tr.scrollIntoView())
  }
  return true
}

const indentCode =
  (by: 1 | -1): Command =>
  (state, dispatch) => {
    if (!inCodeLine(state)) return false
    const { $from, $to, from, empty } = state.selection
    if (by > 0 && empty) {
      if (dispatch) dispatch(state.tr.insertText('  ').scrollIntoView())
      return true
    }
    if (dispatch) {
      const tr = state.tr
      state.doc.nodesBetween($from.before(), $to.after(), (node, pos) => {
        if (node.type.name !== 'code_line') return true
        const at = tr.mapping.map(pos + 1)
        if (by > 0) tr.insertText('  ', at)
        else {
          const deep = /^(?: {1,2}|\t)/.exec(node.textContent)?.[0].length ?? 0
          if (deep > 0) tr.delete(at, at + deep)
        }
        return false
      })
      dispatch(tr)
    }
    return from >= 0
  }

/** At the beginning of a heading or a quote, Backspace first makes it plain. */
const plainFirst: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  if (!empty || $from.parentOffset > 0 || !$from.parent.type.name.startsWith('heading')) return false
  if (dispatch)
    dispatch(state.tr.setNodeMarkup($from.before(), nodeType('paragraph'), { key: $from.parent.attrs.key, data: {} }))
  return true
}

/** In an empty code block Backspace makes a paragraph of it. */
const leaveEmptyCode: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  if (!empty || !inCodeLine(state) || $from.node(-1).textContent !== '' || $from.node(-1).childCount > 1) return false
  if ($from.node(-2).type.name === 'prompt') return false
  if (dispatch) {
    const at = $from.before(-1)
    const tr = state.tr.replaceWith(at, $from.after(-1), nodeType('paragraph').create())
    dispatch(tr.setSelection(TextSelection.create(tr.doc, at + 1)))
  }
  return true
}

/** From the title of an expandable into what it opens. */
const intoBody: Command = (state, dispatch) => {
  const { $from } = state.selection
  if ($from.parent.type.name !== 'expandable_title') return false
  if (dispatch) dispatch(state.tr.setSelection(Selection.near(state.doc.resolve($from.after()), 1)).scrollIntoView())
  return true
}

const onlyChosen =
  (command: Command): Command =>
  (state, dispatch, view) =>
    state.selection instanceof NodeSelection && !state.selection.node.isInline && command(state, dispatch, view)

const inText =
  (command: Command): Command =>
  (state, dispatch, view) =>
    state.selection instanceof TextSelection && command(state, dispatch, view)

const item = nodeType('list-item')

/** Splitting an item of a task list makes one that is not done. */
const splitItem: Command = (state, dispatch, view) =>
  splitListItem(item, { data: taskData(state) })(state, dispatch, view)

function taskData(state: Parameters<Command>[0]): object {
  const { $from } = state.selection
  for (let depth = $from.depth; depth > 0; depth -= 1)
    if ($from.node(depth).type.name === 'list_item')
      return $from.node(depth - 1).type.name === 'list_tasks' ? { checked: false } : {}
  return {}
}

/** Enter on chosen cells: into the first. */
const intoCells: Command = (state, dispatch) => {
  const { selection } = state
  if (!(selection instanceof CellSelection)) return false
  if (dispatch) dispatch(state.tr.setSelection(Selection.near(selection.$to, -1)).scrollIntoView())
  return true
}

const enter = chainCommands(
  onlyChosen(enterBlock),
  intoCells,
  intoBody,
  enterAfterFence,
  codeLine,
  splitItem,
  createParagraphNear,
  liftEmptyBlock,
  splitBlock,
)
const backspace = chainCommands(
  undoInputRule,
  deleteSelection,
  leaveEmptyCode,
  plainFirst,
  joinTextblockBackward,
  joinBackward,
  selectNodeBackward,
)

export const editorKeys: Readonly<Record<string, Command>> = {
  ...baseKeymap,
  Enter: enter,
  Backspace: backspace,
  'Mod-Backspace': backspace,
  'Shift-Enter': chainCommands(lineBreak, newlineInCode, codeLine),
  'Mod-Enter': chainCommands(leaveContainer, exitCode),
  'Mod-b': mark('bold'),
  'Mod-i': mark('italic'),
  'Mod-e': mark('code'),
  'Mod-Shift-x': mark('strikethrough'),
  'Mod-.': mark('superscript'),
  'Mod-,': mark('subscript'),
  'Mod-z': chainCommands(undoInputRule, undoMine),
  'Mod-Shift-z': redoMine,
  'Mod-y': redoMine,
  'Mod-Alt-0': turnInto('paragraph'),
  'Mod-Alt-1': turnInto('heading-1'),
  'Mod-Alt-2': turnInto('heading-2'),
  'Mod-Alt-3': turnInto('heading-3'),
  'Mod-Alt-c': turnInto('code'),
  'Mod-Shift-7': toggleList('list-ordered'),
  'Mod-Shift-8': toggleList('list-unordered'),
  'Mod-Shift-9': toggleList('list-tasks'),
  'Mod-Shift-b': turnInto('blockquote'),
  // With a block chosen (Escape), Tab leads out of the editor.
  Tab: inText(chainCommands(intoBody, goToNextCell(1), sinkListItem(item), indentCode(1))),
  'Shift-Tab': inText(chainCommands(goToNextCell(-1), liftListItem(item), indentCode(-1))),
  Escape: selectAround,
  ArrowUp: chooseNext(-1, { more: false }),
  ArrowDown: chooseNext(1, { more: false }),
  'Shift-ArrowUp': chainCommands(extendCells(-1, 0), chooseNext(-1, { more: true })),
  'Shift-ArrowDown': chainCommands(extendCells(1, 0), chooseNext(1, { more: true })),
  'Shift-ArrowLeft': extendCells(0, -1),
  'Shift-ArrowRight': extendCells(0, 1),
  'Alt-ArrowUp': moveBlock(-1),
  'Alt-ArrowDown': moveBlock(1),
  'Alt-ArrowLeft': liftListItem(item),
  'Alt-ArrowRight': sinkListItem(item),
  'Mod-a': chainCommands(selectMore, baseKeymap['Mod-a'] ?? (() => false)),
  'Mod-d': onlyChosen(duplicateBlock),
  'Mod-Shift-d': duplicateBlock,
  Delete: chainCommands(onlyChosen(deleteBlock), baseKeymap.Delete ?? (() => false)),
  'Mod-[': lift,
}
