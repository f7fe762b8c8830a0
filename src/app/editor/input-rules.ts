/** What typing makes of itself: `# `, `- `, `1. `, `[] `, `> `, three backticks, `---`, marks around words, and addresses. */
import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import {
  type Command,
  type EditorState,
  type Plugin,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import type { MarkType as Mark } from '../../core/document/tree/nodes.ts'
import { nodeType } from './commands.ts'
import { markName } from './document/names.ts'
import { schema } from './document/schema.ts'
import { linkBeforeSpace } from './typed-links.ts'

export function typingRules(): Plugin {
  return inputRules({
    rules: [
      ...[1, 2, 3].map((level) =>
        textblockTypeInputRule(new RegExp(`^#{${level}}\\s$`), nodeType(`heading-${level}`), { data: {} }),
      ),
      wrappingInputRule(/^\s*[-*+]\s$/, nodeType('list-unordered')),
      wrappingInputRule(
        /^(\d{1,9})[.)]\s$/,
        nodeType('list-ordered'),
        (match) => ({ data: match[1] === '1' ? {} : { start: Number(match[1]) } }),
        (match, node) => node.childCount + (node.attrs.data.start ?? 1) === Number(match[1]),
      ),
      taskRule(),
      wrappingInputRule(/^\s*>\s$/, nodeType('blockquote')),
      fenceRule(),
      dividerRule(),
      ...markRules(),
      linkBeforeSpace(),
    ],
  })
}

/** `[] ` or `[x] ` begins a task list, also where `- ` made a list before. */
function taskRule(): InputRule {
  return new InputRule(/^\[([ xX]?)\]\s$/, (state, match, start, end) => {
    const $start = state.doc.resolve(start)
    const data = { checked: match[1]?.toLowerCase() === 'x' }
    const tr = state.tr.delete(start, end)
    const $at = tr.doc.resolve($start.pos)
    const list = $at.depth >= 2 ? $at.node(-2) : undefined
    if ($at.depth >= 2 && $at.node(-1).type.name === 'list_item' && list?.type.name === 'list_unordered') {
      if (list.childCount !== 1) return null
      return tr
        .setNodeMarkup($at.before(-2), nodeType('list-tasks'), { key: list.attrs.key, data: {} })
        .setNodeAttribute($at.before(-1), 'data', data)
    }
    const range = $at.blockRange()
    if (range === null || $at.parent.type.name !== 'paragraph') return null
    const item = nodeType('list-item').create({ data }, $at.parent)
    const made = nodeType('list-tasks').create(null, item)
    if (!range.parent.canReplaceWith(range.startIndex, range.endIndex, made.type)) return null
    tr.replaceWith($at.before(), $at.after(), made)
    return tr.setSelection(TextSelection.create(tr.doc, range.start + 3))
  })
}

/** Three backticks and a language, then a space. */
const fenceRule = (): InputRule =>
  new InputRule(/^```([\w+#.-]*)\s$/, (state, match, start) => makeCode(state, start, match[1] ?? ''))

/** The same, then Enter. */
export const enterAfterFence: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  const fence = /^```([\w+#.-]*)$/.exec($from.parent.textContent)
  if (!empty || !fence || $from.parent.type.name !== 'paragraph' || $from.parentOffset !== $from.parent.content.size)
    return false
  const tr = makeCode(state, $from.pos, fence[1] ?? '')
  if (tr) dispatch?.(tr)
  return tr !== null
}

/** Code in the place of the block at this position. */
function makeCode(state: EditorState, pos: number, syntax: string): Transaction | null {
  const $pos = state.doc.resolve(pos)
  const made = nodeType('code').create({ data: syntax === '' ? {} : { syntax } }, nodeType('code-line').create())
  const parent = $pos.node(-1)
  if (!parent.canReplaceWith($pos.index(-1), $pos.indexAfter(-1), made.type)) return null
  const at = $pos.before()
  const tr = state.tr.replaceWith(at, $pos.after(), made)
  return tr.setSelection(TextSelection.create(tr.doc, at + 2))
}

function dividerRule(): InputRule {
  return new InputRule(/^(?:---|\*\*\*|___)\s?$/, (state, _, start) => {
    const $start = state.doc.resolve(start)
    const parent = $start.node(-1)
    if (!parent.canReplaceWith($start.index(-1), $start.indexAfter(-1), nodeType('divider'))) return null
    const at = $start.before()
    const tr = state.tr.replaceWith(at, $start.after(), [nodeType('divider').create(), nodeType('paragraph').create()])
    return tr.setSelection(Selection.near(tr.doc.resolve(at + 1)))
  })
}

const signs: readonly [RegExp, Mark][] = [
  [/(?:^|[^*\w])(\*\*([^*\s](?:[^*]*[^*\s])?)\*\*)$/, 'bold'],
  [/(?:^|[^*\w])(\*([^*\s](?:[^*]*[^*\s])?)\*)$/, 'italic'],
  [/(?:^|[^_\w])(_([^_\s](?:[^_]*[^_\s])?)_)$/, 'italic'],
  [/(?:^|[^`])(`([^`]+)`)$/, 'code'],
  [/(?:^|[^~])(~~([^~]+)~~)$/, 'strikethrough'],
]

function markRules(): InputRule[] {
  return signs.map(
    ([pattern, name]) =>
      new InputRule(pattern, (state, match, from, end) => {
        const [matched, whole = '', words = ''] = match
        const type = schema.marks[markName(name)]
        const $end = state.doc.resolve(end)
        if (type === undefined || !$end.parent.type.allowsMarkType(type)) return null
        // The last sign is in the document where it was composed, and else not yet.
        const start = from + matched.length - whole.length
        const sign = (whole.length - words.length) / 2
        if (state.doc.rangeHasMark(start, end, schema.marks.m_code ?? type) && name !== 'code') return null
        const tr = state.tr.delete(start + sign + words.length, end).delete(start, start + sign)
        tr.addMark(start, start + words.length, type.create())
        return tr.removeStoredMark(type)
      }),
  )
}
