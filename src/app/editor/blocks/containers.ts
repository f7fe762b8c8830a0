/** Views of blocks that hold blocks. */
import type { Node as EditorNode } from 'prosemirror-model'
import { hintStyles } from '../../../core/document/tree/nodes.ts'
import { nodeType } from '../commands.ts'
import { classes } from '../document/dom.ts'
import { button, icon, make, namedIcon, setProps } from '../dom.ts'
import { boxView, changeData, dataField, type MakeView, openSettings, type Site } from './view-parts.ts'

export const hintView: MakeView = (site) => {
  const body = make('div', { class: 'hint-body' })
  const lead = button(site.context.texts.hint.style, {
    class: 'ed-lead',
    text: '',
    press: () => changeData(site, { style: nextStyle(current.attrs.data.style) }),
  })
  lead.setAttribute('aria-label', site.context.texts.hint.style)
  const dom = make('div', { role: 'note' }, lead, body)
  let current = site.node
  return boxView(site.node, {
    dom,
    content: body,
    controls: [lead],
    draw(node) {
      current = node
      dom.className = `hint ${node.attrs.data.style}`
      const { icon: chosen, style } = node.attrs.data
      lead.replaceChildren(chosen ? namedIcon(chosen) : icon(style))
    },
  })
}

function nextStyle(style: (typeof hintStyles)[number]): string {
  return hintStyles[(hintStyles.indexOf(style) + 1) % hintStyles.length] ?? 'info'
}

export const ifView: MakeView = (site) => {
  const words = make('code')
  const bar = make(
    'div',
    { class: 'ed-bar' },
    icon('condition'),
    button(site.context.texts.blocks.if, { class: 'ed-quiet', text: '', press: () => openSettings(site) }),
  )
  bar.querySelector('button')?.append(words)
  const body = make('div', { class: 'condition-body' })
  const dom = make('div', { class: 'condition' }, bar, body)
  return boxView(site.node, {
    dom,
    content: body,
    controls: [bar],
    draw: (node) => {
      words.textContent = node.attrs.data.expression
    },
  })
}

export const promptView: MakeView = (site) => {
  const { texts } = site.context
  const title = dataField(
    site,
    make('input', { class: 'ed-field prompt-title', 'aria-label': texts.panel.fields.description }),
    { name: 'description', empty: '' },
  )
  const lead = make('span', { class: 'prompt-icon' })
  const head = make('div', { class: 'prompt-head' }, lead, title)
  const body = make('div')
  const dom = make('div', { class: 'prompt' }, head, body)
  return boxView(site.node, {
    dom,
    content: body,
    controls: [head],
    draw: (node) => {
      lead.replaceChildren(node.attrs.data.icon ? namedIcon(node.attrs.data.icon) : icon('sparkles'))
      if (document.activeElement !== title) title.value = node.attrs.data.description
    },
  })
}

export const expandableView: MakeView = (site) => {
  const dom = make('div')
  return boxView(site.node, {
    dom,
    content: dom,
    draw: (node) => {
      dom.className = `expandable${node.attrs.data.defaultExpanded === true ? ' is-open' : ''}`
    },
  })
}

export const columnView: MakeView = (site) => {
  const dom = make('div')
  return boxView(site.node, {
    dom,
    content: dom,
    draw: (node) => {
      const { width, verticalAlignment } = node.attrs.data
      const vertical = verticalAlignment === 'middle' || verticalAlignment === 'bottom' ? verticalAlignment : ''
      const size = typeof width === 'object' ? `${width.value}${width.unit}` : width === undefined ? '' : `${width}px`
      dom.className = classes('column', vertical).class ?? ''
      dom.style.setProperty('--width', size)
      dom.style.flex = size === '' ? '' : '0 1 var(--width)'
    },
  })
}

/** With a button after the last part that adds another. */
function growing(
  site: Site,
  label: string,
  part: () => EditorNode,
  shell: (dom: HTMLElement, node: EditorNode) => void,
  tag: 'ol' | 'div',
) {
  const content = make(tag)
  const add = button(label, { class: 'ed-add', text: `+ ${label}`, press: () => append(site, part()) })
  const dom = make('div', { class: 'ed-growing' }, content, add)
  return boxView(site.node, { dom, content, controls: [add], draw: (node) => shell(content, node) })
}

function append({ view, getPos }: Site, part: EditorNode): void {
  const pos = getPos()
  const node = pos === undefined ? null : view.state.doc.nodeAt(pos)
  if (pos === undefined || node === null) return
  view.dispatch(view.state.tr.insert(pos + node.nodeSize - 1, part).scrollIntoView())
  view.focus()
}

const emptyLine = (): EditorNode => nodeType('paragraph').create()

export const stepperView: MakeView = (site) =>
  growing(
    site,
    site.context.texts.stepper.add,
    () => nodeType('stepper-step').create(null, [nodeType('heading-3').create(), emptyLine()]),
    (dom) => setProps(dom, { class: 'stepper' }),
    'ol',
  )

export const stepView: MakeView = (site) => {
  const badge = make('span', { 'aria-hidden': 'true' })
  const body = make('div', { class: 'step-body' })
  const dom = make('li', { class: 'step' }, badge, body)
  return boxView(site.node, {
    dom,
    content: body,
    controls: [badge],
    draw: (node) => {
      const chosen = node.attrs.data.icon
      badge.className = `step-badge${chosen ? '' : ' number'}`
      badge.replaceChildren(...(chosen ? [namedIcon(chosen)] : []))
    },
  })
}

export const columnsView: MakeView = (site) =>
  growing(
    site,
    site.context.texts.columns.add,
    () => nodeType('column').create(null, [emptyLine()]),
    (dom, node) => setProps(dom, classes('columns', node.attrs.data.fullWidth && 'full')),
    'div',
  )

export const updateView: MakeView = (site) => {
  const { texts } = site.context
  const date = dataField(
    site,
    make('input', { type: 'date', class: 'ed-field', 'aria-label': texts.panel.fields.date }),
    {
      name: 'date',
      empty: '1970-01-01',
    },
  )
  const side = make('div', { class: 'update-side' }, date)
  const body = make('div', { class: 'update-body' })
  const dom = make('section', { class: 'update' }, side, body)
  return boxView(site.node, {
    dom,
    content: body,
    controls: [side],
    draw: (node) => {
      date.value = String(node.attrs.data.date).slice(0, 10)
    },
  })
}

export const listItemView: MakeView = (site) => {
  const pos = site.getPos()
  const isTask = pos !== undefined && site.view.state.doc.resolve(pos).parent.type.name === 'list_tasks'
  if (!isTask) {
    const dom = make('li')
    return boxView(site.node, { dom, content: dom, draw: () => undefined })
  }
  const { texts } = site.context
  let current = site.node
  const box = make('span', {
    role: 'checkbox',
    tabindex: '0',
    on: {
      mousedown: (event) => event.preventDefault(),
      click: () => changeData(site, { checked: current.attrs.data.checked !== true }),
      keydown: (event) => {
        if (event.key !== ' ' && event.key !== 'Enter') return
        event.preventDefault()
        changeData(site, { checked: current.attrs.data.checked !== true })
      },
    },
  })
  const body = make('div')
  const dom = make('li', {}, box, body)
  return boxView(site.node, {
    dom,
    content: body,
    controls: [box],
    draw(node) {
      current = node
      const isDone = node.attrs.data.checked === true
      box.className = `task${isDone ? ' done' : ''}`
      setProps(box, { 'aria-checked': String(isDone), 'aria-label': isDone ? texts.task.done : texts.task.open })
    },
  })
}
