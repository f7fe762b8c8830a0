/**
 * Where the references of a page lead, for this visitor. Rendering asks at once and cannot wait, so that all that a page
 * names is looked up before: pages of any place of the site, files with an address on this site. What the visitor does not
 * see leads nowhere.
 */

import { CallFailed } from '../../client/client.ts'
import { foldAnchor } from '../../core/document/text/anchors.ts'
import type { ContentRef, JSONDocument } from '../../core/document/tree/nodes.ts'
import { mapTogether } from '../../core/map-together.ts'
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
/** In how many spaces of the site a page is looked for that is named without one. */
const mostSiteSpaces = 50

export const resolverOf =
  (resolved: Resolved): Resolve =>
  (ref) =>
    resolved.get(refKey(ref))

export async function resolveRefs(at: Standpoint, refs: readonly ContentRef[]): Promise<Resolved> {
  const asked = [...new Map(refs.slice(0, mostRefs).map((ref) => [refKey(ref), ref]))]
  return new Map(await mapTogether(asked, async ([key, ref]) => [key, await resolveOne(at, ref)] as const))
}

/** A link of the owner to the host that the site is on: it holds under whatever name the host is reached. */
function pathOnHost({ site }: Visiting, url: string): string {
  const { origin } = new URL(site.root)
  return url.startsWith(`${origin}/`) ? url.slice(origin.length) : url
}

async function resolveOne(at: Standpoint, ref: ContentRef): Promise<ResolvedRef | undefined> {
  switch (ref.kind) {
    case 'url':
      return { href: at.document ? ref.url : pathOnHost(at.visiting, ref.url) }
    case 'page': {
      const found = await pageOf(at, ref)
      return found && aboutPage(found)
    }
    case 'anchor': {
      // A page has every anchor that links may name, so that a link needs to know nothing of where it leads.
      const fragment = `#${encodeURIComponent(foldAnchor(ref.anchor))}`
      if (ref.page === undefined) return { href: fragment }
      const found = await pageOf(at, { ...ref, page: ref.page })
      const about = found && aboutPage(found)
      return about && { ...about, href: `${about.href}${fragment}` }
    }
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

/** A page of the space that the reference names; without one, of this place, else of the first place that has it. */
async function pageOf(at: Standpoint, { page, space }: { page: string; space?: string }): Promise<Known | undefined> {
  const { profile, visiting } = at
  const named = space === undefined ? at.siteSpace : profile.siteSpaceOf(space)
  const siteSpaces = named ? [named] : space === undefined ? profile.structure.spaces.slice(0, mostSiteSpaces) : []
  for (const siteSpace of siteSpaces) {
    const known = await navigationOf(visiting, profile, siteSpace).known(visiting, page)
    if (known) return known
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
