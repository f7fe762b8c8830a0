/** A site with everything that stands on it, as its caller meets it, and the changes of its navigation. */
import { fail, invalid } from '../../../core/errors.ts'
import { allHold, checkCondition } from '../../../core/expressions/conditions.ts'
import type { Scope } from '../../../core/expressions/evaluate.ts'
import { type Structure, seenBy } from '../../../core/site-structure.ts'
import type { SpaceRow } from '../../../store/content/spaces.ts'
import {
  findParts,
  type GroupRow,
  type SectionRow,
  type SiteParts,
  type SiteRow,
  type SiteSpaceRow,
  saveParts,
  spacesOfSite,
} from '../../../store/sites/sites.ts'
import { type ContentAccess, contentAccess } from '../../access.ts'
import { noteSite } from '../../events/note.ts'
import type { Base } from '../../handler.ts'
import type { Things } from '../../things.ts'
import { checkedKey } from '../access/share-keys.ts'
import { type PublishedAddress, publishedAddressesOf, publishedRoot } from '../published-address.ts'
import { withDrafts } from '../reading/drafts.ts'
import { renderShown } from '../render-ahead.ts'

export interface SiteState {
  base: Base
  site: Things['site']
  /** As stored, with the places of deleted spaces. */
  parts: SiteParts
  /** What is shown of it, with one default at each level. */
  shown: Structure<GroupRow, SectionRow, SiteSpaceRow>
  spaces: ReadonlyMap<string, SpaceRow>
  access: Pick<ContentAccess, 'spacePermissions'>
  addresses: ReadonlyMap<string, PublishedAddress>
  /** Where the site is published, if it is and the caller has what opens it. */
  root: string | undefined
}

export async function siteState(base: Base, site: Things['site'], shareKey?: string | undefined): Promise<SiteState> {
  const key = await checkedKey(base, site, shareKey ?? base.actor.visitor?.shareKey)
  const parts = await findParts(base.db, site.id)
  const rows = withDrafts(base.actor, await spacesOfSite(base.db, { siteId: site.id }))
  const spaces = new Map(rows.map((row) => [row.id, row]))
  const { scope } = base.actor.visitor ?? {}
  const shown = shownTo(parts, spaces, scope)
  return {
    base,
    site,
    parts,
    shown,
    spaces,
    access: await contentAccess(base, site.organization),
    // A visitor is told of this site only.
    addresses: base.actor.visitor ? new Map() : await publishedAddressesOf(base, [...spaces.keys()], key),
    root: publishedRoot(base.env.urls, site, key),
  }
}

/** The navigation without what is deleted; and for a visitor, without what their claims do not admit. */
export function shownTo(
  parts: SiteParts,
  spaces: ReadonlyMap<string, unknown>,
  scope: Scope | undefined,
): Structure<GroupRow, SectionRow, SiteSpaceRow> {
  const holds = ({ condition }: { condition: string | null }) =>
    scope === undefined || condition === null || allHold([condition], scope)
  const shown = seenBy(parts, {
    section: holds,
    space: (space) => spaces.has(space.spaceId) && holds(space),
  })
  if (scope === undefined) return shown
  // An empty section or group would tell a visitor that there is something they do not see.
  const sections = shown.sections.filter((section) => shown.spaces.some((space) => space.sectionId === section.id))
  const groups = shown.groups.filter((group) => sections.some((section) => section.groupId === group.id))
  return { groups, sections, spaces: shown.spaces }
}

/** What is published is read by whoever sees the site; before that, each space by who may read the space. */
export const readableTo = ({ site, shown, spaces, access }: SiteState): SiteState['shown'] =>
  site.published === 1
    ? shown
    : seenBy(shown, {
        section: () => true,
        space: (siteSpace) => {
          const space = spaces.get(siteSpace.spaceId)
          return space !== undefined && access.spacePermissions(space).view
        },
      })

/** Changes the navigation and returns the site as it is then; null is a position beside what does not stand there. */
export async function changeSite(
  base: Base,
  site: Things['site'],
  change: (parts: SiteParts) => SiteParts | null,
): Promise<SiteState> {
  if (await saveStructure(base, site, change)) {
    await noteSite(base, site, 'site_structure_updated')
    if (site.published === 1) await renderShown(base.db)
  }
  return siteState(base, site)
}

/** The change alone, for what notes its own deed; whether it changed anything. */
export async function saveStructure(
  base: Base,
  site: Pick<SiteRow, 'id'>,
  change: (parts: SiteParts) => SiteParts | null,
): Promise<boolean> {
  const before = await findParts(base.db, site.id)
  const after = change(before)
  if (after === null) throw invalid('position', 'names something that does not stand there')
  refuseTooMany(after)
  refuseUnfitConditions(before, after)
  return saveParts(base.db, before, after)
}

const most = { groups: 100, sections: 200, spaces: 500 }

function refuseTooMany(parts: SiteParts): void {
  for (const kind of ['groups', 'sections', 'spaces'] as const) {
    if (parts[kind].length > most[kind]) throw fail('conflict', `A site has at most ${most[kind]} ${kind}.`)
  }
}

/** Two conditions that were joined may be more than one can be; nothing is then changed, as the shorter one would show more. */
function refuseUnfitConditions(before: SiteParts, after: SiteParts): void {
  const known = new Map(before.spaces.map((space) => [space.id, space.condition]))
  for (const { id, path, condition } of after.spaces) {
    if (condition === null || condition === known.get(id)) continue
    if (checkCondition(condition).ok) continue
    throw fail(
      'conflict',
      `The condition of the section and that of the space at \`${path}\` do not fit into one. Shorten or remove one of them first.`,
    )
  }
}

export const newSection = (
  base: Base,
  site: Pick<SiteRow, 'id'>,
  given: { title: string; icon?: string | null | undefined },
): SectionRow => ({
  id: base.env.newId(),
  siteId: site.id,
  groupId: null,
  rank: '',
  title: given.title,
  description: null,
  icon: given.icon || null,
  path: '',
  condition: null,
  isDefault: false,
  createdAt: base.now,
})

export const newSiteSpace = (base: Base, site: Pick<SiteRow, 'id'>, spaceId: string): SiteSpaceRow => ({
  id: base.env.newId(),
  siteId: site.id,
  sectionId: null,
  spaceId,
  rank: '',
  path: '',
  condition: null,
  isDefault: false,
  customization: null,
  createdAt: base.now,
})
