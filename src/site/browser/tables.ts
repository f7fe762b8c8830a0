/** Scrolling parts: only what scrolls is a stop for the keyboard, a scrolled table shows its edge, rows can be filtered. */
import { all, from, one } from './dom.ts'

const sized = new ResizeObserver((entries) => {
  for (const entry of entries) measure(entry.target)
})
let listening = false

export function freshenTables(): void {
  sized.disconnect()
  for (const part of all('pre, .table-scroll, .math')) {
    sized.observe(part)
    measure(part)
    if (part.matches('.table-scroll'))
      part.addEventListener('scroll', () => edges(part), {
        passive: true,
      })
  }
  if (listening) return
  listening = true
  document.addEventListener('input', (event) => {
    const field = from<HTMLInputElement>(event, '[data-filter]')
    const table = field?.parentElement ?? null
    if (field === null || table === null) return
    const wanted = field.value.trim().toLowerCase()
    for (const row of all('tbody tr', table)) row.hidden = !(row.textContent ?? '').toLowerCase().includes(wanted)
    one('.table-scroll', table)?.scrollTo({ left: 0 })
  })
}

function edges(part: Element): void {
  const left = part.scrollWidth - part.clientWidth - Math.abs(part.scrollLeft)
  part.parentElement?.classList.toggle('scrolled', part.scrollLeft !== 0)
  part.parentElement?.classList.toggle('cut', left > 1)
}

function measure(part: Element): void {
  if (part.matches('.table-scroll')) edges(part)
  const scrolls = part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1
  if (scrolls) part.setAttribute('tabindex', '0')
  else part.removeAttribute('tabindex')
}
