/** Tabs: a row of titles, and the panel of the one that is open. The panel with the cursor is always open. */
import { Plugin } from 'prosemirror-state'
import { deleteAt, nodeType } from '../commands.ts'
import { classes } from '../document/dom.ts'
import { button, make, namedIcon } from '../dom.ts'
import { boxView, changeData, type MakeView, type Site } from './view-parts.ts'

const views = new WeakMap<Node, { open(index: number): void }>()

/** Opens the panel that the cursor has come into. */
export const followCursor = (): Plugin =>
  new Plugin({
    view: () => ({
      update(view, before) {
        if (before.selection.eq(view.state.selection)) return
        const { $from } = view.state.selection
        for (let depth = 1; depth <= $from.depth; depth += 1) {
          if ($from.node(depth).type.name !== 'tabs') continue
          const dom = view.nodeDOM($from.before(depth))
          if (dom !== null) views.get(dom)?.open($from.index(depth))
        }
      },
    }),
  })

export const tabsView: MakeView = (site) => {
  const { texts } = site.context
  const row = make('div', { role: 'tablist' })
  const tools = make('span', { class: 'ed-tab-tools' })
  const bar = make('div', { class: 'tab-row' }, row, tools)
  const panels = make('div', { class: 'tab-panels' })
  const dom = make('div', {}, bar, panels)
  let current = site.node
  let active = 0
  const open = (index: number): void => {
    active = Math.max(0, Math.min(index, current.childCount - 1))
    draw()
  }
  const draw = (): void => {
    dom.className = `${classes('tabs', 'ready', current.attrs.data.fullWidth && 'full').class}`
    dom.dataset.active = String(active + 1)
    const tabs = current.children.map((item, at) => {
      const title = item.attrs.data.title || texts.tabs.tab(at + 1)
      const tab = make(
        'button',
        {
          type: 'button',
          class: 'tab',
          role: 'tab',
          'aria-selected': String(at === active),
          on: {
            mousedown: (event) => event.preventDefault(),
            click: () => (at === active ? rename(site, row, at) : open(at)),
            keydown: (event) => {
              const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
              if (step === 0) return
              event.preventDefault()
              open((at + step + current.childCount) % current.childCount)
              row.querySelectorAll('button')[active]?.focus()
            },
          },
        },
        item.attrs.data.icon ? namedIcon(item.attrs.data.icon) : undefined,
        title,
      )
      return tab
    })
    const add = button(texts.tabs.add, { class: 'ed-mini', icon: 'plus', press: () => addTab(site, open) })
    const remove = button(texts.tabs.remove, { class: 'ed-mini', icon: 'trash', press: () => removeTab(site, active) })
    row.replaceChildren(...tabs)
    tools.replaceChildren(...(site.view.editable ? [add, ...(current.childCount > 1 ? [remove] : [])] : []))
  }
  const view = boxView(site.node, {
    dom,
    content: panels,
    controls: [bar],
    draw(node) {
      current = node
      active = Math.min(active, node.childCount - 1)
      if (!row.querySelector('input')) draw()
    },
  })
  views.set(dom, { open })
  return view
}

function itemPos({ getPos, view }: Site, index: number): number | undefined {
  const pos = getPos()
  const tabs = pos === undefined ? null : view.state.doc.nodeAt(pos)
  if (pos === undefined || tabs === null) return undefined
  let at = pos + 1
  for (let earlier = 0; earlier < index; earlier += 1) at += tabs.child(earlier).nodeSize
  return at
}

/** The title becomes a field until it is left. */
function rename(site: Site, row: HTMLElement, index: number): void {
  const pos = itemPos(site, index)
  const tab = row.querySelectorAll<HTMLElement>('[role="tab"]')[index]
  if (pos === undefined || tab === undefined || !site.view.editable) return
  const item = site.view.state.doc.nodeAt(pos)
  const input = make('input', { class: 'ed-field', 'aria-label': site.context.texts.tabs.title })
  input.value = item?.attrs.data.title ?? ''
  let isDone = false
  const commit = (): void => {
    if (isDone) return
    isDone = true
    const title = input.value.trim()
    input.remove()
    changeData({ view: site.view, getPos: () => itemPos(site, index) }, { title: title === '' ? undefined : title })
  }
  input.addEventListener('blur', commit)
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' || event.key === 'Escape') {
      event.preventDefault()
      commit()
      site.view.focus()
    }
  })
  tab.replaceWith(input)
  input.select()
}

function addTab(site: Site, open: (index: number) => void): void {
  const pos = site.getPos()
  const tabs = pos === undefined ? null : site.view.state.doc.nodeAt(pos)
  if (pos === undefined || tabs === null) return
  const item = nodeType('tabs-item').create(null, [nodeType('paragraph').create()])
  site.view.dispatch(site.view.state.tr.insert(pos + tabs.nodeSize - 1, item))
  open(tabs.childCount)
}

function removeTab(site: Site, index: number): void {
  const pos = itemPos(site, index)
  if (pos !== undefined) site.view.dispatch(deleteAt(site.view.state.tr, pos))
}
