/** Menus and the drawer: close on a click elsewhere and on Escape; keep the keyboard inside the open drawer. */
import { all, from, one } from './dom.ts'

export function startMenus(): void {
  document.addEventListener('click', (event) => {
    const inside = from(event, '[data-menu]')
    for (const menu of all<HTMLDetailsElement>('[data-menu][open]')) {
      if (menu !== inside || from(event, '.menu-list a, .menu-list button')) menu.open = false
    }
    if (from(event, '[data-drawer]')) {
      event.preventDefault()
      openDrawer(true)
    } else if (from(event, '[data-drawer-close]')) {
      event.preventDefault()
      openDrawer(false)
    }
    if (from(event, '[data-print]')) window.print()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      closeMenus(event)
      openDrawer(false)
    }
    if (event.key === 'Tab') keepInDrawer(event)
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveInMenu(event)
  })
}

export function openDrawer(open: boolean): void {
  const side = one('#side')
  if (side === null || (!open && !side.matches('.open, :target'))) return
  side.classList.toggle('open', open)
  if (side.matches(':target')) history.replaceState(history.state, '', location.pathname + location.search)
  document.documentElement.style.overflow = open ? 'hidden' : ''
  if (open) side.querySelector<HTMLElement>('[aria-current="page"], a')?.focus({ preventScroll: true })
  else one('[data-drawer]')?.focus()
}

function closeMenus(event: Event): void {
  for (const menu of all<HTMLDetailsElement>('[data-menu][open]')) {
    menu.open = false
    if (event.target instanceof Node && menu.contains(event.target)) one('summary', menu)?.focus()
  }
}

function moveInMenu(event: KeyboardEvent): void {
  const menu = from<HTMLDetailsElement>(event, '[data-menu][open]')
  if (menu === null) return
  event.preventDefault()
  const items = all('.menu-list a, .menu-list button', menu)
  const at = document.activeElement instanceof HTMLElement ? items.indexOf(document.activeElement) : -1
  items.at((at + (event.key === 'ArrowDown' ? 1 : at < 0 ? 0 : -1)) % items.length)?.focus()
}

function keepInDrawer(event: KeyboardEvent): void {
  const side = one('#side.open')
  if (side === null) return
  const stops = all('a[href], button', side).filter((stop) => stop.offsetParent !== null)
  const edge = event.shiftKey ? stops[0] : stops.at(-1)
  if (document.activeElement !== edge) return
  event.preventDefault()
  ;(event.shiftKey ? stops.at(-1) : stops[0])?.focus()
}
