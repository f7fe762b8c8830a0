import { jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { walk } from '../../../src/client/walk.ts'
import type { Role } from '../../../src/core/permissions.ts'
import { readSetting } from '../../../src/store/settings.ts'
import { eachBackend } from '../../kit/backends.ts'
import { scenarios } from '../../kit/scenarios.ts'
import { type Kit, useKit } from '../../kit/server.ts'

const here = { params: (k: Kit) => ({ organizationId: k.organization }) }
const editor = { params: (k: Kit) => ({ organizationId: k.organization, userId: k.people.edit.id }) }
const gone = (k: Kit) => ({ organizationId: k.organization, userId: 'gone0000000000000000' })
const strangerHere = (k: Kit) => ({ organizationId: k.organization, userId: k.people.stranger.id })

let serial = 0
const freshMember = (role: Role | null) => async (k: Kit) => {
  const person = await k.addPerson({ email: `fresh${++serial}@lectern.test`, role })
  return { params: { organizationId: k.organization, userId: person.id } }
}

eachBackend((backend) => {
  const kit = useKit(backend)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'listMembersInOrganizationById', {
    'needs a token':              { as: 'nobody', answers: 401 },
    'is hidden from strangers':   { as: 'stranger', answers: 404 },
    'is hidden from the disabled':{ as: 'disabled', answers: 404 },
    'is not for guests':          { as: 'guest', answers: 403 },
    'takes no limit 0':           { as: 'read', query: { limit: 0 }, answers: 400, field: 'limit' },
    'takes no limit 1001':        { as: 'read', query: { limit: 1001 }, answers: 400, field: 'limit' },
    'takes no limit -1':          { as: 'read', query: { limit: -1 }, answers: 400, field: 'limit' },
    'takes no limit 1e999':       { as: 'read', query: { limit: '1e999' }, answers: 400, field: 'limit' },
    'takes no worded limit':      { as: 'read', query: { limit: 'abc' }, answers: 400, field: 'limit' },
    'takes no empty limit':       { as: 'read', query: { limit: '' }, answers: 400, field: 'limit' },
    'takes no such role':         { as: 'read', query: { role: 'owner' }, answers: 400, field: 'role' },
    'takes no such sort':         { as: 'read', query: { sort: 'email' }, answers: 400, field: 'sort' },
    'takes no such order':        { as: 'read', query: { order: 'up' }, answers: 400, field: 'order' },
    'takes no 257th character':   { as: 'read', query: { search: 'x'.repeat(257) }, answers: 400, field: 'search' },
    'takes no NUL':               { as: 'read', query: { search: 'a\0b' }, answers: 400, field: 'search' },
    'takes no two searches':      { as: 'read', query: { search: ['a', 'b'] }, answers: 400, field: 'search' },
    'takes no altered page':      { as: 'read', given: async (k) => ({ query: { page: altered(await firstPage(k)), limit: 1 } }), answers: 400, code: 'invalid_cursor' },
    'takes no page of other filters': { as: 'read', given: async (k) => ({ query: { page: await firstPage(k), limit: 1, role: 'read' } }), answers: 400, code: 'invalid_cursor' },
    'takes no page of another order': { as: 'read', given: async (k) => ({ query: { page: await firstPage(k), limit: 1, order: 'asc' } }), answers: 400, code: 'invalid_cursor' },
    'takes no page of another list':  { as: 'admin', given: async (k) => ({ query: { page: await teamsPage(k) } }), answers: 400, code: 'invalid_cursor' },
    'shows everyone':             { as: 'read', answers: 200, gives: (_, body) => { expect(body.items).toHaveLength(8); return { count: 8 } } },
    'shows two':                  { as: 'read', query: { limit: 2 }, answers: 200, gives: (_, body) => { expect(body.items).toHaveLength(2); expect(body.next?.page).toBeTypeOf('string'); return { count: 8 } } },
    'takes a page of another limit': { as: 'read', given: async (k) => ({ query: { page: await firstPage(k), limit: 1000 } }), answers: 200, gives: (_, body) => { expect(body.items).toHaveLength(7); return { count: 8 } } },
    'takes limit 1000':           { as: 'read', query: { limit: 1000 }, answers: 200 },
    'shows admins':               { as: 'read', query: { role: 'admin' }, answers: 200, gives: (k) => ({ count: 1, items: [{ id: k.people.admin.id, role: 'admin' }] }) },
    'shows guests':               { as: 'read', query: { role: 'guest' }, answers: 200, gives: (k) => ({ count: 1, items: [{ id: k.people.guest.id, role: null }] }) },
    'finds by name':              { as: 'read', query: { search: 'REVIEW' }, answers: 200, gives: (k) => ({ count: 1, items: [{ id: k.people.review.id }] }) },
    'finds by e-mail':            { as: 'read', query: { search: 'edit@lectern' }, answers: 200, gives: (k) => ({ count: 1, items: [{ id: k.people.edit.id }] }) },
    'takes % and _ as they are':  { as: 'read', query: { search: '%_' }, answers: 200, gives: { count: 0, items: [] } },
    'takes a backslash as it is': { as: 'read', query: { search: '\\' }, answers: 200, gives: { count: 0 } },
    'takes a quote as it is':     { as: 'read', query: { search: "' or 1=1 --" }, answers: 200, gives: { count: 0 } },
    'sorts by time of joining':   { as: 'read', query: { order: 'asc', limit: 2 }, answers: 200, gives: (k) => ({ items: [{ id: k.people.admin.id }, { id: k.people.disabled.id, disabled: true }] }) },
    'sorts by name':              { as: 'read', query: { sort: 'name', order: 'asc', limit: 3 }, answers: 200, gives: { items: [{ user: { displayName: 'Admin' } }, { user: { displayName: 'comment' } }, { user: { displayName: 'create' } }] } },
    'shows only the seen by lastSeenAt': { as: 'read', given: async (k) => { await k.as.comment.updateOrganizationMemberLastSeenAt({ organizationId: k.organization }) }, query: { sort: 'lastSeenAt' }, answers: 200, gives: (k) => ({ count: 1, items: [{ id: k.people.comment.id }] }) },
    'ignores what it does not know': { as: 'read', query: { color: 'red', limit: 1 }, answers: 200 },
  }, here)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'getMemberInOrganizationById', {
    'needs a token':                { as: 'nobody', answers: 401 },
    'is hidden from strangers':     { as: 'stranger', answers: 404 },
    'is hidden from guests':        { as: 'guest', answers: 404 },
    'has no such member':           { as: 'admin', params: gone, answers: 404 },
    'has no strangers':             { as: 'admin', params: strangerHere, answers: 404 },
    'shows guests themselves':      { as: 'guest', params: (k) => ({ organizationId: k.organization, userId: k.people.guest.id }), answers: 200, gives: { role: null } },
    'shows a member':               { as: 'read', answers: 200, gives: (k) => ({ object: 'member', id: k.people.edit.id, role: 'edit', disabled: false, sso: false, spaces: 0, teams: 0, user: { id: k.people.edit.id } }) },
  }, editor)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateMemberInOrganizationById', {
    'needs a token':            { as: 'nobody', body: { role: 'read' }, answers: 401 },
    'is hidden from strangers': { as: 'stranger', body: { role: 'read' }, answers: 404 },
    'has no such member':       { as: 'admin', params: gone, body: { role: 'read' }, answers: 404 },
    'needs an admin':           { as: 'create', body: { role: 'admin' }, answers: 403 },
    'is not for oneself':       { as: 'edit', body: { role: 'admin' }, answers: 403 },
    'takes no such role':       { as: 'admin', body: { role: 'owner' }, answers: 400, field: 'role' },
    'takes no guest by word':   { as: 'admin', body: { role: 'guest' }, answers: 400, field: 'role' },
    'takes no numeric role':    { as: 'admin', body: { role: 1 }, answers: 400, field: 'role' },
    'takes no list':            { as: 'admin', body: ['role'], answers: 400 },
    'keeps the last admin':     { as: 'admin', params: (k) => ({ organizationId: k.organization, userId: k.people.admin.id }), body: { role: 'create' }, answers: 409, code: 'last_admin' },
    'keeps them from being guest': { as: 'admin', params: (k) => ({ organizationId: k.organization, userId: k.people.admin.id }), body: { role: null }, answers: 409, code: 'last_admin' },
    'takes no body for an empty one': { as: 'admin', answers: 200, writes: [] },
    'changes nothing twice':    { as: 'admin', body: { role: 'edit' }, answers: 200, writes: [] },
    'ignores other fields':     { as: 'admin', body: { disabled: true, id: 'x' }, answers: 200, writes: [], gives: { disabled: false } },
    'makes a guest':            { as: 'admin', given: freshMember('read'), body: { role: null }, answers: 200, writes: ['member'], gives: { role: null } },
    'makes an admin':           { as: 'admin', given: freshMember('read'), body: { role: 'admin' }, answers: 200, writes: ['member'], gives: { role: 'admin' } },
    'lets an admin go while another is there': { as: 'admin', given: freshMember('admin'), body: { role: 'read' }, answers: 200, writes: ['member'] },
  }, editor)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'removeMemberFromOrganizationById', {
    'needs a token':               { as: 'nobody', answers: 401 },
    'needs an admin':              { as: 'create', answers: 403 },
    'does nothing for guests':     { as: 'guest', answers: 204, writes: [] },
    'has nothing to do':           { as: 'admin', params: gone, answers: 204, writes: [] },
    'has nothing to do for odd ids': { as: 'admin', params: (k) => ({ organizationId: k.organization, userId: '\0/..' }), answers: 204, writes: [] },
    'removes a member':            { as: 'admin', given: freshMember('read'), answers: 204, writes: ['member'] },
    'removes teams with a member': { as: 'admin', given: inTeam, answers: 204, writes: ['member', 'teamMember'] },
    'is hidden from strangers':    { as: 'stranger', answers: 204, writes: [] },
  }, editor)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateOrganizationMemberLastSeenAt', {
    'needs a token':              { as: 'nobody', answers: 401 },
    'is hidden from strangers':   { as: 'stranger', answers: 404 },
    'is hidden from the disabled':{ as: 'disabled', answers: 404 },
    'notes the time, for guests too': { as: 'guest', answers: 200, writes: ['member'], gives: async (k, body) => {
      const key = Buffer.from((await readSetting(k.db, 'signing-key')) ?? '', 'base64url')
      const { payload } = await jwtVerify(String(body.serviceVisitorClaims), key)
      expect(payload).toMatchObject({ sub: k.people.guest.id, organization: k.organization, role: null })
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600)
    } },
  }, here)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'setUserAsSSOMemberForOrganization', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'has no such member':       { as: 'admin', params: gone, answers: 404 },
    'needs an admin':           { as: 'create', answers: 403 },
    'marks a member':           { as: 'admin', given: freshMember('read'), answers: 200, writes: ['member'], gives: { sso: true } },
  }, editor)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'listSpacesForOrganizationMember', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'is hidden from guests':    { as: 'guest', answers: 404 },
    'takes no such order':      { as: 'read', query: { order: 'up' }, answers: 400, field: 'order' },
    'takes no made-up page':    { as: 'read', query: { page: 'x.y' }, answers: 400, code: 'invalid_cursor' },
    'shows none':               { as: 'read', answers: 200, gives: { count: 0, items: [] } },
  }, editor)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'listTeamsForOrganizationMember', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'is hidden from guests':    { as: 'guest', answers: 404 },
    'takes no limit 1001':      { as: 'read', query: { limit: 1001 }, answers: 400, field: 'limit' },
    'takes no NUL':             { as: 'read', query: { title: '\0' }, answers: 400, field: 'title' },
    'shows their teams and roles': { as: 'read', given: async (k) => {
      for (const [title, role] of [['Docs', 'owner'], ['Design', 'member']] as const) {
        const team = await k.as.admin.createOrganizationTeam({ organizationId: k.organization, body: { title } })
        await k.as.admin.addMemberToOrganizationTeamById({ organizationId: k.organization, teamId: team.id, userId: k.people.edit.id, body: { role } })
      }
    }, answers: 200, gives: { count: 2, items: [{ team: { title: 'Design' }, member: { role: 'member' } }, { team: { title: 'Docs' }, member: { role: 'owner' } }] } },
    'finds by title':           { as: 'read', query: { title: 'dOC' }, answers: 200, gives: { count: 1, items: [{ team: { title: 'Docs', members: 1 } }] } },
  }, editor)

  lastAdmin(kit)
  walks(kit)
})

