/**
 * The navigation of a site: spaces at the root, or spaces in sections, sections maybe in groups.
 *
 * 1. A site has sections or spaces at its root, never both: the first section wraps the spaces that stood at the root, and
 *    taking the last section away puts its spaces at the root again.
 * 2. At each level with anything in it, exactly one thing is the default: one section of the site, one space of each section
 *    (or of the root). Taking the default away hands it to the first that remains.
 * 3. Paths are unique: of sections in a site, of spaces in a section (or at the root). The default's path is not part of
 *    its address, and is kept for when it is no longer the default.
 * 4. Order is by `rank`. Groups and ungrouped sections stand in one order; sections inside a group in another.
 *
 * Every change here takes a whole structure and returns a whole one that keeps these laws; what differs is what is stored.
 */
import { rankBetween, ranksBetween } from './order.ts'
import { cutSlug, slugify, uniqueName } from './text.ts'

export interface PlacedGroup {
  id: string
  rank: string
}

export interface PlacedSection {
  id: string
  groupId: string | null
  rank: string
  path: string
  isDefault: boolean
  /** Who is shown it; everyone without one. */
  condition: string | null
}

export interface PlacedSpace {
  id: string
  sectionId: string | null
  rank: string
  path: string
  isDefault: boolean
  condition: string | null
}

export interface Structure<
  G extends PlacedGroup = PlacedGroup,
  C extends PlacedSection = PlacedSection,
  S extends PlacedSpace = PlacedSpace,
> {
  groups: readonly G[]
  sections: readonly C[]
  spaces: readonly S[]
}

interface Ranked {
  id: string
  rank: string
}

/** Before or behind a neighbour, by its id; neither is last. */
export interface Beside {
  before?: string | undefined
  after?: string | undefined
}

const byRank = (a: Ranked, b: Ranked): number => (a.rank === b.rank ? (a.id < b.id ? -1 : 1) : a.rank < b.rank ? -1 : 1)

/** The spaces of a section, or of the root, in order. */
export const spacesIn = <S extends PlacedSpace>(structure: { spaces: readonly S[] }, sectionId: string | null): S[] =>
  structure.spaces.filter((space) => space.sectionId === sectionId).sort(byRank)

/** The top level in order: groups and the sections that stand in none. */
export const topLevel = <G extends PlacedGroup, C extends PlacedSection>(structure: Structure<G, C>): (G | C)[] =>
  [...structure.groups, ...structure.sections.filter((section) => section.groupId === null)].sort(byRank)

export const sectionsIn = <C extends PlacedSection>(structure: { sections: readonly C[] }, groupId: string): C[] =>
  structure.sections.filter((section) => section.groupId === groupId).sort(byRank)

/** All sections in the order in which readers meet them. */
export const sectionsInOrder = <G extends PlacedGroup, C extends PlacedSection>(structure: Structure<G, C>): C[] =>
  topLevel(structure).flatMap((item) => ('groupId' in item ? [item] : sectionsIn(structure, item.id)))

/** All spaces in the order in which readers meet them. */
export const spacesInOrder = <S extends PlacedSpace>(structure: Structure<PlacedGroup, PlacedSection, S>): S[] =>
  structure.sections.length === 0
    ? spacesIn(structure, null)
    : sectionsInOrder(structure).flatMap((section) => spacesIn(structure, section.id))

/** Where a section stands among all, as texts that sort like `sectionsInOrder`. */
export function positionOfSection(structure: Structure): (section: PlacedSection) => string[] {
  const groups = new Map(structure.groups.map((group) => [group.id, [group.rank, group.id]]))
  return ({ groupId, rank, id }) => [...(groups.get(groupId ?? '') ?? []), rank, id]
}

