/**
 * Search as you type. The dialog is on the page already; answers come as JSON and are put in as text. What is shown is
 * one list, whatever its groups: the arrows walk over all of it and the first result is chosen.
 */
import type { SearchAnswer, Snippet } from '../layout/search-answer.ts'
import { all, base, drawIcon, from, make, memory, one, word } from './dom.ts'

const answers = new Map<string, SearchAnswer>()
let asked = ''
let timer = 0
let pending: AbortController | undefined

const dialog = (): HTMLDialogElement | null => one<HTMLDialogElement>('#search')
const field = (): HTMLInputElement | null => one<HTMLInputElement>('#search-input')
const list = (): HTMLElement | null => one('#search-results')

export function startSearch(): void {
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof Element && event.target.matches('input, textarea, select, [contenteditable]')
    const opens =
      (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)) ||
      (event.key === '/' && !typing && !event.metaKey && !event.ctrlKey && !event.altKey)
    if (opens) {
      event.preventDefault()
      open('')
    } else if (event.target === field()) onKey(event)
    else if (from(event, '[data-search-field]')) onOuterKey(event)
  })
  document.addEventListener('click', (event) => {
    const opener = from(event, '[data-search], [data-search-field]')
    if (opener !== null) {
      event.preventDefault()
      open(opener.dataset.search ?? '')
    }
    if (from(event, '[data-search-close]') || event.target === dialog()) dialog()?.close()
    const recent = from(event, '[data-recent]')
    if (recent !== null) open(recent.dataset.recent ?? '')
    if (from(event, '[data-clear]')) {
      memory.write('searches', '')
      show()
    }
    if (from(event, '.hit[href]')) keepSearch()
  })
  document.addEventListener('input', (event) => {
    if (event.target === field()) ask()
  })
  document.addEventListener('submit', (event) => {
    if (from(event, '#search form')) event.preventDefault()
  })
}

function open(query: string): void {
  const box = dialog()
  const input = field()
  if (box === null || input === null) return
  if (query !== '') input.value = query
  if (!box.open) box.showModal()
  input.select()
  input.focus()
  ask()
}

/**
 * The field in the head only leads to the dialog. Who walks over it by keyboard walks on; who types has the dialog, and the
 * first letter in it: keys go to what has the focus when they are done.
 */
function onOuterKey(event: KeyboardEvent): void {
  const { key } = event
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const isTyped = key.length === 1 || key === 'Process'
  if (!isTyped && key !== 'Enter' && key !== 'ArrowDown') return
  if (!isTyped) event.preventDefault()
  open('')
}

function onKey(event: KeyboardEvent): void {
  const hits = all('.hit', list() ?? document)
  const at = hits.findIndex((hit) => hit.getAttribute('aria-selected') === 'true')
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    const step = event.key === 'ArrowDown' ? 1 : -1
    select(hits, (at + step + hits.length) % hits.length)
  } else if (event.key === 'Escape') {
    // The first Escape in a search field would only empty it.
    event.preventDefault()
    dialog()?.close()
  } else if (event.key === 'Enter') {
    event.preventDefault()
    hits[at]?.click()
  }
}

function select(hits: HTMLElement[], at: number): void {
  for (const [index, hit] of hits.entries()) hit.setAttribute('aria-selected', String(index === at))
  const chosen = hits[at]
  chosen?.scrollIntoView({ block: 'nearest' })
  if (chosen) field()?.setAttribute('aria-activedescendant', chosen.id)
  else field()?.removeAttribute('aria-activedescendant')
}

function ask(): void {
  const query = (field()?.value ?? '').trim()
  asked = query
  clearTimeout(timer)
  pending?.abort()
  const known = answers.get(query)
  if (query === '' || known !== undefined) {
    show(known)
    return
  }
  timer = window.setTimeout(() => void fetchAnswer(query), 60)
}

