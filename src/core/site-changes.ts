/** Changes of a site's navigation. Each keeps the laws in `site-structure.ts`; null says that a neighbour does not fit. */
import { joinConditions } from './expressions/conditions.ts'
import { ranksBetween } from './order.ts'
import {
  type Beside,
  distinctPath,
  freePath,
  lastRank,
  type PlacedGroup,
  type PlacedSection,
  type PlacedSpace,
  rankAt,
  ranksInsteadOf,
  type Structure,
  sectionsIn,
  settled,
  spacesIn,
  topLevel,
} from './site-structure.ts'

/** A space that comes to the site: last in the section named, else in the default section, else at the root. */
export function addSpace<G extends PlacedGroup, C extends PlacedSection, S extends PlacedSpace>(
  structure: Structure<G, C, S>,
  space: S,
  options: { title: string; sectionId?: string | undefined },
): Structure<G, C, S> {
  const sectionId = options.sectionId ?? structure.sections.find((section) => section.isDefault)?.id ?? null
  const level = spacesIn(structure, sectionId)
  const placed = {
    ...space,
    sectionId,
    rank: lastRank(level),
    path: freePath(options.title, level),
    isDefault: level.length === 0,
  }
  return settled({ ...structure, spaces: [...structure.spaces, placed] })
}

/** A section that comes last. `wrapper` is what the spaces at the root come to stand in, if there are any. */
export function addSection<G extends PlacedGroup, C extends PlacedSection, S extends PlacedSpace>(
  structure: Structure<G, C, S>,
  section: C,
  options: { title: string; wrapper: () => { section: C; title: string } },
): Structure<G, C, S> {
  const wrapped = spacesIn(structure, null).length > 0 ? wrap(structure, options.wrapper()) : structure
  const placed = {
    ...section,
    groupId: null,
    rank: lastRank(topLevel(wrapped)),
    path: freePath(options.title, wrapped.sections),
    isDefault: false,
  }
  return settled({ ...wrapped, sections: [...wrapped.sections, placed] })
}

function wrap<G extends PlacedGroup, C extends PlacedSection, S extends PlacedSpace>(
  structure: Structure<G, C, S>,
  { section, title }: { section: C; title: string },
): Structure<G, C, S> {
  const rank = lastRank(topLevel(structure))
  const placed = { ...section, groupId: null, rank, path: freePath(title, structure.sections), isDefault: true }
  return {
    groups: structure.groups,
    sections: [...structure.sections, placed],
    spaces: structure.spaces.map((space) => (space.sectionId === null ? { ...space, sectionId: section.id } : space)),
  }
}

/**
 * A section goes with its spaces; those of the last section come to stand at the root, and take its condition along: what it
 * kept from somebody is not shown to them because a tab went.
 */
export function removeSection<G extends PlacedGroup, C extends PlacedSection, S extends PlacedSpace>(
  structure: Structure<G, C, S>,
  id: string,
): Structure<G, C, S> {
  const sections = structure.sections.filter((section) => section.id !== id)
  const isLast = sections.length === 0
  const condition = structure.sections.find((section) => section.id === id)?.condition ?? null
  return settled({
    groups: structure.groups,
    sections,
    spaces: isLast
      ? structure.spaces.map((space) => ({
          ...space,
          sectionId: null,
          condition: joinConditions(condition, space.condition),
        }))
      : structure.spaces.filter((space) => space.sectionId !== id),
  })
}

export const removeSpace = <G extends PlacedGroup, C extends PlacedSection, S extends PlacedSpace>(
  structure: Structure<G, C, S>,
  id: string,
): Structure<G, C, S> => settled({ ...structure, spaces: structure.spaces.filter((space) => space.id !== id) })

/** A group goes; its sections stay in its place. */
export function removeGroup<G extends PlacedGroup, C extends PlacedSection, S extends PlacedSpace>(
  structure: Structure<G, C, S>,
  id: string,
): Structure<G, C, S> {
  const freed = sectionsIn(structure, id)
  const ranks = ranksInsteadOf(topLevel(structure), id, freed.length)
  const rankOf = new Map(freed.map((section, index) => [section.id, ranks[index] ?? section.rank]))
  return {
    ...structure,
    groups: structure.groups.filter((group) => group.id !== id),
    sections: structure.sections.map((section) => {
      const rank = rankOf.get(section.id)
      return rank === undefined ? section : { ...section, groupId: null, rank }
    }),
  }
}

