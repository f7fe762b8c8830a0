/**
 * The next page appears in place: its HTML is fetched when a reader's pointer comes near its link, and only the main
 * part and the current row of the tree change. Anything unusual (another site, another tree that is not there, an
 * answer that is no page) falls back to the browser's own way.
 */
import { all, base, from, one } from './dom.ts'
import { openDrawer } from './menus.ts'
import { addSymbols } from './sprite.ts'
import { reveal, safeDecode } from './tabs.ts'

const cached = new Map<string, { page: Promise<Document | undefined>; until: number }>()
const keepFor = 30_000
const listeners: (() => void)[] = []
const styles = new WeakMap<Document, string>()
let latest = 0
let shownPath = location.pathname + location.search

export function onSwap(listener: () => void): void {
  listeners.push(listener)
}

export function startSwap(): void {
  if (!('DOMParser' in window) || location.protocol === 'file:') return
  history.scrollRestoration = 'manual'
  remember()
  const prefetch = (event: Event): void => {
    const url = target(event)
    if (url !== undefined && !slowReader()) void load(url)
  }
  for (const name of ['pointerover', 'touchstart', 'focusin'])
    document.addEventListener(name, prefetch, { passive: true })
  document.addEventListener('click', (event) => {
    const url = target(event)
    if (url === undefined || event.defaultPrevented) return
    event.preventDefault()
    void go(url, true)
  })
  addEventListener('popstate', (event) => {
    // A move between anchors of one page is the browser's own affair.
    if (location.pathname + location.search === shownPath) return scrollBack(event.state)
    void go(new URL(location.href), false, event.state)
  })
  addEventListener('scroll', later(remember), { passive: true })
  addEventListener('pagehide', remember)
}

