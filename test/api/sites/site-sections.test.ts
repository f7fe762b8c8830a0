import { beforeAll, describe, expect, test } from 'vitest'
import { SitePath } from '../../../src/contract/sites/site.ts'
import { routes } from '../../../src/site/serve/routes.ts'
import { eachBackend } from '../../kit/backends.ts'
import { scenarios } from '../../kit/scenarios.ts'
import { type Kit, useKit } from '../../kit/server.ts'
import { foreignSpace, makeSite, makeSpace, published, type SiteParams } from './site-things.ts'

eachBackend((backend) => {
  const kit = useKit(backend)
  let manual = ''
  let guide = ''
  let foreign = ''
  let site: SiteParams
  let section = ''
  let otherSite: SiteParams
  let otherSection = ''

  beforeAll(async () => {
    manual = await makeSpace(kit, 'Manual')
    guide = await makeSpace(kit, 'Guide')
    foreign = await foreignSpace(kit)
    site = await makeSite(kit, { title: 'Handbook', spaces: [manual] })
    section = await add(kit, site, 'Guides')
    otherSite = await makeSite(kit)
    otherSection = await add(kit, otherSite, 'Others')
  })

  const add = async (k: Kit, params: SiteParams, title: string): Promise<string> =>
    (await k.as.admin.addSectionToSite({ ...params, body: { spaceId: guide, title } })).id
  const it = { params: () => site }
  const one = { params: () => ({ ...site, siteSectionId: section }) }
  const gone = () => ({ ...site, siteSectionId: 'gone0000000000000000' })
  const ofOther = () => ({ ...site, siteSectionId: otherSection })
  const sectioned = async (k: Kit) => {
    const params = await makeSite(k, { title: 'Fresh', spaces: [manual] })
    const siteSectionId = await add(k, params, 'Guides')
    return { params: { ...params, siteSectionId } }
  }
  const order = async (params: SiteParams) =>
    (await kit.as.read.listSiteSections(params)).items.map((item) => item.title)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'listSiteSections', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'takes no made-up page':    { as: 'read', query: { page: 'x' }, answers: 400, code: 'invalid_cursor' },
    'shows them in order':      { as: 'read', answers: 200, gives: { count: 2, items: [{ object: 'site-section', title: 'Handbook', path: 'handbook', default: true, siteSpaces: [{ title: 'Manual', default: true }], urls: {} }, { title: 'Guides', default: false }] } },
    'pages through them':       { as: 'read', query: { limit: 1 }, answers: 200, gives: { count: 2, items: [{ title: 'Handbook' }], next: {} } },
  }, it)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'addSectionToSite', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'takes no foreign space':   { as: 'admin', body: () => ({ spaceId: foreign }), answers: 404 },
    'takes no unknown space':   { as: 'admin', body: { spaceId: 'gone' }, answers: 404 },
    'needs the right':          { as: 'review', answers: 403 },
    'needs a space':            { as: 'admin', body: {}, answers: 400, field: 'spaceId' },
    'takes no short title':     { as: 'admin', body: () => ({ spaceId: guide, title: 'x' }), answers: 400, field: 'title' },
    'takes no long icon':       { as: 'admin', body: () => ({ spaceId: guide, icon: 'x'.repeat(51) }), answers: 400, field: 'icon' },
    'adds one':                 { as: 'create', given: async (k) => ({ params: await makeSite(k) }), answers: 201, writes: ['event', 'siteSection', 'siteSpace'], gives: { title: 'Guide', path: 'guide', default: true, siteSpaces: [{ title: 'Guide', default: true }] } },
    'wraps what was there':     { as: 'admin', given: async (k) => ({ params: await makeSite(k, { title: 'Wrapped', spaces: [manual] }) }), body: () => ({ spaceId: guide, title: 'More', icon: 'book' }), answers: 201, gives: { title: 'More', default: false, icon: 'book' } },
    'has no empty icon':        { as: 'admin', given: sectioned, body: () => ({ spaceId: guide, title: 'Plain', icon: '' }), answers: 201, gives: (_, body) => { expect(body).not.toHaveProperty('icon'); return { title: 'Plain' } } },
    'tells paths apart':        { as: 'admin', given: sectioned, body: () => ({ spaceId: guide, title: 'Guides' }), answers: 201, gives: { path: 'guides-1' } },
  }, { ...it, body: () => ({ spaceId: guide }) })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateSiteSectionById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'has no such section':      { as: 'admin', params: gone, answers: 404 },
    'has none of other sites':  { as: 'admin', params: ofOther, answers: 404 },
    'has no such default':      { as: 'admin', body: { defaultSiteSpace: 'gone' }, answers: 404 },
    'needs the right':          { as: 'review', answers: 403 },
    'takes no default of others': { as: 'admin', given: async (k) => ({ body: { defaultSiteSpace: (await k.as.admin.listSiteSpaces(site)).items[0]?.id } }), answers: 400, field: 'defaultSiteSpace' },
    'takes no file of sites':   { as: 'admin', body: { path: 'robots.txt' }, answers: 400, field: 'path' },
    'takes no odd path':        { as: 'admin', body: { path: 'a/b' }, answers: 400, field: 'path' },
    'takes no code':            { as: 'admin', body: { condition: 'constructor.constructor("x")()' }, answers: 400, code: 'invalid_condition', field: 'condition' },
    'takes no long condition':  { as: 'admin', body: { condition: 'a'.repeat(1025) }, answers: 400, field: 'condition' },
    'takes no path twice':      { as: 'admin', body: { path: 'handbook' }, answers: 409, code: 'already_exists' },
    'does nothing':             { as: 'admin', body: {}, answers: 200, writes: [] },
    'changes it':               { as: 'create', given: sectioned, body: { title: 'New', path: 'v1.0', condition: 'visitor.claims.beta', icon: 'star', description: 'Words' }, answers: 200, writes: ['event', 'siteSection'], gives: { title: 'New', path: 'v1.0', condition: 'visitor.claims.beta', icon: 'star', description: 'Words' } },
    'takes a condition away':   { as: 'admin', given: async (k) => {
      const { params } = await sectioned(k)
      await k.as.admin.updateSiteSectionById({ ...params, body: { condition: 'true' } })
      return { params }
    }, body: { condition: null }, answers: 200, gives: (_, body) => { expect(body).not.toHaveProperty('condition'); return undefined } },
  }, { ...one, body: { title: 'Guides' } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'moveSiteSection', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'has none of other sites':  { as: 'admin', params: ofOther, answers: 404 },
    'moves beside none of others': { as: 'admin', body: () => ({ position: { before: { type: 'site-section', siteSection: otherSection } } }), answers: 404 },
    'needs the right':          { as: 'review', answers: 403 },
    'needs a position':         { as: 'admin', body: {}, answers: 400, field: 'position' },
    'takes no other kind':      { as: 'admin', body: { position: { before: { type: 'site-space', siteSection: 'x' } } }, answers: 400 },
    'stays beside itself':      { as: 'admin', body: () => ({ position: { before: { type: 'site-section', siteSection: section } } }), answers: 200, writes: [] },
  }, { ...one, body: { position: {} } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'deleteSiteSectionById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'needs the right':          { as: 'review', answers: 403 },
    'has nothing to do':        { as: 'admin', params: gone, answers: 204, writes: [] },
    'deletes none of others':   { as: 'admin', params: ofOther, answers: 204, writes: [] },
    'deletes it with its spaces': { as: 'admin', given: sectioned, answers: 204, writes: ['event', 'siteSection', 'siteSpace'] },
    'is hidden from strangers': { as: 'stranger', answers: 204, writes: [] },
  }, one)

  describe('sections', () => {
    test('move before and behind each other, and into the group of their neighbour', async () => {
      const params = await makeSite(kit)
      const [a = '', b = '', c = ''] = [
        await add(kit, params, 'Aa'),
        await add(kit, params, 'Bb'),
        await add(kit, params, 'Cc'),
      ]
      const ref = (siteSection: string) => ({ type: 'site-section' as const, siteSection })
      await kit.as.admin.moveSiteSection({ ...params, siteSectionId: c, body: { position: { before: ref(a) } } })
      expect(await order(params)).toEqual(['Cc', 'Aa', 'Bb'])
      await kit.as.admin.moveSiteSection({ ...params, siteSectionId: c, body: { position: {} } })
      expect(await order(params)).toEqual(['Aa', 'Bb', 'Cc'])
      const group = await kit.as.admin.addSectionGroupToSite({ ...params, body: { title: 'G', sections: [b] } })
      const moved = await kit.as.admin.moveSiteSection({
        ...params,
        siteSectionId: c,
        body: { position: { before: ref(b) } },
      })
      expect(moved.sectionGroup).toBe(group.id)
      expect(await order(params)).toEqual(['Aa', 'Cc', 'Bb'])
    })

    test('hand the default on, and give the last one’s spaces back to the root', async () => {
      const params = await published(kit, { title: 'Two', spaces: [manual] })
      const second = await add(kit, params, 'Second')
      const [first] = (await kit.as.read.listSiteSections(params)).items
      expect(first).toMatchObject({ default: true, urls: { published: 'http://lectern.test/sites/two' } })
      await kit.as.admin.deleteSiteSectionById({ ...params, siteSectionId: first?.id ?? '' })
      expect((await kit.as.read.listSiteSections(params)).items).toMatchObject([{ id: second, default: true }])
      await kit.as.admin.deleteSiteSectionById({ ...params, siteSectionId: second })
      expect(await kit.as.read.getSiteStructure(params)).toMatchObject({
        type: 'siteSpaces',
        structure: [{ title: 'Guide', default: true, urls: { published: 'http://lectern.test/sites/two' } }],
      })
    })

    test('keep the name that a space of the default one has as well', async () => {
      const params = await published(kit, { title: 'Hid', spaces: [manual] })
      const other = await makeSpace(kit, 'Api')
      const place = await kit.as.admin.addSpaceToSite({ ...params, body: { spaceId: other } })
      await kit.as.admin.addSectionToSite({ ...params, body: { spaceId: guide, title: 'API' } })
      const { items } = await kit.as.read.listSiteSpaces(params)
      const shown = items.find(({ id }) => id === place.id)
      const url = 'http://lectern.test/sites/hid/hid/api'
      expect([shown?.urls.published, shown?.space.urls.published]).toEqual([url, url])
      expect((await kit.as.admin.getSpaceById({ spaceId: other })).urls.published).toBe(url)
      const listed = await kit.as.admin.listSpacesInOrganizationById({
        organizationId: kit.organization,
        query: { limit: 1000 },
      })
      expect(listed.items.find(({ id }) => id === other)?.urls.published).toBe(url)
    })

    test('of a site that is not published tell nothing of a space that the caller does not see', async () => {
      const hidden = await makeSpace(kit, 'Moonshot')
      await kit.as.admin.updateSpaceById({ spaceId: hidden, body: { defaultLevel: null } })
      const params = await makeSite(kit, { title: 'Unseen', spaces: [hidden] })
      const [place] = (await kit.as.read.listSiteSpaces(params)).items
      expect(place).toMatchObject({ title: 'moonshot', space: { title: 'moonshot', visibility: 'private' } })
    })

    test('take no path of a special file', () => {
      const special = [...routes.keys(), 'sitemap-1.xml']
      expect(special).toContain('llms.txt')
      expect(special.filter((path) => SitePath.safeParse(path).success)).toEqual([])
      expect(SitePath.safeParse('v1.0').success).toBe(true)
    })

    test('become the default with the site', async () => {
      const { params } = await sectioned(kit)
      const { siteSectionId, ...siteParams } = params
      await kit.as.admin.updateSiteById({ ...siteParams, body: { defaultSiteSection: siteSectionId } })
      const { items } = await kit.as.read.listSiteSections(siteParams)
      expect(items.map((item) => [item.title, item.default])).toEqual([
        ['Fresh', false],
        ['Guides', true],
      ])
      const wrong = { defaultSiteSpace: items[0]?.siteSpaces[0]?.id ?? '' }
      await expect(kit.as.admin.updateSiteById({ ...siteParams, body: wrong })).rejects.toMatchObject({ status: 400 })
      const right = { defaultSiteSpace: items[1]?.siteSpaces[0]?.id ?? '' }
      await kit.as.admin.updateSiteById({ ...siteParams, body: right })
    })
  })
})
