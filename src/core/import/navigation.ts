/** The table of contents of a website: of all lists of links on a page, the one that leads to most pages. */
import {
  attribute,
  childrenOf,
  classesOf,
  elementsIn,
  findAll,
  findElement,
  type HtmlElement,
  type HtmlNode,
  isElement,
  lineIn,
} from './html/tree.ts'

export interface NavigationEntry {
  title: string
  url?: string | undefined
  children: NavigationEntry[]
}

const isMenuHolder = (element: HtmlElement): boolean =>
  element.tagName === 'nav' ||
  element.tagName === 'aside' ||
  attribute(element, 'role') === 'navigation' ||
  classesOf(element).some((name) =>
    /^(?:sidebar|menu|toctree-wrapper|sphinxsidebar|side-nav|VPSidebar|bd-sidebar)$/i.test(name),
  )

export function readNavigation(
  nodes: readonly HtmlNode[],
  join: (href: string) => string | undefined,
): NavigationEntry[] {
  let best: NavigationEntry[] = []
  let most = 1
  for (const holder of findAll(nodes, isMenuHolder)) {
    const entries = entriesIn(childrenOf(holder), join, 0)
    const urls = new Set(urlsOf(entries))
    // Of two that name the same pages, the outer one has those around it as well.
    if (urls.size > most) {
      best = entries
      most = urls.size
    }
  }
  return best
}

const urlsOf = (entries: readonly NavigationEntry[]): string[] =>
  entries.flatMap(({ url, children }) => [...(url === undefined ? [] : [url]), ...urlsOf(children)])

function entriesIn(
  nodes: readonly HtmlNode[],
  join: (href: string) => string | undefined,
  depth: number,
): NavigationEntry[] {
  if (depth > 30) return []
  const entries: NavigationEntry[] = []
  for (const element of elementsIn(nodes)) {
    if (element.tagName === 'li') entries.push(...itemOf(element, join, depth))
    else if (element.tagName === 'a') entries.push(...linkOf(element, join))
    else if (/^(?:p|h[1-6]|summary)$/.test(element.tagName) && !findElement(childrenOf(element), isLink)) {
      const title = lineIn(element)
      if (title !== '' && title.length < 100) entries.push({ title, children: [] })
    } else entries.push(...entriesIn(childrenOf(element), join, depth + 1))
  }
  return gathered(entries)
}

/** A line without an address stands above the links that follow it, up to the next such line. */
function gathered(entries: NavigationEntry[]): NavigationEntry[] {
  const out: NavigationEntry[] = []
  for (const entry of entries) {
    const last = out.at(-1)
    const isBelow = last && last.url === undefined && entry.url !== undefined && !isItem.has(last)
    if (isBelow) last.children.push(entry)
    else out.push(entry)
  }
  return out.filter(({ url, children }) => url !== undefined || children.length > 0)
}

/** Entries that come from an item of a list have said already what stands below them. */
const isItem = new WeakSet<NavigationEntry>()

function itemOf(item: HtmlElement, join: (href: string) => string | undefined, depth: number): NavigationEntry[] {
  const inner = findElement(childrenOf(item), ({ tagName }) => tagName === 'ul' || tagName === 'ol')
  const link = findElement(childrenOf(item), (element) => isLink(element) && !isInside(element, inner))
  const children = inner ? entriesIn([inner], join, depth + 1) : []
  const [own] = link ? linkOf(link, join) : []
  const title = own?.title ?? wordsBefore(item, inner)
  if (!own && children.length === 0) return []
  const entry: NavigationEntry = { title, ...(own?.url === undefined ? {} : { url: own.url }), children }
  isItem.add(entry)
  return title === '' ? children : [entry]
}

const isLink = ({ tagName }: HtmlElement): boolean => tagName === 'a'

function isInside(element: HtmlElement, outer: HtmlElement | undefined): boolean {
  for (let at: HtmlElement['parentNode'] = element; at; at = 'parentNode' in at ? at.parentNode : null)
    if (at === outer) return true
  return false
}

const wordsBefore = (item: HtmlElement, inner: HtmlElement | undefined): string =>
  childrenOf(item)
    .filter((child) => child !== inner && !(isElement(child) && inner !== undefined && isInside(inner, child)))
    .map(lineIn)
    .join(' ')
    .trim()

function linkOf(link: HtmlElement, join: (href: string) => string | undefined): NavigationEntry[] {
  const href = attribute(link, 'href')
  const url = href === undefined || href.startsWith('#') ? undefined : join(href)
  const title = lineIn(link)
  return url === undefined || title === '' ? [] : [{ title, url, children: [] }]
}
