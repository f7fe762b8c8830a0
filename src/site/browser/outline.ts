/** Marks in the outline where the reader is. */
import { all } from './dom.ts'
import { safeDecode } from './tabs.ts'

let headings: { link: HTMLElement; heading: HTMLElement }[] = []
let listening = false
let waiting = false

export function freshenOutline(): void {
  headings = all<HTMLAnchorElement>('.outline a').flatMap((link) => {
    const heading = document.getElementById(safeDecode(link.hash.slice(1)))
    return heading === null ? [] : [{ link, heading }]
  })
  highlightCurrent()
  if (listening) return
  listening = true
  addEventListener('scroll', soon, { passive: true })
  addEventListener('resize', soon, { passive: true })
}

function soon(): void {
  if (waiting) return
  waiting = true
  requestAnimationFrame(() => {
    waiting = false
    highlightCurrent()
  })
}

function highlightCurrent(): void {
  const line = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + 8 || 120
  const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 4
  const shown = headings.filter(({ heading }) => heading.offsetParent !== null)
  const passed =
    atEnd && scrollY > 0 ? shown : shown.filter(({ heading }) => heading.getBoundingClientRect().top <= line)
  const here = passed.at(-1) ?? shown[0]
  for (const entry of headings) {
    const on = entry === here
    if (entry.link.classList.contains('here') === on) continue
    entry.link.classList.toggle('here', on)
    if (on) entry.link.setAttribute('aria-current', 'location')
    else entry.link.removeAttribute('aria-current')
    if (on) keepInView(entry.link)
  }
}

/** Scrolls the outline only, never the page. */
function keepInView(link: HTMLElement): void {
  const box = link.closest<HTMLElement>('.outline')
  if (box === null || box.scrollHeight <= box.clientHeight) return
  const at = link.offsetTop - box.offsetTop
  if (at < box.scrollTop + 40 || at > box.scrollTop + box.clientHeight - 60) box.scrollTop = at - box.clientHeight / 2
}
