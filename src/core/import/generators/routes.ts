/**
 * Addresses that pages have on the site which another generator makes of them: `/docs/intro` of `docs/01-intro.md`. Links
 * that begin at the root of that site name pages so.
 */
import { splitFrontMatter } from '../../document/syntax/front-matter.ts'
import { foldPath, isWithin } from '../../repository/paths.ts'

export const routeSettingsFiles = /(?:^|\/)(?:docusaurus|astro)\.config\.(?:js|ts|cjs|mjs|mts)$/

export interface RouteSettings {
  /** Where the site begins, without slashes at its ends. */
  base: string
  /** Below which addresses the docs stand; the first that has a page counts. */
  docs: string[]
}

/** What a settings file says in so many words; it is not run. */
export function readRouteSettings(source: string): RouteSettings {
  const base = /\bbase(?:Url)?\s*:\s*(['"`])(\/[^'"`\n]*)\1/.exec(source)?.[2] ?? ''
  const docs = [...source.matchAll(/\brouteBasePath\s*:\s*(['"`])([^'"`\n]*)\1/g)].map(([, , path = '']) => path)
  return { base: trimmed(base), docs: docs.map(trimmed) }
}

/** Paths of texts by their addresses, in the form of `foldPath` and without slashes at their ends. `breathe` is called before each. */
export async function routesOf(
  texts: ReadonlyMap<string, { markdown: string } | object>,
  {
    root,
    settings = { base: '', docs: [] },
    breathe,
  }: { root: string; settings?: RouteSettings | undefined; breathe: () => Promise<void> },
): Promise<Map<string, string>> {
  const routes = new Map<string, string>()
  const folders = [...new Set([...settings.docs, 'docs', ''])]
  for (const [path, text] of texts) {
    await breathe()
    if (!isWithin(root, path)) continue
    const inner = root === '' ? path : path.slice(root.length + 1)
    const route = routeOf(inner, 'markdown' in text ? splitFrontMatter(text.markdown).frontMatter.other : {})
    for (const folder of folders) {
      const address = foldPath(joined(folder, route))
      for (const one of settings.base === '' ? [address] : [address, joined(settings.base, address)])
        if (!routes.has(one)) routes.set(one, path)
    }
  }
  return routes
}

/** Numbers before names order them, and are no part of an address; the page of a folder has the folder's. */
function routeOf(inner: string, frontMatter: Readonly<Record<string, unknown>>): string {
  const parts = inner
    .replace(/\.md$/i, '')
    .split('/')
    .map((part) => part.replace(/^\d+\s*[-_.]+\s*(?=[^\d\s])/, ''))
  const folder = parts.slice(0, -1)
  const name = parts.at(-1) ?? ''
  if (typeof frontMatter.slug === 'string' && frontMatter.slug !== '')
    return frontMatter.slug.startsWith('/')
      ? trimmed(frontMatter.slug)
      : trimmed(joined(folder.join('/'), frontMatter.slug))
  const own = typeof frontMatter.id === 'string' && frontMatter.id !== '' ? frontMatter.id : name
  const isFolderPage = /^(?:_?index|readme)$/i.test(own) || foldPath(own) === foldPath(folder.at(-1) ?? '')
  return (isFolderPage ? folder : [...folder, own]).join('/')
}

const joined = (folder: string, path: string): string => [folder, path].filter((part) => part !== '').join('/')

const trimmed = (path: string): string => path.replace(/^\/+|\/+$/g, '')
