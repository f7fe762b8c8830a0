/** Images, and the cards that stand for what is elsewhere: files, embeds, pages, reusable content, parts of API descriptions. */
import type { Node as EditorNode } from 'prosemirror-model'
import type { NodeView } from 'prosemirror-view'
import type { ContentRef } from '../../../core/document/tree/nodes.ts'
import { typeName } from '../document/names.ts'
import { icon, make, namedIcon } from '../dom.ts'
import { boxView, chooseNode, type MakeView, openSettings, type Site } from './view-parts.ts'

export const imageView: MakeView = (site) => {
  const { texts, lookup } = site.context
  const picture = make('img', { alt: '', draggable: 'false' })
  const missing = make('p', { class: 'missing' })
  const zoom = make('span', { class: 'zoom' }, picture)
  const caption = make('div', { class: 'ed-caption' })
  const dom = make('figure', {}, zoom, caption)
  let shown = ''
  const view = boxView(site.node, {
    dom,
    content: caption,
    controls: [zoom],
    draw(node) {
      const { ref, alt, width, height } = node.attrs.data
      picture.alt = alt ?? ''
      const size = (value: unknown): string =>
        typeof value === 'object' && value !== null && 'value' in value && 'unit' in value
          ? `${value.value}${value.unit}`
          : typeof value === 'number'
            ? `${value}px`
            : ''
      dom.className = width !== undefined ? 'sized' : height !== undefined ? 'tall' : ''
      dom.style.width = size(width)
      dom.style.setProperty('--height', size(height))
      const name = JSON.stringify(ref)
      if (name === shown) return
      shown = name
      void lookup.target(ref).then(({ href, title }) => {
        if (name !== shown) return
        const tell = (problem: string): void => {
          missing.textContent = `${problem}: ${title}`
          zoom.replaceChildren(missing)
        }
        if (href === undefined) return tell(texts.image.missing)
        picture.onerror = () => tell(texts.image.notShown)
        picture.src = href
        zoom.replaceChildren(picture)
      })
    },
  })
  zoom.addEventListener('click', () => chooseNode(site))
  zoom.addEventListener('dblclick', () => openSettings(site))
  return view
}

/** An image that is still empty: a button to choose a file. */
export const imagesView: MakeView = (site) => {
  const { texts } = site.context
  const content = make('div')
  const choose = make(
    'button',
    { type: 'button', class: 'ed-choose', on: { click: () => openSettings(site) } },
    texts.image.choose,
  )
  const dom = make('div', {}, content, choose)
  return boxView(site.node, {
    dom,
    content,
    controls: [choose],
    draw(node) {
      const { align, fullWidth, withFrame } = node.attrs.data
      content.className = ['images', align, fullWidth && 'full', withFrame && 'framed'].filter((name) => name).join(' ')
      choose.hidden = node.childCount > 0
    },
  })
}

const icons: Readonly<Record<string, string>> = {
  file: 'file',
  drawing: 'file',
  embed: 'globe',
  content_ref: 'page',
  reusable_content: 'reuse',
  integration: 'globe',
  openapi_schemas: 'braces',
}

/** A card, or for an API operation its line. */
export const cardView: MakeView = (site) => {
  const title = make('span', { class: 'ref-title' })
  const detail = make('span', { class: 'ref-detail' })
  const lead = make('span', { class: 'ref-icon' }, icon(icons[site.node.type.name] ?? 'braces'))
  const dom = make(
    'div',
    { class: 'ref', 'data-type': typeName(site.node.type.name) },
    lead,
    make('span', { class: 'ref-text' }, title, detail),
  )
  return atomView(site, dom, (node) => {
    const { texts, lookup } = site.context
    const words = wordsOf(node, texts.blocks)
    title.textContent = words.title
    detail.textContent = words.detail
    const ref: ContentRef | undefined = node.attrs.data?.ref
    if (ref === undefined || (ref.kind === 'url' && ref.url === '') || words.isFinal) return
    void lookup.target(ref).then((target) => {
      title.textContent = target.title
      if (target.detail !== undefined) detail.textContent = target.detail
    })
  })
}

function wordsOf(
  node: EditorNode,
  names: Readonly<Record<string, string>>,
): { title: string; detail: string; isFinal: boolean } {
  const name = names[typeName(node.type.name)] ?? node.type.name
  const { data } = node.attrs
  switch (node.type.name) {
    case 'integration': {
      const words = data.props?.text ?? data.props?.content
      const title = data.url || (typeof words === 'string' && words !== '' ? words : name)
      return { title, detail: title === name ? '' : name, isFinal: true }
    }
    case 'embed':
      return { title: data.caption || data.url || name, detail: data.url ? name : '', isFinal: true }
    case 'openapi_operation':
    case 'swagger':
      return { title: `${String(data.method).toUpperCase()} ${data.path}`, detail: name, isFinal: true }
    case 'openapi_webhook':
      return { title: `${String(data.method).toUpperCase()} ${data.name}`, detail: name, isFinal: true }
    case 'openapi_schemas':
      return { title: data.title ?? data.schemas.join(', '), detail: name, isFinal: true }
    case 'verbatim':
    case 'verbatim_inline':
      return { title: String(node.attrs.json?.type ?? ''), detail: names.verbatim ?? '', isFinal: true }
    case 'content_ref':
      return { title: data.label || name, detail: data.label ? name : '', isFinal: Boolean(data.label) }
    default:
      return { title: name, detail: '', isFinal: false }
  }
}

function atomView(site: Site, dom: HTMLElement, draw: (node: EditorNode) => void): NodeView {
  draw(site.node)
  dom.addEventListener('dblclick', () => openSettings(site))
  return {
    dom,
    update(next) {
      if (next.type !== site.node.type) return false
      draw(next)
      return true
    },
    ignoreMutation: () => true,
  }
}

export const mentionView: MakeView = (site) => {
  const dom = make('span', { class: 'mention' })
  return atomView(site, dom, (node) => {
    const { ref, label } = node.attrs.data
    if (label) dom.textContent = label
    else
      void site.context.lookup.target(ref).then(({ title }) => {
        dom.textContent = title
      })
  })
}

export const inlineImageView: MakeView = (site) => {
  const dom = make('img', { class: 'inline-image', draggable: 'false' })
  return atomView(site, dom, (node) => {
    const { ref, alt, caption, size } = node.attrs.data
    dom.alt = alt ?? caption ?? ''
    dom.classList.toggle('as-line', size === 'line')
    void site.context.lookup.target(ref).then(({ href }) => {
      if (href !== undefined) dom.src = href
    })
  })
}

export const buttonView: MakeView = (site) => {
  const dom = make('span')
  return atomView(site, dom, (node) => {
    const { label, kind, size, icon: chosen } = node.attrs.data
    dom.className = `button ${kind}${size === 'small' || size === 'large' ? ` ${size}` : ''}`
    dom.replaceChildren(...(chosen ? [namedIcon(chosen)] : []), label)
  })
}

export const expressionView: MakeView = (site) => {
  const dom = make('code', { class: 'expression' })
  return atomView(site, dom, (node) => {
    dom.textContent = node.attrs.data.expression || site.context.texts.blocks.expression
  })
}

export const iconView: MakeView = (site) => {
  const dom = make('span', { class: 'inline-icon' })
  return atomView(site, dom, (node) => {
    dom.replaceChildren(namedIcon(node.attrs.data.icon))
    dom.title = node.attrs.data.icon
  })
}