/** Where a space stands among all, as texts that sort like `spacesInOrder`. */
export function positionOfSpace(structure: Structure): (space: PlacedSpace) => string[] {
  const positionOf = positionOfSection(structure)
  const sections = new Map(structure.sections.map((section) => [section.id, positionOf(section)]))
  return ({ sectionId, rank, id }) => [...(sections.get(sectionId ?? '') ?? []), rank, id]
}

/** A path for something new: of its title, told apart from the others'. */
export const freePath = (title: string, taken: readonly { path: string }[]): string =>
  // Room for a number behind it: a path has at most a hundred characters.
  distinctPath(cutSlug(slugify(title), 90) || 'docs', taken)

/** The path, with a number behind it where others have it. */
export function distinctPath(path: string, taken: readonly { path: string }[]): string {
  const paths = new Set(taken.map((item) => item.path))
  return uniqueName(path, (candidate) => paths.has(candidate))
}

/** A rank behind everything at a level. */
export const lastRank = (level: readonly Ranked[]): string =>
  rankBetween([...level].sort(byRank).at(-1)?.rank ?? '', '')

/** A rank before or behind a neighbour; null when the neighbour does not stand at this level. */
export function rankAt(level: readonly Ranked[], self: string, { before, after }: Beside): string | null {
  const others = level.filter((item) => item.id !== self).sort(byRank)
  const anchor = before ?? after
  if (anchor === undefined) return rankBetween(others.at(-1)?.rank ?? '', '')
  if (anchor === self) return level.find((item) => item.id === self)?.rank ?? null
  const index = others.findIndex((item) => item.id === anchor)
  if (index < 0) return null
  const [low, high] = before === undefined ? [others[index], others[index + 1]] : [others[index - 1], others[index]]
  return rankBetween(low?.rank ?? '', high?.rank ?? '')
}

/** The structure with one default at each level: the one that was, else the first. */
export function settled<G extends PlacedGroup, C extends PlacedSection, S extends PlacedSpace>(
  structure: Structure<G, C, S>,
): Structure<G, C, S> {
  const levels = new Set(structure.spaces.map((space) => space.sectionId))
  const chosen = new Set([
    defaultOf(sectionsInOrder(structure))?.id,
    ...[...levels].map((sectionId) => defaultOf(spacesIn(structure, sectionId))?.id),
  ])
  return {
    groups: structure.groups,
    sections: structure.sections.map((section) => setDefault(section, chosen.has(section.id))),
    spaces: structure.spaces.map((space) => setDefault(space, chosen.has(space.id))),
  }
}

const defaultOf = <T extends { isDefault: boolean }>(level: readonly T[]): T | undefined =>
  level.find((item) => item.isDefault) ?? level[0]

const setDefault = <T extends { isDefault: boolean }>(item: T, isDefault: boolean): T =>
  item.isDefault === isDefault ? item : { ...item, isDefault }

/**
 * What is left for someone who does not see all of it, with defaults of its own: who does not see the default is met by the
 * first thing they do see. Groups and sections in which nothing is left to see are never the default.
 */
export function seenBy<G extends PlacedGroup, C extends PlacedSection, S extends PlacedSpace>(
  structure: Structure<G, C, S>,
  sees: { section: (section: C) => boolean; space: (space: S) => boolean },
): Structure<G, C, S> {
  const sections = structure.sections.filter(sees.section)
  const open = new Set<string | null>(sections.map((section) => section.id))
  if (structure.sections.length === 0) open.add(null)
  const spaces = structure.spaces.filter((space) => open.has(space.sectionId) && sees.space(space))
  const filled = new Set(spaces.map((space) => space.sectionId))
  const inOrder = sectionsInOrder({ groups: structure.groups, sections, spaces })
  const main = inOrder.find((section) => section.isDefault && filled.has(section.id))
  const first = main ?? inOrder.find((section) => filled.has(section.id))
  return settled({
    groups: structure.groups,
    sections: first ? sections.map((section) => setDefault(section, section.id === first.id)) : sections,
    spaces,
  })
}

