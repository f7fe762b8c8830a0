/** The value of a cell by the type of its column: a box, a number, a choice, people, pages, images, files. */
import type { ContentRef, TableDefinition } from '../../../core/document/tree/nodes.ts'
import { parseRef, printRef } from '../../../core/document/tree/refs.ts'
import { button, make } from '../dom.ts'
import { pageField } from '../menus/page-field.ts'
import { openPopover } from '../menus/popover.ts'
import type { Site } from './view-parts.ts'

type Commit = (value: unknown) => void

export function drawValue(site: Site, column: TableDefinition, value: unknown, commit: Commit): HTMLElement {
  const { texts } = site.context
  const label = column.title || texts.table.value
  switch (column.type) {
    case 'checkbox': {
      const box = make('input', { type: 'checkbox', 'aria-label': label })
      box.checked = value === true
      box.addEventListener('change', () => commit(box.checked ? true : null))
      return box
    }
    case 'number':
    case 'rating': {
      const input = make('input', {
        type: 'number',
        class: 'ed-field',
        'aria-label': label,
        ...(column.type === 'rating' ? { min: 0, max: column.max } : {}),
      })
      input.value = typeof value === 'number' ? String(value) : ''
      input.addEventListener('change', () => commit(input.value === '' ? null : Number(input.value)))
      return input
    }
    case 'select': {
      const select = make('select', {
        class: 'ed-field',
        'aria-label': label,
        ...(column.multiple ? { multiple: true } : {}),
      })
      const chosen = Array.isArray(value) ? value : []
      if (!column.multiple) select.append(make('option', { value: '' }, ''))
      for (const option of column.options) {
        const row = make('option', { value: option.value }, option.label)
        row.selected = chosen.includes(option.value)
        select.append(row)
      }
      select.addEventListener('change', () => {
        const values = [...select.selectedOptions].map((option) => option.value).filter((one) => one !== '')
        commit(values.length === 0 ? null : values)
      })
      return select
    }
    case 'users':
      return drawRefs(
        site,
        { label, find: site.context.lookup.people, refs: usersOf(value), most: column.multiple ? 50 : 1 },
        (refs) => commit(refs.length === 0 ? null : refs.flatMap((ref) => (ref.kind === 'user' ? [ref.user] : []))),
      )
    case 'files':
      return drawRefs(site, { label, accept: '*/*', refs: filesOf(value), most: 50 }, (refs) =>
        commit(refs.length === 0 ? null : refs.map((ref) => (ref.kind === 'file' ? ref.file : printRef(ref)))),
      )
    case 'image':
      return drawRefs(site, { label, accept: 'image/*', refs: refsOf(value), most: 1 }, ([ref]) => commit(ref ?? null))
    default:
      return drawRefs(site, { label, find: site.context.lookup.pages, refs: refsOf(value), most: 1 }, ([ref]) =>
        commit(ref ?? null),
      )
  }
}

const isRef = (value: unknown): value is ContentRef => typeof value === 'object' && value !== null && 'kind' in value

/** An image may be framed: then its target is a part of it. */
function refsOf(value: unknown): ContentRef[] {
  if (isRef(value)) return [value]
  return typeof value === 'object' && value !== null && 'ref' in value ? refsOf(value.ref) : []
}

const stringsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
const usersOf = (value: unknown): ContentRef[] => stringsOf(value).map((user) => ({ kind: 'user', user }))
/** A bare word is the id of a file; anything else is its address. */
const filesOf = (value: unknown): ContentRef[] =>
  stringsOf(value).map((file) => (/^[\w-]+$/.test(file) ? { kind: 'file', file } : parseRef(file)))

interface Refs {
  label: string
  /** What is found by its name. */
  find?: (query: string) => ReturnType<Site['context']['lookup']['pages']>
  /** Which files can be chosen. */
  accept?: string
  refs: readonly ContentRef[]
  most: number
}

/** What a cell points at, by its name; pressed, it can be chosen. */
function drawRefs(site: Site, of: Refs, commit: (refs: ContentRef[]) => void): HTMLElement {
  const { texts, lookup } = site.context
  const words = make('span', {}, of.refs.length === 0 ? texts.table.choose : '…')
  const open = button(of.label, {
    class: `ed-field ed-ref${of.refs.length === 0 ? ' is-empty' : ''}`,
    text: '',
    'aria-haspopup': 'dialog',
    press: () => {
      if (site.view.editable) chooseRefs(site, of, commit, open.getBoundingClientRect())
    },
  })
  open.replaceChildren(words)
  open.setAttribute('aria-label', of.label)
  void Promise.all(of.refs.map((ref) => lookup.target(ref))).then((targets) => {
    if (targets.length === 0) return
    const names = targets.map(({ title }) => title).join(', ')
    words.textContent = names
    open.setAttribute('aria-label', `${of.label}: ${names}`)
  })
  return open
}

function chooseRefs(site: Site, of: Refs, commit: (refs: ContentRef[]) => void, at: DOMRect): void {
  const { texts, lookup, root } = site.context
  const take = (ref: ContentRef): void => {
    const others = of.refs.filter((one) => printRef(one) !== printRef(ref))
    commit(of.most === 1 ? [ref] : [...others, ref].slice(-of.most))
    popover.close()
  }
  const fields: HTMLElement[] = []
  const isOfPeople = of.find === lookup.people
  if (of.accept !== undefined) {
    const input = make('input', { type: 'file', ...(of.accept === '*/*' ? {} : { accept: of.accept }) })
    input.addEventListener('change', () => {
      const [file] = input.files ?? []
      if (file === undefined) return
      void lookup
        .upload(file, () => {})
        .then(
          ({ id }) => take({ kind: 'file', file: id }),
          () => site.context.announce(texts.upload.failed(file.name)),
        )
    })
    fields.push(
      make('label', { class: 'ed-label' }, of.accept === '*/*' ? texts.file.choose : texts.image.choose, input),
    )
  }
  fields.push(
    pageField({
      label: of.label,
      context: site.context,
      find: of.find ?? (async () => []),
      value: '',
      choose: take,
      read: (text) => (text === '' || isOfPeople ? undefined : parseRef(text)),
    }),
  )
  const clear = button(texts.table.empty, {
    class: 'ed-row',
    text: texts.table.empty,
    press: () => {
      commit([])
      popover.close()
    },
  })
  const popover = openPopover(
    at,
    { root, takesFocus: true, role: 'dialog', 'aria-label': of.label, closed: () => site.view.focus() },
    ...fields,
    ...(of.refs.length === 0 ? [] : [clear]),
  )
}
