/** A site says of itself what its readers type: under the common address, a host of its own, a proxy, a folder of a host. */
import { describe, expect, test } from 'vitest'
import { eachBackend, sqlite } from '../../kit/backends.ts'
import { type Kit, useKit } from '../../kit/server.ts'
import { asker, edit, type PublishedSite, pageIds, paramsOf, publishedSite, shareLink, tokenFor } from './site-kit.ts'

interface Arrangement {
  /** What the owner sets. */
  site?: { hostname?: string; proxy?: string }
  /** What readers type; `{}` is the basename. */
  root: string
  /** What the request says when it reaches us. */
  host: string
  path: string
  /** Where the site's link to the installation leads. */
  reference: string
}

const own = { hostname: 'docs.readers.org' }
const behind = { proxy: 'www.readers.org/help/docs' }

const plain: Record<string, Arrangement> = {
  'the common address': {
    root: 'http://lectern.test/sites/{}',
    host: 'lectern.test',
    path: '/sites/{}',
    reference: '/reference',
  },
  'the common address, by a proxy that calls us by a number': {
    root: 'http://lectern.test/sites/{}',
    host: '127.0.0.1:4000',
    path: '/sites/{}',
    reference: '/reference',
  },
  'the common address, by a proxy that calls us by a name of its own': {
    root: 'http://lectern.test/sites/{}',
    host: 'lectern.internal.example',
    path: '/sites/{}',
    reference: '/reference',
  },
  'a host of its own': {
    site: own,
    root: 'http://docs.readers.org',
    host: 'docs.readers.org',
    path: '',
    reference: 'http://lectern.test/reference',
  },
  'a host of its own, with the dot that ends a full name': {
    site: own,
    root: 'http://docs.readers.org',
    host: 'docs.readers.org.',
    path: '',
    reference: 'http://lectern.test/reference',
  },
  'a proxy that passes host and path on': {
    site: behind,
    root: 'https://www.readers.org/help/docs',
    host: 'www.readers.org',
    path: '/help/docs',
    reference: 'http://lectern.test/reference',
  },
  'a proxy that asks at the common address': {
    site: behind,
    root: 'https://www.readers.org/help/docs',
    host: 'lectern.test',
    path: '/sites/{}',
    reference: 'http://lectern.test/reference',
  },
}

const apart: Record<string, Arrangement> = {
  'sites on a host apart': {
    root: 'https://docs.lectern.test/all/{}',
    host: 'docs.lectern.test',
    path: '/all/{}',
    reference: 'https://lectern.test/reference',
  },
}

const folder = { root: 'https://www.lectern.test/kb/sites/{}', reference: '/kb/reference' }
const inFolder: Record<string, Arrangement> = {
  'a proxy that takes the name of the folder off': { ...folder, host: 'www.lectern.test', path: '/sites/{}' },
  'a proxy that leaves it on': { ...folder, host: 'www.lectern.test', path: '/kb/sites/{}' },
  'a proxy that takes it off and calls us by a number': { ...folder, host: '127.0.0.1', path: '/sites/{}' },
  'a host of its own with a folder of that name': {
    site: own,
    root: 'https://docs.readers.org',
    host: 'docs.readers.org',
    path: '',
    reference: 'https://www.lectern.test/kb/reference',
  },
}

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function siteWith(kit: Kit, given: Arrangement['site']): Promise<PublishedSite> {
  const site = await publishedSite(kit, [{ title: 'Start' }, { title: 'Kb', markdown: 'Words about zebras.' }])
  const { spaceId } = site
  const change = await kit.as.admin.updateSpaceContent({
    spaceId,
    body: {
      changes: [
        { operation: 'insert_files', files: [{ name: 'a.png', contentType: 'image/png', base64: png }] },
        { operation: 'insert_page', title: 'Old', document: { markdown: 'Moved.' } },
      ],
    },
  })
  const ids = await pageIds(kit, spaceId)
  const file = change.insertedFiles[0]?.file.id
  await edit(kit, spaceId, ids.Start ?? '', `[kb](/pages/${ids.Kb}) ![picture](/files/${file})`)
  await kit.as.admin.updateSpaceContent({
    spaceId,
    body: { changes: [{ operation: 'update_page', page: ids.Old ?? '', slug: 'new' }] },
  })
  const customization = await kit.as.admin.getSiteCustomizationById(paramsOf(site))
  const links = [{ title: 'Installation', to: { kind: 'url' as const, url: `${kit.env.urls.app}/reference` } }]
  await kit.as.admin.updateSiteCustomizationById({
    ...paramsOf(site),
    body: { ...customization, header: { ...customization.header, links }, feedback: { enabled: true } },
  } as Parameters<Kit['as']['admin']['updateSiteCustomizationById']>[0])
  if (given) await kit.as.admin.updateSiteById({ ...paramsOf(site), body: given })
  return site
}