/** The path of a space on its site, without a leading slash; defaults are not part of it. */
export function addressOf(structure: Structure, space: PlacedSpace): string {
  const section = structure.sections.find((one) => one.id === space.sectionId)
  return addressFor({ space, section, isNamesake: structure.sections.some((one) => one.path === space.path) })
}

type Named = { path: string; isDefault: boolean }

/** The same from its parts. `isNamesake`: a section of the site has the path of the space. */
export function addressFor(given: { space: Named; section: Named | undefined; isNamesake: boolean }): string {
  const { space, section, isNamesake } = given
  const own = space.isDefault ? [] : [space.path]
  // Where a section has the path of a space in the default section, the section is met first: the long address is the one.
  const isHidden = own.length > 0 && isNamesake
  return (section && (!section.isDefault || isHidden) ? [section.path, ...own] : own).join('/')
}

/**
 * The paths on the site of a space's pages, by their paths in the space. A page whose first slug names a section or a space
 * beside its own is not met at the short one: it has the address with all names in it.
 */
export function pageAddressesOf(structure: Structure, space: PlacedSpace): (path: string) => string {
  const own = addressOf(structure, space)
  const section = structure.sections.find((one) => one.id === space.sectionId)
  const named = new Set([...structure.sections, ...spacesIn(structure, space.sectionId)].map((one) => one.path))
  return (path) => {
    if (path === '') return own
    const short = own === '' ? path : `${own}/${path}`
    if (!named.has(path.split('/', 1)[0] ?? '')) return short
    const met = locate(structure, short)
    if (met?.space.id === space.id && met.rests[0] === path) return short
    return [...(section ? [section.path] : []), space.path, path].join('/')
  }
}

export interface Located<C extends PlacedSection, S extends PlacedSpace> {
  section: C | undefined
  space: S
  /**
   * What of the path is left for the page, in the order in which to look for one. It is more than one where the path begins
   * as a default's own does, which is not part of addresses: the page that has this path is meant first, and where there is
   * none, the default. Never empty.
   */
  rests: readonly string[]
}

/**
 * Which space a path on the site leads to, and what of the path is left for the page. The longest match wins: a section or
 * space that is named is meant, else it is the default of its level.
 */
export function locate<C extends PlacedSection, S extends PlacedSpace>(
  structure: Structure<PlacedGroup, C, S>,
  path: string,
): Located<C, S> | undefined {
  const segments = path.split('/').filter((segment) => segment !== '')
  if (structure.sections.length === 0) return locateIn(structure, undefined, segments)
  const named = structure.sections.find((one) => one.path === segments[0])
  const section = named ?? structure.sections.find((one) => one.isDefault)
  const located = section && locateIn(structure, section, named ? segments.slice(1) : segments)
  if (!located || !named?.isDefault || !located.space.isDefault) return located
  return { ...located, rests: [segments.join('/'), ...located.rests] }
}

function locateIn<C extends PlacedSection, S extends PlacedSpace>(
  structure: Structure<PlacedGroup, C, S>,
  section: C | undefined,
  segments: readonly string[],
): Located<C, S> | undefined {
  const level = spacesIn(structure, section?.id ?? null)
  const named = level.find((one) => one.path === segments[0])
  const space = named ?? level.find((one) => one.isDefault)
  if (!space) return undefined
  const [whole, behind] = [segments.join('/'), segments.slice(1).join('/')]
  return { section, space, rests: named ? (named.isDefault ? [whole, behind] : [behind]) : [whole] }
}

/** `count` ranks in the place of something that goes and leaves others behind. */
export function ranksInsteadOf(level: readonly Ranked[], self: string, count: number): string[] {
  const sorted = [...level].sort(byRank)
  const index = sorted.findIndex((item) => item.id === self)
  return ranksBetween(sorted[index]?.rank ?? '', sorted[index + 1]?.rank ?? '', count)
}
