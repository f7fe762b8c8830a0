import { beforeAll, describe, expect, test } from 'vitest'
import { eachBackend } from '../../kit/backends.ts'
import { scenarios } from '../../kit/scenarios.ts'
import { type Kit, type Person, useKit } from '../../kit/server.ts'

eachBackend((backend) => {
  const kit = useKit(backend)
  let docs = ''
  let owner: Person
  let mate: Person

  beforeAll(async () => {
    owner = await kit.addPerson({ email: 'owner@lectern.test', role: 'read' })
    mate = await kit.addPerson({ email: 'mate@lectern.test', role: null })
    const organizationId = kit.organization
    docs = (await kit.as.admin.createOrganizationTeam({ organizationId, body: { title: 'Docs', members: [mate.id] } }))
      .id
    await kit.as.admin.addMemberToOrganizationTeamById({
      organizationId,
      teamId: docs,
      userId: owner.id,
      body: { role: 'owner' },
    })
  })

  const here = { params: (k: Kit) => ({ organizationId: k.organization }) }
  const team = { params: (k: Kit) => ({ organizationId: k.organization, teamId: docs }) }
  const gone = (k: Kit) => ({ organizationId: k.organization, teamId: 'gone0000000000000000' })
  const inOther = (k: Kit) => ({ organizationId: k.otherOrganization, teamId: docs })
  const freshTeam = async (k: Kit, members: string[] = []) => {
    const made = await k.as.admin.createOrganizationTeam({
      organizationId: k.organization,
      body: { title: 'Fresh', members },
    })
    return { params: { organizationId: k.organization, teamId: made.id } }
  }
  const withRead = async (k: Kit) => {
    const { params } = await freshTeam(k, [k.people.read.id])
    return { params: { ...params, userId: k.people.read.id } }
  }
  const membersOf = async (k: Kit, teamId = docs) => {
    const { items } = await k.as.admin.listTeamMembersInOrganizationById({ organizationId: k.organization, teamId })
    return Object.fromEntries(items.map((item) => [item.organization.user.email, item.team.role]))
  }

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'listTeamsInOrganizationById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'is not for guests':        { as: 'guest', answers: 403 },
    'takes no odd owner':       { as: 'read', query: { owner: 'a b' }, answers: 400, field: 'owner' },
    'takes no 257th character': { as: 'read', query: { title: 'x'.repeat(257) }, answers: 400, field: 'title' },
    'takes no NUL':             { as: 'read', query: { title: '\0' }, answers: 400, field: 'title' },
    'takes no limit 1001':      { as: 'read', query: { limit: 1001 }, answers: 400, field: 'limit' },
    'shows them':               { as: 'read', answers: 200, gives: { count: 1, items: [{ object: 'team', title: 'Docs', members: 2, spaces: 0, permissions: { view: true, admin: false } }] } },
    'shows admins their right': { as: 'admin', answers: 200, gives: { items: [{ permissions: { admin: true } }] } },
    'finds by title':           { as: 'read', query: { title: 'oC' }, answers: 200, gives: { count: 1 } },
    'takes % as it is':         { as: 'read', query: { title: '%' }, answers: 200, gives: { count: 0, items: [] } },
    'finds by owner':           { as: 'read', query: () => ({ owner: owner.id }), answers: 200, gives: { count: 1 } },
    'does not take members for owners': { as: 'read', query: () => ({ owner: mate.id }), answers: 200, gives: { count: 0 } },
  }, here)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'createOrganizationTeam', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'needs an admin':           { as: 'create', answers: 403 },
    'needs a title':            { as: 'admin', body: {}, answers: 400, field: 'title' },
    'takes no empty title':     { as: 'admin', body: { title: '' }, answers: 400, field: 'title' },
    'takes no 65th character':  { as: 'admin', body: { title: 'x'.repeat(65) }, answers: 400, field: 'title' },
    'takes no strangers':       { as: 'admin', body: (k: Kit) => ({ title: 'T', members: [k.people.stranger.id] }), answers: 400, field: 'members' },
    'takes no word for a list': { as: 'admin', body: { title: 'T', members: 'all' }, answers: 400, field: 'members' },
    'takes no 1001st member':   { as: 'admin', body: { title: 'T', members: Array.from({ length: 1001 }, (_, i) => `m${i}`) }, answers: 400, field: 'members' },
    'makes one':                { as: 'admin', answers: 201, writes: ['team'], gives: { title: 'New', members: 0 } },
    'makes one with members':   { as: 'admin', body: (k: Kit) => ({ title: 'T', members: [k.people.read.id, k.people.read.id, k.people.guest.id] }), answers: 201, writes: ['team', 'teamMember'], gives: { members: 2 } },
    'may have a title twice':   { as: 'admin', answers: 201 },
  }, { ...here, body: { title: 'New' } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'getTeamInOrganizationById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'is hidden from guests':    { as: 'guest', answers: 404 },
    'has no such team':         { as: 'admin', params: gone, answers: 404 },
    'is not elsewhere':         { as: 'stranger', params: inOther, answers: 404 },
    'shows it':                 { as: 'read', answers: 200, gives: { title: 'Docs', permissions: { admin: false, view: true } } },
  }, team)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateTeamInOrganizationById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'has no such team':         { as: 'admin', params: gone, answers: 404 },
    'needs an owner':           { as: 'create', answers: 403 },
    'needs a title':            { as: 'admin', body: {}, answers: 400, field: 'title' },
    'takes no numeric title':   { as: 'admin', body: { title: 7 }, answers: 400, field: 'title' },
    'renames it':               { as: 'admin', answers: 200, writes: ['team'], gives: { title: 'Writers' } },
    'finds it by its new title':{ as: 'admin', answers: 200, gives: async (k) => {
      expect((await k.as.read.listTeamsInOrganizationById({ organizationId: k.organization, query: { title: 'writers' } })).count).toBe(1)
      expect((await k.as.read.listTeamsInOrganizationById({ organizationId: k.organization, query: { title: 'docs' } })).count).toBe(0)
    } },
  }, { ...team, body: { title: 'Writers' } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'removeTeamFromOrganizationById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'needs an admin':           { as: 'create', answers: 403 },
    'does nothing for guests':  { as: 'guest', answers: 204, writes: [] },
    'has nothing to do':        { as: 'admin', params: gone, answers: 204, writes: [] },
    'is not elsewhere':         { as: 'stranger', params: inOther, answers: 204, writes: [] },
    'removes it with its memberships': { as: 'admin', given: withRead, answers: 204, writes: ['team', 'teamMember'] },
    'is hidden from strangers': { as: 'stranger', answers: 204, writes: [] },
  }, team)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'listTeamMembersInOrganizationById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'is hidden from guests':    { as: 'guest', answers: 404 },
    'takes no made-up page':    { as: 'read', query: { page: 'x' }, answers: 400, code: 'invalid_cursor' },
    'shows them':               { as: 'read', answers: 200, gives: () => ({ count: 2, items: [{ organization: { id: owner.id }, team: { role: 'owner' }, permissions: { view: true } }, { organization: { id: mate.id }, team: { role: 'member' } }] }) },
  }, team)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateMembersInOrganizationTeam', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'has no such team':         { as: 'admin', params: gone, answers: 404 },
    'needs an owner':           { as: 'create', answers: 403 },
    'adds no strangers':        { as: 'admin', body: (k: Kit) => ({ add: [k.people.stranger.email] }), answers: 400, field: 'add' },
    'adds nobody unknown':      { as: 'admin', body: { add: ['who@lectern.test'] }, answers: 400, field: 'add' },
    'ranks nobody unknown':     { as: 'admin', body: { memberships: { 'who@lectern.test': { role: 'owner' } } }, answers: 400, field: 'memberships' },
    'takes no such role':       { as: 'admin', body: (k: Kit) => ({ memberships: { [k.people.read.id]: { role: 'admin' } } }), answers: 400, gives: (k, body) => { expect(JSON.stringify(body)).toContain(`memberships.${k.people.read.id}.role`); return undefined } },
    'takes no 1001st name':     { as: 'admin', body: { add: Array.from({ length: 1001 }, (_, i) => `m${i}`) }, answers: 400, field: 'add' },
    'takes no 1001st membership': { as: 'admin', body: { memberships: Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`m${i}`, { role: 'member' }])) }, answers: 400, field: 'memberships', gives: (_, body) => { expect(body.error?.message).toContain('1000'); return undefined } },
    'does nothing':             { as: 'admin', given: freshTeam, body: {}, answers: 204, writes: [] },
    'does nothing without a body': { as: 'admin', given: freshTeam, answers: 204, writes: [] },
    'adds by id and by e-mail': { as: 'admin', given: freshTeam, body: (k: Kit) => ({ add: [k.people.read.id, 'COMMENT@lectern.test'] }), answers: 204, writes: ['teamMember'] },
    'removes who is in both':   { as: 'admin', given: withRead, body: (k: Kit) => ({ add: [k.people.read.id, k.people.edit.id], remove: [k.people.read.email] }), answers: 204, writes: ['teamMember'] },
    'removes strangers easily': { as: 'admin', given: freshTeam, body: { remove: ['who@lectern.test'] }, answers: 204, writes: [] },
    'keeps the role of who is in': { as: 'admin', body: () => ({ add: [owner.id] }), answers: 204, writes: [] },
    'ranks':                    { as: 'admin', given: withRead, body: (k: Kit) => ({ memberships: { [k.people.read.id]: { role: 'owner' } } }), answers: 204, writes: ['teamMember'] },
  }, team)

  test('the same user in add and remove is removed', async () => {
    const { params } = await freshTeam(kit)
    const { id, email } = kit.people.edit
    for (const [add, remove] of [
      [id, email],
      [email, id],
      [id, id],
    ] as const) {
      await kit.as.admin.updateMembersInOrganizationTeam({
        ...params,
        body: { add: [add], memberships: { [add]: { role: 'owner' } }, remove: [remove] },
      })
      expect(await membersOf(kit, params.teamId)).toEqual({})
    }
  })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'addMemberToOrganizationTeamById', {
    'needs a token':            { as: 'nobody', given: withRead, answers: 401 },
    'is hidden from strangers': { as: 'stranger', given: withRead, answers: 404 },
    'has no such member':       { as: 'admin', params: (k) => ({ organizationId: k.organization, teamId: docs, userId: 'gone' }), answers: 404 },
    'has no strangers':         { as: 'admin', params: (k) => ({ organizationId: k.organization, teamId: docs, userId: k.people.stranger.id }), answers: 404 },
    'needs an owner':           { as: 'create', given: withRead, answers: 403 },
    'takes no such role':       { as: 'admin', given: withRead, body: { role: 'king' }, answers: 400, field: 'role' },
    'adds':                     { as: 'admin', given: async (k) => ({ params: { ...(await freshTeam(k)).params, userId: k.people.read.id } }), answers: 204, writes: ['teamMember'] },
    'adds again, to no effect': { as: 'admin', given: withRead, answers: 204, writes: [] },
    'changes the role':         { as: 'admin', given: withRead, body: { role: 'owner' }, answers: 204, writes: ['teamMember'] },
    'keeps the role unsaid':    { as: 'admin', params: (k) => ({ organizationId: k.organization, teamId: docs, userId: owner.id }), body: {}, answers: 204, writes: [] },
  })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'deleteMemberFromOrganizationTeamById', {
    'needs a token':            { as: 'nobody', given: withRead, answers: 401 },
    'needs an owner':           { as: 'create', given: withRead, answers: 403 },
    'has nothing to do for strangers': { as: 'admin', params: (k) => ({ organizationId: k.organization, teamId: docs, userId: k.people.stranger.id }), answers: 204, writes: [] },
    'has nothing to do for others':    { as: 'admin', params: (k) => ({ organizationId: k.organization, teamId: docs, userId: k.people.edit.id }), answers: 204, writes: [] },
    'takes them out':           { as: 'admin', given: withRead, answers: 204, writes: ['teamMember'] },
    'is hidden from strangers': { as: 'stranger', given: withRead, answers: 204, writes: [] },
    'has no such team':         { as: 'admin', params: (k) => ({ ...gone(k), userId: k.people.read.id }), answers: 204, writes: [] },
  })

  describe('an owner', () => {
    test('manages their team, and no other', async () => {
      const client = kit.client(owner.token)
      const organizationId = kit.organization
      const { userId, teamId: other } = (await withRead(kit)).params
      await client.updateTeamInOrganizationById({ organizationId, teamId: docs, body: { title: 'Docs' } })
      await client.addMemberToOrganizationTeamById({ organizationId, teamId: docs, userId })
      await client.updateMembersInOrganizationTeam({
        organizationId,
        teamId: docs,
        body: { memberships: { [mate.email]: { role: 'owner' } } },
      })
      expect(await membersOf(kit)).toEqual({
        'owner@lectern.test': 'owner',
        'mate@lectern.test': 'owner',
        'read@lectern.test': 'member',
      })
      await client.deleteMemberFromOrganizationTeamById({ organizationId, teamId: docs, userId })
      const forbidden = { status: 403, type: 'forbidden' }
      await expect(client.removeTeamFromOrganizationById({ organizationId, teamId: docs })).rejects.toMatchObject(
        forbidden,
      )
      await expect(
        client.updateTeamInOrganizationById({ organizationId, teamId: other, body: { title: 'Mine' } }),
      ).rejects.toMatchObject(forbidden)
    })

    test('who is a guest sees and manages their team', async () => {
      const client = kit.client(mate.token)
      const input = { organizationId: kit.organization, teamId: docs }
      expect((await client.getTeamInOrganizationById(input)).permissions).toEqual({ view: true, admin: true })
      await client.updateMembersInOrganizationTeam({ ...input, body: { add: [kit.people.comment.email] } })
      expect(await membersOf(kit)).toHaveProperty('comment@lectern.test')
      await client.addMemberToOrganizationTeamById({ ...input, userId: kit.people.edit.id })
      expect(await membersOf(kit)).toHaveProperty('edit@lectern.test')
      await client.deleteMemberFromOrganizationTeamById({ ...input, userId: kit.people.edit.id })
      expect(await membersOf(kit)).not.toHaveProperty('edit@lectern.test')
    })
  })

  test('guests are told of no team but theirs among those that a thing is shared with', async () => {
    const organizationId = kit.organization
    const other = (await kit.as.admin.createOrganizationTeam({ organizationId, body: { title: 'Others' } })).id
    const shelf = await kit.as.admin.createCollection({ organizationId, body: { title: 'Shelf' } })
    const space = await kit.as.admin.createSpace({ organizationId, body: { title: 'Shared', parent: shelf.id } })
    const [spaceId, collectionId] = [space.id, shelf.id]
    const body = { role: 'read' as const, teams: [docs, other] }
    await kit.as.admin.inviteToSpace({ spaceId, body })
    await kit.as.admin.inviteToCollection({ collectionId, body })
    const guest = kit.client(mate.token)
    for (const lists of [
      await guest.listTeamPermissionsInSpace({ spaceId }),
      await guest.listTeamPermissionsInCollection({ collectionId }),
    ]) {
      expect(lists.items.map((item) => item.team.id)).toEqual([docs])
      expect(lists.count).toBe(1)
    }
    expect((await kit.as.read.listTeamPermissionsInSpace({ spaceId })).count).toBe(2)
  })

  test('leaving the organization leaves its teams', async () => {
    const person = await kit.addPerson({ email: 'leaver@lectern.test', role: 'read' })
    const { params } = await freshTeam(kit, [person.id])
    await kit
      .client(person.token)
      .removeMemberFromOrganizationById({ organizationId: kit.organization, userId: person.id })
    expect(await membersOf(kit, params.teamId)).toEqual({})
    await kit.addPerson({ email: 'leaver@lectern.test', role: 'read' })
    expect(await membersOf(kit, params.teamId)).toEqual({})
  })
})