/** What a reader sees, walked as they would: each address is asked for where their browser would ask. */
async function walk(kit: Kit, { site: given, ...arrangement }: Arrangement): Promise<void> {
  const site = await siteWith(kit, given)
  const filled = (text: string) => text.replace('{}', site.basename)
  const [root, path] = [filled(arrangement.root), filled(arrangement.path)]
  const below = new URL(root).pathname.replace(/\/$/, '')
  const ask = await asker(kit)
  /** From the address that the reader has to what reaches us. */
  const read = (
    address: string,
    options: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ) => {
    const { pathname, search } = new URL(address, root)
    expect(`${pathname}/`, address).toContain(`${below}/`)
    const headers = { host: arrangement.host, ...options.headers }
    return ask(`${path}${pathname.slice(below.length)}${search}` || '/', { ...options, headers })
  }

  const start = await read(root)
  expect(start.status).toBe(200)
  expect(start.text).toContain(`<link rel="canonical" href="${root}">`)
  expect(start.text).toContain(`<meta property="og:url" content="${root}">`)
  expect(start.text).toMatch(new RegExp(`<a[^>]* href="${arrangement.reference}"`))
  const paths = [...start.text.matchAll(/ (?:href|src|action)="(\/[^"#]*)/g)].map(([, href]) => href ?? '')
  const isOurs = (href: string) => href !== arrangement.reference && !href.includes('~feedback')
  for (const href of new Set(paths.filter(isOurs))) {
    const answer = await read(new URL(href, root).href)
    expect([href, answer.status]).toEqual([href, 200])
  }
  expect(paths.some((href) => href.includes('/~files/'))).toBe(true)
  expect(paths).toContain(`${below}/kb`)

  const texts = { '/sitemap.xml': /<loc>([^<]+)/g, '/rss.xml': /<link>([^<]+)/g, '/llms.txt': /\]\((\S+)\)/g }
  for (const [name, pattern] of Object.entries(texts)) {
    const { text } = await read(`${root}${name}`)
    const found = [...text.matchAll(pattern)].map(([, url]) => url ?? '')
    expect(found.length, name).toBeGreaterThan(1)
    for (const url of found) expect(url.startsWith(root), `${name}: ${url}`).toBe(true)
  }
  expect((await read(`${root}/robots.txt`)).text).toContain(`Sitemap: ${root}/sitemap.xml`)
  expect((await read(`${root}/kb.md`)).headers.link).toBe(`<${root}/kb>; rel="canonical"`)
  expect((await read(`${root}/index.md`)).text).toContain(`](${root}/kb.md)`)

  const ledTo = async (address: string, options = {}) => (await read(address, options)).headers.location
  expect(await ledTo(`${root}/kb/`)).toBe(`${below}/kb`)
  expect(await ledTo(`${root}/old`)).toBe(`${below}/new`)
  const token = await tokenFor(kit, site)
  const signed = await read(`${root}/kb?jwt_token=${token}`)
  expect(signed.headers.location).toBe(`${below}/kb`)
  expect(signed.headers['set-cookie']?.[0]).toContain(`; Path=${below === '' ? '/' : below};`)
  const origin = new URL(root).origin
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin, referer: `${root}/kb` }
  expect(await ledTo(`${root}/~feedback`, { method: 'POST', headers: form, body: 'rating=good' })).toBe(`${below}/kb`)
  const found = await read(`${root}/~search?q=zebras`, { headers: { accept: 'application/json' } })
  expect(JSON.parse(found.text).pages).toMatchObject([{ href: `${below}/kb` }])
}

