/** Small windows beside the text: placed, kept on the screen, closed by Escape or a press elsewhere, the cursor given back. */
import { make, type Props } from '../dom.ts'

export interface Popover {
  element: HTMLElement
  moveTo(at: DOMRect): void
  close(): void
}

export interface PopoverOptions extends Props {
  /** Called once when it closes, however. */
  closed?(): void
  /** Where it is put in the document: next to the editor, so that it has its styles. */
  root: HTMLElement
  /** Whether it takes the keyboard; a list beside the cursor does not. */
  takesFocus: boolean
}

export function openPopover(
  at: DOMRect,
  { closed, root, takesFocus, ...props }: PopoverOptions,
  ...children: Node[]
): Popover {
  const element = make('div', { ...props, class: `ed-popover ${props.class ?? ''}` }, ...children)
  const before = document.activeElement
  let isOpen = true
  const close = (): void => {
    if (!isOpen) return
    isOpen = false
    document.removeEventListener('pointerdown', outside, true)
    // A field that is left tells what was typed into it; one that vanishes does not.
    if (element.contains(document.activeElement) && document.activeElement instanceof HTMLElement)
      document.activeElement.blur()
    element.remove()
    if (
      takesFocus &&
      before instanceof HTMLElement &&
      (document.activeElement === document.body || document.activeElement === null)
    )
      before.focus({ preventScroll: true })
    closed?.()
  }
  const outside = (event: PointerEvent): void => {
    if (event.target instanceof Node && !element.contains(event.target)) close()
  }
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' && !(event.key === 'Enter' && (event.ctrlKey || event.metaKey))) return
    event.preventDefault()
    event.stopPropagation()
    close()
  })
  document.addEventListener('pointerdown', outside, true)
  root.append(element)
  const moveTo = (rect: DOMRect): void => placeBeside(element, rect)
  moveTo(at)
  if (takesFocus) firstField(element)?.focus({ preventScroll: true })
  return { element, moveTo: moveTo, close }
}

/** Below, or above where there is no room; never past an edge. */
function placeBeside(element: HTMLElement, at: DOMRect): void {
  const gap = 6
  const { offsetWidth: width, offsetHeight: height } = element
  const below = at.bottom + gap + height <= innerHeight || at.top < height + gap
  const top = below ? Math.min(at.bottom + gap, Math.max(8, innerHeight - height - 8)) : at.top - gap - height
  const isRightToLeft = getComputedStyle(element).direction === 'rtl'
  const start = isRightToLeft ? at.right - width : at.left
  const left = Math.max(8, Math.min(start, innerWidth - width - 8))
  // What it stands beside may be scrolled out of sight.
  element.style.top = `${Math.max(8, Math.min(top, innerHeight - height - 8))}px`
  element.style.left = `${left}px`
}

const firstField = (element: HTMLElement): HTMLElement | null =>
  element.querySelector('input, select, textarea, button, [tabindex]')

/** A list to choose from. The keyboard stays where it is; `key` is given the keys that are meant for the list. */
export interface Chooser<Of> {
  element: HTMLElement
  show(items: readonly Of[]): void
  key(event: KeyboardEvent): boolean
  active(): Of | undefined
}

export interface ChooserOptions<Of> {
  label: string
  id: string
  empty: string
  draw(item: Of): (Node | string)[]
  group?(item: Of): string
  choose(item: Of): void
}

export function makeChooser<Of>({ label, id, empty, draw, group, choose }: ChooserOptions<Of>): Chooser<Of> {
  const element = make('div', { class: 'ed-list', role: 'listbox', 'aria-label': label, id })
  let items: readonly Of[] = []
  let at = 0
  const mark = (): void => {
    element.querySelectorAll('[role="option"]').forEach((option, index) => {
      option.setAttribute('aria-selected', String(index === at))
      if (index === at) option.scrollIntoView({ block: 'nearest' })
    })
  }
  const drawOption = (item: Of, index: number): HTMLElement =>
    make(
      'div',
      {
        role: 'option',
        id: `${id}-${index}`,
        class: 'ed-option',
        on: {
          mousedown: (event) => event.preventDefault(),
          click: () => choose(item),
          pointermove: () => {
            if (at === index) return
            at = index
            mark()
          },
        },
      },
      ...draw(item),
    )
  return {
    element,
    active: () => items[at],
    show(fresh) {
      items = fresh
      at = 0
      let last = ''
      const rows: Node[] = []
      fresh.forEach((item, index) => {
        const name = group?.(item) ?? ''
        if (name !== last) rows.push(make('div', { class: 'ed-group', role: 'presentation' }, name))
        last = name
        rows.push(drawOption(item, index))
      })
      element.replaceChildren(...(rows.length === 0 ? [make('div', { class: 'ed-none' }, empty)] : rows))
      mark()
    },
    key(event) {
      if (items.length === 0) return false
      if (event.key === 'ArrowDown') at = (at + 1) % items.length
      else if (event.key === 'ArrowUp') at = (at + items.length - 1) % items.length
      else if (event.key === 'Home' && event.ctrlKey) at = 0
      else if (event.key === 'End' && event.ctrlKey) at = items.length - 1
      else if (event.key === 'Enter' || event.key === 'Tab') {
        const item = items[at]
        if (item !== undefined) choose(item)
        return true
      } else return false
      mark()
      return true
    },
  }
}
