/**
 * Tabs. The radio buttons of the plain page become the tabs of the accessibility guide: one stop, arrows to move. A
 * choice holds for every block that has a tab of the same name, here and on the next pages.
 */
import { all, from, make, memory } from './dom.ts'

export function startTabs(): void {
  document.addEventListener('click', (event) => {
    const tab = from(event, '[role="tab"]')
    if (tab !== null) choose(tab, true)
    const button = from(event, '[data-select]')
    if (button !== null && reveal(button.dataset.select ?? '')) event.preventDefault()
  })
  document.addEventListener('keydown', (event) => {
    const tab = from(event, '[role="tab"]')
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY }[
      event.key
    ]
    if (tab === null || step === undefined) return
    event.preventDefault()
    const tabs = siblings(tab)
    const way = document.dir === 'rtl' && Number.isFinite(step) ? -step : step
    const at =
      way === Number.NEGATIVE_INFINITY
        ? 0
        : way === Number.POSITIVE_INFINITY
          ? tabs.length - 1
          : (tabs.indexOf(tab) + way + tabs.length) % tabs.length
    const next = tabs[at]
    next?.focus()
    if (next) choose(next, true)
  })
  addEventListener('hashchange', () => reveal(decodeURIComponent(location.hash.slice(1))))
}

export function freshenTabs(): void {
  for (const block of all('[data-tabs]:not(.ready)')) upgrade(block)
  if (location.hash.length > 1) reveal(safeDecode(location.hash.slice(1)))
}

const siblings = (tab: HTMLElement): HTMLElement[] =>
  tab.parentElement === null ? [] : all(':scope > [role="tab"]', tab.parentElement)
const remembered = (): string[] => (memory.read('tabs') ?? '').split('\n').filter((name) => name !== '')

function upgrade(block: HTMLElement): void {
  const row = block.querySelector<HTMLElement>(':scope > .tab-row')
  const panels = all(':scope > .tab-panels > .tab-panel', block)
  if (row === null) return
  row.setAttribute('role', 'tablist')
  const tabs = all('label', row).map((label, at) => {
    const panel = panels[at]
    const tab = make(
      'button',
      { type: 'button', class: 'tab', role: 'tab', id: `${panel?.id}-tab`, 'aria-controls': panel?.id ?? '' },
      ...label.childNodes,
    )
    label.replaceWith(tab)
    panel?.setAttribute('role', 'tabpanel')
    panel?.setAttribute('aria-labelledby', tab.id)
    return tab
  })
  for (const radio of all(':scope > .tab-radio', block)) radio.remove()
  block.classList.add('ready')
  const names = remembered()
  const first = tabs.find((tab) => names.includes(nameOf(tab))) ?? tabs[0]
  if (first !== undefined) choose(first, false)
}

const nameOf = (tab: HTMLElement): string => (tab.textContent ?? '').trim()

function choose(tab: HTMLElement, byReader: boolean): void {
  for (const other of siblings(tab)) {
    const chosen = other === tab
    other.setAttribute('aria-selected', String(chosen))
    other.tabIndex = chosen ? 0 : -1
    const panel = document.getElementById(other.getAttribute('aria-controls') ?? '')
    if (panel !== null) panel.hidden = !chosen
  }
  if (!byReader) return
  const name = nameOf(tab)
  memory.write('tabs', [name, ...remembered().filter((known) => known !== name)].slice(0, 20).join('\n'))
  const before = tab.getBoundingClientRect().top
  for (const other of all('[role="tab"][aria-selected="false"]')) if (nameOf(other) === name) choose(other, false)
  // Blocks above may have changed their height; what the reader clicked stays where it was.
  scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' })
}

/** Opens whatever hides the element of that id: tabs and folds. */
export function reveal(id: string): boolean {
  const target = id === '' ? null : document.getElementById(id)
  if (target === null) return false
  for (let inside: HTMLElement | null = target; inside !== null; inside = inside.parentElement) {
    if (inside instanceof HTMLDetailsElement) inside.open = true
    if (inside.matches('[role="tabpanel"]')) {
      const tab = document.getElementById(inside.getAttribute('aria-labelledby') ?? '')
      if (tab !== null) choose(tab, false)
    }
  }
  target.scrollIntoView()
  return true
}

export function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
