import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  atLeast,
  contentLevel,
  type DefaultLevel,
  leastLevel,
  levels,
  organizationLevel,
  permissionsOf,
  roles,
  strongest,
} from '../../src/core/permissions.ts'

const role = fc.constantFrom(...roles)
const roleOrGuest = fc.constantFrom(...roles, null)
const level = fc.constantFrom(...levels)
const defaultLevel = fc.constantFrom<DefaultLevel>(...roles, null, 'inherit')
const facts = fc.record({
  role: roleOrGuest,
  grants: fc.array(role, { maxLength: 4 }),
  defaults: fc.array(defaultLevel, { minLength: 1, maxLength: 4 }),
})

describe('levels', () => {
  test('are in one line', () => {
    fc.assert(fc.property(level, level, (a, b) => atLeast(a, b) || atLeast(b, a)))
    fc.assert(fc.property(level, level, (a, b) => (atLeast(a, b) && atLeast(b, a)) === (a === b)))
    expect(levels).toEqual(['none', 'guest', 'read', 'comment', 'edit', 'review', 'create', 'admin'])
  })

  test('the strongest is one of them, and beats them all', () => {
    fc.assert(
      fc.property(fc.array(level), (all) => {
        const best = strongest(all)
        for (const one of all) expect(atLeast(best, one)).toBe(true)
        if (all.length > 0) expect(all).toContain(best)
        else expect(best).toBe('none')
      }),
    )
  })
})

describe('the level on content', () => {
  test('of an admin is admin, whatever else', () => {
    fc.assert(fc.property(facts, (given) => contentLevel({ ...given, role: 'admin' }) === 'admin'))
  })

  test('is at least every grant', () => {
    fc.assert(
      fc.property(facts, (given) => {
        for (const grant of given.grants) expect(atLeast(contentLevel(given), grant)).toBe(true)
      }),
    )
  })

  test('only grows with another grant, or a stronger role', () => {
    fc.assert(
      fc.property(facts, role, (given, more) => {
        expect(atLeast(contentLevel({ ...given, grants: [...given.grants, more] }), contentLevel(given))).toBe(true)
        const stronger = given.role !== null && !atLeast(more, given.role) ? given.role : more
        expect(atLeast(contentLevel({ ...given, role: stronger }), contentLevel(given))).toBe(true)
      }),
    )
  })

  test('is the nearest fixed default, else the role, when nothing is granted', () => {
    fc.assert(
      fc.property(facts, (given) => {
        if (given.role === 'admin' || given.role === null) return
        const fixed = given.defaults.find((one) => one !== 'inherit')
        const expected = fixed === undefined ? given.role : fixed
        expect(contentLevel({ ...given, grants: [] })).toBe(expected ?? 'none')
      }),
    )
  })

  test('of a guest is what was granted, whatever a default opens to others', () => {
    expect(contentLevel({ role: null, grants: [], defaults: ['inherit', 'inherit'] })).toBe('none')
    expect(contentLevel({ role: null, grants: [], defaults: ['admin'] })).toBe('none')
    expect(contentLevel({ role: null, grants: [], defaults: ['inherit', 'edit'] })).toBe('none')
    expect(contentLevel({ role: null, grants: ['comment'], defaults: ['admin'] })).toBe('comment')
    expect(contentLevel({ role: 'edit', grants: [], defaults: [null] })).toBe('none')
    expect(contentLevel({ role: 'edit', grants: [], defaults: ['inherit', 'read'] })).toBe('read')
  })

  test('does not depend on the order of grants', () => {
    fc.assert(
      fc.property(
        facts,
        (given) => contentLevel({ ...given, grants: given.grants.toReversed() }) === contentLevel(given),
      ),
    )
  })
})

describe('permissions', () => {
  test('only grow with the level', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(
          'organization' as const,
          'member' as const,
          'team' as const,
          'space' as const,
          'collection' as const,
          'comment' as const,
        ),
        level,
        level,
        (kind, a, b) => {
          const [low, high] = atLeast(a, b) ? [b, a] : [a, b]
          const more: Record<string, boolean> = permissionsOf(kind, { level: high })
          for (const [name, may] of Object.entries(permissionsOf(kind, { level: low })))
            if (may) expect(more[name], name).toBe(true)
        },
      ),
    )
  })

  test('begin where the table says', () => {
    expect(leastLevel('space.merge')).toBe('review')
    expect(permissionsOf('space', { level: 'edit' }).merge).toBe(false)
    expect(permissionsOf('space', { level: 'review' }).merge).toBe(true)
    expect(permissionsOf('organization', { level: organizationLevel(null) })).toMatchObject({
      view: true,
      listMembers: false,
    })
  })

  test('of an author, an owner and oneself go further', () => {
    expect(permissionsOf('comment', { level: 'comment', isAuthor: true }).edit).toBe(true)
    expect(permissionsOf('comment', { level: 'read', isAuthor: true }).edit).toBe(false)
    expect(permissionsOf('team', { level: 'guest', ownsTeam: true }).admin).toBe(true)
    expect(permissionsOf('member', { level: 'guest', isSelf: true })).toEqual({ view: true, admin: false, leave: true })
  })
})
