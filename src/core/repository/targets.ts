/**
 * Between link targets in a repository's Markdown and references to what its files became.
 *
 * Both directions use the same index of paths, so that a printed target is read as the reference it was printed for, and
 * a target that somebody spelt in another way prints in one way (`../sdks/` as `../sdks/README.md`).
 */
import type { ContentRef } from '../document/tree/nodes.ts'
import { printRef } from '../document/tree/refs.ts'
import { folderOf, foldPath, isFolderPage, isMarkdown, relativePath, resolvePath, spellPath } from './paths.ts'

export interface PathIndex {
  exact: ReadonlyMap<string, ContentRef>
  folded: ReadonlyMap<string, ContentRef>
  /** By folder, the page that stands for it. */
  folders: ReadonlyMap<string, ContentRef>
  paths: ReadonlyMap<string, string>
  /** Pages by the addresses that another generator gave them, folded. */
  routes?: ReadonlyMap<string, ContentRef> | undefined
}

/** Index over the files of a repository, each with what it is. */
export function indexPaths(files: Iterable<readonly [path: string, ref: ContentRef]>): PathIndex {
  const exact = new Map(files)
  const folded = new Map<string, ContentRef>()
  const folders = new Map<string, ContentRef>()
  const paths = new Map<string, string>()
  // In one order, whichever the files came in: the same index after an export and an import.
  for (const path of [...exact.keys()].sort()) {
    const ref = exact.get(path)
    if (ref === undefined) continue
    paths.set(printRef(ref), path)
    const key = foldPath(path)
    if (!folded.has(key)) folded.set(key, ref)
    if (!isFolderPage(path) || ref.kind !== 'page') continue
    const folder = foldPath(folderOf(path))
    if (!folders.has(folder) || /readme\.md$/i.test(path)) folders.set(folder, ref)
  }
  return { exact, folded, folders, paths }
}

/** The path of what a reference points at, if it is a file of this repository. */
export const pathOfRef = (index: PathIndex, ref: ContentRef): string | undefined => index.paths.get(printRef(ref))

/** Targets such as `../guide/setup.md#install`: no scheme, no host, and not only an anchor. */
const isRelative = (target: string): boolean => target !== '' && !/^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(target)

/** What a target means, seen from a folder; undefined when it names nothing here. */
export function resolveTarget(index: PathIndex, target: string, folder: string): ContentRef | undefined {
  if (!isRelative(target)) return undefined
  const hash = target.indexOf('#')
  const plain = hash === -1 ? target : target.slice(0, hash)
  const anchor = hash === -1 ? '' : target.slice(hash + 1)
  const bare = plain.replace(/[?].*$/s, '')
  for (const spelt of new Set([plain, decode(plain), bare, decode(bare)])) {
    const path = spelt === undefined ? undefined : resolvePath(folder, spelt)
    if (path === undefined) continue
    const found = lookUp(index, path, spelt?.endsWith('/') ?? false) ?? atRoute(index, spelt ?? '', path)
    if (found?.kind === 'page' && /^\S{1,256}$/u.test(anchor)) return { kind: 'anchor', anchor, page: found.page }
    if (found) return found
  }
  return undefined
}

function lookUp(index: PathIndex, path: string, isFolder: boolean): ContentRef | undefined {
  const exact = index.exact.get(path)
  if (exact) return exact
  const key = foldPath(path)
  const asFolder = index.folders.get(key)
  // A page written as MDX has the name it would have as Markdown.
  const plain = key.replace(/\.mdx$/, '')
  const asFile = index.folded.get(key) ?? (isMarkdown(path) ? undefined : index.folded.get(`${plain}.md`))
  return isFolder ? (asFolder ?? asFile) : (asFile ?? asFolder)
}

/** The page that another generator finds from the root of its site, or, by the name of a file, from that of its docs. */
function atRoute({ routes }: PathIndex, target: string, path: string): ContentRef | undefined {
  const isFromDocs = /^[^./].*\.mdx?$/i.test(target)
  if (!routes || !(target.startsWith('/') || isFromDocs)) return undefined
  return routes.get(foldPath(isFromDocs ? target : path).replace(/\.(?:html?|mdx?)$/, ''))
}

function decode(text: string): string | undefined {
  if (!text.includes('%')) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** A reference as the target of a link from a folder. */
export function spellRef(index: PathIndex, ref: ContentRef, folder: string): string {
  const known = ref.kind === 'url' ? (resolveTarget(index, ref.url, folder) ?? ref) : ref
  if (known.kind === 'anchor' && known.page !== undefined && known.space === undefined) {
    const path = pathOfRef(index, { kind: 'page', page: known.page })
    return path === undefined ? printRef(known) : `${spellPath(relativePath(folder, path))}#${known.anchor}`
  }
  const path = pathOfRef(index, known)
  return path === undefined ? printRef(known) : spellPath(relativePath(folder, path))
}
