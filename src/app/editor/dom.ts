/** Elements, made by a call. Text is set as text and styles as properties, so that a strict policy has nothing to object to. */

import { loadDrawings, loadedDrawings, type Shape, shapesOf } from '../kit/icon-shapes.ts'

type Child = Node | string | undefined | false

export interface Props {
  class?: string | undefined
  on?: { [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void }
  [attribute: string]: unknown
}

export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  setProps(element, props)
  element.append(...children.filter((child) => child !== undefined && child !== false))
  return element
}

export function setProps(element: HTMLElement, { on, ...attributes }: Props): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false || value === null) element.removeAttribute(name)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  for (const [name, listen] of Object.entries(on ?? {}))
    if (typeof listen === 'function')
      element.addEventListener(name, (event) => Reflect.apply(listen, undefined, [event]))
}

/** A button that does not take the cursor out of the text. */
export function button(label: string, props: Props & { text?: string; icon?: string; press(event: Event): void }) {
  const { text, icon: name, press, ...rest } = props
  const content = name === undefined ? (text ?? label) : icon(name)
  return make(
    'button',
    {
      type: 'button',
      ...(text === undefined ? { 'aria-label': label, title: label } : {}),
      ...rest,
      on: { mousedown: (event) => event.preventDefault(), click: (event) => press(event) },
    },
    content,
  )
}

/** Line drawings of the editor's own controls, on a square of 24. */
const drawings: Readonly<Record<string, string>> = {
  info: 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M12 11v5M12 8h.01',
  success: 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M8.5 12l2.5 2.5l4.5-5',
  warning: 'M12 4L2.5 20h19zM12 10v4M12 17h.01',
  danger: 'M8 3h8l5 5v8l-5 5H8l-5-5V8zM12 8v5M12 16h.01',
  plus: 'M12 5v14M5 12h14',
  handle: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  close: 'M6 6l12 12M18 6L6 18',
  link: 'M10 13a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1.5 1.5M14 11a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1.5-1.5',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5',
  page: 'M6 3h8l5 5v13H6zM14 3v5h5M9 13h6M9 17h6',
  globe: 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M14 5v4M6 15v4',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13',
  up: 'M6 15l6-6l6 6',
  down: 'M6 9l6 6l6-6',
  right: 'M9 6l6 6l-6 6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  condition: 'M12 3v6M12 9L5 15v6M12 9l7 6v6',
  reuse: 'M4 12a8 8 0 0 1 14-5l2 2M20 4v5h-5M20 12a8 8 0 0 1-14 5l-2-2M4 20v-5h5',
  sparkles: 'M12 4l2 6l6 2l-6 2l-2 6l-2-6l-6-2l6-2z',
  math: 'M18 5H6l6 7l-6 7h12',
  braces: 'M8 4c-3 0-2 4-2 5c0 2-2 3-2 3s2 1 2 3c0 1-1 5 2 5M16 4c3 0 2 4 2 5c0 2 2 3 2 3s-2 1-2 3c0 1 1 5-2 5',
}

export const icon = (name: string): SVGSVGElement => makeIcon([['path', { d: drawings[name] ?? drawings.file ?? '' }]])

/** An icon that somebody chose by name; until the drawings are loaded it is the one that unknown names get. */
export function namedIcon(name: string): SVGSVGElement {
  const svg = makeIcon(shapesOf(loadedDrawings(), name))
  if (loadedDrawings() === undefined)
    void loadDrawings().then((all) => svg.replaceChildren(...shapesOf(all, name).map(makeShape)))
  return svg
}

const namespace = 'http://www.w3.org/2000/svg'

function makeIcon(shapes: readonly Shape[]): SVGSVGElement {
  const svg = document.createElementNS(namespace, 'svg')
  const attributes = {
    class: 'icon',
    viewBox: '0 0 24 24',
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': '1.75',
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
    'aria-hidden': 'true',
  }
  for (const [attribute, value] of Object.entries(attributes)) svg.setAttribute(attribute, value)
  svg.append(...shapes.map(makeShape))
  return svg
}

function makeShape([tag, attributes]: Shape): SVGElement {
  const shape = document.createElementNS(namespace, tag)
  for (const [attribute, value] of Object.entries(attributes)) shape.setAttribute(attribute, value)
  return shape
}
