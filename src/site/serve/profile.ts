/**
 * A site as one kind of visitor meets it: its navigation and its looks. Read once for each version of the site and each
 * set of claims.
 */

import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { SiteSection, SiteSpace } from '../../contract/sites/site.ts'
import type { PublishedSite } from '../../contract/sites/sites.ts'
import { defineCache } from '../../core/caches.ts'
import { type Customization, locales } from '../../core/customization/shape.ts'
import {
  addressOf,
  type Located,
  locate,
  type PlacedGroup,
  type PlacedSection,
  type PlacedSpace,
  pageAddressesOf,
  type Structure,
} from '../../core/site-structure.ts'
import type { Visiting } from './visiting.ts'

export type Section = PlacedSection & { about: z.output<typeof SiteSection> }
export type Group = PlacedGroup & { title: string; icon?: string }
export type ServedSpace = PlacedSpace & { about: z.output<typeof SiteSpace> }

export interface Profile {
  title: string
  /** Whether it is also for language models and their tools. */
  forAgents: boolean
  structure: Structure<Group, Section, ServedSpace>
  /** How the site looks in this place, and outside all places. */
  customizationOf(siteSpace: ServedSpace | undefined): Customization
  /** All looks there are, each once. */
  customizations: readonly Customization[]
  /** The path of a place on the site. */
  addressOf(siteSpace: ServedSpace): string
  /** The paths on the site of its pages, by their paths in the space. */
  pageAddressesOf(siteSpace: ServedSpace): (path: string) => string
  /** Equal for profiles in which pages with equal paths have equal addresses. */
  names: string
  locate(path: string): Located<Section, ServedSpace> | undefined
  /** The place that shows a space; the first in order when several do. */
  siteSpaceOf(spaceId: string): ServedSpace | undefined
}

const profilesIn = defineCache<Promise<Profile>>('site profiles', { share: 0.025 })
/** What a profile takes by itself, and for each of its places. */
const profileBytes = 8000
const siteSpaceBytes = 3000

export function profileOf(visiting: Visiting): Promise<Profile> {
  const key = `${visiting.site.id} ${visiting.version} ${visiting.site.root} ${visiting.claims}`
  const profiles = profilesIn(visiting.caches)
  const known = profiles.get(key)
  if (known) return known
  const made = readProfile(visiting)
  profiles.set(key, made, profileBytes)
  // How much it is, is known once it is read.
  made.then(
    ({ structure }) =>
      profiles.has(key) && profiles.set(key, made, profileBytes + siteSpaceBytes * structure.spaces.length),
    () => {},
  )
  // A reading that failed is tried again by the next who asks.
  made.catch(() => profiles.delete(key))
  return made
}

async function readProfile({ client, site }: Visiting): Promise<Profile> {
  const published = await client.getPublishedContentSite({ organizationId: site.organizationId, siteId: site.id })
  const structure = structureOf(published.structure)
  const customization = published.customizations.site
  // Most places look like the site; only those that do not have a style sheet of their own.
  const common = JSON.stringify(published.customizations.site)
  const differing = Object.entries(published.customizations.siteSpaces).filter(
    ([, given]) => JSON.stringify(given) !== common,
  )
  const own = new Map(differing)
  // Around a text in a language that the interface has, the interface is in that language too.
  const speaking = new Map<string, Customization>()
  for (const { id, about } of structure.spaces) {
    const locale = locales.find((one) => one === about.space.language)
    if (locale !== undefined) speaking.set(id, { ...customization, internationalization: { locale } })
  }
  const bySpace = new Map<string, ServedSpace>()
  for (const siteSpace of structure.spaces) {
    if (!bySpace.has(siteSpace.about.space.id)) bySpace.set(siteSpace.about.space.id, siteSpace)
  }
  return {
    title: published.site.title,
    forAgents: published.site.agentsContext === 'included',
    structure,
    customizationOf: (siteSpace) =>
      (siteSpace && (own.get(siteSpace.id) ?? speaking.get(siteSpace.id))) ?? customization,
    customizations: [customization, ...own.values()],
    addressOf: (siteSpace) => addressOf(structure, siteSpace),
    pageAddressesOf: (siteSpace) => pageAddressesOf(structure, siteSpace),
    names: namesOf(structure),
    locate: (path) => locate(structure, path),
    siteSpaceOf: (spaceId) => bySpace.get(spaceId),
  }
}

function namesOf({ sections, spaces }: Structure): string {
  const names = [...sections, ...spaces].map(({ id, path, isDefault }) => [id, path, isDefault])
  return createHash('sha1').update(JSON.stringify(names)).digest('base64url')
}

type Given = z.output<typeof PublishedSite>['structure']

/** The navigation in the form that the rules of addresses are written for. The order given is the order. */
function structureOf(given: Given): Structure<Group, Section, ServedSpace> {
  const groups: Group[] = []
  const sections: Section[] = []
  const spaces: ServedSpace[] = []
  let count = 0
  const rank = (): string => String(count++).padStart(6, '0')
  // Of what a visitor is shown, the conditions hold.
  const partOf = ({ id, path, default: isDefault }: { id: string; path: string; default: boolean }) => ({
    id,
    path,
    isDefault,
    rank: rank(),
    condition: null,
  })
  const addSpace = (about: z.output<typeof SiteSpace>, sectionId: string | null): void => {
    spaces.push({ ...partOf(about), sectionId, about })
  }
  const addSection = (about: z.output<typeof SiteSection>, groupId: string | null): void => {
    sections.push({ ...partOf(about), groupId, about })
    for (const space of about.siteSpaces) addSpace(space, about.id)
  }
  if (given.type === 'siteSpaces') for (const space of given.structure) addSpace(space, null)
  else {
    for (const item of given.structure) {
      if (item.object === 'site-section') {
        addSection(item, null)
        continue
      }
      groups.push({
        id: item.id,
        rank: rank(),
        title: item.title,
        ...(item.icon === undefined ? {} : { icon: item.icon }),
      })
      for (const section of item.sections) addSection(section, item.id)
    }
  }
  return { groups, sections, spaces }
}