eachBackend((backend) => {
  const kit = useKit(backend)
  for (const [name, arrangement] of Object.entries(plain)) {
    test(name, async () => {
      await walk(kit, arrangement)
      // What one test gave to its site is free for the next.
      const { organization: organizationId } = kit
      for (const { id } of (await kit.as.admin.listSites({ organizationId })).items)
        await kit.as.admin.deleteSiteById({ organizationId, siteId: id })
    })
  }

  describe('a site with a host of its own, at the common address', () => {
    const led = async (site: PublishedSite, path: string, headers: Record<string, string> = {}) => {
      const ask = await asker(kit)
      const { status, headers: headersOf } = await ask(`${site.base}${path}`, {
        headers: { host: 'lectern.test', ...headers },
      })
      return { status, location: headersOf.location, cookies: headersOf['set-cookie'] }
    }

    test('leads to its host, with all that was asked for', async () => {
      const site = await publishedSite(kit, [{ title: 'Start' }, { title: 'Deep' }])
      await site.ask('/deep', { headers: { host: 'lectern.test' } })
      await kit.as.admin.updateSiteById({ ...paramsOf(site), body: { hostname: 'led.readers.org' } })
      expect(await led(site, '')).toMatchObject({ status: 302, location: 'http://led.readers.org/' })
      expect(await led(site, '/deep?a=1')).toMatchObject({ status: 302, location: 'http://led.readers.org/deep?a=1' })
      // A proxy that asks for readers of that host is served, else they would go in circles.
      expect((await led(site, '/deep', { 'x-forwarded-host': 'led.readers.org' })).status).toBe(200)
      expect((await led(site, '/deep', { 'x-forwarded-host': 'evil.example' })).location).toBe(
        'http://led.readers.org/deep',
      )
    })

    test('a share link goes along; without its key nothing is there', async () => {
      const site = await publishedSite(kit, [{ title: 'Start' }], { visibility: 'share-link' })
      const { path } = await shareLink(kit, site)
      await kit.as.admin.updateSiteById({ ...paramsOf(site), body: { hostname: 'shared.readers.org' } })
      expect(await led(site, `${path}/start`)).toEqual({
        status: 302,
        location: `http://shared.readers.org${path}/start`,
        cookies: undefined,
      })
      for (const wrong of ['', '/start', `${path}x`, path.replace('~share', 'other')])
        expect(await led(site, wrong)).toMatchObject({ status: 404, location: undefined })
    })
  })
})

const settings = { LECTERN_URL: 'https://lectern.test', LECTERN_SITES_URL: 'https://docs.lectern.test/all' }
describe('sites apart', () => {
  const kit = useKit(sqlite, { settings })
  for (const [name, arrangement] of Object.entries(apart)) test(name, () => walk(kit, arrangement))
})

describe('in a folder of another host', () => {
  const kit = useKit(sqlite, { settings: { LECTERN_URL: 'https://www.lectern.test/kb' } })
  for (const [name, arrangement] of Object.entries(inFolder)) test(name, () => walk(kit, arrangement))

  test('the pages around are found there, too', async () => {
    const ask = await asker(kit)
    for (const path of ['', '/kb']) {
      const on = (rest: string) => ask(`${path}${rest}`, { headers: { host: 'www.lectern.test' } })
      expect((await on('/')).text).toContain('href="/kb/reference"')
      expect((await on('/reference')).text).toContain('src="/kb/reference/~assets/')
      expect((await on('/v1/openapi.json')).status).toBe(200)
      expect((await on('/healthz')).status).toBe(200)
    }
    const bare = await ask('/kb', { headers: { host: 'www.lectern.test' } })
    expect([bare.status, bare.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  })
})
