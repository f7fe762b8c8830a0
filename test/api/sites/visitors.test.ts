/** Who reads a published site sees what its conditions admit them to, however they come. */
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { eachBackend } from '../../kit/backends.ts'
import { type Kit, useKit } from '../../kit/server.ts'
import { asker } from '../../site/serve/site-kit.ts'
import { makeSite, makeSpace, published, type SiteParams, visitAt } from './site-things.ts'

const beta = 'visitor.claims.beta == true'
const secret = 'Zweihundertsechsundfünfzig'

const sign = (key: string, claims: Record<string, unknown>, exp: number | undefined = Date.now() / 1000 + 3600) => {
  const token = new SignJWT(claims).setProtectedHeader({ alg: 'HS256' })
  return (exp === undefined ? token : token.setExpirationTime(Math.floor(exp))).sign(Buffer.from(key))
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const forge = (header: object, claims: object, key?: string) => {
  const body = `${encode(header)}.${encode(claims)}`
  return `${body}.${key === undefined ? '' : createHmac('sha256', key).update(body).digest('base64url')}`
}

eachBackend((backend) => {
  const kit = useKit(backend)
  const later = () => Math.floor(Date.now() / 1000) + 3600

  const keyOf = async (params: SiteParams) => (await kit.as.admin.getSitePublishingAuthById(params)).privateKey
  const addressOf = async (params: SiteParams) => (await kit.as.admin.getSiteById(params)).urls.published ?? ''
  const resolve = (url: string, visitor: object = {}) =>
    kit.as.stranger.resolvePublishedContentByUrl({ body: { url, visitor } })

  describe('a site for signed visitors', () => {
    let site: SiteParams
    let [key, url] = ['', '']

    beforeAll(async () => {
      site = await published(kit, { spaces: [await makeSpace(kit, 'Signed')], visibility: 'visitor-auth' })
      key = await keyOf(site)
      url = await addressOf(site)
    })

    test('lets in who comes with a token of its own', async () => {
      const jwtToken = await sign(key, {})
      expect(await resolve(url, { jwtToken })).toMatchObject({ site: site.siteId, complete: true })
      expect(await resolve(`${url}?jwt_token=${jwtToken}`)).toMatchObject({ site: site.siteId, pathname: '' })
      // Clocks differ: a minute either way is forgiven.
      expect(await resolve(url, { jwtToken: await sign(key, {}, Date.now() / 1000 - 30) })).toMatchObject({
        pathname: '',
      })
    })

    test('threat 6: sends everyone else away, and never breaks', async () => {
      const other = await published(kit, { spaces: [await makeSpace(kit, 'Other')], visibility: 'visitor-auth' })
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const exp = later()
      const tokens = {
        'no token': undefined,
        empty: '',
        'no form': 'a.b.c',
        'no algorithm': forge({ alg: 'none' }, { exp }),
        'no algorithm, signed': forge({ alg: 'none' }, { exp }, key),
        'another algorithm': await new SignJWT({})
          .setProtectedHeader({ alg: 'RS256' })
          .setExpirationTime(exp)
          .sign(privateKey),
        'a longer hash': await new SignJWT({})
          .setProtectedHeader({ alg: 'HS512' })
          .setExpirationTime(exp)
          .sign(Buffer.from(key.repeat(2))),
        'a key it names': forge(
          { alg: 'HS256', kid: '../../dev/null', jku: 'https://evil.example/keys' },
          { exp },
          'evil',
        ),
        'what it calls critical': forge({ alg: 'HS256', crit: ['x'], x: 1 }, { exp }, key),
        'no end': await sign(key, {}, undefined).then(() => forge({ alg: 'HS256' }, {}, key)),
        'an end long ago': await sign(key, {}, Date.now() / 1000 - 3600),
        'a beginning to come': forge({ alg: 'HS256' }, { exp: exp + 7200, nbf: exp }, key),
        'the key of another site': await sign(await keyOf(other), {}),
        'an end that is text': forge({ alg: 'HS256' }, { exp: 'never' }, key),
        'too much': await sign(key, { words: 'x'.repeat(17_000) }),
      }
      const ask = await asker(kit)
      const good = { authorization: `Bearer ${await sign(key, {})}` }
      expect((await ask(new URL(url).pathname, { headers: good })).text).toContain('Words.')
      for (const [name, jwtToken] of Object.entries(tokens)) {
        const answer = resolve(url, jwtToken === undefined ? {} : { jwtToken })
        await expect(answer, name).rejects.toMatchObject({ status: 403 })
        // The same at the site itself, by each way that a token comes.
        const path = new URL(url).pathname
        const query = jwtToken === undefined ? '' : `?jwt_token=${encodeURIComponent(jwtToken)}`
        const bearer: Record<string, string> = jwtToken ? { authorization: `Bearer ${jwtToken}` } : {}
        for (const page of [await ask(`${path}${query}`), await ask(path, { headers: bearer })]) {
          expect(page.status, name).toBeGreaterThanOrEqual(300)
          expect(page.status, name).toBeLessThan(500)
          expect(page.text, name).not.toContain('Words.')
        }
        const checked = await kit.call('admin', 'checkSiteVisitorToken', { ...site, body: { token: jwtToken ?? '' } })
        expect([name, checked.status, checked.body.accepted, checked.body.admitted]).toEqual([name, 200, false, false])
        expect(String(checked.body.reason).length, name).toBeGreaterThan(10)
      }
    })

    test('is told what a token admits to, or what is wrong with it', async () => {
      const [open, closed] = [await makeSpace(kit, 'Everyone'), await makeSpace(kit, 'Beta')]
      const own = await published(kit, { spaces: [open, closed], visibility: 'visitor-auth' })
      await kit.as.admin.updateSiteById({ ...own, body: { adaptiveContent: { enabled: true } } })
      const { items } = await kit.as.admin.listSiteSpaces(own)
      const hidden = items.find(({ space }) => space.id === closed)?.id ?? ''
      await kit.as.admin.updateSiteSpaceById({ ...own, siteSpaceId: hidden, body: { condition: beta } })
      await kit.as.admin.updateSiteAdaptiveSchema({
        ...own,
        body: {
          jsonSchema: {
            type: 'object',
            properties: { beta: { type: 'boolean', description: 'Beta' } },
            additionalProperties: false,
          },
        },
      })
      const ownKey = await keyOf(own)
      const check = (token: string) => kit.as.admin.checkSiteVisitorToken({ ...own, body: { token } })
      const shown = (answer: Awaited<ReturnType<typeof check>>) =>
        answer.items.filter((item) => item.shown).map((item) => item.title)
      const full = await check(await sign(ownKey, { beta: true, plan: 'pro', beta2: 1 }))
      expect(full).toMatchObject({ accepted: true, admitted: true, claims: { beta: true }, ignored: ['plan', 'beta2'] })
      expect(full.expiresAt).toBeDefined()
      expect(shown(full)).toEqual(['Everyone', 'Beta'])
      expect(shown(await check(await sign(ownKey, { beta: 'yes' })))).toEqual(['Everyone'])
      const exp = later()
      const reasons: [string, RegExp][] = [
        [await sign(key, {}), /not signed with the key of this site/],
        [await sign(ownKey, {}, Date.now() / 1000 - 3600), /`exp` is past/],
        [forge({ alg: 'HS256' }, {}, ownKey), /`exp` is required/],
        [forge({ alg: 'HS256' }, { exp: exp + 7200, nbf: exp }, ownKey), /`nbf`/],
        [forge({ alg: 'none' }, { exp }), /another way than HS256/],
        ['nonsense', /no JSON Web Token/],
        [await sign(ownKey, { words: 'x'.repeat(17_000) }), /16 KiB/],
        [
          await new SignJWT({ exp }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(ownKey, 'base64url')),
          /as they are/,
        ],
      ]
      for (const [token, reason] of reasons) {
        const answer = await check(token)
        expect(answer).toMatchObject({ accepted: false, admitted: false, reason: expect.stringMatching(reason) })
        expect(shown(answer)).toEqual([])
      }
    })

    test('tells where to sign in', async () => {
      await kit.as.admin.updateSitePublishingAuthById({
        ...site,
        body: { fallbackURL: 'https://login.example/in?app=docs' },
      })
      expect(await resolve(`${url}/start/here`)).toEqual({
        target: 'external',
        site: site.siteId,
        permanent: false,
        redirect: 'https://login.example/in?app=docs&location=%2Fstart%2Fhere',
      })
      const odd = kit.call('admin', 'updateSitePublishingAuthById', { ...site, body: { fallbackURL: 'javascript:1' } })
      expect((await odd).status).toBe(400)
    })

    test('takes no token of a key that was replaced', async () => {
      const own = await published(kit, { spaces: [await makeSpace(kit, 'Rotated')], visibility: 'visitor-auth' })
      const jwtToken = await sign(await keyOf(own), {})
      const address = await addressOf(own)
      expect(await resolve(address, { jwtToken })).toMatchObject({ pathname: '' })
      const before = await keyOf(own)
      expect((await kit.as.admin.regenerateSitePublishingAuthById(own)).privateKey).not.toBe(before)
      await expect(resolve(address, { jwtToken })).rejects.toMatchObject({ status: 403 })
    })
  })

  describe('what is hidden', () => {
    let site: SiteParams
    let [url, key, hiddenSpace, hiddenSection, openSpace, hiddenPage, below] = ['', '', '', '', '', '', '']

    beforeAll(async () => {
      openSpace = await makeSpace(kit, 'Open', [
        { title: 'Start', markdown: `Common words.\n\n{% if ${beta} %}\nOnly ${secret} inside.\n{% endif %}` },
        { title: 'Preview', markdown: `Common ${secret}.`, condition: beta },
      ])
      const { pages } = await kit.as.admin.listPages({ spaceId: openSpace })
      hiddenPage = pages[1]?.id ?? ''
      await kit.as.admin.updateSpaceContent({
        spaceId: openSpace,
        body: {
          changes: [
            { operation: 'insert_page', title: 'Below', into: hiddenPage, document: { markdown: `Common ${secret}.` } },
          ],
        },
      })
      below = (await kit.as.admin.getPageById({ spaceId: openSpace, pageId: hiddenPage })).pages?.[0]?.id ?? ''
      hiddenSpace = await makeSpace(kit, 'Lab', [{ title: 'Lab notes', markdown: `Common ${secret}.` }])
      const sectionSpace = await makeSpace(kit, 'Vault', [{ title: 'Vault', markdown: `Common ${secret}.` }])
      site = await published(kit, { title: 'Adaptive', spaces: [openSpace, hiddenSpace] })
      const place = (await kit.as.admin.listSiteSpaces(site)).items[1]?.id ?? ''
      await kit.as.admin.updateSiteSpaceById({ ...site, siteSpaceId: place, body: { condition: beta } })
      const section = await kit.as.admin.addSectionToSite({ ...site, body: { spaceId: sectionSpace, title: 'Vault' } })
      hiddenSection = section.id
      await kit.as.admin.updateSiteSectionById({ ...site, siteSectionId: section.id, body: { condition: beta } })
      await kit.call('admin', 'createSiteRedirect', {
        ...site,
        body: { source: '/to-vault', destination: { kind: 'site-section', siteSection: section.id } },
      })
      await kit.call('admin', 'createSiteRedirect', {
        ...site,
        body: {
          source: '/to-page',
          destination: {
            kind: 'site-page',
            siteSpace: (await kit.as.admin.listSiteSpaces(site)).items[0]?.id,
            page: hiddenPage,
          },
        },
      })
      url = await addressOf(site)
      key = await keyOf(site)
    })

    const plain = () => visitAt(kit, url)
    const admitted = async () => visitAt(kit, url, { jwtToken: await sign(key, { beta: true }) })
    const queries = { common: 1, [secret]: 0, [`common ${secret}`]: 0, [secret.slice(0, 8)]: 0 }

    test('is not in the structure or the profile', async () => {
      const { client } = await plain()
      const structure = await client.getSiteStructure(site)
      const profile = await client.getPublishedContentSite(site)
      expect(profile.structure).toEqual(structure)
      const text = JSON.stringify(profile)
      for (const word of ['Vault', 'Lab', hiddenSpace, hiddenSection]) expect(text).not.toContain(word)
      const seen = JSON.stringify(await (await admitted()).client.getPublishedContentSite(site))
      for (const word of ['Vault', 'Lab', hiddenSpace, hiddenSection]) expect(seen).toContain(word)
    })

    test('is not found', async () => {
      for (const [query, count] of Object.entries(queries)) {
        const visitor = (await plain()).client.searchSiteContent({ ...site, body: { query } })
        const member = kit.as.read.searchSiteContent({ ...site, body: { query, visitor: {} } })
        for (const answer of [await visitor, await member]) {
          expect(answer, query).toMatchObject({ count, items: { length: count } })
          expect(JSON.stringify(answer)).not.toMatch(new RegExp(`Preview|Below|Lab|Vault|${secret}`))
        }
      }
      const all = async (query: string) =>
        (await (await admitted()).client.searchSiteContent({ ...site, body: { query } })).count
      expect(await all('common')).toBe(5)
      expect(await all(secret)).toBe(5)
    })

    test('is resolved like what is not there', async () => {
      const jwtToken = await sign(key, { beta: true })
      for (const path of [
        '/vault',
        '/vault/vault',
        '/lab',
        '/lab/lab-notes',
        '/preview',
        '/preview/below',
        '/to-vault',
        '/to-page',
      ]) {
        const hidden = await resolve(`${url}${path}`)
        const absent = await resolve(`${url}${path.replace(/\w+/g, (word) => word.split('').reverse().join(''))}`)
        const blind = (answer: object) => ({ ...answer, pathname: '', canonicalUrl: '', apiToken: '' })
        expect(blind(hidden), path).toEqual(blind(absent))
        expect(hidden).not.toHaveProperty('page')
        const open = await resolve(`${url}${path}`, { jwtToken })
        expect('redirect' in open || open.page !== undefined, path).toBe(true)
      }
    })

    test('is not in the pages of what is shown', async () => {
      const { client } = await plain()
      const spaceId = openSpace
      const tree = await client.listPages({ spaceId })
      expect(tree.pages.map((page) => page.title)).toEqual(['Start'])
      const missing = { status: 404 }
      for (const pageId of [hiddenPage, below])
        await expect(client.getPageById({ spaceId, pageId })).rejects.toMatchObject(missing)
      const byPath = async (pagePath: string) =>
        client.getPageByPath({ spaceId, pagePath }).catch((error: Error) => error.message)
      expect(await byPath('preview')).toBe('There is no page at preview.')
      expect(await byPath('absent')).toBe('There is no page at absent.')
      const start = tree.pages[0]?.id ?? ''
      for (const format of ['markdown', 'document'] as const) {
        const page = await client.getPageById({ spaceId, pageId: start, query: { format } })
        expect(JSON.stringify(page)).not.toContain(secret)
        const whole = await (await admitted()).client.getPageById({ spaceId, pageId: start, query: { format } })
        expect(JSON.stringify(whole)).toContain(secret)
      }
    })

    test('threat 7: is not opened by what visitors say of themselves', async () => {
      const unsigned = { unsignedClaims: { beta: true, unsigned: { beta: true } } }
      for (const shown of [
        resolve(`${url}/vault`, unsigned),
        resolve(`${url}/vault?visitor.beta=true`),
        resolve(`${url}/vault?visitor.claims.beta=true`),
      ])
        expect(await shown).not.toHaveProperty('page')
    })
  })

  describe('a visitor', () => {
    test('has nothing but the site and what it shows', async () => {
      const [shown, secretSpace] = [await makeSpace(kit, 'Shown'), await makeSpace(kit, 'Unshown')]
      const site = await published(kit, { spaces: [shown] })
      const other = await published(kit, { spaces: [secretSpace] })
      const { client } = await visitAt(kit, await addressOf(site))
      const missing = { status: 404 }
      expect((await client.listPages({ spaceId: shown })).pages).toHaveLength(1)
      await expect(client.listPages({ spaceId: secretSpace })).rejects.toMatchObject(missing)
      await expect(client.getPublishedContentSite(other)).rejects.toMatchObject(missing)
      expect((await client.getSpaceById({ spaceId: shown })).permissions).toMatchObject({ view: true, edit: false })
      await expect(client.getSpaceById({ spaceId: secretSpace })).rejects.toMatchObject(missing)
      await expect(client.getCurrentRevision({ spaceId: shown })).rejects.toMatchObject(missing)
      await expect(client.getOrganizationById({ organizationId: kit.organization })).rejects.toMatchObject(missing)
      await expect(client.listSites({ organizationId: kit.organization })).rejects.toMatchObject(missing)
      await expect(client.updateSiteById({ ...site, body: { title: 'Mine' } })).rejects.toMatchObject(missing)
      const pagesOf = (revisionId: string) => client.listPagesInRevisionById({ spaceId: shown, revisionId })
      const { revision } = await kit.as.admin.getSpaceById({ spaceId: shown })
      expect((await pagesOf(revision)).pages).toHaveLength(1)
      const changes = [{ operation: 'insert_page' as const, title: 'More', document: { markdown: '' } }]
      await kit.as.admin.updateSpaceContent({ spaceId: shown, body: { changes } })
      await expect(pagesOf(revision)).rejects.toMatchObject(missing)
    })

    test('may ask what anyone may', async () => {
      const site = await published(kit, { spaces: [await makeSpace(kit, 'Open')] })
      const url = await addressOf(site)
      const resolved = await resolve(url)
      const asVisitor = kit.client('apiToken' in resolved ? resolved.apiToken : '')
      expect(await asVisitor.resolvePublishedContentByUrl({ body: { url } })).toMatchObject({ site: site.siteId })
      expect(await asVisitor.getPublishedContentByUrl({ query: { url } })).toMatchObject({ site: site.siteId })
    })

    test('who does not see the default is met by the first thing they see', async () => {
      const spaces = [await makeSpace(kit, 'Inner'), await makeSpace(kit, 'Outer', [{ title: 'Hello' }])]
      const site = await published(kit, { spaces })
      const [inner, outer] = (await kit.as.admin.listSiteSpaces(site)).items
      await kit.as.admin.updateSiteSpaceById({ ...site, siteSpaceId: inner?.id ?? '', body: { condition: 'false' } })
      expect(await resolve(await addressOf(site))).toMatchObject({ siteSpace: outer?.id, complete: true })
    })

    test('is known by declared claims only, once a site declares them', async () => {
      const spaces = [await makeSpace(kit, 'Front'), await makeSpace(kit, 'Gold')]
      const site = await published(kit, { spaces })
      const gold = (await kit.as.admin.listSiteSpaces(site)).items[1]
      const address = gold?.urls.published ?? ''
      const setCondition = (condition: string) =>
        kit.as.admin.updateSiteSpaceById({ ...site, siteSpaceId: gold?.id ?? '', body: { condition } })
      await setCondition('visitor.claims.unsigned.gold == true')
      const sees = async (visitor: object) => {
        const answer = await resolve(address, visitor)
        return 'space' in answer && answer.space === spaces[1]
      }
      expect(await sees({ unsignedClaims: { gold: true } })).toBe(true)
      const boolean = { type: 'boolean', description: 'Gold' }
      const schema = (properties: object) => ({ type: 'object', properties, additionalProperties: false })
      await kit.as.admin.updateSiteAdaptiveSchema({ ...site, body: { jsonSchema: schema({ gold: boolean }) } })
      expect(await sees({ unsignedClaims: { gold: true } })).toBe(false)
      await setCondition('visitor.claims.gold == true')
      expect(await sees({ unsignedClaims: { gold: true } })).toBe(false)
      expect(await sees({ jwtToken: await sign(await keyOf(site), { gold: true }) })).toBe(true)
      expect(await sees({ jwtToken: await sign(await keyOf(site), { gold: 'true' }) })).toBe(false)
    })
  })

  describe('addresses', () => {
    test('of sites that are not published lead nowhere, but for a preview', async () => {
      const site = await makeSite(kit, { title: 'Drafted', spaces: [await makeSpace(kit, 'Drafted')] })
      await expect(resolve('http://lectern.test/sites/drafted')).rejects.toMatchObject({ status: 404 })
      const { previewURL, expiresAt } = await kit.as.create.getSitePublishingPreviewById(site)
      expect(await resolve(previewURL)).toMatchObject({ site: site.siteId, complete: true, preview: true })
      await expect(resolve(`${previewURL}x`)).rejects.toMatchObject({ status: 404 })
      const now = kit.clock.now()
      kit.clock.set(new Date(Date.parse(expiresAt) + 1000))
      await expect(resolve(previewURL)).rejects.toMatchObject({ status: 404 })
      kit.clock.set(now)
    })

    test('are told by host name and behind a proxy', async () => {
      const site = await published(kit, { spaces: [await makeSpace(kit, 'Hosted')] })
      await kit.as.admin.updateSiteById({ ...site, body: { hostname: 'docs.hosted.org' } })
      const hosted = { site: site.siteId, pathname: 'start', basePath: '/' }
      expect(await resolve('https://docs.hosted.org/start')).toMatchObject(hosted)
      expect(await addressOf(site)).toBe('http://docs.hosted.org')
      await kit.as.admin.updateSiteById({ ...site, body: { proxy: 'www.hosted.org/help/docs' } })
      expect(await addressOf(site)).toBe('https://www.hosted.org/help/docs')
      const proxied = { site: site.siteId, basePath: '/help/docs' }
      expect(await resolve('https://www.hosted.org/help/docs/start')).toMatchObject(proxied)
      for (const wrong of ['https://www.hosted.org/help', 'https://nowhere.example/', 'http://lectern.test/sites/none'])
        await expect(resolve(wrong)).rejects.toMatchObject({ status: 404 })
      for (const odd of ['docs.hosted.org', 'ftp://docs.hosted.org', 'javascript:1'])
        await expect(resolve(odd)).rejects.toMatchObject({ status: 400 })
    })

    test('that a page once had lead to the one it has', async () => {
      const spaceId = await makeSpace(kit, 'Renamed', [{ title: 'Before' }])
      const site = await published(kit, { title: 'Renaming', spaces: [spaceId] })
      const page = (await kit.as.admin.listPages({ spaceId })).pages[0]?.id ?? ''
      await kit.as.admin.updateSpaceContent({
        spaceId,
        body: { changes: [{ operation: 'update_page', page, slug: 'after' }] },
      })
      const url = await addressOf(site)
      expect(await resolve(`${url}/before`)).toEqual({ target: 'content', redirect: `${url}/after`, permanent: false })
    })

    test('of the app tell what they show, to whoever sees it', async () => {
      const spaceId = await makeSpace(kit, 'App')
      const { siteId } = await makeSite(kit)
      const ask = (path: string) => kit.as.read.getContentByUrl({ query: { url: `http://lectern.test${path}` } })
      expect(await ask(`/s/${spaceId}/start?x=1`)).toMatchObject({ space: spaceId, page: expect.any(String) })
      expect(await ask(`/o/${kit.organization}/sites/${siteId}`)).toEqual({
        organization: kit.organization,
        site: siteId,
      })
      for (const path of ['/s/gone', `/s/${spaceId}/none`, '/x/y', `/o/${kit.otherOrganization}`])
        await expect(ask(path)).rejects.toMatchObject({ status: 404 })
    })
  })

  test('what readers do is counted by day, and only for places of the site', async () => {
    const spaceId = await makeSpace(kit, 'Counted', [{ title: 'Start' }, { title: 'Hidden', condition: 'false' }])
    const [start, hidden] = (await kit.as.admin.listPages({ spaceId })).pages.map(({ id }) => id)
    const site = await published(kit, { spaces: [spaceId] })
    const siteSpace = (await kit.as.admin.listSiteSpaces(site)).items[0]?.id ?? ''
    const viewOf = (place: { siteSpace: string; pageId?: string | undefined }) => ({
      type: 'page_view' as const,
      location: place,
    })
    const view = viewOf({ siteSpace, pageId: start })
    const odd = viewOf({ siteSpace: 'elsewhere', pageId: start })
    const unknown = [viewOf({ siteSpace, pageId: 'made-up' }), viewOf({ siteSpace, pageId: hidden })]
    const feedback = {
      type: 'page_post_feedback' as const,
      location: { siteSpace, pageId: start },
      feedback: { rating: 'good' as const },
    }
    const { client } = await visitAt(kit, await addressOf(site))
    await client.trackEventsInSiteById({ ...site, body: { events: [view, view, odd, ...unknown, feedback] } })
    await client.trackEventsInSiteById({ ...site, body: { events: [view] } })
    const day = kit.clock.now().toISOString().slice(0, 10)
    const { events } = await kit.as.read.aggregateSiteEvents({
      ...site,
      body: { from: day, to: day, type: 'page_view' },
    })
    const told = [
      { day, type: 'page_view', siteSpace, page: start, count: 3 },
      { day, type: 'page_view', siteSpace, count: 2 },
      { day, type: 'page_view', count: 1 },
    ]
    expect(events).toHaveLength(told.length)
    expect(events).toEqual(expect.arrayContaining(told))
    // Who sees all pages counts them all.
    await kit.as.read.trackEventsInSiteById({ ...site, body: { events: unknown } })
    const { events: later } = await kit.as.read.aggregateSiteEvents({
      ...site,
      body: { from: day, to: day, type: 'page_view' },
    })
    expect(later).toContainEqual({ day, type: 'page_view', siteSpace, page: hidden, count: 1 })
    expect(later.map(({ page }) => page)).not.toContain('made-up')
    // Visitors of another site have keys of their own.
    const other = await published(kit, { spaces: [await makeSpace(kit, 'Counted too')] })
    const elsewhere = (await visitAt(kit, await addressOf(other))).client
    await client.trackEventsInSiteById({ ...site, body: { events: [view] }, idempotencyKey: 'k1' })
    await elsewhere.trackEventsInSiteById({ ...other, body: { events: [odd] }, idempotencyKey: 'k1' })
    await expect(
      client.trackEventsInSiteById({ ...site, body: { events: [odd] }, idempotencyKey: 'k1' }),
    ).rejects.toMatchObject({ status: 422 })
    const ask = (from: string, to: string) => (k: Kit) => k.as.read.aggregateSiteEvents({ ...site, body: { from, to } })
    await expect(ask('2026-02-30', 'x')(kit)).rejects.toMatchObject({ status: 400 })
    await expect(ask('2026-02-02', '2026-02-01')(kit)).rejects.toMatchObject({ status: 400 })
    // Never a part that would pass for all of it.
    const fill = (days: string, pages: number) =>
      kit.db.script(`insert into "siteInsight" ("siteId", "day", "type", "siteSpaceId", "pageId", "count")
        with recursive n(i) as (select 1 union all select i + 1 from n where i < ${pages})
        select '${site.siteId}', '${days}', 'page_view', '${siteSpace}', 'q' || i, 1 from n`)
    await fill('2026-01-01', 12_000)
    expect((await ask('2026-01-01', '2026-01-02')(kit)).events).toHaveLength(12_000)
    await fill('2026-01-02', 12_000)
    await expect(ask('2026-01-01', '2026-01-02')(kit)).rejects.toMatchObject({ status: 400 })
    expect((await ask('2026-01-02', '2026-01-02')(kit)).events).toHaveLength(12_000)
  })
})
