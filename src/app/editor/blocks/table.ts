/** Tables: a head with the columns, rows of cells, values by the type of their column. Shown as cards where the table says so. */
import type { Node as EditorNode } from 'prosemirror-model'
import type { NodeView } from 'prosemirror-view'
import type { TableDefinition } from '../../../core/document/tree/nodes.ts'
import { columnsOfNode } from '../document/table-shape.ts'
import { button, make } from '../dom.ts'
import { openColumnMenu } from '../menus/column-menu.ts'
import { insertColumn, insertRow } from './table-commands.ts'
import { drawValue } from './table-values.ts'
import { boxView, type MakeView, type Site } from './view-parts.ts'

export const tableView: MakeView = (site) =>
  site.node.attrs.data.view.type === 'cards' ? cardsView(site) : gridView(site)

function gridView(site: Site): NodeView {
  const { texts } = site.context
  const head = make('thead')
  const body = make('tbody')
  const scroll = make('div', { class: 'table-scroll' }, make('table', {}, head, body))
  const add = button(texts.table.addRow, {
    class: 'ed-add',
    text: `+ ${texts.table.addRow}`,
    press: () => addRow(site),
  })
  const dom = make('div', {}, scroll, add)
  const follow = followColumns(body)
  const view = boxView(site.node, {
    dom,
    content: body,
    controls: [head, add],
    draw(node) {
      const { view: shown, fullWidth } = node.attrs.data
      const count = shown.columns.length
      dom.className = ['table', fullWidth && 'full', count > 2 && 'keep-first', count > 5 && 'many']
        .filter(Boolean)
        .join(' ')
      dom.dataset.shown = String(count)
      head.replaceChildren(headRow(site, node))
      head.className = shown.hideHeader ? 'is-hidden' : ''
      follow(node)
    },
  })
  return sameShape(view, 'grid')
}

/** A table that is shown as cards from now on is drawn anew. */
function sameShape(view: NodeView, type: string): NodeView {
  const update = view.update
  return {
    ...view,
    update: (node, outer, inner) =>
      node.attrs.data?.view?.type === type && (update?.call(view, node, outer, inner) ?? false),
  }
}

function headRow(site: Site, node: EditorNode): HTMLElement {
  const { texts } = site.context
  const columns = shownColumns(node)
  const cells = columns.map((column) => {
    const title = column.title || texts.table.untitled
    const open = button(texts.table.columnMenu(title), {
      class: `ed-column${column.title === '' ? ' is-empty' : ''}`,
      text: title,
      'aria-haspopup': 'dialog',
      press: (event) => {
        const pos = site.getPos()
        if (pos !== undefined && event.currentTarget instanceof HTMLElement && site.view.editable)
          openColumnMenu(
            { view: site.view, context: site.context, getPos: site.getPos, column: column.id },
            event.currentTarget.getBoundingClientRect(),
          )
      },
    })
    return make('th', { scope: 'col', class: alignOf(column) }, open)
  })
  const add = button(texts.table.addColumn, {
    class: 'ed-mini',
    icon: 'plus',
    press: () => addColumn(site, columns.length),
  })
  return make('tr', {}, ...cells, ...(site.view.editable ? [make('th', { class: 'ed-end' }, add)] : []))
}

function cardsView(site: Site): NodeView {
  const { texts } = site.context
  const cards = make('div')
  const columns = make('div', { class: 'ed-bar' })
  const add = button(texts.table.addRow, {
    class: 'ed-add',
    text: `+ ${texts.table.addRow}`,
    press: () => addRow(site),
  })
  const dom = make('div', { class: 'ed-cards' }, columns, cards, add)
  const follow = followColumns(cards)
  const view = boxView(site.node, {
    dom,
    content: cards,
    controls: [columns, add],
    draw(node) {
      const { view: shown, fullWidth } = node.attrs.data
      cards.className = `cards ${shown.cardSize === 'large' ? 'large' : 'medium'}${fullWidth ? ' full' : ''}`
      columns.replaceChildren(...headRow(site, node).querySelectorAll('button'))
      follow(node)
    },
  })
  return sameShape(view, 'cards')
}

const shownColumns = (node: EditorNode): TableDefinition[] =>
  columnsOfNode(node).slice(0, new Set(node.attrs.data.view.columns).size)

function alignOf(column: TableDefinition): string | undefined {
  if (column.type === 'number') return 'align-end'
  if (column.type !== 'text') return undefined
  return column.textAlignment === 'center' ? 'align-center' : column.textAlignment === 'right' ? 'align-end' : undefined
}

function addRow({ view, getPos }: Site): void {
  const pos = getPos()
  const table = pos === undefined ? null : view.state.doc.nodeAt(pos)
  if (pos !== undefined && table !== null)
    view.dispatch(insertRow(view.state.tr, pos, table.childCount).scrollIntoView())
}

function addColumn({ view, getPos }: Site, index: number): void {
  const pos = getPos()
  if (pos !== undefined) view.dispatch(insertColumn(view.state.tr, pos, index))
}

/** The column that a cell belongs to, as its table defines it now. */
function columnOf({ node, view, getPos }: Site): TableDefinition | undefined {
  const pos = getPos()
  if (pos === undefined) return undefined
  const $pos = view.state.doc.resolve(pos)
  return $pos.depth > 0 ? $pos.node(-1).attrs.data?.definition?.[node.attrs.column] : undefined
}

/** What draws a cell anew: how it looks depends on its column, which is data of the table. */
const redraws = new WeakMap<Element, () => void>()

export const textCellView: MakeView = (site) => {
  const dom = make('td')
  const draw = (): void => {
    const column = columnOf(site)
    const wanted = column && alignOf(column)
    // Other names belong to the editor: a cell may be covered.
    for (const name of ['align-center', 'align-end']) dom.classList.toggle(name, name === wanted)
  }
  redraws.set(dom, draw)
  const view = boxView(site.node, { dom, content: dom, draw })
  return {
    ...view,
    ignoreMutation: (mutation) =>
      (mutation.type === 'attributes' && mutation.target === dom) || (view.ignoreMutation?.(mutation) ?? false),
  }
}

/** Cells are drawn again when the columns are not what they were. */
function followColumns(body: HTMLElement): (node: EditorNode) => void {
  let known: unknown
  return ({ attrs }) => {
    const { definition } = attrs.data
    if (known !== undefined && known !== definition)
      queueMicrotask(() => {
        for (const cell of body.querySelectorAll('td')) redraws.get(cell)?.()
      })
    known = definition
  }
}

export const valueCellView: MakeView = (site) => {
  const dom = make('td', { class: 'value', contenteditable: 'false' })
  let node = site.node
  const commit = (value: unknown): void => {
    const pos = site.getPos()
    if (pos !== undefined && site.view.editable)
      site.view.dispatch(site.view.state.tr.setNodeAttribute(pos, 'value', value))
  }
  const draw = (): void => {
    const column = columnOf({ ...site, node })
    dom.replaceChildren(column === undefined ? '' : drawValue(site, column, node.attrs.value, commit))
  }
  draw()
  redraws.set(dom, draw)
  return {
    dom,
    update(next) {
      if (next.type !== node.type) return false
      const isSame = next.attrs.value === node.attrs.value
      node = next
      if (!isSame || !dom.contains(document.activeElement)) draw()
      return true
    },
    stopEvent: (event) => event.type !== 'dragstart',
    ignoreMutation: () => true,
  }
}