const firstPage = async (k: Kit): Promise<string> =>
  (await k.as.read.listMembersInOrganizationById({ organizationId: k.organization, query: { limit: 1 } })).next?.page ??
  ''

async function teamsPage(k: Kit): Promise<string> {
  for (const title of ['One', 'Two']) {
    const team = await k.as.admin.createOrganizationTeam({ organizationId: k.organization, body: { title } })
    if (title === 'Two') {
      const { next } = await k.as.admin.listTeamsInOrganizationById({
        organizationId: k.organization,
        query: { limit: 1 },
      })
      await k.as.admin.removeTeamFromOrganizationById({ organizationId: k.organization, teamId: team.id })
      return next?.page ?? ''
    }
  }
  return ''
}

const altered = (token: string): string => `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`

async function inTeam(k: Kit) {
  const input = await freshMember('read')(k)
  const { organizationId, userId } = input.params
  await k.as.admin.createOrganizationTeam({ organizationId, body: { title: 'With them', members: [userId] } })
  return input
}

function lastAdmin(kit: Kit): void {
  describe('the last admin', () => {
    test('stays, however many leave at once', async () => {
      const organization = await kit.as.stranger.createOrganization({ body: { title: 'Race' } })
      const organizationId = organization.id
      const others = await Promise.all(
        Array.from({ length: 4 }, (_, i) =>
          kit.addPerson({ email: `racer${i}@lectern.test`, role: 'admin', organization: organizationId }),
        ),
      )
      const admins = [kit.people.stranger, ...others]
      const outcomes = await Promise.allSettled(
        admins.map((admin, i) => {
          const client = kit.client(admin.token)
          return i % 2 === 0
            ? client.removeMemberFromOrganizationById({ organizationId, userId: admin.id })
            : client.updateMemberInOrganizationById({ organizationId, userId: admin.id, body: { role: 'read' } })
        }),
      )
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
      expect(refused).toMatchObject([{ reason: { status: 409, type: 'last_admin' } }])
      const stays = admins[outcomes.findIndex((outcome) => outcome.status === 'rejected')]
      const left = await kit
        .client(stays?.token)
        .listMembersInOrganizationById({ organizationId, query: { role: 'admin' } })
      expect(left.count).toBe(1)
    })

    test('may not leave by themselves', async () => {
      const input = { organizationId: kit.otherOrganization, userId: kit.people.stranger.id }
      await expect(kit.as.stranger.removeMemberFromOrganizationById(input)).rejects.toMatchObject({
        type: 'last_admin',
      })
    })

    test('counts only those who can act', async () => {
      const { id } = await kit.addPerson({
        email: 'asleep@lectern.test',
        role: 'admin',
        organization: kit.otherOrganization,
      })
      const { updateMember } = await import('../../../src/store/people/members.ts')
      await updateMember(kit.db, { organizationId: kit.otherOrganization, userId: id }, { disabled: 1 })
      const input = {
        organizationId: kit.otherOrganization,
        userId: kit.people.stranger.id,
        body: { role: 'read' as const },
      }
      await expect(kit.as.stranger.updateMemberInOrganizationById(input)).rejects.toMatchObject({ type: 'last_admin' })
    })
  })
}

