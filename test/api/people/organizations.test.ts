import { describe, expect, test } from 'vitest'
import { eachBackend } from '../../kit/backends.ts'
import { scenarios } from '../../kit/scenarios.ts'
import { type Kit, useKit } from '../../kit/server.ts'

const here = { params: (k: Kit) => ({ organizationId: k.organization }) }
const inOther = (k: Kit) => ({ organizationId: k.otherOrganization })
const gone = { organizationId: 'gone0000000000000000' }

eachBackend((backend) => {
  const kit = useKit(backend)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'listOrganizationsForAuthenticatedUser', {
    'needs a token':           { as: 'nobody', answers: 401 },
    'takes no limit 0':        { as: 'read', query: { limit: 0 }, answers: 400, field: 'limit' },
    'takes no limit 1001':     { as: 'read', query: { limit: 1001 }, answers: 400, field: 'limit' },
    'takes no worded limit':   { as: 'read', query: { limit: 'abc' }, answers: 400, field: 'limit' },
    'takes no half limit':     { as: 'read', query: { limit: '1.5' }, answers: 400, field: 'limit' },
    'takes no limit 1e3':      { as: 'read', query: { limit: '1e3' }, answers: 400, field: 'limit' },
    'takes no two limits':     { as: 'read', query: { limit: [1, 2] }, answers: 400, field: 'limit' },
    'takes no made-up page':   { as: 'read', query: { page: 'abc' }, answers: 400, code: 'invalid_cursor' },
    'takes no huge page':      { as: 'read', query: { page: 'x'.repeat(2049) }, answers: 400, field: 'page' },
    'shows the caller’s own':  { as: 'read', answers: 200, gives: (k) => ({ count: 1, items: [{ id: k.organization, permissions: { view: true, admin: false, listMembers: true } }] }) },
    'shows guests theirs':     { as: 'guest', answers: 200, gives: (k) => ({ count: 1, items: [{ id: k.organization, permissions: { view: true, listMembers: false } }] }) },
    'shows strangers theirs':  { as: 'stranger', answers: 200, gives: (k) => ({ count: 1, items: [{ id: k.otherOrganization, permissions: { admin: true } }] }) },
    'hides it from the disabled': { as: 'disabled', answers: 200, gives: { count: 0, items: [] } },
  })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'getOrganizationById', {
    'needs a token':              { as: 'nobody', answers: 401 },
    'is hidden from strangers':   { as: 'stranger', answers: 404 },
    'is hidden from the disabled':{ as: 'disabled', answers: 404 },
    'has no such organization':   { as: 'admin', params: gone, answers: 404 },
    'shows itself to guests':     { as: 'guest', answers: 200, gives: { permissions: { view: true, admin: false, createContent: false } } },
    'shows itself whole':         { as: 'admin', answers: 200, gives: (k) => ({ object: 'organization', id: k.organization, plan: 'pro', trial: { status: 'notapplicable' }, defaultRole: 'read', permissions: { admin: true, viewBilling: true } }) },
  }, here)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateOrganizationById', {
    'needs a token':                 { as: 'nobody', body: { title: 'New' }, answers: 401 },
    'is hidden from strangers':      { as: 'stranger', body: { title: 'New' }, answers: 404 },
    'has no odd organization':       { as: 'admin', params: { organizationId: 'a\0b' }, body: { title: 'New' }, answers: 404 },
    'takes no site that is not':     { as: 'admin', body: { defaultContent: { type: 'site', site: 'none' } }, answers: 404 },
    'needs an admin':                { as: 'create', body: { title: 'New' }, answers: 403 },
    'takes no list as body':         { as: 'admin', body: [], answers: 400, field: '' },
    'takes no null as body':         { as: 'admin', body: null, answers: 400, field: '' },
    'takes no text as body':         { as: 'admin', body: 'title', answers: 400, field: '' },
    'takes no numeric title':        { as: 'admin', body: { title: 7 }, answers: 400, field: 'title' },
    'takes no null title':           { as: 'admin', body: { title: null }, answers: 400, field: 'title' },
    'takes no short title':          { as: 'admin', body: { title: 'x' }, answers: 400, field: 'title' },
    'takes no blank title':          { as: 'admin', body: { title: '     ' }, answers: 400, field: 'title' },
    'takes no 256th character':      { as: 'admin', body: { title: 'x'.repeat(256) }, answers: 400, field: 'title' },
    'takes no such role':            { as: 'admin', body: { defaultRole: 'owner' }, answers: 400, field: 'defaultRole' },
    'takes no odd hostname':         { as: 'admin', body: { hostname: 'Ab' }, answers: 400, field: 'hostname' },
    'takes no odd logo':             { as: 'admin', body: { logo: 'javascript:alert(1)' }, answers: 400, field: 'logo' },
    'takes no worded flag':          { as: 'admin', body: { sso: 'true' }, answers: 400, field: 'sso' },
    'takes no odd e-mail domain':    { as: 'admin', body: { emailDomains: ['good.org', 'bad'] }, answers: 400, field: 'emailDomains.1' },
    'takes no 51st e-mail domain':   { as: 'admin', body: { emailDomains: Array.from({ length: 51 }, (_, i) => `d${i}.org`) }, answers: 400, field: 'emailDomains' },
    'takes no NUL':                  { as: 'admin', body: { title: 'a\0b' }, answers: 400 },
    'takes no half of a pair':       { as: 'admin', body: { title: 'ab\ud800' }, answers: 400 },
    'names all wrong fields':        { as: 'admin', body: { title: 7, sso: 7 }, answers: 400, gives: (_, body) => { expect(body.error?.details).toHaveLength(2); return undefined } },
    'takes no hostname twice':       { as: 'admin', given: async (k) => { await k.as.stranger.updateOrganizationById({ organizationId: k.otherOrganization, body: { hostname: 'taken' } }) }, body: { hostname: 'taken' }, answers: 409, code: 'already_exists' },
    'changes nothing when empty':    { as: 'admin', body: {}, answers: 200, writes: [] },
    'ignores what it does not know': { as: 'admin', body: { plan: 'free', id: 'mine', createdAt: 'now', type: 'community', __proto__: { title: 'x' } }, answers: 200, writes: [], gives: { plan: 'pro', type: 'business' } },
    'takes 255 characters':          { as: 'admin', body: { title: 'x'.repeat(255) }, answers: 200, writes: ['organization'] },
    'takes any script':              { as: 'admin', body: { title: '組織 🪑' }, answers: 200, gives: { title: '組織 🪑' } },
    'changes everything':            { as: 'admin', body: { title: 'Docs', emailDomains: ['LECTERN.test', 'lectern.test'], hostname: 'docs-team', defaultRole: null, logo: 'https://lectern.test/logo.png', sso: true, ai: true, inviteLinks: false }, answers: 200, writes: ['organization', 'emailDomain'],
                                       gives: { title: 'Docs', emailDomains: ['lectern.test'], hostname: 'docs-team', defaultRole: null, urls: { logo: 'https://lectern.test/logo.png' }, sso: true, ai: true, inviteLinks: false } },
    'keeps what it is not told':     { as: 'admin', body: { defaultRole: 'comment', inviteLinks: true, defaultContent: null }, answers: 200, gives: { title: 'Docs', hostname: 'docs-team', sso: true, defaultRole: 'comment' } },
    'may keep its own hostname':     { as: 'admin', body: { hostname: 'docs-team' }, answers: 200 },
  }, here)

  test('shows afterwards what a PATCH answered', async () => {
    const patched = await kit.as.admin.updateOrganizationById({
      organizationId: kit.organization,
      body: { title: 'Docs 2' },
    })
    expect(await kit.as.admin.getOrganizationById({ organizationId: kit.organization })).toEqual(patched)
  })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'getOrganizationsForEmailDomain', {
    'needs a token':                { as: 'nobody', answers: 401 },
    'has no odd domain':            { as: 'read', params: { emailDomain: 'a\0b' }, answers: 404 },
    'hides it from other domains':  { as: 'stranger', answers: 200, gives: { organizations: [] } },
    'hides what is not there':      { as: 'read', params: { emailDomain: 'none.test' }, answers: 200, gives: { organizations: [] } },
    'shows it to people of the domain': { as: 'disabled', answers: 200, gives: (k) => ({ organizations: [{ id: k.organization, permissions: { view: false } }] }) },
    'shows it to members, in any case': { as: 'admin', params: { emailDomain: 'Lectern.TEST' }, answers: 200, gives: (k) => ({ organizations: [{ id: k.organization, permissions: { admin: true } }] }) },
  }, { params: { emailDomain: 'lectern.test' } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'getSubdomain', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'has no such subdomain':    { as: 'read', params: { subdomain: 'none' }, answers: 404 },
    'has no odd subdomain':     { as: 'read', params: { subdomain: '\ufffd\0' }, answers: 404 },
    'finds the organization':   { as: 'read', answers: 200, gives: (k) => ({ object: 'subdomain', subdomain: 'docs-team', isActive: true, target: { type: 'organization', organization: k.organization } }) },
  }, { params: { subdomain: 'docs-team' } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'createOrganization', {
    'needs a token':         { as: 'nobody', body: { title: 'New' }, answers: 401 },
    'needs a title':         { as: 'read', body: {}, answers: 400, field: 'title' },
    'takes no 256th character': { as: 'read', body: { title: 'x'.repeat(256) }, answers: 400, field: 'title' },
    'makes the caller its admin': { as: 'guest', body: { title: 'Mine', emailDomains: ['Mine.test'] }, answers: 201, writes: ['organization', 'member', 'emailDomain'], gives: { title: 'Mine', emailDomains: ['mine.test'], permissions: { admin: true } } },
  })

  invites(kit)
  permissionsAgree(kit)
})

