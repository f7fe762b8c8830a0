/**
 * Where the references of a page lead, for this visitor. Rendering asks at once and cannot wait, so that all that a page
 * names is looked up before: pages of any place of the site, anchors as other hosts spell them, files with an address on
 * this site. What the visitor does not see leads nowhere.
 */

import { CallFailed } from '../../client/client.ts'
import { defineCache } from '../../core/caches.ts'
import { anchorSpellings, anchorsOf, foldAnchor } from '../../core/document/text/anchors.ts'
import type { ContentRef, JSONDocument } from '../../core/document/tree/nodes.ts'
import { refKey } from '../render/body.ts'
import type { ResolvedRef } from '../render/context.ts'
import { fileHref, hrefBelow, tagOf } from './addresses.ts'
import { type Known, navigationOf } from './navigation.ts'
import type { Profile, ServedSpace } from './profile.ts'
import type { Visiting } from './visiting.ts'

export type Resolve = (ref: ContentRef) => ResolvedRef | undefined

/** Where each of the references leads, by `refKey`. */
export type Resolved = ReadonlyMap<string, ResolvedRef | undefined>

/** From where references are read: what has no space of its own is of this place. */
export interface Standpoint {
  visiting: Visiting
  profile: Profile
  siteSpace: ServedSpace | undefined
  document?: JSONDocument | undefined
}

/** How many references of one page are looked up; those behind lead nowhere. */
const mostRefs = 5_000
/** How many other pages are read for their anchors. */
const mostPages = 50

export const resolverOf =
  (resolved: Resolved): Resolve =>
  (ref) =>
    resolved.get(refKey(ref))

export async function resolveRefs(at: Standpoint, refs: readonly ContentRef[]): Promise<Resolved> {
  const known = new Map<string, ResolvedRef | undefined>()
  const pages = { left: mostPages }
  for (const ref of refs.slice(0, mostRefs)) {
    const key = refKey(ref)
    if (!known.has(key)) known.set(key, await resolveOne(at, ref, pages))
  }
  return known
}

/** A link of the owner to the host that the site is on: it holds under whatever name the host is reached. */
function pathOnHost({ site }: Visiting, url: string): string {
  const { origin } = new URL(site.root)
  return url.startsWith(`${origin}/`) ? url.slice(origin.length) : url
}

async function resolveOne(at: Standpoint, ref: ContentRef, pages: { left: number }): Promise<ResolvedRef | undefined> {
  switch (ref.kind) {
    case 'url':
      return { href: at.document ? ref.url : pathOnHost(at.visiting, ref.url) }
    case 'page': {
      const found = await pageOf(at, ref)
      return found && aboutPage(found.known)
    }
    case 'anchor':
      return ref.page === undefined ? ownAnchor(at, ref.anchor) : anchorOn(at, { ...ref, page: ref.page }, pages)
    case 'file':
      return fileRef(at, ref)
    case 'space': {
      const siteSpace = at.profile.siteSpaceOf(ref.space)
      if (!siteSpace) return undefined
      const { title, emoji } = siteSpace.about.space
      const href = hrefBelow(at.visiting.site.basePath, at.profile.addressOf(siteSpace))
      return { href, title, ...(emoji === '' ? {} : { emoji }) }
    }
    default:
      return undefined
  }
}

interface Found {
  known: Known
  siteSpace: ServedSpace
}

/** A page of the space that the reference names; without one, of this place, else of the first place that has it. */
async function pageOf(at: Standpoint, { page, space }: { page: string; space?: string }): Promise<Found | undefined> {
  const { profile, visiting } = at
  const named = space === undefined ? at.siteSpace : profile.siteSpaceOf(space)
  const siteSpaces = named ? [named] : space === undefined ? profile.structure.spaces.slice(0, mostPages) : []
  for (const siteSpace of siteSpaces) {
    const known = await navigationOf(visiting, profile, siteSpace).known(visiting, page)
    if (known) return { known, siteSpace }
  }
  return undefined
}

function aboutPage({ page, href }: Known): ResolvedRef {
  return {
    href,
    title: page.title,
    ...(page.description === undefined ? {} : { description: page.description }),
    ...(page.icon === undefined ? {} : { icon: page.icon }),
    ...(page.emoji === undefined ? {} : { emoji: page.emoji }),
  }
}

function ownAnchor({ document }: Standpoint, anchor: string): ResolvedRef {
  const spelt = document && speltIn(spellingsOf(document), anchor)
  return { href: `#${encodeURIComponent(spelt ?? anchor)}` }
}

async function anchorOn(
  at: Standpoint,
  ref: { page: string; space?: string; anchor: string },
  pages: { left: number },
): Promise<ResolvedRef | undefined> {
  const found = await pageOf(at, ref)
  if (!found) return undefined
  const about = aboutPage(found.known)
  const spellings = await spellingsOn(at, found, pages)
  return {
    ...about,
    href: `${about.href}#${encodeURIComponent((spellings && speltIn(spellings, ref.anchor)) ?? ref.anchor)}`,
  }
}

const spellingsIn = defineCache<ReadonlyMap<string, string>>('anchors', { share: 0.01 })

async function spellingsOn(
  { visiting }: Standpoint,
  { known: { page: linked }, siteSpace }: Found,
  pages: { left: number },
): Promise<ReadonlyMap<string, string> | undefined> {
  const { documentId, id } = linked
  if (documentId === undefined) return undefined
  const key = `${documentId} ${visiting.claims}`
  const spellings = spellingsIn(visiting.caches)
  const known = spellings.get(key)
  if (known || pages.left === 0) return known
  pages.left -= 1
  const page = await visiting.client.getPageById({
    spaceId: siteSpace.about.space.id,
    pageId: id,
    query: { format: 'document', evaluated: true, dereferenced: true, metadata: false, pages: false },
  })
  const made = page.document ? spellingsOf(page.document) : new Map<string, string>()
  spellings.set(key, made, 200 * (1 + made.size))
  return made
}

const speltIn = (spellings: ReadonlyMap<string, string>, anchor: string): string | undefined =>
  spellings.get(anchor) ?? spellings.get(foldAnchor(anchor))

/** Our own anchors come first: a spelling of another host never takes one away. */
function spellingsOf(document: JSONDocument): ReadonlyMap<string, string> {
  const own = [...anchorsOf(document).values()]
  return new Map([...anchorSpellings(document), ...own.map((anchor) => [anchor, anchor] as const)])
}

async function fileRef(
  { visiting, siteSpace }: Standpoint,
  ref: { file: string; space?: string },
): Promise<ResolvedRef | undefined> {
  const space = ref.space ?? siteSpace?.about.space.id
  if (space === undefined) return undefined
  try {
    const file = await visiting.client.getFileById({ spaceId: space, fileId: ref.file })
    return {
      href: fileHref(visiting.site.basePath, { space, id: file.id, tag: tagOf(file), name: file.name }),
      title: file.name,
      contentType: file.contentType,
      size: file.size,
      ...(file.dimensions ?? {}),
    }
  } catch (error) {
    if (error instanceof CallFailed && error.status === 404) return undefined
    throw error
  }
}