async function fetchAnswer(query: string): Promise<void> {
  pending = new AbortController()
  try {
    const url = `${base()}/~search?q=${encodeURIComponent(query)}`
    const answer = await fetch(url, { headers: { accept: 'application/json' }, signal: pending.signal })
    if (!answer.ok) throw new Error(String(answer.status))
    const found: SearchAnswer = await answer.json()
    answers.set(query, found)
    if (answers.size > 50) answers.delete(answers.keys().next().value ?? '')
    if (asked === query) show(found)
  } catch (error) {
    if (asked === query && !(error instanceof DOMException))
      put([make('p', { class: 'search-empty' }, word('error'))], word('error'))
  }
}

function show(answer?: SearchAnswer): void {
  if (answer === undefined) showRecent()
  else if (answer.pages.length === 0) showNone(answer)
  else showPages(answer)
}

function showPages(answer: SearchAnswer): void {
  const rows: HTMLElement[] = []
  for (const page of answer.pages) {
    const about = [make('div', { class: 'hit-title' }, ...showSnippet(page.title))]
    if (page.path.length > 0) about.unshift(make('div', { class: 'hit-path' }, page.path.join(' › ')))
    if (page.snippet.length > 0) about.push(make('div', { class: 'hit-snippet' }, ...showSnippet(page.snippet)))
    rows.push(hit(page.href, [drawIcon('u-file-text'), make('div', { class: 'hit-text' }, ...about)], ''))
    for (const section of page.sections) {
      const text = make(
        'div',
        { class: 'hit-text' },
        make('div', { class: 'hit-title' }, ...showSnippet(section.title)),
        make('div', { class: 'hit-snippet' }, ...showSnippet(section.snippet)),
      )
      rows.push(hit(section.href, [text], ' section-hit'))
    }
  }
  put(rows, word('results', String(rows.length)))
}

function showNone(answer: SearchAnswer): void {
  const rows = [make('p', { class: 'search-empty' }, word('none', answer.query))]
  if (answer.near.length > 0) rows.push(make('div', { class: 'search-label' }, word('near')))
  for (const page of answer.near)
    rows.push(
      hit(
        page.href,
        [drawIcon('u-file-text'), make('div', { class: 'hit-text' }, make('div', { class: 'hit-title' }, page.title))],
        '',
      ),
    )
  put(rows, word('none', answer.query))
}

function showRecent(): void {
  const recent = recentSearches()
  if (recent.length === 0) {
    put([make('p', { class: 'search-empty' }, word('prompt'))], '')
    return
  }
  const rows = recent.map((query) => {
    const row = hit('', [drawIcon('u-search'), make('div', { class: 'hit-text' }, query)], '')
    row.dataset.recent = query
    return row
  })
  put(
    [
      make(
        'div',
        { class: 'search-label' },
        make('span', {}, word('recent')),
        make('button', { type: 'button', 'data-clear': '' }, word('clear')),
      ),
      ...rows,
    ],
    '',
  )
}

function put(rows: HTMLElement[], status: string): void {
  const box = list()
  if (box === null) return
  box.replaceChildren(...rows)
  box.scrollTop = 0
  const hits = all('.hit', box)
  hits.forEach((row, at) => {
    row.id = `hit-${at}`
  })
  select(hits, 0)
  field()?.setAttribute('aria-expanded', String(hits.length > 0))
  const line = one('#search-status')
  if (line !== null) line.textContent = status
}

/** A row of the list. Only addresses of web pages become links. */
function hit(href: string, children: (Node | string)[], more: string): HTMLElement {
  const safe = /^(?:https?:\/\/|\/(?!\/)|#)/i.test(href)
  const attributes = { class: `hit${more}`, role: 'option', 'aria-selected': 'false', tabindex: '-1' }
  return safe ? make('a', { ...attributes, href }, ...children) : make('div', attributes, ...children)
}

const showSnippet = (snippet: Snippet): (Node | string)[] =>
  snippet.map((part, at) => (at % 2 === 1 ? make('mark', {}, part) : part))

const recentSearches = (): string[] => (memory.read('searches') ?? '').split('\n').filter((query) => query !== '')

function keepSearch(): void {
  const query = (field()?.value ?? '').trim()
  if (query !== '')
    memory.write('searches', [query, ...recentSearches().filter((known) => known !== query)].slice(0, 6).join('\n'))
  dialog()?.close()
}
