/** Between references and the targets people write in Markdown: paths, ids, files. */

import type { Caches } from '../../../core/caches.ts'
import type { ContentRef, JSONDocument } from '../../../core/document/tree/nodes.ts'
import { collectRefs, mapRefs, printRef } from '../../../core/document/tree/refs.ts'
import { pagesById } from '../../../core/revision/content.ts'
import type { PageRecord } from '../../../core/revision/records.ts'
import type { Connection } from '../../../store/database.ts'
import { type ContentAt, pageAtPath } from '../at.ts'
import { pathsById } from './paths.ts'

/** Targets such as `../guide/setup.md#install`: no scheme, no host, and not only an anchor. */
const isRelative = (url: string): boolean => url !== '' && !/^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(url)

/**
 * The document with targets that name pages and files of this content turned into references to them, so that they hold
 * through renames and moves. A target that names nothing stays as it is, and shows as a broken link.
 */
export async function resolveRefs(
  db: Connection,
  at: ContentAt,
  document: JSONDocument,
  { path, names }: { path: string; names: ReadonlyMap<string, ContentRef> },
): Promise<JSONDocument> {
  const targets = new Set<string>()
  for (const { ref } of collectRefs(document)) if (ref.kind === 'url' && isRelative(ref.url)) targets.add(ref.url)
  if (targets.size === 0) return document
  const found = new Map<string, ContentRef>()
  for (const target of targets) {
    const ref = names.get(target) ?? (await refTo(db, at, target, path))
    if (ref) found.set(target, ref)
  }
  return mapRefs(document, (ref) => (ref.kind === 'url' ? (found.get(ref.url) ?? ref) : ref))
}

async function refTo(db: Connection, at: ContentAt, target: string, from: string): Promise<ContentRef | undefined> {
  const [plain = '', anchor] = target.split('#', 2)
  for (const path of candidates(plain, from)) {
    const page = await pageAtPath(db, at, path)
    if (page) return anchor ? { kind: 'anchor', page: page.id, anchor } : { kind: 'page', page: page.id }
  }
  return undefined
}

/** What a target can mean, likeliest first: from the page's folder, from the page itself as a folder, from the root. */
function candidates(target: string, from: string): string[] {
  const bare = target
    .replace(/[?].*$/, '')
    .replace(/(^|\/)(README|index)\.md$/i, '$1')
    .replace(/\.md$/i, '')
    .replace(/\/+$/, '')
  if (target.startsWith('/')) return [bare]
  const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/')) : ''
  return [...new Set([join(folder, bare), join(from, bare), join('', bare)])].filter((path) => path !== '')
}

function join(folder: string, target: string): string {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of target.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** All references of a document. */
export const refsIn = (document: JSONDocument): ContentRef[] => collectRefs(document).map(({ ref }) => ref)

export interface Spelling {
  /** Of the page that is printed. */
  path: string
  style: 'relative' | 'stable'
  /** Where what was looked up before may be found. */
  caches: Caches
  /** Which pages this reader sees; all, where it is absent. */
  sees?: (page: PageRecord) => Promise<boolean>
}

/** How references in this page's Markdown are spelt, with paths looked up beforehand. */
export async function refPrinter(
  at: ContentAt,
  refs: Iterable<ContentRef>,
  { path, style, caches, sees }: Spelling,
): Promise<(ref: ContentRef) => string> {
  if (style === 'stable') return printRef
  const named = new Set<string>()
  for (const ref of refs) {
    const page = pageNamed(ref)
    if (page !== undefined) named.add(page)
  }
  // What this reader does not see is spelt like what is not there.
  const spelt = await pathsById(caches, at, sees ? await seenAmong(at, named, sees) : named)
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  for (const [id, target] of spelt) spelt.set(id, relativePath(folder, target))
  return (ref) => {
    const page = pageNamed(ref)
    const known = page === undefined ? undefined : spelt.get(page)
    if (known === undefined) return printRef(ref)
    return ref.kind === 'anchor' ? `${known}#${ref.anchor}` : known
  }
}

async function seenAmong(
  at: ContentAt,
  ids: ReadonlySet<string>,
  sees: NonNullable<Spelling['sees']>,
): Promise<string[]> {
  const seen: string[] = []
  for (const record of (await pagesById(at.reader, at.content, ids)).values())
    if (await sees(record)) seen.push(record.id)
  return seen
}

const pageNamed = (ref: ContentRef): string | undefined =>
  (ref.kind === 'page' || ref.kind === 'anchor') && ref.space === undefined ? ref.page : undefined

/** From a folder, which ends with a slash unless it is the root, to a page: `setup.md`, `../api/auth.md`. */
function relativePath(folder: string, to: string): string {
  let shared = 0
  for (let at = 0; at < folder.length && folder[at] === to[at]; at++) if (folder[at] === '/') shared = at + 1
  let above = ''
  for (let at = folder.indexOf('/', shared); at >= 0; at = folder.indexOf('/', at + 1)) above += '../'
  return `${above}${to.slice(shared)}.md`
}
