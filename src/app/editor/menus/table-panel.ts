/** How a table is shown: as a grid or as cards, what of its head, which column is the cover of cards, which are hidden. */
import type { Node as EditorNode } from 'prosemirror-model'
import { cardSizes, type TableDefinition } from '../../../core/document/tree/nodes.ts'
import type { EditorContext } from '../context.ts'
import { make } from '../dom.ts'

interface View {
  type: string
  columns: string[]
  [field: string]: unknown
}
type Change = (fields: object) => void

/** What is changed one after another in one panel is changed on top of what was changed before. */
export function tableFields(table: EditorNode, change: Change, { texts }: EditorContext): HTMLElement[] {
  const definition: Record<string, TableDefinition> = table.attrs.data.definition
  let view: View = table.attrs.data.view
  const set = (fields: object): void => {
    view = { ...view, ...fields }
    change({ view: Object.fromEntries(Object.entries(view).filter(([, value]) => value !== undefined)) })
  }
  const flag = (name: 'hideHeader' | 'stickyHeader' | 'stickyFirstColumn' | 'hideColumnTitle'): HTMLElement => {
    const isRequired = name === 'hideHeader'
    return check(texts.panel.fields[name], view[name] === true, (isOn) =>
      set({ [name]: isOn ? true : isRequired ? false : undefined }),
    )
  }
  const type = choice(
    texts.panel.fields.view,
    [
      ['grid', texts.blocks.table],
      ...cardSizes.map((size) => [`cards-${size}`, `${texts.blocks.cards}: ${texts.panel.options[size]}`] as const),
    ],
    view.type === 'cards' ? `cards-${view.cardSize}` : 'grid',
    (value) => {
      const { columns } = view
      const isSame = view.type === (value === 'grid' ? 'grid' : 'cards')
      const cardSize = value.slice('cards-'.length)
      if (!isSame) view = { type: '', columns }
      set(value === 'grid' ? { type: 'grid', hideHeader: view.hideHeader === true } : { type: 'cards', cardSize })
    },
  )
  const shown =
    view.type === 'grid'
      ? [flag('hideHeader'), flag('stickyHeader'), flag('stickyFirstColumn')]
      : [cover(), flag('hideColumnTitle')]
  return [type, ...shown, ...hiddenColumns()]

  function cover(): HTMLElement {
    const images = Object.values(definition).filter((column) => column.type === 'image' || column.type === 'files')
    const named = images.map((column) => [column.id, column.title || texts.table.untitled] as const)
    const chosen = typeof view.coverDefinition === 'string' ? view.coverDefinition : ''
    return choice(texts.table.cover, [['', texts.panel.none], ...named], chosen, (id) =>
      set({ coverDefinition: id === '' ? undefined : id }),
    )
  }

  function hiddenColumns(): HTMLElement[] {
    const parts = new Set([view.targetDefinition, view.coverDefinition, view.coverDefinitionDark])
    return Object.values(definition)
      .filter(({ id }) => !view.columns.includes(id) && !parts.has(id))
      .map(({ id, title }) =>
        check(texts.table.shown(title || texts.table.untitled), false, (isOn) =>
          set({ columns: isOn ? [...view.columns, id] : view.columns.filter((other) => other !== id) }),
        ),
      )
  }
}

function check(label: string, isOn: boolean, change: (isOn: boolean) => void): HTMLElement {
  const box = make('input', { type: 'checkbox' })
  box.checked = isOn
  box.addEventListener('change', () => change(box.checked))
  return make('label', { class: 'ed-check' }, box, label)
}

function choice(
  label: string,
  options: readonly (readonly [value: string, label: string])[],
  chosen: string,
  change: (value: string) => void,
): HTMLElement {
  const select = make('select', { class: 'ed-input' })
  for (const [value, words] of options) {
    const option = make('option', { value }, words)
    option.selected = value === chosen
    select.append(option)
  }
  select.addEventListener('change', () => change(select.value))
  return make('label', { class: 'ed-label' }, label, select)
}
