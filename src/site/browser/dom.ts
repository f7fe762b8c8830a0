/** Small words for the DOM that every part uses. */

export const one = <Found extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): Found | null => within.querySelector<Found>(selector)

export const all = <Found extends Element = HTMLElement>(selector: string, within: ParentNode = document): Found[] => [
  ...within.querySelectorAll<Found>(selector),
]

/** The element that an event began in, or one around it, that matches. */
export function from<Found extends Element = HTMLElement>(event: Event, selector: string): Found | null {
  return event.target instanceof Element ? event.target.closest<Found>(selector) : null
}

/** A new element with text or elements in it; text is never read as HTML. */
export function make(
  tag: string,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElement {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/** A reference to an icon of the page's sprite. */
export function drawIcon(name: string): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use')
  use.setAttribute('href', `#${name}`)
  svg.append(use)
  return svg
}

type Words = Record<string, string>
let known: Words | undefined

/** A word of the interface in the site's language; `{}` in it is replaced. */
export function word(name: string, value = ''): string {
  if (known === undefined) {
    const text = document.getElementById('words')?.textContent ?? '{}'
    const parsed: unknown = JSON.parse(text)
    known = Object.fromEntries(Object.entries(parsed ?? {}).map(([key, text]) => [key, String(text)]))
  }
  return (known[name] ?? '').replace('{}', value)
}

export const base = (): string => document.body.dataset.base ?? ''

/** Storage that forgets instead of failing. */
export const memory = {
  read(name: string, store: () => Storage = () => localStorage): string | null {
    try {
      return store().getItem(name)
    } catch {
      return null
    }
  },
  write(name: string, value: string, store: () => Storage = () => localStorage): void {
    try {
      store().setItem(name, value)
    } catch {
      // A full or forbidden store loses a convenience, nothing else.
    }
  },
}
