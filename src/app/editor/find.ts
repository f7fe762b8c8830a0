/** Find and replace in the page. */
import { Plugin, PluginKey, TextSelection } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import type { EditorContext } from './context.ts'
import { button, make } from './dom.ts'

interface Match {
  from: number
  to: number
}
interface Finding {
  query: string
  matchCase: boolean
  at: number
  matches: Match[]
}

const key = new PluginKey<Finding>('find')
const nothing: Finding = { query: '', matchCase: false, at: 0, matches: [] }
const mostMatches = 5_000

export const findPlugin = (): Plugin<Finding> =>
  new Plugin<Finding>({
    key,
    state: {
      init: () => nothing,
      apply(tr, finding) {
        const asked: Partial<Finding> | undefined = tr.getMeta(key)
        if (asked === undefined && (!tr.docChanged || finding.query === '')) return finding
        const next = { ...finding, ...asked }
        const matches = findMatches(tr.doc, next)
        return { ...next, matches, at: matches.length === 0 ? 0 : (next.at + matches.length) % matches.length }
      },
    },
    props: {
      decorations(state) {
        const { matches, at } = key.getState(state) ?? nothing
        return DecorationSet.create(
          state.doc,
          matches.map(({ from, to }, index) =>
            Decoration.inline(from, to, { class: index === at ? 'ed-found is-current' : 'ed-found' }),
          ),
        )
      },
    },
  })

/** Matches within one block of text, across its marks. */
function findMatches(
  doc: EditorView['state']['doc'],
  { query, matchCase }: Pick<Finding, 'query' | 'matchCase'>,
): Match[] {
  if (query === '') return []
  const fold = (text: string): string => (matchCase ? text : lowered(text))
  const wanted = fold(query)
  const matches: Match[] = []
  doc.descendants((node, pos) => {
    if (!node.isTextblock) return true
    const text = fold(node.textBetween(0, node.content.size, undefined, '\ufffc'))
    for (
      let at = text.indexOf(wanted);
      at >= 0 && matches.length < mostMatches;
      at = text.indexOf(wanted, at + wanted.length)
    )
      matches.push({ from: pos + 1 + at, to: pos + 1 + at + wanted.length })
    return false
  })
  return matches
}

/** In small letters, but never longer: positions must stay true. */
const lowered = (text: string): string =>
  Array.from(text, (one) => (one.toLowerCase().length === one.length ? one.toLowerCase() : one)).join('')

export function openFind(view: EditorView, context: EditorContext): void {
  const { texts, root } = context
  const before = root.querySelector<HTMLInputElement>('.ed-find input')
  if (before) {
    before.select()
    return
  }
  const find = make('input', { class: 'ed-input', 'aria-label': texts.find.find, placeholder: texts.find.find })
  const replace = make('input', {
    class: 'ed-input',
    'aria-label': texts.find.replace,
    placeholder: texts.find.replace,
  })
  const matchCase = make('input', { type: 'checkbox' })
  const count = make('span', { class: 'ed-quiet', role: 'status' })
  const tell = (): void => {
    const { matches, at } = key.getState(view.state) ?? nothing
    count.textContent = find.value === '' ? '' : texts.find.count(at + 1, matches.length)
  }
  const update = (fields: Partial<Finding>): void => {
    view.dispatch(view.state.tr.setMeta(key, fields))
    const { matches, at } = key.getState(view.state) ?? nothing
    const match = matches[at]
    if (match)
      view.dispatch(
        view.state.tr.setSelection(TextSelection.create(view.state.doc, match.from, match.to)).scrollIntoView(),
      )
    tell()
  }
  const step = (by: 1 | -1): void => update({ at: (key.getState(view.state)?.at ?? 0) + by })
  const swap = (matches: readonly Match[]): void => {
    const tr = view.state.tr
    for (const { from, to } of [...matches].reverse()) tr.insertText(replace.value, from, to)
    if (matches.length > 0) view.dispatch(tr)
    tell()
  }
  const current = (): Match[] => {
    const { matches, at } = key.getState(view.state) ?? nothing
    const match = matches[at]
    return match === undefined ? [] : [match]
  }
  const close = (): void => {
    view.dispatch(view.state.tr.setMeta(key, nothing))
    bar.remove()
    view.focus()
  }
  const bar = make(
    'div',
    { class: 'ed-find', role: 'search', 'aria-label': texts.find.title },
    find,
    count,
    button(texts.find.previous, { class: 'ed-mini', icon: 'up', press: () => step(-1) }),
    button(texts.find.next, { class: 'ed-mini', icon: 'down', press: () => step(1) }),
    make('label', { class: 'ed-check' }, matchCase, texts.find.matchCase),
    replace,
    button(texts.find.replaceOne, { class: 'ed-row', text: texts.find.replaceOne, press: () => swap(current()) }),
    button(texts.find.replaceAll, {
      class: 'ed-row',
      text: texts.find.replaceAll,
      press: () => swap(key.getState(view.state)?.matches ?? []),
    }),
    button(texts.panel.close, { class: 'ed-mini', icon: 'close', press: close }),
  )
  find.addEventListener('input', () => update({ query: find.value, at: 0 }))
  matchCase.addEventListener('change', () => update({ matchCase: matchCase.checked }))
  bar.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && event.target === find) step(event.shiftKey ? -1 : 1)
    else if (event.key === 'Enter' && event.target === replace) swap(current())
    else return
    event.preventDefault()
  })
  root.prepend(bar)
  const { from, to, empty } = view.state.selection
  if (!empty && to - from < 100) find.value = view.state.doc.textBetween(from, to, ' ')
  find.focus()
  find.select()
  if (find.value !== '') update({ query: find.value, at: 0 })
}
