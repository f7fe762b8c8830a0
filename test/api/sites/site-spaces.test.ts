import { beforeAll, expect, test } from 'vitest'
import { eachBackend } from '../../kit/backends.ts'
import { scenarios } from '../../kit/scenarios.ts'
import { type Kit, useKit } from '../../kit/server.ts'
import { foreignSpace, makeSite, makeSpace, published, type SiteParams } from './site-things.ts'

eachBackend((backend) => {
  const kit = useKit(backend)
  let [manual, guide, foreign] = ['', '', '']
  let site: SiteParams
  let first = ''
  let otherSite: SiteParams
  let other = ''
  let otherSection = ''

  beforeAll(async () => {
    manual = await makeSpace(kit, 'Manual')
    guide = await makeSpace(kit, 'Guide')
    foreign = await foreignSpace(kit)
    site = await published(kit, { title: 'Handbook', spaces: [manual, guide] })
    first = (await kit.as.admin.listSiteSpaces(site)).items[0]?.id ?? ''
    otherSite = await makeSite(kit)
    const section = await kit.as.admin.addSectionToSite({ ...otherSite, body: { spaceId: guide } })
    otherSection = section.id
    other = section.siteSpaces[0]?.id ?? ''
  })

  const it = { params: () => site }
  const one = { params: () => ({ ...site, siteSpaceId: first }) }
  const gone = () => ({ ...site, siteSpaceId: 'gone0000000000000000' })
  const ofOther = () => ({ ...site, siteSpaceId: other })
  const fresh = async (k: Kit) => {
    const params = await makeSite(k, { spaces: [manual, guide] })
    const { items } = await k.as.admin.listSiteSpaces(params)
    return { params: { ...params, siteSpaceId: items[0]?.id ?? '' } }
  }
  const titles = async (params: SiteParams) =>
    (await kit.as.read.listSiteSpaces(params)).items.map((item) => [item.title, item.path, item.default])

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'listSiteSpaces', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'takes no odd default':     { as: 'read', query: { default: 'maybe' }, answers: 400, field: 'default' },
    'shows them in order':      { as: 'read', answers: 200, gives: { count: 2, items: [{ object: 'site-space', title: 'Manual', path: 'manual', default: true, space: { title: 'Manual', visibility: 'public' }, urls: { published: 'http://lectern.test/sites/handbook' } }, { default: false, urls: { published: 'http://lectern.test/sites/handbook/guide' } }] } },
    'shows the default':        { as: 'read', query: { default: true }, answers: 200, gives: { count: 1, items: [{ title: 'Manual' }] } },
    'shows the others':         { as: 'read', query: { default: false }, answers: 200, gives: { count: 1, items: [{ title: 'Guide' }] } },
  }, it)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'addSpaceToSite', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'takes no foreign space':   { as: 'admin', body: () => ({ spaceId: foreign }), answers: 404 },
    'takes no unknown space':   { as: 'admin', body: { spaceId: 'gone' }, answers: 404 },
    'takes no section of others': { as: 'admin', body: () => ({ spaceId: manual, sectionId: otherSection }), answers: 404 },
    'needs the right':          { as: 'review', answers: 403 },
    'needs a space':            { as: 'admin', body: {}, answers: 400, field: 'spaceId' },
    'adds it at the root':      { as: 'create', given: async (k) => ({ params: await makeSite(k) }), answers: 201, writes: ['event', 'siteSpace'], gives: { title: 'Manual', path: 'manual', default: true } },
    'tells paths apart':        { as: 'admin', given: fresh, answers: 201, gives: { path: 'manual-1', default: false } },
    'adds it to the default section': { as: 'admin', params: () => otherSite, answers: 201, gives: () => ({ section: otherSection, default: false }) },
    'adds it to a section':     { as: 'admin', params: () => otherSite, body: () => ({ spaceId: manual, sectionId: otherSection }), answers: 201, gives: () => ({ section: otherSection }) },
  }, { ...it, body: () => ({ spaceId: manual }) })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateSiteSpaceById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'has no such place':        { as: 'admin', params: gone, answers: 404 },
    'has none of other sites':  { as: 'admin', params: ofOther, answers: 404 },
    'takes no foreign space':   { as: 'admin', body: () => ({ spaceId: foreign }), answers: 404 },
    'needs the right':          { as: 'review', answers: 403 },
    'takes no odd path':        { as: 'admin', body: { path: '~share' }, answers: 400, field: 'path' },
    'takes no prototype':       { as: 'admin', body: { condition: 'visitor.__proto__' }, answers: 400, code: 'invalid_condition' },
    'takes no path twice':      { as: 'admin', body: { path: 'guide' }, answers: 409, code: 'already_exists' },
    'does nothing':             { as: 'admin', body: {}, answers: 200, writes: [] },
    'changes it':               { as: 'create', given: fresh, body: { path: 'start', condition: 'visitor.claims.plan == "pro"' }, answers: 200, writes: ['event', 'siteSpace'], gives: { path: 'start', condition: 'visitor.claims.plan == "pro"' } },
    'shows another space':      { as: 'admin', given: fresh, body: () => ({ spaceId: guide }), answers: 200, gives: { title: 'Guide', path: 'manual' } },
  }, { ...one, body: { path: 'manual' } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'moveSiteSpace', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'has none of other sites':  { as: 'admin', params: ofOther, answers: 404 },
    'moves beside none of others': { as: 'admin', body: () => ({ position: { after: { type: 'site-space', siteSpace: other } } }), answers: 404 },
    'needs the right':          { as: 'review', answers: 403 },
    'needs a position':         { as: 'admin', body: {}, answers: 400, field: 'position' },
    'moves to the end':         { as: 'create', given: fresh, answers: 200, writes: ['event', 'siteSpace'], gives: { title: 'Manual', default: true } },
  }, { ...one, body: { position: {} } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'deleteSiteSpaceById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'needs the right':          { as: 'review', answers: 403 },
    'has nothing to do':        { as: 'admin', params: gone, answers: 204, writes: [] },
    'deletes none of others':   { as: 'admin', params: ofOther, answers: 204, writes: [] },
    'takes it away':            { as: 'admin', given: fresh, answers: 204, writes: ['event', 'siteSpace'] },
    'is hidden from strangers': { as: 'stranger', answers: 204, writes: [] },
  }, one)

  test('taking the default away hands it on; moving to another section does, too', async () => {
    const { params } = await fresh(kit)
    const { siteSpaceId, ...siteParams } = params
    const section = await kit.as.admin.addSectionToSite({ ...siteParams, body: { spaceId: manual, title: 'More' } })
    const neighbour = section.siteSpaces[0]?.id ?? ''
    const position = { after: { type: 'site-space' as const, siteSpace: neighbour } }
    const moved = await kit.as.admin.moveSiteSpace({ ...params, body: { position } })
    expect(moved).toMatchObject({ section: section.id, path: 'manual-1', default: false })
    expect(await titles(siteParams)).toEqual([
      ['Guide', 'guide', true],
      ['Manual', 'manual', true],
      ['Manual', 'manual-1', false],
    ])
    await kit.as.admin.deleteSiteSpaceById({ ...siteParams, siteSpaceId: neighbour })
    expect((await titles(siteParams)).at(-1)).toEqual(['Manual', 'manual-1', true])
    await kit.as.admin.updateSiteSectionById({
      ...siteParams,
      siteSectionId: section.id,
      body: { defaultSiteSpace: siteSpaceId },
    })
  })
})
