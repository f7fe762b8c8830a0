/** A field that finds pages while one types, and takes an address as it is. */
import type { ContentRef } from '../../../core/document/tree/nodes.ts'
import type { EditorContext } from '../context.ts'
import { make } from '../dom.ts'
import type { Choice } from '../lookup.ts'
import { randomKey } from '../random-key.ts'
import { makeChooser } from './popover.ts'

export interface PageFieldOptions {
  label: string
  value: string
  context: EditorContext
  find(query: string): Promise<Choice[]>
  choose(ref: ContentRef): void
  /** What a typed address means. */
  read(text: string): ContentRef | undefined
}

const isAddress = (text: string): boolean =>
  /^(?:https?:\/\/|mailto:|\/|#)/i.test(text) || /^[\w-]+(?:\.[\w-]+)+(?:\/|$)/.test(text)

export function pageField({ label, value, context, find, choose, read }: PageFieldOptions): HTMLElement {
  const id = `ed-pages-${randomKey(6)}`
  const input = make('input', {
    class: 'ed-input',
    role: 'combobox',
    'aria-label': label,
    'aria-autocomplete': 'list',
    'aria-controls': id,
    'aria-expanded': 'false',
    placeholder: context.texts.link.field,
    autocomplete: 'off',
    spellcheck: 'false',
  })
  input.value = value
  const take = (text: string): void => {
    const address = /^[\w-]+(?:\.[\w-]+)+(?:\/|$)/.test(text) && !text.includes('://') ? `https://${text}` : text
    const ref = read(address)
    if (ref !== undefined) choose(ref)
  }
  const chooser = makeChooser<Choice>({
    label,
    id,
    empty: context.texts.menu.noMatch,
    draw: ({ title, detail }) => [
      make('span', { class: 'ed-option-title' }, title),
      ...(detail === undefined ? [] : [make('span', { class: 'ed-option-detail' }, detail)]),
    ],
    choose: ({ title, ref }) => {
      input.value = title
      list.hidden = true
      choose(ref)
    },
  })
  const list = make('div', { hidden: true }, chooser.element)
  let request = 0
  const search = async (): Promise<void> => {
    const mine = ++request
    const text = input.value.trim()
    const found = isAddress(text) ? [] : await find(text).catch((): Choice[] => [])
    if (mine !== request) return
    list.hidden = isAddress(text)
    input.setAttribute('aria-expanded', String(!list.hidden))
    chooser.show(found)
  }
  input.addEventListener('input', () => void search())
  input.addEventListener('focus', () => {
    if (input.value === '') void search()
  })
  input.addEventListener('keydown', (event) => {
    if (!list.hidden && event.key !== 'Tab' && chooser.active() !== undefined && chooser.key(event)) {
      event.preventDefault()
      return
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      take(input.value.trim())
    }
  })
  input.addEventListener('change', () => {
    if (isAddress(input.value.trim())) take(input.value.trim())
  })
  return make('div', { class: 'ed-label' }, input, list)
}
