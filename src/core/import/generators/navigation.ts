/**
 * Tables of contents that other generators of docs keep in files of their own, as one kind of list: `mkdocs.yml`,
 * `docs.json` and `mint.json`, `sidebars.js`, `.vitepress/config`, `astro.config`.
 */
import { folderOf, within } from '../../repository/paths.ts'
import { readYaml } from '../../yaml.ts'
import type { ImportedRedirect, ImportProblem } from '../tree.ts'
import { findLiteral, isRecord, type Literal } from './literal.ts'

export interface NavItem {
  title?: string | undefined
  /** A path of a page, without its ending perhaps, from the root of the docs. */
  target?: string | undefined
  /** An address elsewhere. */
  url?: string | undefined
  items: NavItem[]
}

export interface Navigation {
  /** The file it was read from. */
  path: string
  /** The folder in which its paths begin. */
  root: string
  items: NavItem[]
  redirects: ImportedRedirect[]
}

export const navigationFiles =
  /(?:^|\/)(?:mkdocs\.ya?ml|docs\.json|mint\.json|sidebars\.(?:js|ts|cjs|mjs|json)|\.vitepress\/config\.(?:js|ts|mjs|mts)|astro\.config\.(?:js|ts|mjs|mts))$/

/** What the file says of the order of pages; undefined when it says nothing. */
export function readNavigationFile(
  path: string,
  source: string,
  onProblem: (problem: ImportProblem) => void,
): Navigation | undefined {
  const folder = folderOf(path)
  const make = (root: string, items: NavItem[], redirects: ImportedRedirect[] = []): Navigation | undefined =>
    items.length === 0 && redirects.length === 0 ? undefined : { path, root, items, redirects }
  try {
    if (/mkdocs\.ya?ml$/.test(path)) return mkdocs(source, folder, make)
    if (/(docs|mint)\.json$/.test(path)) {
      const value: Literal = JSON.parse(source)
      return isRecord(value)
        ? make(folder, mintlifyItems(value.navigation), mintlifyRedirects(value.redirects))
        : undefined
    }
  } catch (error) {
    onProblem({
      path,
      message: `It cannot be read: ${error instanceof Error ? error.message.split('\n')[0] : 'no reason given'}`,
    })
    return undefined
  }
  if (/sidebars\.\w+$/.test(path)) return make(within(folder, 'docs'), docusaurusItems(sidebarsIn(source)))
  if (/\.vitepress\//.test(path)) return make(folderOf(folder), vitepressItems(findLiteral(source, /\bsidebar/)))
  return make(within(folder, 'src/content/docs'), starlightItems(findLiteral(source, /\bsidebar/)))
}

type Make = (root: string, items: NavItem[], redirects?: ImportedRedirect[]) => Navigation | undefined

function mkdocs(source: string, folder: string, make: Make): Navigation | undefined {
  // Settings of MkDocs name functions of Python, which are no YAML to others.
  const read = readYaml(source, { isLenient: true })
  if (!('value' in read)) throw new Error(read.problem)
  // What YAML holds are the values that such a literal has.
  const value = read.value as Literal
  if (!isRecord(value)) return undefined
  const docs = typeof value.docs_dir === 'string' ? value.docs_dir.replace(/^\.?\//, '').replace(/\/$/, '') : 'docs'
  const items = (list: Literal): NavItem[] =>
    (Array.isArray(list) ? list : []).flatMap((one): NavItem[] => {
      if (typeof one === 'string') return [{ ...targetOf(one), items: [] }]
      if (!isRecord(one)) return []
      return Object.entries(one).map(([title, inner]) =>
        typeof inner === 'string' ? { title, ...targetOf(inner), items: [] } : { title, items: items(inner) },
      )
    })
  return make(within(folder, docs), items(value.nav))
}

const isAddress = (text: string): boolean => /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(text)

const targetOf = (text: string): Pick<NavItem, 'target' | 'url'> => (isAddress(text) ? { url: text } : { target: text })

/** Tabs, anchors, versions and groups hold groups and pages; whichever it is, what they are called is their title. */
function mintlifyItems(value: Literal): NavItem[] {
  if (typeof value === 'string') return [{ ...targetOf(value), items: [] }]
  if (Array.isArray(value)) return value.flatMap(mintlifyItems)
  if (!isRecord(value)) return []
  const names = ['tab', 'anchor', 'dropdown', 'version', 'language', 'group', 'product', 'item']
  const title = names.map((name) => value[name]).find((name) => typeof name === 'string')
  const inside = [
    'root',
    'languages',
    'versions',
    'products',
    'dropdowns',
    'tabs',
    'anchors',
    'groups',
    'pages',
    'menu',
  ]
  const items = inside.flatMap((name) => mintlifyItems(value[name]))
  if (typeof title !== 'string') return items
  return items.length === 0 && typeof value.href === 'string'
    ? [{ title, url: value.href, items: [] }]
    : [{ title, items }]
}

const mintlifyRedirects = (value: Literal): ImportedRedirect[] =>
  (Array.isArray(value) ? value : []).flatMap((one) =>
    isRecord(one) && typeof one.source === 'string' && typeof one.destination === 'string' && !/[:*]/.test(one.source)
      ? [{ from: one.source, to: one.destination }]
      : [],
  )

function sidebarsIn(source: string): Literal {
  if (source.trimStart().startsWith('{')) return JSON.parse(source)
  return (
    findLiteral(source, /\bsidebars?\b(?:\s*:\s*\w+)?|module\.exports/) ??
    findLiteral(source.replace(/export default/, 'exported ='), /\bexported/)
  )
}

function docusaurusItems(value: Literal): NavItem[] {
  if (typeof value === 'string') return [{ target: value, items: [] }]
  if (Array.isArray(value)) return value.flatMap(docusaurusItems)
  if (!isRecord(value)) return []
  const title = typeof value.label === 'string' ? value.label : undefined
  if (value.type === 'doc' || value.type === 'ref')
    return typeof value.id === 'string' ? [{ title, target: value.id, items: [] }] : []
  if (value.type === 'link') return typeof value.href === 'string' ? [{ title, url: value.href, items: [] }] : []
  if (value.type === 'category') {
    const own = isRecord(value.link) && typeof value.link.id === 'string' ? { target: value.link.id } : {}
    return [{ title, ...own, items: docusaurusItems(value.items) }]
  }
  // What is made by the generator itself has no list to read.
  if (value.type !== undefined) return []
  const parts = Object.entries(value)
  // One sidebar alone needs no name; of several, each is a part of the docs. So is a category in its short form.
  if (parts.length === 1) return docusaurusItems(parts[0]?.[1])
  return parts
    .map(([name, inner]) => ({ title: titled(name), items: docusaurusItems(inner) }))
    .filter(({ items }) => items.length > 0)
}

const titled = (name: string): string => {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[-_]+/g, ' ')
    .replace(/ ?sidebar$/i, '')
    .trim()
  return words === '' ? name : words[0]?.toUpperCase() + words.slice(1)
}

/** `{ text, link, items }`, in a list or by the part of the site they are shown on. */
function vitepressItems(value: Literal, base = ''): NavItem[] {
  if (Array.isArray(value)) return value.flatMap((one) => vitepressItems(one, base))
  if (!isRecord(value)) return []
  const isItem = typeof value.text === 'string' || value.items !== undefined
  if (!isItem) return Object.values(value).flatMap((one) => vitepressItems(one))
  const below = typeof value.base === 'string' ? value.base : base
  const link =
    typeof value.link === 'string'
      ? isAddress(value.link)
        ? { url: value.link }
        : { target: `${base}${value.link}` }
      : {}
  const items = vitepressItems(value.items, below)
  return typeof value.text === 'string' ? [{ title: value.text, ...link, items }] : items
}

function starlightItems(value: Literal): NavItem[] {
  if (typeof value === 'string') return [{ target: value, items: [] }]
  if (Array.isArray(value)) return value.flatMap(starlightItems)
  if (!isRecord(value)) return []
  const title = typeof value.label === 'string' ? value.label : undefined
  if (typeof value.slug === 'string') return [{ title, target: value.slug === '' ? 'index' : value.slug, items: [] }]
  if (typeof value.link === 'string') return [{ title, ...targetOf(value.link), items: [] }]
  const folder = isRecord(value.autogenerate) ? value.autogenerate.directory : undefined
  return [
    {
      title,
      items:
        typeof folder === 'string'
          ? [{ target: `${folder.replace(/\/$/, '')}/*`, items: [] }]
          : starlightItems(value.items),
    },
  ]
}