function invites(kit: Kit): void {
  const makeInvite = async (k: Kit) =>
    (await k.as.admin.createOrganizationInvite({ organizationId: k.organization, body: { role: 'edit' } })).id
  const withInvite = async (k: Kit) => ({ params: { organizationId: k.organization, inviteId: await makeInvite(k) } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'inviteUsersToOrganization', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'needs an admin':           { as: 'create', answers: 403 },
    'needs addresses':          { as: 'admin', body: { emails: [] }, answers: 400, field: 'emails' },
    'needs good addresses':     { as: 'admin', body: { emails: ['a@b.test', 'nonsense'] }, answers: 400, field: 'emails.1' },
    'takes no 101st address':   { as: 'admin', body: { emails: Array.from({ length: 101 }, (_, i) => `p${i}@b.test`) }, answers: 400, field: 'emails' },
    'takes no such role':       { as: 'admin', body: { emails: ['a@b.test'], role: 'king' }, answers: 400, field: 'role' },
    'makes members of new people': { as: 'admin', answers: 200, writes: ['user', 'member'], gives: { users: [], invited: 1 } },
    'invites once, whatever the case': { as: 'admin', body: { emails: ['NEW@b.test', 'new@b.test'] }, answers: 200, writes: [], gives: { invited: 0, users: [{ email: 'new@b.test' }] } },
    'keeps the role of members': { as: 'admin', body: (k: Kit) => ({ emails: [k.people.admin.email], role: 'read' }), answers: 200, writes: [], gives: { invited: 0 } },
    'gives the role':           { as: 'admin', body: { emails: ['guest2@b.test'], role: null, sso: true }, answers: 200, gives: async (k) => {
      const found = await k.as.admin.listMembersInOrganizationById({ organizationId: k.organization, query: { search: 'guest2@b.test' } })
      expect(found.items).toMatchObject([{ role: null, sso: true, user: { displayName: 'guest2' } }])
    } },
  }, { ...here, body: { emails: ['new@b.test'] } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'createOrganizationInvite', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'needs an admin':           { as: 'create', answers: 403 },
    'needs a role':             { as: 'admin', body: {}, answers: 400 },
    'takes no such role':       { as: 'admin', body: { role: 'king' }, answers: 400, field: 'role' },
    'takes no such space':      { as: 'admin', body: { level: 'read', space: 'none' }, answers: 400, field: 'space' },
    'takes no such collection': { as: 'admin', body: { level: 'read', collection: 'none' }, answers: 400, field: 'collection' },
    'is to the organization or to a space': { as: 'admin', body: { role: 'read', space: 'none' }, answers: 400, field: 'space' },
    'is to the organization or to a collection': { as: 'admin', body: { role: 'edit', collection: 'none' }, answers: 400, field: 'collection' },
    'is to one thing only':     { as: 'admin', body: { level: 'read', space: 'none', collection: 'none' }, answers: 400 },
    'gives a role or a level':  { as: 'admin', body: { role: 'read', level: 'read' }, answers: 400, field: 'level' },
    'makes one':                { as: 'admin', answers: 201, writes: ['invite'], gives: { object: 'invite', role: 'edit', redundant: false } },
    'makes one for guests':     { as: 'admin', body: { role: null }, answers: 201, gives: { role: null, redundant: true } },
  }, { ...here, body: { role: 'edit' } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'listOrganizationInviteLinks', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'needs an admin':           { as: 'create', answers: 403 },
    'takes no limit 1001':      { as: 'admin', query: { limit: 1001 }, answers: 400, field: 'limit' },
    'shows them':               { as: 'admin', answers: 200, gives: { count: 2, items: [{ role: null }, { role: 'edit' }] } },
  }, here)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'getOrganizationInviteById', {
    'needs a token':            { as: 'nobody', given: withInvite, answers: 401 },
    'is hidden from strangers': { as: 'stranger', given: withInvite, answers: 404 },
    'is hidden from members':   { as: 'create', given: withInvite, answers: 404 },
    'is not under another organization': { as: 'stranger', given: withInvite, params: inOther, answers: 404 },
    'shows it':                 { as: 'admin', given: withInvite, answers: 200, gives: { role: 'edit' } },
  })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateOrganizationInviteById', {
    'needs a token':            { as: 'nobody', given: withInvite, answers: 401 },
    'is hidden from members':   { as: 'create', given: withInvite, answers: 404 },
    'takes no such role':       { as: 'admin', given: withInvite, body: { role: 'king' }, answers: 400, field: 'role' },
    'has no level without a thing': { as: 'admin', given: withInvite, body: { level: 'read' }, answers: 400, field: 'level' },
    'changes the role':         { as: 'admin', given: withInvite, answers: 200, writes: ['invite'], gives: { role: 'read', redundant: true } },
    'changes nothing':          { as: 'admin', given: withInvite, body: {}, answers: 200, writes: [] },
  }, { body: { role: 'read' } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'deleteOrganizationInviteById', {
    'needs a token':                       { as: 'nobody', given: withInvite, answers: 401 },
    'does nothing for whom it is hidden':  { as: 'create', given: withInvite, answers: 204, writes: [] },
    'has nothing to do':                   { as: 'admin', params: (k) => ({ organizationId: k.organization, inviteId: 'none' }), answers: 204, writes: [] },
    'deletes it':                          { as: 'admin', given: withInvite, answers: 204, writes: ['invite'] },
    'has nothing below what is hidden':    { as: 'stranger', given: withInvite, answers: 204, writes: [] },
  })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'joinOrganizationWithInvite', {
    'needs a token':           { as: 'nobody', params: { invite: 'none' }, answers: 401 },
    'has no such invite':      { as: 'stranger', params: { invite: 'none' }, answers: 404 },
    'has no odd invite':       { as: 'stranger', params: { invite: 'a\0' }, answers: 404 },
    'keeps the disabled out':  { as: 'disabled', given: async (k) => ({ params: { invite: await makeInvite(k) } }), answers: 404 },
    'is nothing for members':  { as: 'read', given: async (k) => ({ params: { invite: await makeInvite(k) } }), answers: 409, code: 'invite_used' },
    'lets nobody in when links are off': { as: 'admin', given: async (k) => {
      const invite = await makeInvite(k)
      await k.as.admin.updateOrganizationById({ organizationId: k.organization, body: { inviteLinks: false } })
      await expect(k.as.stranger.joinOrganizationWithInvite({ invite })).rejects.toMatchObject({ status: 404 })
      await expect(makeInvite(k)).rejects.toMatchObject({ status: 409 })
      await k.as.admin.updateOrganizationById({ organizationId: k.organization, body: { inviteLinks: true } })
      await k.as.admin.removeMemberFromOrganizationById({ organizationId: k.organization, userId: k.people.guest.id })
      return { params: { invite: await makeInvite(k) } }
    }, answers: 409, code: 'invite_used' },
    'lets the stranger in':    { as: 'stranger', given: async (k) => ({ params: { invite: await makeInvite(k) } }), answers: 200, writes: ['member'], gives: async (k) => {
      expect((await k.as.stranger.getMemberInOrganizationById({ organizationId: k.organization, userId: k.people.stranger.id })).role).toBe('edit')
      await k.as.admin.removeMemberFromOrganizationById({ organizationId: k.organization, userId: k.people.stranger.id })
    } },
  })
}

function permissionsAgree(kit: Kit): void {
  describe('permissions', () => {
    test('of an organization are the same wherever it is shown', async () => {
      const { id } = await kit.addPerson({ email: 'owner@lectern.test', role: 'read' })
      const owner = await kit.addPerson({ email: 'owner@lectern.test', role: 'read' })
      const team = await kit.as.admin.createOrganizationTeam({
        organizationId: kit.organization,
        body: { title: 'Owned' },
      })
      await kit.as.admin.addMemberToOrganizationTeamById({
        organizationId: kit.organization,
        teamId: team.id,
        userId: id,
        body: { role: 'owner' },
      })
      const client = kit.client(owner.token)
      const shown = await client.getOrganizationById({ organizationId: kit.organization })
      expect(shown.permissions).toMatchObject({ ownTeam: true, admin: false })
      const { items } = await client.listOrganizationsForAuthenticatedUser()
      expect(items.find((item) => item.id === kit.organization)).toEqual(shown)
      const { organizations } = await client.getOrganizationsForEmailDomain({ emailDomain: 'lectern.test' })
      expect(organizations).toEqual([shown])
    })
  })
}
