/** An address that is typed out, `https://…`, becomes a link when a space or Enter follows. Backspace takes it back after a space. */
import { InputRule } from 'prosemirror-inputrules'
import { type EditorState, Plugin, type Transaction } from 'prosemirror-state'
import { schema } from './document/schema.ts'
import { randomKey } from './random-key.ts'

const typed = /(?:^|[\s(\ufffc])(https?:\/\/[^\s<>"\ufffc]+)$/
const typedWithSpace = /(?:^|[\s(\ufffc])(https?:\/\/[^\s<>"\ufffc]+)\s$/
/** Longer ones are pasted. */
const longest = 500

export const linkBeforeSpace = (): InputRule =>
  new InputRule(
    typedWithSpace,
    (state, match, start, end) => {
      const tr = linkIn(state, match, start)
      // What was composed is there already, its space too.
      const isThere = match[0].length <= end - start
      return tr && (isThere ? tr : tr.insertText(match[0].slice(-1), end))
    },
    { inCodeMark: false },
  )

export const linkBeforeEnter = (): Plugin =>
  new Plugin({
    props: {
      handleKeyDown(view, { key }) {
        const { $from, empty } = view.state.selection
        if (key !== 'Enter' || !empty || !$from.parent.isTextblock || view.composing) return false
        const before = $from.parent.textBetween(0, $from.parentOffset, null, '\ufffc').slice(-longest)
        const match = typed.exec(before)
        const tr = match && linkIn(view.state, match, $from.pos - match[0].length)
        if (tr) view.dispatch(tr)
        // Enter does what it does.
        return false
      },
    },
  })

/** A link on the address of this match, which begins at `start`; none where words are code, a link or annotated already. */
function linkIn({ doc, tr }: EditorState, match: RegExpMatchArray, start: number): Transaction | null {
  const { link, annotation, m_code: code } = schema.marks
  const [whole, written = ''] = match
  const url = withoutSentence(written)
  const from = start + whole.indexOf(written)
  const to = from + url.length
  if (link === undefined || !URL.canParse(url) || !doc.resolve(from).parent.type.allowsMarkType(link)) return null
  if ([link, annotation, code].some((type) => type && doc.rangeHasMark(from, to, type))) return null
  return tr.addMark(from, to, link.create({ key: randomKey(), data: { ref: { kind: 'url', url } } }))
}

/** Signs that end a sentence are none of the address, nor is a bracket that was opened before it. */
function withoutSentence(address: string): string {
  let url = address
  for (;;) {
    const last = url.at(-1) ?? ''
    const isOpened = last === ')' && url.split('(').length >= url.split(')').length
    if (!".,;:!?'*_~)]".includes(last) || isOpened || url === '') return url
    url = url.slice(0, -1)
  }
}
