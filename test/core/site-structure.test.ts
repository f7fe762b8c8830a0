/** The laws of a site's navigation, held against random histories of changes. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addSection,
  addSpace,
  moveGroup,
  moveSection,
  moveSpace,
  putInGroup,
  removeGroup,
  removeSection,
  removeSpace,
  setDefaultSection,
  setDefaultSpace,
  takeOutOfGroup,
} from '../../src/core/site-changes.ts'
import {
  addressOf,
  lastRank,
  locate,
  type PlacedSection,
  type PlacedSpace,
  pageAddressesOf,
  positionOfSection,
  positionOfSpace,
  type Structure,
  sectionsInOrder,
  seenBy,
  spacesIn,
  spacesInOrder,
  topLevel,
} from '../../src/core/site-structure.ts'

const empty: Structure = { groups: [], sections: [], spaces: [] }
const section = (id: string): PlacedSection => ({
  id,
  groupId: null,
  rank: '',
  path: '',
  isDefault: false,
  condition: null,
})
const space = (id: string): PlacedSpace => ({
  id,
  sectionId: null,
  rank: '',
  path: '',
  isDefault: false,
  condition: null,
})

/** One change, made of three numbers: what, on which, beside which. */
type Step = readonly [kind: number, one: number, other: number]
const titles = ['Guide', 'API', 'guide', 'Über uns', '…', 'v2', '日本']

function apply(structure: Structure, [kind, one, other]: Step, serial: number): Structure {
  const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)]
  const title = titles[one % titles.length] ?? ''
  const aSection = pick(structure.sections, one)?.id
  const aSpace = pick(structure.spaces, one)?.id
  const aGroup = pick(structure.groups, one)?.id
  const top = pick(topLevel(structure), other)?.id
  const beside = (id: string | undefined) => (other % 3 === 0 ? {} : other % 3 === 1 ? { before: id } : { after: id })
  switch (kind % 12) {
    case 0:
      return addSpace(structure, space(`p${serial}`), { title })
    case 1: {
      const wrapper = () => ({ section: section(`w${serial}`), title: 'Site' })
      const added = addSection(structure, section(`c${serial}`), { title, wrapper })
      return addSpace(added, space(`p${serial}`), { title, sectionId: `c${serial}` })
    }
    case 2:
      return aSection === undefined
        ? structure
        : addSpace(structure, space(`p${serial}`), { title, sectionId: aSection })
    case 3:
      return aSection === undefined ? structure : removeSection(structure, aSection)
    case 4:
      return aSpace === undefined ? structure : removeSpace(structure, aSpace)
    case 5: {
      const group = { id: `g${serial}`, rank: lastRank(topLevel(structure)) }
      const sections = aSection === undefined ? [] : [aSection]
      return putInGroup({ ...structure, groups: [...structure.groups, group] }, { groupId: group.id, sections })
    }
    case 6:
      return aGroup === undefined ? structure : removeGroup(structure, aGroup)
    case 7: {
      const anchor = other % 2 === 0 ? top : pick(structure.sections, other)?.id
      return (aSection && moveSection(structure, aSection, beside(anchor))) || structure
    }
    case 8:
      return (aSpace && moveSpace(structure, aSpace, beside(pick(structure.spaces, other)?.id))) || structure
    case 9:
      return (aGroup && moveGroup(structure, aGroup, beside(top))) || structure
    case 10:
      if (aSection !== undefined && other % 2 === 0) return setDefaultSection(structure, aSection)
      return aSpace === undefined ? structure : setDefaultSpace(structure, aSpace)
    default: {
      const grouped = structure.sections.find((one) => one.groupId !== null)
      if (!grouped?.groupId) return structure
      return takeOutOfGroup(structure, { groupId: grouped.groupId, sectionId: grouped.id })
    }
  }
}

const steps = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength: 40 })
const histories = steps.map((history) => {
  const states = [empty]
  for (const [serial, step] of history.entries()) states.push(apply(states.at(-1) ?? empty, step, serial))
  return states
})
const structures = histories.map((states) => states.at(-1) ?? empty)
const runs = { numRuns: 300 }

const levelsOf = ({ spaces }: Structure) => [...new Set(spaces.map((one) => one.sectionId))]
const defaults = (level: readonly { isDefault: boolean }[]) => level.filter((one) => one.isDefault).length

