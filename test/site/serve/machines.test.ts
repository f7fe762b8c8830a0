/** What machines read of a site: sitemap, robots, Markdown, overviews, feed, and the protocol of assistants. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Listed } from '../../../src/site/serve/machines/pages.ts'
import { partOf, wholeMap } from '../../../src/site/serve/machines/sitemap.ts'
import type { Profile, ServedSpace } from '../../../src/site/serve/profile.ts'
import { makeSpace } from '../../api/sites/site-things.ts'
import { eachBackend } from '../../kit/backends.ts'
import { type Kit, useKit } from '../../kit/server.ts'
import { cookiesOf, edit, type PublishedSite, pageIds, portOf, publishedSite } from './site-kit.ts'

const beta = 'visitor.claims.beta == true'
const files = ['/sitemap.xml', '/robots.txt', '/llms.txt', '/llms-full.txt', '/rss.xml']

eachBackend((backend) => {
  const kit = useKit(backend)
  let site: PublishedSite
  let ids: Record<string, string>
  const root = () => `http://lectern.test${site.base}`

  beforeAll(async () => {
    site = await publishedSite(kit, [
      { title: 'Start', markdown: 'Welcome to the zebra.' },
      { title: 'Use', markdown: `Words.\n\n{% if ${beta} %}\nMoonshot zebra part.\n{% endif %}` },
      { title: 'Moonshot', markdown: 'Moonshot zebra plans.', condition: beta },
      { title: 'A <b>"tag"</b> & more', markdown: 'Signs.' },
    ])
    ids = await pageIds(kit, site.spaceId)
    const link = `See [the plans](/pages/${ids.Moonshot}) and [the use](/pages/${ids.Use}#part).\n\n{% content-ref url="/pages/${ids.Moonshot}" %}\n[x](/pages/${ids.Moonshot})\n{% endcontent-ref %}`
    const { spaceId } = site
    await kit.as.admin.updateSpaceContent({
      spaceId,
      body: {
        changes: [
          { operation: 'insert_page', title: 'Links', description: 'Where to go.', document: { markdown: link } },
          { operation: 'insert_page', title: 'Unlisted', hidden: true, document: { markdown: 'Hidden words.' } },
          { operation: 'insert_page', title: 'Shy', noRobotsIndex: true, document: { markdown: 'Shy words.' } },
        ],
      },
    })
  })

  const asBeta = async (): Promise<string> => {
    const { privateKey } = await kit.as.admin.getSitePublishingAuthById(site)
    const token = new SignJWT({ beta: true }).setProtectedHeader({ alg: 'HS256' }).setExpirationTime('1h')
    const answer = await site.ask(`?jwt_token=${await token.sign(Buffer.from(privateKey))}`)
    return cookiesOf(answer)
  }

  test('the sitemap has every page that search engines may list, at its address', async () => {
    const { status, headers, text } = await site.ask('/sitemap.xml')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/xml; charset=utf-8')
    const locations = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url)
    expect(locations).toEqual([root(), `${root()}/use`, expect.stringContaining('/a-'), `${root()}/links`])
    expect(text).toMatch(/<lastmod>\d{4}-\d\d-\d\dT[\d:.]+Z<\/lastmod>/)
    for (const url of locations) {
      const page = await site.ask(decodeURI((url ?? '').slice(root().length)))
      expect(page.status, url).toBe(200)
      expect(page.text).toContain(`<link rel="canonical" href="${url}">`)
    }
    expect((await site.ask('/sitemap-1.xml')).status).toBe(404)
    expect((await site.ask('/robots.txt')).text).toContain(`Sitemap: ${root()}/sitemap.xml`)
  })

  test('a page is there as Markdown, at two addresses, and says so', async () => {
    const twin = await site.ask('/use.md')
    expect(twin.headers).toMatchObject({ 'content-type': 'text/markdown; charset=utf-8', 'x-robots-tag': 'noindex' })
    expect(twin.headers.link).toBe(`<${root()}/use>; rel="canonical"`)
    expect(twin.text).toContain('# Use\n\nWords.')
    const accepted = await site.ask('/use', { headers: { accept: 'text/markdown' } })
    expect(accepted.text).toBe(twin.text)
    const page = await site.ask('/use', { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect(page.text).toContain(`<link rel="alternate" type="text/markdown" href="${site.base}/use.md">`)
    expect(page.text).toContain(`type="application/rss+xml"`)
    for (const { headers } of [accepted, page]) expect(headers.vary).toMatch(/^accept\b(?!-)/)
    // Whoever asks for both gets each as they asked, also when both were kept.
    expect((await site.ask('/use', { headers: { accept: 'text/markdown' } })).text).toBe(twin.text)
    expect((await site.ask('/use')).headers['content-type']).toBe('text/html; charset=utf-8')
    const again = await site.ask('/use.md', { headers: { 'if-none-match': twin.headers.etag ?? '' } })
    expect(again.status).toBe(304)
    expect((await site.ask('/index.md')).text).toContain('# Start')
    expect((await site.ask('/start.md')).text).toContain('# Start')
    expect((await site.ask('/absent.md')).status).toBe(404)
    expect((await site.ask('/unlisted.md')).status).toBe(200)
  })

  test('old addresses lead to the new Markdown', async () => {
    const own = await publishedSite(kit, [{ title: 'Start' }, { title: 'Before', markdown: 'Kept.' }])
    const { Before: page = '' } = await pageIds(kit, own.spaceId)
    const changes = [{ operation: 'update_page' as const, page, slug: 'after' }]
    await kit.as.admin.updateSpaceContent({ spaceId: own.spaceId, body: { changes } })
    const moved = await own.ask('/before.md')
    expect([moved.status, moved.headers.location]).toEqual([307, `${own.base}/after.md`])
    expect((await own.ask('/after.md')).text).toContain('Kept.')
  })

  test('links lead to Markdown; what is not seen is not linked', async () => {
    const { text } = await site.ask('/links.md')
    expect(text).toContain('description: Where to go.')
    expect(text).toContain('See the plans and')
    expect(text).toContain(`](${root()}/use.md#part)`)
    expect(text).not.toMatch(/moonshot/i)
    expect(text).not.toContain(ids.Moonshot)
    const whole = await site.ask('/links.md', { headers: { cookie: await asBeta() } })
    expect(whole.text).toContain(`[the plans](${root()}/moonshot.md)`)
    expect(whole.headers['cache-control']).toMatch(/^private/)
  })

  test('nothing hidden is in any of them, and who may see it does', async () => {
    const cookie = await asBeta()
    for (const path of [...files, '/use.md', '/moonshot.md']) {
      const plain = await site.ask(path)
      expect(plain.text, path).not.toMatch(/moonshot/i)
      expect(plain.headers['cache-control'], path).not.toContain('max-age=3')
    }
    for (const path of ['/sitemap.xml', '/llms.txt', '/llms-full.txt', '/rss.xml', '/use.md', '/moonshot.md']) {
      const admitted = await site.ask(path, { headers: { cookie } })
      expect(admitted.text, path).toMatch(/moonshot/i)
      expect(admitted.headers['cache-control'], path).toMatch(/^private/)
    }
    // Asked after someone who sees more: what was kept for them is kept for nobody else.
    for (const path of files) expect((await site.ask(path)).text, path).not.toMatch(/moonshot/i)
    for (const path of ['/sitemap.xml', '/llms.txt', '/llms-full.txt', '/rss.xml'])
      expect((await site.ask(path)).text, path).not.toMatch(/Unlisted|Hidden words|Shy/)
  })

  test('overviews list pages as Markdown, and hold their text', async () => {
    const overview = await site.ask('/llms.txt')
    expect(overview.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(overview.text).toContain(`- [Links](${root()}/links.md): Where to go.`)
    const full = await site.ask('/llms-full.txt')
    expect(full.text).toContain('# Start')
    expect(full.text).toContain(`<!-- ${root()}/use -->`)
  })

  test('the feed tells of the latest change first, whatever titles say', async () => {
    const own = await publishedSite(kit, [{ title: 'Old' }, { title: 'Evil <script>&\u0007' }])
    const known = await pageIds(kit, own.spaceId)
    kit.clock.advance(60_000)
    await edit(kit, own.spaceId, known.Old ?? '', 'New words.')
    const { text, headers } = await own.ask('/rss.xml')
    expect(headers['content-type']).toBe('application/rss+xml; charset=utf-8')
    expect([...text.matchAll(/<item><title>([^<]*)/g)].map(([, title]) => title)).toEqual([
      'Old',
      'Evil &#60;script&#62;&#38;',
    ])
    expect(text).not.toContain('\u0007')
  })

  test('a change is there with the next request', async () => {
    const own = await publishedSite(kit, [{ title: 'Start' }, { title: 'Page', markdown: 'First.' }])
    const known = await pageIds(kit, own.spaceId)
    for (const path of ['/page.md', '/llms-full.txt']) expect((await own.ask(path)).text).toContain('First.')
    await edit(kit, own.spaceId, known.Page ?? '', 'Second.')
    for (const path of ['/page.md', '/llms-full.txt']) expect((await own.ask(path)).text).toContain('Second.')
  })

  test('a site that is unlisted or private is in no index', async () => {
    const unlisted = await publishedSite(kit, [{ title: 'Start' }], { visibility: 'unlisted' })
    expect((await unlisted.ask('/sitemap.xml')).status).toBe(404)
    expect((await unlisted.ask('/robots.txt')).text).toBe('User-agent: *\nDisallow: /\n')
    for (const path of ['', '/start.md', '/llms.txt', '/rss.xml'])
      expect((await unlisted.ask(path)).headers['x-robots-tag'], path).toMatch(/^noindex/)
    const shut = await publishedSite(kit, [{ title: 'Start' }], { visibility: 'share-link' })
    for (const path of [...files, '/start.md', '/~mcp']) expect((await shut.ask(path)).status, path).toBe(404)
    const link = await kit.as.admin.createSiteShareLink({
      organizationId: shut.organizationId,
      siteId: shut.siteId,
      body: { name: 'Key' },
    })
    const mark = new URL(link.urls.published ?? '').pathname.slice(shut.base.length)
    const cookie = cookiesOf(await shut.ask(mark))
    for (const path of ['/robots.txt', '/llms.txt', '/rss.xml', '/start.md']) {
      const { status, headers } = await shut.ask(path, { headers: { cookie } })
      expect([status, headers['cache-control']], path).toEqual([200, expect.stringMatching(/^private/)])
    }
    expect((await shut.ask('/sitemap.xml', { headers: { cookie } })).status).toBe(404)
  })

  test('a site that is not for agents has nothing for them', async () => {
    const own = await publishedSite(kit, [{ title: 'Start' }])
    const params = { organizationId: own.organizationId, siteId: own.siteId }
    await kit.as.admin.updateSiteById({ ...params, body: { agentsContext: 'excluded' } })
    for (const path of ['/llms.txt', '/llms-full.txt', '/~mcp']) expect((await own.ask(path)).status, path).toBe(404)
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    expect((await own.ask('/~mcp', post)).status).toBe(404)
    expect((await own.ask('/robots.txt')).text).toMatch(
      /User-agent: GPTBot[\s\S]*Disallow: \/\n\nUser-agent: \*\nAllow: \//,
    )
    expect((await own.ask('/start.md')).status).toBe(200)
  })

  test('translations are told of where there are any, the same in the page and in the sitemap', async () => {
    const own = await publishedSite(kit, [{ title: 'Home' }])
    const params = { organizationId: own.organizationId, siteId: own.siteId }
    const both = [{ title: 'Install' }, { title: 'Use' }]
    const [english, german] = [
      await makeSpace(kit, 'English', [{ title: 'Start' }, ...both]),
      await makeSpace(kit, 'Deutsch', [{ title: 'Anfang' }, { title: 'Install' }]),
    ]
    await kit.as.admin.updateSpaceById({ spaceId: english, body: { language: 'en' } })
    await kit.as.admin.updateSpaceById({ spaceId: german, body: { language: 'de' } })
    const section = await kit.as.admin.addSectionToSite({ ...params, body: { spaceId: english, title: 'Manual' } })
    await kit.as.admin.addSpaceToSite({ ...params, body: { spaceId: german, sectionId: section.id } })
    const sitemap = (await own.ask('/sitemap.xml')).text
    const manual = `http://lectern.test${own.base}/manual`
    const addressesIn = (text: string) =>
      [...text.matchAll(/hreflang="([^"]*)" href="([^"]*)"/g)].map(([, language, href]) => [language, href])
    const inMap = (url: string) => addressesIn(sitemap.split('\n').find((line) => line.includes(`<loc>${url}<`)) ?? '')
    const expected = {
      '': [
        ['en', manual],
        ['de', `${manual}/deutsch`],
      ],
      '/install': [
        ['en', `${manual}/install`],
        ['de', `${manual}/deutsch/install`],
      ],
      '/use': [],
    }
    for (const [path, languages] of Object.entries(expected)) {
      expect(addressesIn((await own.ask(`/manual${path}`)).text), path).toEqual(languages)
      expect(inMap(`${manual}${path}`), path).toEqual(languages)
    }
    expect(addressesIn((await own.ask('/manual/deutsch/install')).text)).toEqual(
      expect.arrayContaining(expected['/install']),
    )
  })

  test('pages say what they are, for search engines and for previews', async () => {
    const { text } = await site.ask('/links')
    expect(text).toContain('<meta property="og:title" content="Links">')
    expect(text).toContain('<meta property="og:description" content="Where to go.">')
    expect(text).toContain(`<meta property="og:url" content="${root()}/links">`)
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? '[]')
    expect(data).toMatchObject([
      { '@type': 'TechArticle', headline: 'Links', url: `${root()}/links` },
      { '@type': 'BreadcrumbList', itemListElement: [{ position: 1, name: 'Links', item: `${root()}/links` }] },
    ])
    const odd = await site.ask(`/${(await pathOf('A <b>"tag"</b> & more')).replace(/^\//, '')}`)
    const block = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(odd.text)?.[1] ?? ''
    expect(JSON.parse(block)[0].headline).toBe('A <b>"tag"</b> & more')
    expect(block).not.toContain('<')
  })

  const pathOf = async (title: string) => {
    const { pages } = await kit.as.admin.listPages({ spaceId: site.spaceId })
    return pages.find((page) => page.title === title)?.path ?? ''
  }

  test('the overview is also Markdown, and so is the root', async () => {
    const overview = await site.ask('/sitemap.md')
    expect(overview.headers['content-type']).toContain('text/markdown')
    expect(overview.text).toBe((await site.ask('/llms.txt')).text)
    for (const path of ['.md', '/.md', '/index.md']) expect((await site.ask(path)).text, path).toContain('# Start')
  })

  describe('assistants', () => {
    const connected = async (own: PublishedSite, headers: Record<string, string> = {}) => {
      const url = new URL(`http://127.0.0.1:${await portOf(kit as Kit)}${own.base}/~mcp`)
      const client = new Client({ name: 'test', version: '1' })
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
      return client
    }
    const text = async (client: Client, name: string, given: Record<string, unknown>) => {
      const { content } = await client.callTool({ name, arguments: given })
      const [first] = content as { text: string }[]
      return first?.text ?? ''
    }

    test('search and read what anyone sees', async () => {
      const client = await connected(site)
      const { tools } = await client.listTools()
      expect(tools.map((tool) => tool.name)).toEqual(['search', 'read_page'])
      const found = JSON.parse(await text(client, 'search', { query: 'zebra' }))
      expect(found).toMatchObject([{ title: 'Start', url: root(), text: expect.stringContaining('zebra') }])
      for (const page of ['use', '/use', '/use.md', `${site.base}/use`, `${root()}/use#part`])
        expect(await text(client, 'read_page', { page }), page).toContain('# Use')
      expect(await text(client, 'read_page', { page: '' })).toContain('# Start')
      expect(await text(client, 'read_page', { page: 'moonshot' })).toBe('There is no such page.')
      expect(await text(client, 'read_page', { page: '../../../etc/passwd' })).toBe('There is no such page.')
      expect(await text(client, 'search', { query: 'moonshot' })).toBe('Nothing was found.')
      const wrong = await client.callTool({ name: 'search', arguments: { query: '' } })
      expect(wrong.isError).toBe(true)
      await client.close()
    })

    test('who is admitted to more finds more', async () => {
      const client = await connected(site, { cookie: await asBeta() })
      expect(await text(client, 'search', { query: 'moonshot' })).toContain('/moonshot')
      expect(await text(client, 'read_page', { page: 'moonshot' })).toContain('zebra plans')
      await client.close()
    })

    test('are also met at a path that ends in /mcp, and by pages of other origins', async () => {
      const url = new URL(`http://127.0.0.1:${await portOf(kit as Kit)}${site.base}/~mcp/mcp`)
      const client = new Client({ name: 'test', version: '1' })
      await client.connect(
        new StreamableHTTPClientTransport(url, { requestInit: { headers: { origin: 'https://a.example' } } }),
      )
      expect((await client.listTools()).tools).toHaveLength(2)
      await client.close()
      for (const path of ['/~mcp', '/~mcp/mcp']) {
        const asked = await site.ask(path, { method: 'OPTIONS', headers: { origin: 'https://a.example' } })
        expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([204, '*'])
        expect(asked.headers['access-control-allow-headers']).toContain('mcp-protocol-version')
        expect(asked.headers).not.toHaveProperty('access-control-allow-credentials')
        expect((await site.ask(path)).headers['access-control-allow-origin']).toBe('*')
      }
      expect(
        (await site.ask('/~mcp/other', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }))
          .status,
      ).toBe(404)
      expect((await site.ask('/use', { method: 'OPTIONS' })).status).toBe(405)
    })

    test('what is no message is refused, and never breaks', async () => {
      const post = (body: string, headers: Record<string, string> = {}) =>
        site.ask('/~mcp', {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
          body,
        })
      expect((await site.ask('/~mcp')).status).toBe(405)
      for (const body of ['', 'x', '[]', '{}', '{"jsonrpc":"2.0"}', 'null', '[[[['])
        expect((await post(body)).status, body).toBeLessThan(500)
      expect((await post(`"${'x'.repeat(70_000)}"`)).status).toBe(413)
      const listen = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} })
      expect((await post(listen)).status).toBeLessThan(500)
    })
  })
})

test('more pages than a file may hold are an index and its parts', () => {
  const siteSpace = { id: 'p', sectionId: null, about: { space: {} } } as unknown as ServedSpace
  const profile = { structure: { groups: [], sections: [], spaces: [siteSpace] } } as unknown as Profile
  const pages = ['a', 'b', 'c', 'd', 'e'].map((path) => {
    return { page: { id: path, title: path, path }, siteSpace, url: `https://x.test/${path}` } as unknown as Listed
  })
  const index = wholeMap('https://x.test', profile, pages, 2)
  expect(index).toContain('<sitemapindex')
  expect(index.match(/<loc>/g)).toHaveLength(3)
  expect(index).toContain('<loc>https://x.test/sitemap-3.xml</loc>')
  expect(partOf(profile, pages, 3, 2)).toContain('<loc>https://x.test/e</loc>')
  expect(partOf(profile, pages, 4, 2)).toBeUndefined()
  expect(wholeMap('https://x.test', profile, pages)).toContain('<urlset')
})