function walks(kit: Kit): void {
  describe('a walk', () => {
    test('meets everyone once who was there all the time, in each order', async () => {
      const { id: organizationId } = await kit.as.stranger.createOrganization({ body: { title: 'Walk' } })
      const add = (i: number) =>
        kit.addPerson({
          email: `walker${i}@lectern.test`,
          name: `W${i % 3}`,
          role: 'read',
          organization: organizationId,
        })
      const there = await Promise.all(Array.from({ length: 12 }, (_, i) => add(i)))
      const leaving = there.slice(0, 4)
      const staying = there.slice(4)
      let joined = 100
      for (const sort of ['joinedAt', 'name'] as const) {
        for (const order of ['asc', 'desc'] as const) {
          const met: string[] = []
          const gone = leaving.pop()
          for await (const member of walk(kit.as.stranger.listMembersInOrganizationById, {
            organizationId,
            query: { limit: 2, sort, order },
          })) {
            met.push(member.id)
            if (met.length === 5 && gone)
              await kit.as.stranger.removeMemberFromOrganizationById({ organizationId, userId: gone.id })
            if (met.length === 3 || met.length === 7) await add(joined++)
          }
          expect(new Set(met).size).toBe(met.length)
          for (const person of staying) expect(met).toContain(person.id)
        }
      }
    })

    test('goes on behind an item that is gone', async () => {
      const { id: organizationId } = await kit.as.stranger.createOrganization({ body: { title: 'Gone' } })
      for (let i = 0; i < 5; i++)
        await kit.addPerson({ email: `g${i}@lectern.test`, role: 'read', organization: organizationId })
      const list = (page?: string) =>
        kit.as.stranger.listMembersInOrganizationById({
          organizationId,
          query: { limit: 2, order: 'asc', ...(page ? { page } : {}) },
        })
      const first = await list()
      const all = await kit.as.stranger.listMembersInOrganizationById({ organizationId, query: { order: 'asc' } })
      await kit.as.stranger.removeMemberFromOrganizationById({ organizationId, userId: first.items[1]?.id ?? '' })
      const second = await list(first.next?.page)
      expect(second.items.map((item) => item.id)).toEqual(all.items.slice(2, 4).map((item) => item.id))
      expect(second.count).toBe(5)
    })
  })
}
