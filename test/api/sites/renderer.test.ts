/** What a renderer of another maker needs: it resolves an address, and reads the site with the token it is given. */
import { createServer } from 'node:http'
import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { eachBackend } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { makeSpace, published, type SiteParams, visitAt } from './site-things.ts'

eachBackend((backend) => {
  const kit = useKit(backend, { settings: { LECTERN_ALLOW_PRIVATE_FETCH: '1' } })
  const addressOf = async (params: SiteParams) => (await kit.as.admin.getSiteById(params)).urls.published ?? ''
  const resolve = async (url: string, visitor: object = {}) => {
    const answer = await kit.as.nobody.resolvePublishedContentByUrl({ body: { url, visitor } })
    if (!('apiToken' in answer)) throw new Error(`The address leads elsewhere: ${answer.redirect}`)
    return answer
  }
  const payloadOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

  describe('an address', () => {
    test('is resolved for anyone, with all that a renderer asks for', async () => {
      const spaceId = await makeSpace(kit, 'Open', [{ title: 'First' }, { title: 'Second' }])
      const site = await published(kit, { spaces: [spaceId] })
      const url = await addressOf(site)
      const answer = await resolve(`${url}/second`)
      expect(answer).toMatchObject({
        organization: kit.organization,
        site: site.siteId,
        space: spaceId,
        pathname: 'second',
        basePath: new URL(url).pathname,
        siteBasePath: new URL(url).pathname,
        canonicalUrl: `${url}/second`,
        complete: true,
      })
      expect(payloadOf(answer.apiToken)).toMatchObject({
        kind: 'site',
        organization: kit.organization,
        site: site.siteId,
        siteSpace: answer.siteSpace,
        space: spaceId,
        exp: expect.any(Number),
      })
      const old = await kit.as.nobody.getPublishedContentByUrl({ query: { url: `${url}/second` } })
      expect(old).toMatchObject({ site: site.siteId, pathname: 'second' })
    })

    test('is complete when no segment of the structure can follow, whatever the page', async () => {
      const [one, two] = [await makeSpace(kit, 'One'), await makeSpace(kit, 'Two')]
      const site = await published(kit, { spaces: [one] })
      await kit.as.admin.addSectionToSite({ ...site, body: { spaceId: two, title: 'Other' } })
      const url = await addressOf(site)
      expect((await resolve(url)).complete).toBe(false)
      expect((await resolve(`${url}/other`)).complete).toBe(true)
      expect((await resolve(`${url}/no/such/page`)).complete).toBe(true)
    })

    test('that leads away says where to', async () => {
      const site = await published(kit, { spaces: [await makeSpace(kit, 'Led', [{ title: 'Page' }])] })
      const rule = (source: string, url: string) =>
        kit.as.admin.createSiteRedirect({ ...site, body: { source, destination: { kind: 'external', url } } })
      await rule('/away', 'https://elsewhere.example/x')
      const url = await addressOf(site)
      expect(await kit.as.nobody.resolvePublishedContentByUrl({ body: { url: `${url}/away` } })).toMatchObject({
        target: 'external',
        site: site.siteId,
        redirect: 'https://elsewhere.example/x',
      })
    })
  })

  describe('the token of a site', () => {
    test('reads what is published, and nothing else', async () => {
      const spaceId = await makeSpace(kit, 'Read', [
        { title: 'Page', markdown: '## A heading\n\n## A heading' },
        { title: 'Gold', condition: 'visitor.claims.unsigned.gold == true' },
      ])
      const hidden = await makeSpace(kit, 'Elsewhere')
      const site = await published(kit, { spaces: [spaceId] })
      const before = (await kit.as.admin.getSpaceById({ spaceId })).revision
      const changes = [{ operation: 'insert_page' as const, title: 'Later', document: { markdown: '' } }]
      await kit.as.admin.updateSpaceContent({ spaceId, body: { changes } })
      const { apiToken } = await resolve(await addressOf(site))
      const reader = kit.client(apiToken)
      const { revision, permissions, ...space } = await reader.getSpaceById({ spaceId })
      expect([permissions.edit, space.comments]).toEqual([false, 0])
      const { pages } = await reader.listPagesInRevisionById({ spaceId, revisionId: revision })
      expect(pages.map((page) => page.title)).toEqual(['Page', 'Later'])
      const pageId = pages[0]?.id ?? ''
      const document = await reader.getPageDocumentInRevision({ spaceId, revisionId: revision, pageId })
      expect(document.nodes.map((node) => ('meta' in node ? node.meta : undefined))).toEqual([
        { id: 'a-heading' },
        { id: 'a-heading-1' },
      ])
      expect(await reader.getPageMetaLinks({ spaceId, pageId })).toEqual({ alternates: [] })
      expect(await reader.listSiteIntegrationScripts(site)).toEqual([])
      expect((await reader.getPublishedContentSite(site)).customizations.site.pageActions.items).toEqual(['markdown'])
      const refused = { status: 404 }
      await expect(reader.listPagesInRevisionById({ spaceId, revisionId: before })).rejects.toMatchObject(refused)
      await expect(reader.getSpaceById({ spaceId: hidden })).rejects.toMatchObject(refused)
      await expect(reader.listChangeRequestsForSpace({ spaceId })).rejects.toMatchObject(refused)
      await expect(reader.updateSpaceContent({ spaceId, body: { changes } })).rejects.toMatchObject(refused)
    })

    test('sees what its visitor sees, and answers of one are not given to another', async () => {
      const spaceId = await makeSpace(kit, 'Claims', [
        { title: 'All' },
        { title: 'Gold', condition: 'visitor.claims.unsigned.gold == true' },
      ])
      const site = await published(kit, { spaces: [spaceId] })
      await kit.as.admin.updateSiteById({ ...site, body: { adaptiveContent: { enabled: true } } })
      const url = await addressOf(site)
      const [plain, gold] = [await resolve(url), await resolve(url, { unsignedClaims: { gold: true } })]
      expect([plain.contextId, typeof gold.contextId]).toEqual([undefined, 'string'])
      expect(payloadOf(gold.apiToken).claims).toEqual({ unsigned: { gold: true } })
      for (const [token, titles] of [
        [gold.apiToken, ['All', 'Gold']],
        [plain.apiToken, ['All']],
        [gold.apiToken, ['All', 'Gold']],
      ] as const)
        expect((await kit.client(token).listPages({ spaceId })).pages.map((page) => page.title)).toEqual(titles)
    })

    test('is good for as long as the site lets its visitor in, and for an hour at most', async () => {
      const spaceId = await makeSpace(kit, 'Short')
      const site = await published(kit, { spaces: [spaceId] })
      const { apiToken } = await resolve(await addressOf(site))
      const read = () => kit.client(apiToken).listPages({ spaceId })
      expect((await read()).pages).toHaveLength(1)
      const forged = kit.client(`${apiToken.slice(0, -4)}AAAA`)
      await expect(forged.listPages({ spaceId })).rejects.toMatchObject({ status: 401 })
      await kit.as.admin.unpublishSite(site)
      await new Promise((resume) => setTimeout(resume, 600))
      await expect(read()).rejects.toMatchObject({ status: 401 })
      await kit.as.admin.publishSite(site)
      await new Promise((resume) => setTimeout(resume, 600))
      expect((await read()).pages).toHaveLength(1)
      const now = kit.clock.now()
      kit.clock.set(new Date(now.getTime() + 62 * 60_000))
      await new Promise((resume) => setTimeout(resume, 600))
      await expect(read()).rejects.toMatchObject({ status: 401 })
      kit.clock.set(now)
    })
  })

  describe('the token of a visitor who came with one of the site', () => {
    const wait = () => new Promise((resume) => setTimeout(resume, 600))
    const signedBy = async (site: SiteParams, claims: object, seconds = 3600) => {
      const { privateKey } = await kit.as.admin.getSitePublishingAuthById(site)
      const exp = Math.floor(kit.clock.now().getTime() / 1000) + seconds
      const token = new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).setExpirationTime(exp)
      return token.sign(Buffer.from(privateKey))
    }
    const titles = async (token: string, spaceId: string) =>
      (await kit.client(token).listPages({ spaceId })).pages.map((page) => page.title)

    test('is void with the key, whatever the site asks for', async () => {
      const spaceId = await makeSpace(kit, 'Void')
      for (const visibility of ['visitor-auth', 'public'] as const) {
        const site = await published(kit, { spaces: [spaceId], visibility })
        const url = await addressOf(site)
        const { apiToken } = await resolve(url, { jwtToken: await signedBy(site, { gold: true }) })
        expect(await titles(apiToken, spaceId)).toEqual(['Start'])
        await kit.as.admin.regenerateSitePublishingAuthById(site)
        await wait()
        await expect(titles(apiToken, spaceId), visibility).rejects.toMatchObject({ status: 401 })
        const { apiToken: next } = await resolve(url, { jwtToken: await signedBy(site, {}) })
        expect(await titles(next, spaceId)).toEqual(['Start'])
      }
    })

    test('ends with it, and that of a preview with the preview', async () => {
      const spaceId = await makeSpace(kit, 'Ending')
      const site = await published(kit, { spaces: [spaceId], visibility: 'visitor-auth' })
      const seconds = () => Math.floor(Date.now() / 1000)
      const short = await resolve(await addressOf(site), { jwtToken: await signedBy(site, {}, 300) })
      expect(payloadOf(short.apiToken).exp - seconds()).toBeLessThanOrEqual(301)
      const long = await resolve(await addressOf(site), { jwtToken: await signedBy(site, {}, 9000) })
      expect(payloadOf(long.apiToken).exp - seconds()).toBeGreaterThan(3500)

      const { previewURL } = await kit.as.admin.getSitePublishingPreviewById(site)
      const now = kit.clock.now()
      kit.clock.set(new Date(now.getTime() + 55 * 60_000))
      const late = await resolve(previewURL)
      kit.clock.set(now)
      expect(payloadOf(late.apiToken).exp - payloadOf(late.apiToken).iat).toBeLessThanOrEqual(300)
    })

    test('says no more than the schema that the site has now', async () => {
      const spaceId = await makeSpace(kit, 'Declared', [
        { title: 'All' },
        { title: 'Gold', condition: 'visitor.claims.gold == true' },
      ])
      const site = await published(kit, { spaces: [spaceId] })
      await kit.as.admin.updateSiteById({ ...site, body: { adaptiveContent: { enabled: true } } })
      const { apiToken } = await resolve(await addressOf(site), { jwtToken: await signedBy(site, { gold: true }) })
      expect(await titles(apiToken, spaceId)).toEqual(['All', 'Gold'])
      const jsonSchema = { type: 'object' as const, properties: {}, additionalProperties: false as const }
      await kit.as.admin.updateSiteAdaptiveSchema({ ...site, body: { jsonSchema } })
      await wait()
      expect(await titles(apiToken, spaceId)).toEqual(['All'])
    })
  })

  test('reusable contents are read by revision, with their documents', async () => {
    const spaceId = await makeSpace(kit, 'Reusable')
    const { revision } = await kit.as.admin.updateSpaceContent({
      spaceId,
      body: {
        changes: [{ operation: 'insert_reusable_content', title: 'Shared', document: { markdown: '## Shared words' } }],
      },
    })
    const { items } = await kit.as.read.listReusableContentsInRevision({ spaceId, revisionId: revision })
    const id = items[0]?.id ?? ''
    const params = { spaceId, revisionId: revision, reusableContentId: id }
    expect((await kit.as.read.getReusableContentInRevision(params)).title).toBe('Shared')
    const document = await kit.as.read.getReusableContentDocumentInRevision(params)
    expect(document.nodes[0]).toMatchObject({ type: 'heading-1', meta: { id: 'shared-words' } })
  })

  test('a page of the web tells its title, its site and its icon, and is asked once', async () => {
    let asked = 0
    const html =
      '<head><title>Plain</title><meta property="og:title" content="Widgets &amp; more"><meta property="og:site_name" content="Example"><link rel="shortcut icon" href="/i.png"></head>'
    const server = createServer((_, response) => {
      asked += 1
      response.setHeader('content-type', 'text/html')
      response.end(html)
    })
    await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume))
    const address = server.address()
    const root = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
    const spaceId = await makeSpace(kit, 'Embeds')
    const embed = () => kit.as.read.getEmbedByUrlInSpace({ spaceId, query: { url: `${root}/page` } })
    const card = { type: 'link', title: 'Widgets & more', site: 'Example', icon: `${root}/i.png` }
    expect(await embed()).toEqual(card)
    expect(await embed()).toEqual(card)
    expect(asked).toBe(1)

    // Visitors are told as well, of thirty further pages a minute; then the address has to do.
    const site = await published(kit, { spaces: [spaceId] })
    const { client } = await visitAt(kit, (await kit.as.admin.getSiteById(site)).urls.published ?? '')
    const visit = (page: string) => client.getEmbedByUrlInSpace({ spaceId, query: { url: `${root}/${page}` } })
    expect(await visit('page')).toEqual(card)
    const minute = () => Math.floor(Date.now() / 60_000)
    const began = minute()
    const titles: (string | undefined)[] = []
    for (let page = 0; page < 100; page++) titles.push((await visit(`of-${page}`)).title)
    const most = 30 * (minute() - began + 1)
    expect(titles.filter((title) => title === card.title)).toHaveLength(asked - 1)
    expect(titles.filter((title) => title === '127.0.0.1')).toHaveLength(101 - asked)
    expect(asked - 1).toBeGreaterThanOrEqual(30)
    expect(asked - 1).toBeLessThanOrEqual(most)
    server.close()
  })
})
