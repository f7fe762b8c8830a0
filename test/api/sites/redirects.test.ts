import { beforeAll, expect, test } from 'vitest'
import { eachBackend } from '../../kit/backends.ts'
import { scenarios } from '../../kit/scenarios.ts'
import { type Kit, useKit } from '../../kit/server.ts'
import { publishedSite } from '../../site/serve/site-kit.ts'
import { makeSite, makeSpace, published, type SiteParams } from './site-things.ts'

eachBackend((backend) => {
  const kit = useKit(backend)
  let [manual, guide, page, place, foreignPlace, foreignSection, redirect, foreignRedirect] = [
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
  ]
  let site: SiteParams

  const to = (path: string) => ({ kind: 'path' as const, path })
  const add = async (k: Kit, params: SiteParams, source: string, more: object = {}) =>
    String(
      (await k.call('admin', 'createSiteRedirect', { ...params, body: { source, destination: to('/new'), ...more } }))
        .body.id,
    )

  beforeAll(async () => {
    manual = await makeSpace(kit, 'Manual')
    guide = await makeSpace(kit, 'Guide', [{ title: 'Install' }])
    page = (await kit.as.admin.listPages({ spaceId: guide })).pages[0]?.id ?? ''
    site = await published(kit, { title: 'Handbook', spaces: [manual, guide] })
    place = (await kit.as.admin.listSiteSpaces(site)).items[1]?.id ?? ''
    redirect = await add(kit, site, '/first')
    const other = await makeSite(kit)
    const section = await kit.as.admin.addSectionToSite({ ...other, body: { spaceId: manual } })
    foreignSection = section.id
    foreignPlace = section.siteSpaces[0]?.id ?? ''
    foreignRedirect = await add(kit, other, '/theirs')
  })

  const it = { params: () => site }
  const one = { params: () => ({ ...site, redirectId: redirect }) }
  const ofOther = () => ({ ...site, redirectId: foreignRedirect })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'listSiteRedirects', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'shows them':               { as: 'read', answers: 200, gives: { count: 1, items: [{ object: 'site-redirect', source: '/first', destination: { kind: 'path', path: '/new' }, draft: false, permanent: false }] } },
  }, it)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'createSiteRedirect', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'leads to no section of others': { as: 'admin', body: () => ({ source: '/a', destination: { kind: 'site-section', siteSection: foreignSection } }), answers: 404 },
    'leads to no space of others': { as: 'admin', body: () => ({ source: '/a', destination: { kind: 'site-space', siteSpace: foreignPlace } }), answers: 404 },
    'needs the right':          { as: 'review', answers: 403 },
    'takes no relative source': { as: 'admin', body: { source: 'old', destination: to('/new') }, answers: 400, field: 'source' },
    'leads to no unknown page': { as: 'admin', body: () => ({ source: '/a', destination: { kind: 'site-page', siteSpace: place, page: 'gone' } }), answers: 400, field: 'destination.page' },
    'leads to no script':       { as: 'admin', body: { source: '/a', destination: { kind: 'external', url: 'javascript:alert(1)' } }, answers: 400 },
    'leads to no unreadable address': { as: 'admin', body: { source: '/a', destination: { kind: 'external', url: 'https://docs.example:port/' } }, answers: 400, field: 'destination.url' },
    'leads to no other host':   { as: 'admin', body: { source: '/a', destination: to('//evil.example') }, answers: 400 },
    'takes no source twice':    { as: 'admin', body: { source: '/first', destination: to('/new') }, answers: 409, code: 'already_exists' },
    'makes one':                { as: 'create', body: { source: '/second', destination: to('/new'), permanent: true }, answers: 201, writes: ['event', 'redirect'], gives: { source: '/second', permanent: true } },
    'leads to a page':          { as: 'admin', body: () => ({ source: '/third', destination: { kind: 'site-page', siteSpace: place, page } }), answers: 201, gives: { destination: { kind: 'site-page' } } },
  }, { ...it, body: { source: '/other', destination: to('/new') } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'upsertSiteRedirects', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'writes nothing with one of others': { as: 'admin', body: () => ({ redirects: [{ source: '/x', destination: to('/y') }, { source: '/z', destination: { kind: 'site-space', siteSpace: foreignPlace } }] }), answers: 404 },
    'needs the right':          { as: 'review', answers: 403 },
    'needs one':                { as: 'admin', body: { redirects: [] }, answers: 400, field: 'redirects' },
    'takes no 501st':           { as: 'admin', body: { redirects: Array.from({ length: 501 }, (_, i) => ({ source: `/r${i}`, destination: to('/y') })) }, answers: 400, field: 'redirects' },
    'makes and changes':        { as: 'create', answers: 200, writes: ['event', 'redirect'], gives: { created: 1, updated: 1 } },
  }, { ...it, body: { redirects: [{ source: '/first', destination: to('/new') }, { source: '/fourth', destination: to('/y') }] } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateSiteRedirectById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'has none of other sites':  { as: 'admin', params: ofOther, answers: 404 },
    'leads to no space of others': { as: 'admin', body: () => ({ destination: { kind: 'site-space', siteSpace: foreignPlace } }), answers: 404 },
    'needs the right':          { as: 'review', answers: 403 },
    'takes no source twice':    { as: 'admin', body: { source: '/second' }, answers: 409, code: 'already_exists' },
    'changes it':               { as: 'create', body: { draft: true, captureWildcard: true }, answers: 200, writes: ['event', 'redirect'], gives: { source: '/first', draft: true, captureWildcard: true } },
  }, { ...one, body: { draft: false } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'deleteSiteRedirectById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'needs the right':          { as: 'review', answers: 403 },
    'deletes none of others':   { as: 'admin', params: ofOther, answers: 204, writes: [] },
    'deletes it':               { as: 'create', answers: 204, writes: ['event', 'redirect'] },
    'is hidden from strangers': { as: 'stranger', answers: 204, writes: [] },
  }, one)

  test('are found by their source in whatever spelling, which is taken once', async () => {
    const { ask, base, basename: _, spaceId: __, ...params } = await publishedSite(kit, [{ title: 'Start' }])
    const { organizationId, siteId } = params
    const create = (source: string) =>
      kit.call('admin', 'createSiteRedirect', { organizationId, siteId, body: { source, destination: to('/start') } })
    const lead = async (path: string) => (await ask(path)).headers.location
    for (const [source, shown, others] of [
      ['/caf%C3%A9', '/café', ['/café/', '/caf%c3%a9']],
      ['/old%20page', '/old%20page', ['/old%20page/']],
      ['/ünï', '/ünï', ['/%C3%BCn%C3%AF']],
      ['/100%25', '/100%25', ['/100%25/']],
      ['/b/', '/b', ['/b', '//b']],
    ] as const) {
      const made = await create(source)
      expect([made.status, made.body.source], source).toEqual([201, shown])
      for (const other of [source, shown, ...others]) {
        expect((await create(other)).status, other).toBe(409)
        const query = { source: other }
        const { target } = await kit.as.read.getSiteRedirectBySource({ organizationId, siteId, query })
        expect(target, other).toMatch(/\/start$/)
      }
      expect(await lead(encodeURI(decodeURI(shown))), source).toBe(`http://lectern.test${base}/start`)
      const redirects = [{ source: others[0], destination: to('/start') }]
      const written = await kit.as.admin.upsertSiteRedirects({ organizationId, siteId, body: { redirects } })
      expect(written).toEqual({ created: 0, updated: 1 })
    }
  })

  test('lead to addresses in whatever letters, encoded', async () => {
    const { ask, base, basename: _, spaceId: __, ...params } = await publishedSite(kit, [{ title: 'Start' }])
    const external = (url: string) => ({ kind: 'external' as const, url })
    for (const [source, destination, location] of [
      [
        '/page',
        external('https://example.org/日本語?q=ü#é'),
        'https://example.org/%E6%97%A5%E6%9C%AC%E8%AA%9E?q=%C3%BC#%C3%A9',
      ],
      ['/host', external('https://bücher.example/'), 'https://xn--bcher-kva.example/'],
      ['/here', to('/日本語'), `http://lectern.test${base}/%E6%97%A5%E6%9C%AC%E8%AA%9E`],
      ['/plain', external('https://example.org'), 'https://example.org'],
    ] as const) {
      await kit.as.admin.createSiteRedirect({ ...params, body: { source, destination } })
      const answer = await ask(source)
      expect([answer.status, answer.headers.location], source).toEqual([307, location])
    }
  })

  test('do not lead to themselves', async () => {
    const params = await published(kit, { title: 'Round', spaces: [manual] })
    const create = (body: object) => kit.call('admin', 'createSiteRedirect', { ...params, body })
    const refused = { status: 400, body: { error: { details: [{ field: 'destination.path' }] } } }
    expect(await create({ source: '/a', destination: to('/a') })).toMatchObject(refused)
    expect(await create({ source: '/a/', destination: to('/%61#part') })).toMatchObject(refused)
    expect(await create({ source: '/a', destination: to('/a/b'), captureWildcard: true })).toMatchObject(refused)
    const { body } = await create({ source: '/a', destination: to('/a/b') })
    const one = { ...params, redirectId: String(body.id) }
    expect(await kit.call('admin', 'updateSiteRedirectById', { ...one, body: { source: '/a/b' } })).toMatchObject(
      refused,
    )
  })

  test('that only lead to each other lead nowhere', async () => {
    const { ask, base, basename: _, spaceId: __, ...params } = await publishedSite(kit, [{ title: 'Start' }])
    const { organizationId, siteId } = params
    const redirects = [
      { source: '/a', destination: to('/b') },
      { source: '/b', destination: to('/c') },
      { source: '/c', destination: to('/a?again#part') },
      { source: '/into', destination: to('/a') },
      { source: '/grow', destination: to('/more/x'), captureWildcard: true },
      { source: '/more', destination: to('/grow/y'), captureWildcard: true },
      { source: '/one', destination: to('/two') },
      { source: '/two', destination: to('/start') },
      { source: '/start', destination: to('/one') },
    ]
    await kit.as.admin.upsertSiteRedirects({ organizationId, siteId, body: { redirects } })
    for (const path of ['/a', '/b', '/c', '/into', '/grow/1']) {
      const { status, headers } = await ask(path)
      expect([path, status, headers.location]).toEqual([path, 404, undefined])
    }
    const { headers } = await ask('/one')
    expect(headers.location).toBe(`http://lectern.test${base}/two`)
    expect((await ask('/start')).status).toBe(200)
    const resolve = (path: string) =>
      kit.as.read.resolvePublishedContentByUrl({ body: { url: `http://lectern.test${base}${path}` } })
    expect(await resolve('/into')).not.toHaveProperty('redirect')
    expect(await resolve('/one')).toMatchObject({ redirect: `http://lectern.test${base}/two` })
  })

  test('resolve by their source, or by the longest above it', async () => {
    const params = await published(kit, { title: 'Moved', spaces: [manual, guide] })
    const siteSpace = (await kit.as.admin.listSiteSpaces(params)).items[1]?.id ?? ''
    await add(kit, params, '/old', {
      captureWildcard: true,
      destination: { kind: 'external', url: 'https://a.example/x' },
    })
    await add(kit, params, '/old/deep', { captureWildcard: true, destination: { kind: 'site-space', siteSpace } })
    await add(kit, params, '/page', { permanent: true, destination: { kind: 'site-page', siteSpace, page } })
    await add(kit, params, '/draft', { draft: true })
    const target = async (source: string) =>
      (await kit.as.read.getSiteRedirectBySource({ ...params, query: { source } })).target
    const root = 'http://lectern.test/sites/moved'
    expect(await target('/old')).toBe('https://a.example/x')
    expect(await target('/old/a/b')).toBe('https://a.example/x/a/b')
    expect(await target('/old/../old/a')).toBe('https://a.example/x/old/a')
    expect(await target('/old/deep/install')).toBe(`${root}/guide/install`)
    expect(await target('/page')).toBe(`${root}/guide/install`)
    await expect(target('/draft')).rejects.toMatchObject({ status: 404 })
    await expect(target('/page/below')).rejects.toMatchObject({ status: 404 })

    const resolve = (path: string) => kit.as.read.resolvePublishedContentByUrl({ body: { url: `${root}${path}` } })
    expect(await resolve('/page')).toEqual({ target: 'content', redirect: `${root}/guide/install`, permanent: true })
    expect(await resolve('/guide/install')).toMatchObject({ page, complete: true })
  })
})
