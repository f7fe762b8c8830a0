/** Who has charge of a site, and what its organization's admins are told of what they do. */
import { beforeAll, describe, expect, test } from 'vitest'
import { eachBackend } from '../../kit/backends.ts'
import { scenarios } from '../../kit/scenarios.ts'
import { type Kit, useKit } from '../../kit/server.ts'
import { makeSite, makeSpace, type SiteParams } from './site-things.ts'

eachBackend((backend) => {
  const kit = useKit(backend)
  let site: SiteParams
  let team = ''

  beforeAll(async () => {
    site = await makeSite(kit)
    const { organizationId } = site
    team = (await kit.as.admin.createOrganizationTeam({ organizationId, body: { title: 'Writers' } })).id
  })

  const absent = 'absent00000000000000'
  const person = { params: (k: Kit) => ({ ...site, user: k.people.guest.id }) }
  const group = { params: () => ({ ...site, team }) }
  const shared = async (k: Kit) => {
    await k.as.admin.inviteToSite({ ...site, body: { role: 'read', users: [k.people.guest.id], teams: [team] } })
  }
  const unshared = async (k: Kit) => {
    await k.as.admin.removeUserFromSite({ ...site, user: k.people.guest.id })
    await k.as.admin.removeTeamFromSite({ ...site, team })
  }

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateUserPermissionInSite', {
    'needs a token':              { as: 'nobody', answers: 401 },
    'is hidden from strangers':   { as: 'stranger', answers: 404 },
    'knows no outsider':          { as: 'admin', params: (k) => ({ ...site, user: k.people.stranger.id }), answers: 404 },
    'needs an admin of the site': { as: 'create', answers: 403 },
    'names the role':             { as: 'admin', body: { role: 'owner' }, answers: 400, field: 'role' },
    'changes the role':           { as: 'admin', given: shared, answers: 204, writes: ['accessGrant', 'event'] },
    'gives one anew':             { as: 'admin', given: unshared, answers: 204, writes: ['accessGrant', 'event'] },
  }, { ...person, body: { role: 'create' } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'removeUserFromSite', {
    'needs a token':              { as: 'nobody', answers: 401 },
    'needs an admin of the site': { as: 'create', answers: 403 },
    'has nothing to do':          { as: 'admin', given: unshared, answers: 204, writes: [] },
    'knows nobody of that name':  { as: 'admin', params: () => ({ ...site, user: absent }), answers: 204, writes: [] },
    'takes the role away':        { as: 'admin', given: shared, answers: 204, writes: ['accessGrant', 'event'] },
    'is hidden from strangers':   { as: 'stranger', answers: 204, writes: [] },
  }, person)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateTeamPermissionInSite', {
    'needs a token':              { as: 'nobody', answers: 401 },
    'is hidden from strangers':   { as: 'stranger', answers: 404 },
    'knows no other team':        { as: 'admin', params: () => ({ ...site, team: absent }), answers: 404 },
    'needs an admin of the site': { as: 'create', answers: 403 },
    'names the role':             { as: 'admin', body: {}, answers: 400, field: 'role' },
    'changes the role':           { as: 'admin', given: shared, answers: 204, writes: ['accessGrant', 'event'] },
  }, { ...group, body: { role: 'create' } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'removeTeamFromSite', {
    'needs a token':              { as: 'nobody', answers: 401 },
    'needs an admin of the site': { as: 'create', answers: 403 },
    'has nothing to do':          { as: 'admin', given: unshared, answers: 204, writes: [] },
    'takes the role away':        { as: 'admin', given: shared, answers: 204, writes: ['accessGrant', 'event'] },
    'is hidden from strangers':   { as: 'stranger', answers: 204, writes: [] },
  }, group)

  test('a guest with charge of a site shares it, changes their mind and takes it back', async () => {
    const own = await makeSite(kit)
    const { id: user } = await kit.addPerson({ email: 'helper@lectern.test', role: null })
    const guest = kit.people.guest.id
    await kit.as.admin.inviteToSite({ ...own, body: { role: 'admin', users: [guest] } })
    await kit.as.guest.updateUserPermissionInSite({ ...own, user, body: { role: 'read' } })
    const roles = async () =>
      (await kit.as.guest.listUserPermissionsInSite(own)).items.map((item) => [item.user.id, item.permission])
    expect(await roles()).toContainEqual([user, 'read'])
    await kit.as.guest.updateUserPermissionInSite({ ...own, user, body: { role: 'create' } })
    expect(await roles()).toContainEqual([user, 'create'])
    await kit.as.guest.removeUserFromSite({ ...own, user })
    expect(await roles()).toEqual([[guest, 'admin']])
    await kit.as.admin.removeUserFromSite({ ...own, user: guest })
    await expect(kit.as.guest.getSiteById(own)).rejects.toMatchObject({ status: 404 })
  })

  describe('the audit log', () => {
    const publishedContent = async ({ organizationId, siteId }: SiteParams) => {
      const query = { target: siteId, limit: 100 }
      const { items } = await kit.as.admin.listOrganizationAuditEvents({ organizationId, query })
      return items
    }
    // Two deeds may share a millisecond, so their order is not looked at.
    const actions = async (params: SiteParams) =>
      (await publishedContent(params)).map((event) => event.action).toSorted()

    test('has every change of a site, with who did it', async () => {
      const { admin } = kit.as
      const own = await makeSite(kit, { spaces: [await makeSpace(kit, 'Told')] })
      await admin.publishSite(own)
      await admin.updateSiteById({ ...own, body: { title: 'Renamed' } })
      await admin.addSectionToSite({ ...own, body: { spaceId: await makeSpace(kit, 'More'), title: 'More' } })
      const link = await admin.createSiteShareLink({ ...own, body: { name: 'Press' } })
      await admin.updateSiteShareLinkById({ ...own, shareLinkId: link.id, body: { active: false } })
      await admin.deleteSiteShareLinkById({ ...own, shareLinkId: link.id })
      await admin.updateSiteCustomizationById({ ...own, body: await admin.getSiteCustomizationById(own) })
      await admin.createSiteRedirect({
        ...own,
        body: { source: '/old', destination: { kind: 'path', path: '/new' } },
      })
      await admin.updateSitePublishingAuthById({ ...own, body: { fallbackURL: 'https://login.example/' } })
      await admin.regenerateSitePublishingAuthById(own)
      await admin.inviteToSite({ ...own, body: { role: 'read', users: [kit.people.guest.id] } })
      await admin.unpublishSite(own)
      await admin.deleteSiteById(own)
      expect(await actions(own)).toEqual([
        'site_created',
        'site_customization_updated',
        'site_deleted',
        'site_permissions_updated',
        'site_published',
        'site_publishing_auth_regenerated',
        'site_publishing_auth_updated',
        'site_redirects_updated',
        'site_share_link_created',
        'site_share_link_deleted',
        'site_share_link_updated',
        'site_structure_updated',
        'site_unpublished',
        'site_updated',
      ])
      const created = (await publishedContent(own)).find((event) => event.action === 'site_created')
      expect(created).toMatchObject({ actor: { id: kit.people.admin.id }, target: { type: 'site', id: own.siteId } })
      const { items } = await admin.listOrganizationAuditEventActions({ organizationId: own.organizationId })
      expect(items).toEqual(expect.arrayContaining(await actions(own)))
    })

    test('tells no secret', async () => {
      const own = await makeSite(kit, { spaces: [await makeSpace(kit, 'Secret')], visibility: 'share-link' })
      await kit.as.admin.publishSite(own)
      const link = await kit.as.admin.createSiteShareLink({ ...own, body: { name: 'Press' } })
      const { privateKey } = await kit.as.admin.regenerateSitePublishingAuthById(own)
      const text = JSON.stringify(await publishedContent(own))
      expect(text).not.toContain(privateKey)
      expect(text).not.toContain(link.urls.published?.split('/').at(-1) ?? 'the key')
    })

    test('has nothing of what changed nothing', async () => {
      const own = await makeSite(kit, { spaces: [await makeSpace(kit, 'Still')] })
      const [place] = (await kit.as.admin.listSiteSpaces(own)).items
      await kit.as.admin.updateSiteById({ ...own, body: {} })
      await kit.as.admin.moveSiteSpace({ ...own, siteSpaceId: place?.id ?? '', body: { position: {} } })
      await kit.as.admin.deleteSiteSpaceCustomizationById({ ...own, siteSpaceId: place?.id ?? '' })
      await kit.call('create', 'deleteSiteById', own)
      expect(await actions(own)).toEqual(['site_created'])
    })
  })
})