/** The page a click on this link would show, when it is one that can be swapped in. */
function target(event: Event): URL | undefined {
  const link = from<HTMLAnchorElement>(event, 'a[href]')
  if (
    link === null ||
    link.target !== '' ||
    link.hasAttribute('download') ||
    link.closest(
      '[data-plain], [data-zoom], [data-more], [data-search], [data-drawer-close], [data-drawer], .group.branch > a',
    )
  )
    return undefined
  if (link.matches('[data-plain]')) return undefined
  if (
    event instanceof MouseEvent &&
    event.type === 'click' &&
    (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
  )
    return undefined
  const url = new URL(link.href)
  const root = base()
  const inside = url.origin === location.origin && (url.pathname === root || url.pathname.startsWith(`${root}/`))
  if (!inside || /\/~|\.\w{2,5}$/.test(url.pathname.slice(root.length))) return undefined
  if (url.pathname + url.search === shownPath && url.hash !== '') return undefined
  return url
}

const slowReader = (): boolean =>
  'connection' in navigator && Boolean(Reflect.get(Object(Reflect.get(navigator, 'connection')), 'saveData'))

function load(url: URL): Promise<Document | undefined> {
  const key = url.pathname + url.search
  const found = cached.get(key)
  if (found !== undefined && found.until > Date.now()) return found.page
  // Not every page that is fetched is read: the server counts it when it is shown.
  const page = fetch(key, { headers: { accept: 'text/html', 'x-prefetch': '1' } }).then(
    async (answer) => {
      if (!answer.ok || answer.redirected || !(answer.headers.get('content-type') ?? '').startsWith('text/html'))
        return undefined
      return parse(await answer.text())
    },
    () => undefined,
  )
  cached.set(key, { page, until: Date.now() + keepFor })
  if (cached.size > 30) cached.delete(cached.keys().next().value ?? '')
  return page
}

/** The page's own style is taken out before it is read: the policy would refuse it and say so. */
function parse(text: string): Document {
  const style = /<style>([^<]*)<\/style>/.exec(text)
  const page = new DOMParser().parseFromString(style === null ? text : text.replace(style[0], ''), 'text/html')
  if (style !== null) styles.set(page, style[1] ?? '')
  return page
}

async function go(url: URL, forward: boolean, state?: unknown): Promise<void> {
  latest += 1
  const request = latest
  const page = await load(url)
  if (request !== latest) return
  const main = page?.querySelector('main')
  // What a page may call is part of its own policy, which a swap would leave behind.
  const calls = main?.querySelector('[data-try]') !== null
  if (page === undefined || !main || calls || !sameAssets(page)) {
    location.href = url.href
    return
  }
  if (forward) {
    remember()
    history.pushState(null, '', url.href)
  }
  const change = (): void => {
    swap(page)
    tellShown()
    if (forward || state === null || state === undefined) arrive(url)
    else scrollBack(state)
  }
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  document.documentElement.classList.add('swapping')
  if (!calm && 'startViewTransition' in document) await document.startViewTransition(change).updateCallbackDone
  else change()
  document.documentElement.classList.remove('swapping')
}

/** The page was fetched ahead of time; that somebody reads it is told now. */
function tellShown(): void {
  const page = one('main')?.dataset.page
  const siteSpace = one('#side')?.dataset.treeKey
  if (page && siteSpace) navigator.sendBeacon(`${base()}/~view`, new URLSearchParams(`page=${page}&place=${siteSpace}`))
}

/** A page made by another version of the site needs its own files. */
function sameAssets(page: Document): boolean {
  const files = (of: Document): string =>
    all<HTMLLinkElement>('link[rel="stylesheet"]:not([data-math]), script[src]', of)
      .map((file) => file.getAttribute('href') ?? file.getAttribute('src'))
      .join()
  return files(page) === files(document) && page.body.dataset.base === document.body.dataset.base
}

function swap(page: Document): void {
  shownPath = location.pathname + location.search
  addSymbols(page)
  addStyles(page)
  document.title = page.title
  const now = document.documentElement
  const next = page.documentElement
  now.lang = next.lang
  now.dir = next.dir
  now.className = `${next.className} swapping`
  replace('.frame > main', page)
  replace('.top', page)
  replace('.footer', page)
  swapTree(page)
  for (const name of ['link[rel="canonical"]', 'meta[name="description"]']) {
    const [old, fresh] = [one(name), page.querySelector(name)]
    if (old !== null && fresh !== null) old.replaceWith(document.importNode(fresh, true))
  }
  openDrawer(false)
  for (const listener of listeners) listener()
}

function replace(selector: string, page: Document): void {
  const old = one(selector)
  const fresh = page.querySelector(selector)
  // What did not change stays, with its focus and its open menus.
  if (old !== null && fresh !== null && old.outerHTML !== fresh.outerHTML)
    old.replaceWith(document.importNode(fresh, true))
}

/** The same tree keeps its folds and its place; only the current row moves. Another tree comes with the page. */
function swapTree(page: Document): void {
  const old = one('.side')
  const fresh = page.querySelector<HTMLElement>('.side')
  const frame = one('.frame')
  if (frame !== null) frame.className = page.querySelector('.frame')?.className ?? frame.className
  if (old === null || fresh === null) {
    old?.nextElementSibling?.remove()
    old?.remove()
    if (fresh !== null && frame !== null)
      frame.prepend(
        document.importNode(fresh, true),
        ...(fresh.nextElementSibling ? [document.importNode(fresh.nextElementSibling, true)] : []),
      )
    return
  }
  const wanted = fresh.querySelector('[aria-current="page"]')?.getAttribute('href')
  const row =
    old.dataset.treeKey === fresh.dataset.treeKey && wanted ? one(`.tree a[href="${CSS.escape(wanted)}"]`, old) : null
  if (row === null) {
    old.replaceWith(document.importNode(fresh, true))
    return
  }
  // Versions and languages lead from page to page.
  replace('.side-links', page)
  for (const link of all('.tree [aria-current]', old)) link.removeAttribute('aria-current')
  row.setAttribute('aria-current', 'page')
  graft(row, fresh)
  for (
    let inside = row.closest<HTMLElement>('ul[hidden]');
    inside !== null;
    inside = inside.parentElement?.closest<HTMLElement>('ul[hidden]') ?? null
  ) {
    inside.hidden = false
    inside.closest('.branch')?.classList.add('open')
    inside.closest('.branch')?.querySelector(':scope > .fold')?.setAttribute('aria-expanded', 'true')
  }
}

/** A branch whose pages were not here yet takes them from the new page and opens. */
function graft(row: HTMLElement, fresh: HTMLElement): void {
  const branch = row.closest<HTMLElement>('.branch')
  if (branch === null || branch.querySelector(':scope > a') !== row) return
  const list = fresh
    .querySelector('[aria-current="page"]')
    ?.closest('.branch')
    ?.querySelector<HTMLElement>(':scope > ul')
  let own = branch.querySelector<HTMLElement>(':scope > ul')
  if (own === null && list) {
    own = document.importNode(list, true)
    branch.append(own)
  }
  if (own === null) return
  own.hidden = false
  branch.classList.add('open')
  branch.querySelector(':scope > .fold')?.setAttribute('aria-expanded', 'true')
}

/** A style element would break the policy; a sheet made by a script does not. */
function addStyles(page: Document): void {
  const text = styles.get(page) ?? ''
  if (text !== '') {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets.slice(-20), sheet]
  }
  const math = page.querySelector('link[data-math]')
  if (math !== null && one('link[data-math]') === null) document.head.append(document.importNode(math, true))
}

function arrive(url: URL): void {
  const id = safeDecode(url.hash.slice(1))
  if (id === '' || !reveal(id)) scrollTo({ top: 0, behavior: 'instant' })
  // Where a screen reader and the next Tab go on from.
  one('main')?.focus({ preventScroll: true })
}

function scrollBack(state: unknown): void {
  const top = typeof state === 'object' && state !== null && 'top' in state ? Number(state.top) : undefined
  if (top !== undefined) scrollTo({ top, behavior: 'instant' })
}

function remember(): void {
  try {
    history.replaceState({ top: scrollY }, '')
  } catch {
    // Browsers limit how often this may be said; the next scroll says it again.
  }
}

function later(act: () => void): () => void {
  let timer = 0
  return () => {
    clearTimeout(timer)
    timer = window.setTimeout(act, 150)
  }
}