describe('after any history', () => {
  test('a site has sections or spaces at its root, never both', () => {
    fc.assert(
      fc.property(structures, (structure) => {
        const atRoot = spacesIn(structure, null).length
        expect(structure.sections.length > 0 && atRoot > 0).toBe(false)
      }),
      runs,
    )
  })

  test('each level has one default', () => {
    fc.assert(
      fc.property(structures, (structure) => {
        if (structure.sections.length > 0) expect(defaults(structure.sections)).toBe(1)
        for (const level of levelsOf(structure)) expect(defaults(spacesIn(structure, level))).toBe(1)
      }),
      runs,
    )
  })

  test('paths are unique at each level', () => {
    fc.assert(
      fc.property(structures, (structure) => {
        const levels = [structure.sections, ...levelsOf(structure).map((level) => spacesIn(structure, level))]
        for (const level of levels) expect(new Set(level.map((one) => one.path)).size).toBe(level.length)
      }),
      runs,
    )
  })

  test('everything stands somewhere, once', () => {
    fc.assert(
      fc.property(structures, (structure) => {
        const ids = (list: readonly { id: string }[]) => list.map((one) => one.id).sort()
        expect(ids(sectionsInOrder(structure))).toEqual(ids(structure.sections))
        expect(ids(spacesInOrder(structure))).toEqual(ids(structure.spaces))
        const sorted = (list: readonly { position: string[]; id: string }[]) =>
          list.toSorted((a, b) => (a.position.join(' ') < b.position.join(' ') ? -1 : 1)).map((one) => one.id)
        const [ofSection, ofSpace] = [positionOfSection(structure), positionOfSpace(structure)]
        const sections = structure.sections.map((one) => ({ position: ofSection(one), id: one.id }))
        const spaces = structure.spaces.map((one) => ({ position: ofSpace(one), id: one.id }))
        expect(sorted(sections)).toEqual(sectionsInOrder(structure).map((one) => one.id))
        expect(sorted(spaces)).toEqual(spacesInOrder(structure).map((one) => one.id))
        const ranks = topLevel(structure).map((one) => one.rank)
        expect(ranks).toEqual([...ranks].sort())
      }),
      runs,
    )
  })

  test('the address of a space leads to it', () => {
    fc.assert(
      fc.property(structures, (structure) => {
        for (const one of structure.spaces) {
          const located = locate(structure, addressOf(structure, one))
          expect([located?.space.id, located?.rests.at(-1)]).toEqual([one.id, ''])
        }
      }),
      runs,
    )
  })

  test('the address of a page leads to it, whatever its slugs', () => {
    const paths = (structure: Structure) => [...structure.sections, ...structure.spaces].map((one) => one.path)
    fc.assert(
      fc.property(structures, fc.nat(), fc.nat(), (structure, one, other) => {
        const names = [...paths(structure), 'page']
        const path = [one, other].map((n) => names[n % names.length]).join('/')
        for (const space of structure.spaces) {
          const located = locate(structure, pageAddressesOf(structure, space)(path))
          expect(located?.space.id).toBe(space.id)
          expect(located?.rests).toContain(path)
        }
      }),
      runs,
    )
  })

  test('who sees less is met by what they see, and by nothing else', () => {
    fc.assert(
      fc.property(structures, fc.func(fc.boolean()), (structure, sees) => {
        const shown = seenBy(structure, { section: (one) => sees(one.id), space: (one) => sees(one.id) })
        expect(shown.sections.every((one) => sees(one.id))).toBe(true)
        expect(shown.spaces.every((one) => sees(one.id))).toBe(true)
        const place = locate(shown, '')
        if (shown.spaces.length > 0) expect(place?.space).toBeDefined()
        if (place) expect(sees(place.space.id)).toBe(true)
        for (const one of structure.spaces) {
          const met = locate(shown, addressOf(structure, one))
          if (met) expect(shown.spaces.map(({ id }) => id)).toContain(met.space.id)
        }
      }),
      runs,
    )
  })
})

describe('sections', () => {
  const wrapper = () => ({ section: section('w'), title: 'Site' })
  const two = addSpace(addSpace(empty, space('a'), { title: 'A' }), space('b'), { title: 'B' })

  test('wrap what stood at the root, and give it back', () => {
    const wrapped = addSection(two, section('c'), { title: 'C', wrapper })
    expect(spacesIn(wrapped, 'w').map((one) => one.id)).toEqual(['a', 'b'])
    expect(sectionsInOrder(wrapped).map((one) => [one.id, one.path, one.isDefault])).toEqual([
      ['w', 'site', true],
      ['c', 'c', false],
    ])
    const left = removeSection(removeSection(wrapped, 'c'), 'w')
    expect(spacesIn(left, null).map((one) => [one.id, one.isDefault])).toEqual([
      ['a', true],
      ['b', false],
    ])
  })

  test('leave their condition with what they give back', () => {
    const [either, open] = ['visitor.claims.a || visitor.claims.b', 'visitor.claims.c']
    const conditioned = (one: PlacedSection): PlacedSection => ({ ...one, condition: either })
    const given = { ...two, spaces: two.spaces.map((one) => (one.id === 'b' ? { ...one, condition: open } : one)) }
    const wrapped = addSection(given, section('c'), { title: 'C', wrapper })
    const left = removeSection({ ...wrapped, sections: wrapped.sections.map(conditioned) }, 'c')
    expect(left.spaces.map((one) => one.condition)).toEqual([null, open])
    expect(removeSection(left, 'w').spaces.map((one) => one.condition)).toEqual([either, `(${either}) && (${open})`])
  })

  test('hand the default on to the first that remains', () => {
    expect(removeSpace(two, 'a').spaces).toMatchObject([{ id: 'b', isDefault: true }])
    const wrapped = addSection(two, section('c'), { title: 'C', wrapper })
    expect(removeSection(wrapped, 'w').sections).toMatchObject([{ id: 'c', isDefault: true }])
  })

  test('that leave a group stand where it stood', () => {
    let three = empty
    for (const id of ['x', 'y', 'z']) three = addSection(three, section(id), { title: id, wrapper })
    const grouped = putInGroup(
      { ...three, groups: [{ id: 'g', rank: lastRank(topLevel(three)) }] },
      { groupId: 'g', sections: ['x', 'y'] },
    )
    const front = moveGroup(grouped, 'g', { before: 'z' }) ?? empty
    expect(sectionsInOrder(removeGroup(front, 'g')).map((one) => one.id)).toEqual(['x', 'y', 'z'])
  })

  test('refuse a neighbour that is not there', () => {
    expect(moveSpace(two, 'a', { before: 'none' })).toBeNull()
    expect(moveSection(two, 'a', { after: 'none' })).toBeNull()
    expect(moveGroup(two, 'g', { after: 'none' })).toBeNull()
  })
})
