import { beforeAll, expect, test } from 'vitest'
import { defaultCustomization as look } from '../../../src/core/customization/complete.ts'
import { eachBackend } from '../../kit/backends.ts'
import { scenarios } from '../../kit/scenarios.ts'
import { type Kit, useKit } from '../../kit/server.ts'
import { foreignSpace, makeSite, makeSpace, published, type SiteParams } from './site-things.ts'

const header = (to: unknown, more: object = {}) => ({
  ...look,
  header: { preset: 'default', links: [{ title: 'Link', to, ...more }] },
})

eachBackend((backend) => {
  const kit = useKit(backend)
  let [manual, foreign, page, file] = ['', '', '', '']
  let site: SiteParams
  let place = ''
  let foreignPlace = ''

  const firstPlace = async (params: SiteParams) => (await kit.as.admin.listSiteSpaces(params)).items[0]?.id ?? ''

  beforeAll(async () => {
    manual = await makeSpace(kit, 'Manual')
    const base64 = Buffer.from('note').toString('base64')
    const files = [{ name: 'note.txt', contentType: 'text/plain', base64 }]
    await kit.as.admin.updateSpaceContent({
      spaceId: manual,
      body: { changes: [{ operation: 'insert_files', files }] },
    })
    page = (await kit.as.admin.listPages({ spaceId: manual })).pages[0]?.id ?? ''
    file = (await kit.as.admin.listFiles({ spaceId: manual })).items[0]?.id ?? ''
    foreign = await foreignSpace(kit)
    site = await published(kit, { spaces: [manual] })
    place = await firstPlace(site)
    foreignPlace = await firstPlace(await makeSite(kit, { spaces: [manual] }))
  })

  const it = { params: () => site }
  const one = { params: () => ({ ...site, siteSpaceId: place }) }
  const fresh = async (k: Kit) => ({ params: await makeSite(k, { spaces: [manual] }) })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'getSiteCustomizationById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'shows the default':        { as: 'read', answers: 200, gives: { styling: { theme: 'clean', font: 'Inter' }, themes: { toggeable: true }, pageActions: { externalAI: false, markdown: true } } },
  }, it)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateSiteCustomizationById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'links to no foreign space':{ as: 'admin', body: () => header({ kind: 'space', space: foreign }), answers: 404 },
    'links to no foreign page': { as: 'admin', body: () => header({ kind: 'page', page, space: foreign }), answers: 404 },
    'needs the right':          { as: 'review', answers: 403 },
    'needs all of it':          { as: 'admin', body: { title: 'Only' }, answers: 400, field: 'styling' },
    'takes no odd colour':      { as: 'admin', body: { ...look, styling: { ...look.styling, primaryColor: { light: 'red', dark: '#fff' } } }, answers: 400, field: 'styling.primaryColor.light' },
    'takes no such font':       { as: 'admin', body: { ...look, styling: { ...look.styling, font: 'Comic' } }, answers: 400, field: 'styling.font' },
    'takes no such locale':     { as: 'admin', body: { ...look, internationalization: { locale: 'xx' } }, answers: 400, field: 'internationalization.locale' },
    'takes no script address':  { as: 'admin', body: () => header({ kind: 'url', url: 'javascript:alert(1)' }), answers: 400, field: 'header.links.0.to.url' },
    'takes no foreign scheme':  { as: 'admin', body: () => header({ kind: 'url', url: '//evil.example' }), answers: 400, field: 'header.links.0.to.url' },
    'takes no script as a logo':{ as: 'admin', body: { ...look, header: { ...look.header, logo: { light: 'javascript:1', dark: 'https://a.example/b.png' } } }, answers: 400, field: 'header.logo.light' },
    'takes no code':            { as: 'admin', body: () => header(null, { condition: 'process.exit()' }), answers: 400, code: 'invalid_condition', field: 'header.links.0.condition' },
    'links to no unknown page': { as: 'admin', body: () => header({ kind: 'page', page: 'gone' }), answers: 400, field: 'header.links.0.to.page' },
    'links to no user':         { as: 'admin', body: (k: Kit) => header({ kind: 'user', user: k.people.read.id }), answers: 400, field: 'header.links.0.to.kind' },
    'takes no 21st link':       { as: 'admin', body: { ...look, header: { preset: 'default', links: Array.from({ length: 21 }, () => ({ title: 'x', to: null })) } }, answers: 400, field: 'header.links' },
    'takes no long message':    { as: 'admin', body: { ...look, announcement: { enabled: true, message: 'x'.repeat(129), style: 'info' } }, answers: 400, field: 'announcement.message' },
    'replaces it':              { as: 'create', given: fresh, body: () => ({ ...header({ kind: 'file', file }, { style: 'button-primary', condition: 'visitor.claims.beta', links: [{ title: 'Start', to: { kind: 'page', page, space: manual } }] }), title: 'Docs', favicon: { emoji: '📚' } }), answers: 200, writes: ['event', 'site'], gives: { title: 'Docs', header: { links: [{ to: { kind: 'file' }, condition: 'visitor.claims.beta' }] } } },
  }, { ...it, body: look })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'overrideSiteSpaceCustomizationById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'has none of other sites':  { as: 'admin', params: () => ({ ...site, siteSpaceId: foreignPlace }), answers: 404 },
    'links to no foreign space':{ as: 'admin', body: () => ({ footer: { groups: [{ title: 'G', links: [{ title: 'L', to: { kind: 'space', space: foreign } }] }] } }), answers: 404 },
    'needs the right':          { as: 'review', answers: 403 },
    'takes no half part':       { as: 'admin', body: { styling: { theme: 'bold' } }, answers: 400 },
    'differs in a part':        { as: 'create', answers: 200, writes: ['event', 'siteSpace'], gives: { pdf: { enabled: true }, styling: { theme: 'clean' } } },
  }, { ...one, body: { pdf: { enabled: true } } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'deleteSiteSpaceCustomizationById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'needs the right':          { as: 'review', answers: 403 },
    'is the site’s again':      { as: 'admin', answers: 204, writes: ['event', 'siteSpace'] },
    'has nothing to do':        { as: 'admin', answers: 204, writes: [] },
    'is hidden from strangers': { as: 'stranger', answers: 204, writes: [] },
  }, one)

  test('a put replaces the whole; the profile carries what differs in a space', async () => {
    const params = await published(kit, { spaces: [manual] })
    const siteSpaceId = await firstPlace(params)
    const body = { ...look, title: 'Docs', styling: { ...look.styling, theme: 'bold' as const } }
    await kit.call('admin', 'updateSiteCustomizationById', { ...params, body })
    await kit.call('admin', 'overrideSiteSpaceCustomizationById', {
      ...params,
      siteSpaceId,
      body: { title: 'Space', pdf: { enabled: true } },
    })
    await kit.call('admin', 'overrideSiteSpaceCustomizationById', {
      ...params,
      siteSpaceId,
      body: { feedback: { enabled: false } },
    })
    const { customizations } = await kit.as.read.getPublishedContentSite(params)
    expect(customizations.site).toMatchObject({ title: 'Docs', styling: { theme: 'bold' }, pdf: { enabled: false } })
    expect(customizations.siteSpaces[siteSpaceId]).toMatchObject({
      title: 'Space',
      styling: { theme: 'bold' },
      pdf: { enabled: true },
      feedback: { enabled: false },
    })
    await kit.call('admin', 'updateSiteCustomizationById', { ...params, body: look })
    expect(await kit.as.read.getSiteCustomizationById(params)).not.toHaveProperty('title')
    expect((await kit.as.read.getSiteSpaceCustomizationById({ ...params, siteSpaceId })).title).toBe('Space')
  })

  test('the icon of a site is its favicon', async () => {
    const params = await makeSite(kit)
    await kit.call('admin', 'updateSiteCustomizationById', { ...params, body: { ...look, favicon: { emoji: '🐙' } } })
    expect((await kit.as.read.getSiteById(params)).icon).toEqual({ emoji: '🐙' })
  })
})
