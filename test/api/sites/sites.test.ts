import { beforeAll, describe, expect, test } from 'vitest'
import { eachBackend } from '../../kit/backends.ts'
import { scenarios } from '../../kit/scenarios.ts'
import { type Kit, useKit } from '../../kit/server.ts'
import { foreignSpace, makeSite, makeSpace, published, type SiteParams } from './site-things.ts'

eachBackend((backend) => {
  const kit = useKit(backend)
  let manual = ''
  let foreign = ''
  let site: SiteParams
  let otherSite: SiteParams

  beforeAll(async () => {
    manual = await makeSpace(kit, 'Manual')
    foreign = await foreignSpace(kit)
    site = await makeSite(kit, { title: 'Handbook', spaces: [manual] })
    const other = await kit.as.stranger.createSite({
      organizationId: kit.otherOrganization,
      body: { title: 'Elsewhere' },
    })
    otherSite = { organizationId: kit.otherOrganization, siteId: other.id }
  })

  const here = { params: (k: Kit) => ({ organizationId: k.organization }) }
  const it = { params: () => site }
  const gone = (k: Kit) => ({ organizationId: k.organization, siteId: 'gone0000000000000000' })
  // A site of ours under an organization of theirs, and theirs under ours.
  const swapped = () => ({ organizationId: kit.organization, siteId: otherSite.siteId })
  const fresh = async (k: Kit) => ({ params: await makeSite(k, { spaces: [manual] }) })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'listSites', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'takes no odd space':       { as: 'read', query: { space: 'a b' }, answers: 400, field: 'space' },
    'takes no such type':       { as: 'read', query: { type: 'free' }, answers: 400 },
    'shows them':               { as: 'read', answers: 200, gives: { count: 1, items: [{ object: 'site', title: 'Handbook', siteSpaces: 1, published: false, permissions: { view: true, edit: false } }] } },
    'shows guests nothing':     { as: 'guest', answers: 200, gives: { count: 0, items: [] } },
    'finds by space':           { as: 'read', query: () => ({ space: manual }), answers: 200, gives: { count: 1 } },
    'finds by title':           { as: 'read', query: { title: 'hAnd' }, answers: 200, gives: { count: 1 } },
    'takes % as it is':         { as: 'read', query: { title: '%' }, answers: 200, gives: { count: 0 } },
    'finds by state':           { as: 'read', query: { published: true }, answers: 200, gives: { count: 0 } },
    'finds by type':            { as: 'read', query: { type: ['basic', 'premium'] }, answers: 200, gives: { count: 1 } },
  }, here)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'createSite', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'takes no foreign space':   { as: 'admin', body: () => ({ spaces: [foreign] }), answers: 404 },
    'takes no unknown space':   { as: 'admin', body: { spaces: ['gone'] }, answers: 404 },
    'needs the right to create':{ as: 'review', answers: 403 },
    'takes no short title':     { as: 'admin', body: { title: 'x' }, answers: 400, field: 'title' },
    'takes no such visibility': { as: 'admin', body: { visibility: 'private' }, answers: 400, field: 'visibility' },
    'takes no other word':      { as: 'admin', body: { spaces: 'all' }, answers: 400 },
    'makes one of nothing':     { as: 'create', answers: 201, writes: ['event', 'accessGrant', 'site'], gives: { type: 'basic', visibility: 'public', published: false, siteSpaces: 0, icon: null, permissions: { admin: true } } },
    'makes one of a space once':{ as: 'admin', body: () => ({ title: 'Handbook', spaces: [manual, manual] }), answers: 201, writes: ['event', 'site', 'siteSpace'], gives: { basename: 'handbook-1', siteSpaces: 1 } },
    'makes an empty space':     { as: 'admin', body: { title: 'Blank', spaces: 'empty' }, answers: 201, gives: { siteSpaces: 1 } },
    'makes a sample':           { as: 'admin', body: { title: 'Sample', spaces: 'sample' }, answers: 201, gives: async (k, body) => {
      const params = { organizationId: k.organization, siteId: String(body.id) }
      const { items } = await k.as.admin.listSiteSpaces(params)
      const { pages } = await k.as.admin.listPages({ spaceId: items[0]?.space.id ?? '' })
      expect(pages.length).toBeGreaterThan(1)
    } },
    'has a basename for any title': { as: 'admin', body: { title: '日本語' }, answers: 201, gives: { basename: 'docs' } },
  }, here)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'getSiteById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'is hidden from guests':    { as: 'guest', answers: 404 },
    'has no such site':         { as: 'admin', params: gone, answers: 404 },
    'has no site of others':    { as: 'admin', params: swapped, answers: 404 },
    'shows it':                 { as: 'read', answers: 200, gives: (k) => ({ object: 'site', title: 'Handbook', basename: 'handbook', adaptiveContent: { enabled: true }, urls: { location: `http://lectern.test/v1/orgs/${k.organization}/sites/${site.siteId}` } }) },
  }, it)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateSiteById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'has no site of others':    { as: 'admin', params: swapped, answers: 404 },
    'has no such default':      { as: 'admin', body: { defaultSiteSpace: 'gone' }, answers: 404 },
    'has no default of others': { as: 'admin', given: async (k) => {
      const { items } = await k.as.admin.listSiteSpaces(site)
      return { ...(await fresh(k)), body: { defaultSiteSpace: items[0]?.id } }
    }, answers: 404 },
    'has no such section':      { as: 'admin', body: { defaultSiteSection: 'gone' }, answers: 404 },
    'needs the right':          { as: 'review', answers: 403 },
    'takes no long title':      { as: 'admin', body: { title: 'x'.repeat(129) }, answers: 400, field: 'title' },
    'takes no odd basename':    { as: 'admin', body: { basename: 'A b' }, answers: 400, field: 'basename' },
    'takes no short host':      { as: 'admin', body: { hostname: 'localhost' }, answers: 400, field: 'hostname' },
    'takes no host of ours':    { as: 'admin', body: { hostname: 'a.lectern.test:80' }, answers: 400, field: 'hostname' },
    'takes no odd proxy':       { as: 'admin', body: { proxy: 'https://example.org/docs' }, answers: 400, field: 'proxy' },
    'takes no basename twice':  { as: 'admin', given: fresh, body: { basename: 'handbook' }, answers: 409, code: 'already_exists' },
    'takes no hostname twice':  { as: 'admin', given: async (k) => {
      const taken = await makeSite(k)
      await k.as.admin.updateSiteById({ ...taken, body: { hostname: 'docs.taken.org' } })
      return fresh(k)
    }, body: { hostname: 'docs.taken.org' }, answers: 409, code: 'already_exists' },
    'does nothing':             { as: 'create', body: {}, answers: 200, writes: [] },
    'changes it':               { as: 'create', given: fresh, body: { title: 'New', visibility: 'unlisted', basename: 'fresh', agentsContext: 'excluded', adaptiveContent: { enabled: false } }, answers: 200, writes: ['event', 'site'], gives: { title: 'New', visibility: 'unlisted', basename: 'fresh', agentsContext: 'excluded', adaptiveContent: { enabled: false } } },
    'writes its host in small letters': { as: 'admin', given: fresh, body: { proxy: 'Docs.Example.ORG/Docs' }, answers: 200, gives: { proxy: { origin: 'docs.example.org/Docs' } } },
    'puts it behind a proxy':   { as: 'admin', given: fresh, body: { proxy: 'example.org/docs' }, answers: 200, gives: (_k, body) => { expect(body.proxy?.target).toMatch(/^http:\/\/lectern\.test\/sites\//); return { proxy: { origin: 'example.org/docs' } } } },
    'ignores what it is not':   { as: 'admin', given: fresh, body: { id: 'mine', published: true }, answers: 200, writes: [], gives: { published: false } },
  }, { ...it, body: { title: 'Handbook' } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'deleteSiteById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'needs an admin':           { as: 'create', answers: 403 },
    'does nothing for guests':  { as: 'guest', answers: 204, writes: [] },
    'has nothing to do':        { as: 'admin', params: gone, answers: 204, writes: [] },
    'deletes no site of others':{ as: 'admin', params: swapped, answers: 204, writes: [] },
    'deletes it with its parts':{ as: 'admin', given: fresh, answers: 204, writes: ['event', 'site', 'siteSpace'] },
    'is hidden from strangers': { as: 'stranger', answers: 204, writes: [] },
  }, it)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateSiteAdaptiveSchema', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'needs the right':          { as: 'review', answers: 403 },
    'names what is wrong':      { as: 'admin', body: { jsonSchema: { type: 'object', properties: { beta: { type: 'date' } }, additionalProperties: false } }, answers: 400, field: 'jsonSchema.properties.beta.description' },
    'takes no open schema':     { as: 'admin', body: { jsonSchema: { type: 'object', properties: {} } }, answers: 400 },
    'replaces it':              { as: 'create', given: fresh, body: { jsonSchema: { type: 'object', properties: { beta: { type: 'boolean', description: 'In the beta' }, unsigned: { type: 'object', description: 'Unsigned claims of the site visitor', properties: { dark: { type: 'boolean', description: 'Likes it dark' } }, additionalProperties: false } }, additionalProperties: false } }, answers: 200, writes: ['event', 'site'], gives: { object: 'site-adaptive-schema', jsonSchema: { properties: { beta: { type: 'boolean' } } } } },
  }, { ...it, body: { jsonSchema: { type: 'object', properties: {}, additionalProperties: false } } })

  test('template conditions are made from the schema', async () => {
    const params = await makeSite(kit)
    expect((await kit.as.read.getSiteAdaptiveSchema(params)).jsonSchema).toMatchObject({ properties: {} })
    const jsonSchema = {
      type: 'object',
      properties: { beta: { type: 'boolean', description: 'In the beta' } },
      additionalProperties: false,
    }
    await kit.as.admin.updateSiteAdaptiveSchema({ ...params, body: { jsonSchema } })
    const { items } = await kit.as.read.listSiteAdaptiveTemplateConditions(params)
    expect(items).toEqual([{ description: 'In the beta', condition: 'visitor.claims.beta == true' }])
  })

  describe('who made a site', () => {
    test('has charge of it, and the others have their role', async () => {
      const organizationId = kit.organization
      const own = await kit.as.create.createSite({ organizationId, body: { title: 'Own' } })
      const params = { organizationId, siteId: own.id }
      await kit.as.create.inviteToSite({ ...params, body: { role: 'create', users: [kit.people.guest.id] } })
      expect(await kit.as.guest.getSiteById(params)).toMatchObject({ permissions: { edit: true, admin: false } })
      expect((await kit.as.guest.listSites({ organizationId })).count).toBe(1)
      expect((await kit.as.read.listUserPermissionsInSite(params)).items).toHaveLength(2)
      // A right on a site is no right on spaces: the guest cannot put one there that they do not see.
      await expect(kit.as.guest.addSpaceToSite({ ...params, body: { spaceId: manual } })).rejects.toMatchObject({
        status: 404,
      })
    })

    test('cannot publish what they may only read', async () => {
      const spaceId = await makeSpace(kit, 'Quiet')
      await kit.as.admin.updateSpaceById({ spaceId, body: { defaultLevel: 'read' } })
      const params = await makeSite(kit)
      await expect(kit.as.create.addSpaceToSite({ ...params, body: { spaceId } })).rejects.toMatchObject({
        status: 403,
      })
    })
  })

  describe('publishing', () => {
    test('and previews show no space that the caller may not see', async () => {
      const closed = await makeSpace(kit, 'Closed')
      await kit.as.admin.updateSpaceById({ spaceId: closed, body: { defaultLevel: null } })
      const params = await makeSite(kit, { spaces: [manual, closed], visibility: 'share-link' })
      const { create } = kit.as
      const refused = { status: 403, message: expect.stringContaining('may not see') }
      await expect(create.getSitePublishingPreviewById(params)).rejects.toMatchObject(refused)
      await expect(create.publishSite(params)).rejects.toMatchObject(refused)
      expect((await kit.as.admin.getSitePublishingPreviewById(params)).previewURL).toContain('~preview')
      await kit.as.admin.publishSite(params)
      const open = create.updateSiteById({ ...params, body: { visibility: 'public' } })
      await expect(open).rejects.toMatchObject(refused)
      // What opens nothing is as before.
      await create.updateSiteById({ ...params, body: { title: 'Renamed', visibility: 'share-link' } })
      await kit.as.admin.updateSiteById({ ...params, body: { visibility: 'public' } })
      await create.updateSiteById({ ...params, body: { visibility: 'visitor-auth' } })
      await create.unpublishSite(params)
    })

    test('makes a space as open as the most open site that shows it', async () => {
      const spaceId = await makeSpace(kit, 'Shown')
      const space = () => kit.as.read.getSpaceById({ spaceId })
      expect((await space()).visibility).toBe('private')
      const closed = await published(kit, { spaces: [spaceId], visibility: 'visitor-auth' })
      expect(await space()).toMatchObject({ visibility: 'visitor-auth', visitorAuth: { backend: 'custom' } })
      const open = await published(kit, { title: 'Open', spaces: [spaceId] })
      const url = 'http://lectern.test/sites/open'
      expect(await space()).toMatchObject({ visibility: 'public', urls: { published: url, public: url } })
      const { items } = await kit.as.read.listSpacesInOrganizationById({ organizationId: kit.organization })
      expect(items.find((item) => item.id === spaceId)).toMatchObject({ visibility: 'public', urls: { public: url } })
      expect((await kit.as.read.getCurrentRevision({ spaceId })).urls).toMatchObject({ published: url })
      expect((await kit.as.admin.unpublishSite(open)).published).toBe(false)
      expect((await space()).visibility).toBe('visitor-auth')
      await kit.as.admin.unpublishSite(closed)
      expect((await space()).urls).not.toHaveProperty('published')
    })

    test('keeps a space from leaving the organization', async () => {
      const organizationId = kit.organization
      const shelf = await kit.as.admin.createCollection({ organizationId, body: { title: 'Shelf' } })
      const space = await kit.as.admin.createSpace({ organizationId, body: { title: 'Kept', parent: shelf.id } })
      await makeSite(kit, { spaces: [space.id] })
      const target = await kit.as.admin.createOrganization({ body: { title: 'Target' } })
      const shown = { status: 412, type: 'shown_on_site' }
      const body = { organization: target.id }
      await expect(kit.as.admin.transferSpace({ spaceId: space.id, body })).rejects.toMatchObject(shown)
      await expect(kit.as.admin.transferCollection({ collectionId: shelf.id, body })).rejects.toMatchObject(shown)
    })

    test('profile is there while the site is published', async () => {
      const params = await makeSite(kit, { spaces: [manual] })
      await expect(kit.as.read.getPublishedContentSite(params)).rejects.toMatchObject({ status: 404 })
      await kit.as.admin.publishSite(params)
      const profile = await kit.as.read.getPublishedContentSite(params)
      // Each place is there by its id, also one that has nothing of its own.
      expect(Object.values(profile.customizations.siteSpaces)).toEqual([profile.customizations.site])
      expect(profile).toMatchObject({
        object: 'published-content-site',
        site: { id: params.siteId, published: true },
        structure: { type: 'siteSpaces', structure: [{ title: 'Manual', default: true }] },
        customizations: { site: { styling: { theme: 'clean' } } },
        scripts: [],
      })
    })
  })

  test('a deleted space leaves the structure and comes back to its place', async () => {
    const [first, second] = [await makeSpace(kit, 'First'), await makeSpace(kit, 'Second')]
    const params = await makeSite(kit, { spaces: [first, second] })
    const titles = async () =>
      (await kit.as.read.listSiteSpaces(params)).items.map((item) => [item.title, item.default])
    await kit.as.admin.deleteSpaceById({ spaceId: first })
    expect(await titles()).toEqual([['Second', true]])
    expect((await kit.as.read.getSiteById(params)).siteSpaces).toBe(1)
    await kit.as.admin.restoreSpace({ spaceId: first })
    expect(await titles()).toEqual([
      ['First', true],
      ['Second', false],
    ])
  })

  test('an organization opens with a site of its own', async () => {
    const organizationId = kit.organization
    const set = (id: string) =>
      kit.as.admin.updateOrganizationById({ organizationId, body: { defaultContent: { type: 'site', site: id } } })
    await expect(set(otherSite.siteId)).rejects.toMatchObject({ status: 404 })
    const { siteId } = await makeSite(kit)
    expect((await set(siteId)).defaultContent).toEqual({ type: 'site', site: siteId })
    await kit.as.admin.deleteSiteById({ organizationId, siteId })
    expect(await kit.as.admin.getOrganizationById({ organizationId })).not.toHaveProperty('defaultContent')
  })

  describe('host names', () => {
    test('belong to one site, and to whoever has charge of it', async () => {
      const params = await makeSite(kit)
      const hostname = 'docs.example.org'
      const given = { object: 'custom-hostname', hostname, site: params.siteId, organization: kit.organization }
      const body = { site: params.siteId }
      await expect(kit.as.create.setCustomHostname({ hostname, body })).rejects.toMatchObject({ status: 403 })
      await expect(kit.as.stranger.setCustomHostname({ hostname, body })).rejects.toMatchObject({ status: 404 })
      expect(await kit.as.admin.setCustomHostname({ hostname, body })).toMatchObject(given)
      const theirs = { hostname, body: { site: otherSite.siteId } }
      await expect(kit.as.stranger.setCustomHostname(theirs)).rejects.toMatchObject({ status: 409 })
      expect(await kit.as.read.getCustomHostname({ hostname })).toMatchObject(given)
      await expect(kit.as.stranger.getCustomHostname({ hostname })).rejects.toMatchObject({ status: 404 })
      await kit.as.stranger.removeCustomHostname({ hostname })
      expect((await kit.as.admin.getSiteById(params)).hostname).toBe(hostname)
      await kit.as.admin.removeCustomHostname({ hostname })
      expect(await kit.as.admin.getSiteById(params)).not.toHaveProperty('hostname')
    })

    test('are never that of the installation', async () => {
      const { siteId } = await makeSite(kit)
      for (const hostname of ['lectern.test', 'not a host', 'localhost']) {
        const setting = kit.as.admin.setCustomHostname({ hostname, body: { site: siteId } })
        await expect(setting).rejects.toMatchObject({ status: 400 })
      }
    })
  })
})
