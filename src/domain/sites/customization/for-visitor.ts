/**
 * A look as one visitor meets it: without the links that are not for them, and without those to what they do not see,
 * whose names would tell that it is there.
 */
import type { Customization, HeaderLink } from '../../../core/customization/shape.ts'
import type { ContentRef } from '../../../core/document/tree/nodes.ts'
import { allHold } from '../../../core/expressions/conditions.ts'
import { fileById, pageById } from '../../../core/revision/content.ts'
import type { Visit } from '../../actor.ts'
import type { ContentAt } from '../../content/at.ts'
import type { Base } from '../../handler.ts'
import { isFileShown } from '../reading/files.ts'
import { contentOnSite, isAdmitted } from '../reading/pages.ts'
import type { SiteState } from '../structure/state.ts'

type Sees = (ref: ContentRef) => Promise<boolean>

/** Everyone else sees all of it, with its conditions. */
export async function customizationFor(
  base: Base,
  state: Pick<SiteState, 'spaces'>,
  given: Customization,
): Promise<Customization> {
  const { visitor } = base.actor
  if (!visitor) return given
  const sees: Sees = (ref) => seesTarget(base, { state, visit: visitor }, ref)
  const groups: Customization['footer']['groups'] = []
  for (const group of given.footer.groups) {
    const links = await seen(group.links, sees)
    if (links.length > 0 || group.links.length === 0) groups.push({ ...group, links })
  }
  return {
    ...given,
    header: { ...given.header, links: await headerLinks(given.header.links, visitor, sees) },
    footer: { ...given.footer, groups },
    ...(given.announcement ? { announcement: await announcementFor(given.announcement, sees) } : {}),
  }
}

async function headerLinks(links: readonly HeaderLink[], { scope }: Visit, sees: Sees): Promise<HeaderLink[]> {
  const shown: HeaderLink[] = []
  for (const { condition, ...link } of links) {
    if (condition !== undefined && !allHold([condition], scope)) continue
    if (link.to && !(await sees(link.to))) continue
    const below = await seen(link.links, sees)
    // A menu of which nothing is left would only tell that there is something.
    if (link.to === null && below.length === 0 && link.links.length > 0) continue
    shown.push({ ...link, links: below })
  }
  return shown
}

async function seen<L extends { to: ContentRef }>(links: readonly L[], sees: Sees): Promise<L[]> {
  const shown: L[] = []
  for (const link of links) if (await sees(link.to)) shown.push(link)
  return shown
}

type Announcement = NonNullable<Customization['announcement']>

async function announcementFor({ link, ...rest }: Announcement, sees: Sees): Promise<Announcement> {
  return link && (await sees(link.to)) ? { ...rest, link } : rest
}

interface LinkSource {
  state: Pick<SiteState, 'spaces'>
  visit: Visit
}

async function seesTarget(base: Base, source: LinkSource, ref: ContentRef): Promise<boolean> {
  const { visit } = source
  if (ref.kind === 'url') return true
  if (ref.kind === 'space') return visit.spaces.has(ref.space)
  if (ref.kind !== 'page' && ref.kind !== 'anchor' && ref.kind !== 'file') return false
  for await (const at of contentsOf(base, source, ref.space)) {
    if (ref.kind !== 'file' && ref.page !== undefined) {
      const page = await pageById(at.reader, at.content, ref.page)
      if (page) return isAdmitted(at, page, visit.scope)
    }
    if (ref.kind === 'file') {
      const file = await fileById(at.reader, at.content, ref.file)
      if (file) return isFileShown(base, visit, at, file)
    }
  }
  return false
}

/** The content in which a reference is looked for: of the space it names, or of each that they see. */
async function* contentsOf(
  base: Base,
  { state, visit }: LinkSource,
  named: string | undefined,
): AsyncGenerator<ContentAt> {
  for (const id of named === undefined ? visit.spaces : [named]) {
    const space = visit.spaces.has(id) ? state.spaces.get(id) : undefined
    if (space) yield await contentOnSite(base, space)
  }
}