/** Sections come to stand last in a group, in the order given. */
export function putInGroup<G extends PlacedGroup, C extends PlacedSection, S extends PlacedSpace>(
  structure: Structure<G, C, S>,
  { groupId, sections }: { groupId: string; sections: readonly string[] },
): Structure<G, C, S> {
  const coming = [...new Set(sections)].filter((id) =>
    structure.sections.some((section) => section.id === id && section.groupId !== groupId),
  )
  const ranks = ranksBetween(sectionsIn(structure, groupId).at(-1)?.rank ?? '', '', coming.length)
  return {
    ...structure,
    sections: structure.sections.map((section) => {
      const index = coming.indexOf(section.id)
      return index < 0 ? section : { ...section, groupId, rank: ranks[index] ?? section.rank }
    }),
  }
}

/** A section leaves its group and stands behind it. */
export function takeOutOfGroup<G extends PlacedGroup, C extends PlacedSection, S extends PlacedSpace>(
  structure: Structure<G, C, S>,
  { groupId, sectionId }: { groupId: string; sectionId: string },
): Structure<G, C, S> {
  const rank = rankAt(topLevel(structure), sectionId, { after: groupId })
  return {
    ...structure,
    sections: structure.sections.map((section) =>
      section.id === sectionId && section.groupId === groupId && rank !== null
        ? { ...section, groupId: null, rank }
        : section,
    ),
  }
}

/** A section comes to stand beside another section or a group: in the group its neighbour stands in, or in none. */
export function moveSection<G extends PlacedGroup, C extends PlacedSection, S extends PlacedSpace>(
  structure: Structure<G, C, S>,
  id: string,
  beside: Beside,
): Structure<G, C, S> | null {
  const anchor = beside.before ?? beside.after ?? id
  const neighbour = structure.sections.find((section) => section.id === anchor)
  const groupId = neighbour?.groupId ?? null
  const level = groupId === null ? topLevel(structure) : sectionsIn(structure, groupId)
  const rank = rankAt(level, id, beside)
  if (rank === null) return null
  return {
    ...structure,
    sections: structure.sections.map((section) => (section.id === id ? { ...section, groupId, rank } : section)),
  }
}

/** A space comes to stand beside another, in the section the other stands in. */
export function moveSpace<G extends PlacedGroup, C extends PlacedSection, S extends PlacedSpace>(
  structure: Structure<G, C, S>,
  id: string,
  beside: Beside,
): Structure<G, C, S> | null {
  const self = structure.spaces.find((space) => space.id === id)
  const neighbour = structure.spaces.find((space) => space.id === (beside.before ?? beside.after ?? id))
  if (!self || !neighbour) return null
  const level = spacesIn(structure, neighbour.sectionId)
  const rank = rankAt(level, id, beside)
  if (rank === null) return null
  const moved =
    neighbour.sectionId === self.sectionId
      ? { ...self, rank }
      : { ...self, rank, sectionId: neighbour.sectionId, isDefault: false, path: distinctPath(self.path, level) }
  return settled({ ...structure, spaces: structure.spaces.map((space) => (space.id === id ? moved : space)) })
}

/** A group comes to stand beside another group or a section of the top level: groups do not stand in groups. */
export function moveGroup<G extends PlacedGroup, C extends PlacedSection, S extends PlacedSpace>(
  structure: Structure<G, C, S>,
  id: string,
  beside: Beside,
): Structure<G, C, S> | null {
  const rank = rankAt(topLevel(structure), id, beside)
  if (rank === null) return null
  return { ...structure, groups: structure.groups.map((group) => (group.id === id ? { ...group, rank } : group)) }
}

export const setDefaultSection = <G extends PlacedGroup, C extends PlacedSection, S extends PlacedSpace>(
  structure: Structure<G, C, S>,
  id: string,
): Structure<G, C, S> => ({
  ...structure,
  sections: structure.sections.map((section) => ({ ...section, isDefault: section.id === id })),
})

/** The default of the level it stands at. */
export function setDefaultSpace<G extends PlacedGroup, C extends PlacedSection, S extends PlacedSpace>(
  structure: Structure<G, C, S>,
  id: string,
): Structure<G, C, S> {
  const sectionId = structure.spaces.find((space) => space.id === id)?.sectionId
  return {
    ...structure,
    spaces: structure.spaces.map((space) =>
      space.sectionId === sectionId ? { ...space, isDefault: space.id === id } : space,
    ),
  }
}
