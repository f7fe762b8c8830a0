/** Pages of published sites, as readers get them over a real connection. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { Cache } from '../../../src/core/caches.ts'
import { makeSpace } from '../../api/sites/site-things.ts'
import { eachBackend } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { type Ask, asker, edit, pageIds, publishedSite, type Reading } from './site-kit.ts'

eachBackend((backend) => {
  const kit = useKit(backend)

  describe('a page with the path of something else as its slug', () => {
    const pages = (...titles: string[]) => titles.map((title) => ({ title, markdown: `Words of ${title}.` }))
    const locations = (text: string) => [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url ?? '')

    test('is met at its own address when it is the path of the place it stands in', async () => {
      const space = await makeSpace(kit, 'Install', pages('Welcome', 'Install'))
      const params = { organizationId: kit.organization }
      const made = await kit.as.admin.createSite({ ...params, body: { title: 'Namesake', spaces: [space] } })
      await kit.as.admin.publishSite({ ...params, siteId: made.id })
      const ask = await asker(kit, `/sites/${made.basename}`)
      expect((await ask('/install')).text).toContain('Words of Install.')
      expect((await ask('/install.md')).text).toContain('Words of Install.')
      expect((await ask('')).text).toContain('Words of Welcome.')
      expect((await ask('/install/install')).text).toContain('Words of Install.')
      expect((await ask('/install/welcome')).text).toContain('Words of Welcome.')
      const url = `http://lectern.test/sites/${made.basename}/install`
      const answer = await kit.as.nobody.resolvePublishedContentByUrl({ body: { url, visitor: {} } })
      expect(answer).toMatchObject({ pathname: 'install', canonicalUrl: url, complete: true })
    })

    test('has a long address when it is the path of a section or of a space beside its own', async () => {
      const main = await makeSpace(kit, 'Main', pages('Welcome', 'API', 'V1', 'Other'))
      const [api, old] = [await makeSpace(kit, 'Api', pages('Calls', 'Old')), await makeSpace(kit, 'V1', pages('Then'))]
      const params = { organizationId: kit.organization }
      const made = await kit.as.admin.createSite({ ...params, body: { title: 'Shadowed', spaces: [main, old] } })
      const site = { ...params, siteId: made.id }
      const { id: section } = await kit.as.admin.addSectionToSite({ ...site, body: { spaceId: api, title: 'API' } })
      const beside = await makeSpace(kit, 'Old', pages('Past'))
      await kit.as.admin.addSpaceToSite({ ...site, body: { spaceId: beside, sectionId: section } })
      await kit.as.admin.publishSite(site)
      const base = `/sites/${made.basename}`
      const ask = await asker(kit, base)
      const found = locations((await ask('/sitemap.xml')).text)
      const root = `http://lectern.test${base}`
      const long = [`${root}/shadowed/main/api`, `${root}/shadowed/main/v1`, `${root}/api/api/old`]
      expect(found).toEqual(expect.arrayContaining([root, ...long, `${root}/other`, `${root}/v1`, `${root}/api`]))
      expect(found).toHaveLength(new Set(found).size)
      for (const [path, words] of [
        ['/shadowed/main/api', 'API'],
        ['/shadowed/main/v1', 'V1'],
        ['/api/api/old', 'Old'],
        ['/api', 'Calls'],
        ['/v1', 'Then'],
      ] as const)
        expect((await ask(path)).text, path).toContain(`Words of ${words}.`)
      expect((await ask('')).text).toContain(`href="${base}/shadowed/main/api"`)
      expect((await ask('/shadowed/main/api')).text).toContain(`<link rel="canonical" href="${long[0]}">`)
      expect((await ask('/llms.txt')).text).toContain(`(${long[1]}.md)`)
      expect((await ask('/shadowed/main/v1.md')).text).toContain('Words of V1.')
      const answer = await kit.as.nobody.resolvePublishedContentByUrl({ body: { url: long[0] ?? '', visitor: {} } })
      expect(answer).toMatchObject({ pathname: 'api', canonicalUrl: long[0] })
    })
  })

  describe('a page', () => {
    test('has its text, its place in the tree, its neighbours and its own address', async () => {
      const { ask, base } = await publishedSite(kit, [
        { title: 'Start', markdown: 'Welcome, **reader**.' },
        { title: 'Install', markdown: '## Steps\n\nRun it.' },
        { title: 'Operate' },
      ])
      const first = await ask('')
      expect(first.status).toBe(200)
      expect(first.text).toContain('<p>Welcome, <strong>reader</strong>.</p>')
      expect(first.text).toContain(`<a href="${base}" aria-current="page">Start</a>`)
      expect(first.text).toContain(`<link rel="canonical" href="http://lectern.test${base}">`)
      const second = await ask('/install')
      expect(second.text).toContain('id="steps"')
      expect(second.text).toContain(`<link rel="prev" href="${base}">`)
      expect(second.text).toContain(`<link rel="next" href="${base}/operate">`)
    })

    test('asks for nothing of its site and its space while nothing was committed', async () => {
      const { ask } = await publishedSite(kit, [{ title: 'Start' }, { title: 'Next', markdown: '[Start](start.md)' }])
      kit.db.caches.checksCachedRows = false
      const statements = vi.spyOn(kit.db, 'all')
      try {
        await ask('')
        const first = statements.mock.calls.length
        expect((await ask('/next')).status).toBe(200)
        const asked = statements.mock.calls.slice(first).map(([{ sql }]) => sql)
        expect(first).toBeGreaterThan(0)
        expect(asked.filter((sql) => /"(?:site|space|siteSpace|siteSection|member)"/.test(sql))).toEqual([])
        // On PostgreSQL commits to other databases of the server count too: it may have to be asked whether these were meant.
        const versions = asked.filter((sql) => sql.includes('"rowVersion"'))
        expect(versions.length).toBeLessThanOrEqual(backend.name === 'sqlite' ? 0 : 2)
      } finally {
        statements.mockRestore()
        kit.db.caches.checksCachedRows = true
      }
    })

    test('shows its tags below its title, unless its layout hides them', async () => {
      const page = (title: string, layout: string) => ({
        title,
        markdown: `---\ntags: [Beta, "<b>"]\n${layout}---\nWords.`,
      })
      const { ask } = await publishedSite(kit, [
        page('Shown', ''),
        page('Hidden', 'layout:\n  tags:\n    visible: false\n'),
      ])
      expect((await ask('/shown')).text).toContain('<li class="chip">Beta</li><li class="chip">&lt;b&gt;</li></ul>')
      const hidden = await ask('/hidden')
      expect(hidden.status).toBe(200)
      expect(hidden.text).not.toContain('Beta')
    })

    test('is sent with headers that let nothing foreign run, and that let anyone keep it until it changes', async () => {
      const { ask } = await publishedSite(kit, [{ title: 'Start' }])
      const { headers } = await ask('')
      expect(headers['content-security-policy']).toMatch(
        /default-src 'none'; script-src 'self'; style-src 'self'[^']*;/,
      )
      expect(headers['content-security-policy']).toContain("frame-ancestors 'self'")
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=0, must-revalidate',
        'content-type': 'text/html; charset=utf-8',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'x-content-type-options': 'nosniff',
      })
      expect(headers['set-cookie']).toBeUndefined()
      expect(headers['x-robots-tag']).toBeUndefined()
    })

    test('is not sent again to who holds it, compressed to who takes that, and without a body to HEAD', async () => {
      const { ask } = await publishedSite(kit, [{ title: 'Start', markdown: 'Words. '.repeat(500) }])
      const whole = await ask('')
      const etag = String(whole.headers.etag)
      const held = await ask('', { headers: { 'if-none-match': etag } })
      expect([held.status, held.text, held.headers.etag]).toEqual([304, '', etag])
      expect((await ask('', { headers: { 'if-none-match': 'W/"other"' } })).status).toBe(200)
      const zipped = await ask('', { headers: { 'accept-encoding': 'gzip, br;q=0' } })
      expect(zipped.headers['content-encoding']).toBe('gzip')
      expect(gunzipSync(zipped.bytes).toString()).toBe(whole.text)
      const better = await eventually(
        () => ask('', { headers: { 'accept-encoding': 'gzip, br' } }),
        (answer) => answer.headers['content-encoding'] === 'br',
      )
      expect(brotliDecompressSync(better.bytes).toString()).toBe(whole.text)
      const head = await ask('', { method: 'HEAD' })
      expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(whole.bytes.length)])
    })

    test('is read alone, whatever places of other pages it links to', async () => {
      const titles = Array.from({ length: 12 }, (_, n) => `Page ${n}`)
      const { ask, spaceId } = await publishedSite(kit, [
        { title: 'Start' },
        ...titles.map((title) => ({ title, markdown: `## First\n\nWords of ${title}.` })),
      ])
      const ids = await pageIds(kit, spaceId)
      await edit(kit, spaceId, ids.Start ?? '', titles.map((title) => `[to](/pages/${ids[title]}#first)`).join(' '))
      for (const cache of kit.db.caches.list()) if (cache instanceof Cache) cache.clear()
      const all = vi.spyOn(kit.db, 'all')
      const { text } = await ask('')
      const ofDocuments = all.mock.calls.filter(([{ sql }]) => sql.includes('from "document"'))
      all.mockRestore()
      expect(text.match(/page-\d+#first"/g)).toHaveLength(titles.length)
      expect(ofDocuments).toHaveLength(1)
    })

    test('in a level that was read before asks for itself alone, with links to its neighbours', async () => {
      const { ask, base, spaceId } = await publishedSite(kit, [
        { title: 'Start' },
        { title: 'Second' },
        { title: 'Third', markdown: 'Words.' },
      ])
      const ids = await pageIds(kit, spaceId)
      await edit(kit, spaceId, ids.Third ?? '', `[start](/pages/${ids.Start}) [second](/pages/${ids.Second}#x)`)
      await ask('/second')
      const asked: string[] = []
      const runners = [...kit.server.runners.values()]
      const runs = runners.map(({ run }) => run)
      for (const plan of runners) {
        const { run } = plan
        plan.run = (request) => {
          if (request.actor?.visitor) asked.push(plan.name)
          return run(request)
        }
      }
      const { text } = await ask('/third')
      for (const [at, plan] of runners.entries()) Object.assign(plan, { run: runs[at] })
      expect(text).toContain(`<a href="${base}">start</a> <a href="${base}/second#x">second</a>`)
      expect(asked).toEqual(['getPageById'])
    })

    test('leads on by references: to pages, anchors as others spell them, files and spaces of the site', async () => {
      const other = await makeSpace(kit, 'Other')
      const { ask, base, spaceId, ...site } = await publishedSite(kit, [
        { title: 'Start' },
        { title: 'Target', markdown: '## Issue/Verify it\n\nWords.' },
      ])
      await kit.as.admin.addSpaceToSite({ ...site, body: { spaceId: other } })
      const files = await kit.as.admin.updateSpaceContent({
        spaceId,
        body: {
          changes: [
            {
              operation: 'insert_files',
              files: [{ name: 'a b.png', contentType: 'image/png', base64: png }],
            },
          ],
        },
      })
      const file = files.insertedFiles[0]?.file.id
      const ids = await pageIds(kit, spaceId)
      await edit(
        kit,
        spaceId,
        ids.Start ?? '',
        `[page](/pages/${ids.Target}) [anchor](/pages/${ids.Target}#issueverify-it) [space](/spaces/${other}) ![picture](/files/${file}) [gone](/pages/aaaaaaaaaaaaaaaaaaaa)`,
      )
      const { text } = await ask('')
      expect(text).toContain(`<a href="${base}/target">page</a>`)
      expect(text).toContain(`<a href="${base}/target#issueverify-it">anchor</a>`)
      expect((await ask('/target')).text).toContain('<h2 id="issue-verify-it"><span id="issueverify-it"></span>Issue')
      expect(text).toContain(`<a href="${base}/other">space</a>`)
      const source = /<img[^>]* src="([^"]+)"/.exec(text)?.[1] ?? ''
      expect(source).toMatch(new RegExp(`^${base}/~files/${spaceId}/${file}/[\\w-]{8}/a%20b.png$`))
      const served = await (await asker(kit))(source)
      expect([served.status, served.headers['content-type']]).toEqual([200, 'image/png'])
      expect(served.bytes.toString('base64')).toBe(png)
      expect(text).not.toContain('aaaaaaaaaaaaaaaaaaaa')
      // Under another tag it is another address, which leads to the right one.
      const stale = await (await asker(kit))(source.replace(/\/[\w-]{8}\/a/, '/00000000/a'))
      expect([stale.status, stale.headers.location]).toEqual([307, source])
    })
  })

  describe('paths', () => {
    test('that lead to a page by another name lead to its own', async () => {
      const { ask, base, spaceId, ...site } = await publishedSite(kit, [{ title: 'Start' }, { title: 'Before' }])
      const ids = await pageIds(kit, spaceId)
      await kit.as.admin.updateSpaceContent({
        spaceId,
        body: { changes: [{ operation: 'update_page', page: ids.Before ?? '', slug: 'after' }] },
      })
      await kit.as.admin.createSiteRedirect({
        ...site,
        body: { source: '/legacy', destination: { kind: 'path', path: '/after' } },
      })
      const leads = async (path: string) => {
        const { status, headers } = await ask(path)
        return [status, headers.location]
      }
      expect(await leads('/before')).toEqual([307, `${base}/after`])
      expect(await leads('/After')).toEqual([308, `${base}/after`])
      expect(await leads('/after/?a=1')).toEqual([308, `${base}/after?a=1`])
      expect(await leads('//after')).toEqual([308, `${base}/after`])
      expect(await leads('/')).toEqual([308, base])
      expect(await leads('/legacy')).toEqual([307, `http://lectern.test${base}/after`])
    })

    test('of groups lead to the first page in them', async () => {
      const { ask, base, spaceId } = await publishedSite(kit, [{ title: 'Start' }])
      const made = await kit.as.admin.updateSpaceContent({
        spaceId,
        body: { changes: [{ operation: 'insert_page', type: 'group', title: 'Guide', document: {} }] },
      })
      const [group] = made.changes
      const into = group?.object === 'created_page' ? group.page.id : ''
      expect((await ask('/guide')).status).toBe(404)
      await kit.as.admin.updateSpaceContent({
        spaceId,
        body: { changes: [{ operation: 'insert_page', title: 'Inside', into, document: { markdown: 'x' } }] },
      })
      const { status, headers } = await ask('/guide')
      expect([status, headers.location]).toEqual([307, `${base}/guide/inside`])
      expect((await ask('/guide/inside')).text).toContain('<span class="label">Guide</span>')
    })

    test.each(['/nowhere', '/start/deeper', '/..%2f..%2fv1', '/a%00b', '/%2e%2e/v1/orgs', '/~unknown', '/%'])(
      'that lead nowhere say so: %s',
      async (path) => {
        const { ask } = await publishedSite(kit, [{ title: 'Start' }])
        const { status, text, headers } = await ask(path)
        expect(status).toBe(404)
        expect(headers['content-type']).toBe('text/html; charset=utf-8')
        expect(text).not.toContain('lectern.test/v1')
      },
    )

    test('that lead nowhere offer what comes near', async () => {
      const { ask, base } = await publishedSite(kit, [{ title: 'Start' }, { title: 'Backup and restore' }])
      const { status, text } = await ask('/operate/backup')
      expect(status).toBe(404)
      expect(text).toContain(`<a href="${base}/backup-and-restore">`)
    })

    test('under a host of its own are the site’s, and the API is elsewhere', async () => {
      const { ask: _, ...site } = await publishedSite(kit, [{ title: 'Start' }, { title: 'Install' }])
      await kit.as.admin.updateSiteById({
        organizationId: site.organizationId,
        siteId: site.siteId,
        body: { hostname: 'docs.readers.org' },
      })
      const ask = await asker(kit)
      const on = (path: string): Promise<Reading> => ask(path, { headers: { host: 'docs.readers.org' } })
      const home = await on('/')
      expect(home.status).toBe(200)
      expect(home.text).toContain('<a href="/install">Install</a>')
      expect((await on('/install')).text).toContain('<link rel="canonical" href="http://docs.readers.org/install">')
      expect((await on('/v1/orgs')).status).toBe(404)
      expect((await on('/v1/orgs')).headers['content-type']).toBe('text/html; charset=utf-8')
      const otherHost = await ask('/v1/orgs', { headers: { host: 'other.readers.org' } })
      expect(otherHost.headers['content-type']).toBe('application/json; charset=utf-8')
    })
  })

  describe('beside the pages', () => {
    test('the files that pages name are there, for ever', async () => {
      const { ask, base } = await publishedSite(kit, [{ title: 'Start' }])
      const { text } = await ask('')
      const named = [...text.matchAll(/(?:href|src)="([^"]+~assets\/[^"]+)"/g)].map((match) => match[1] ?? '')
      expect(named.length).toBeGreaterThan(3)
      for (const path of named) {
        const file = await ask(path.slice(base.length), { headers: { 'accept-encoding': 'gzip' } })
        expect([path, file.status, file.headers['cache-control']]).toEqual([
          path,
          200,
          'public, max-age=31536000, immutable',
        ])
      }
      const css = named.find((path) => path.endsWith('.css')) ?? ''
      const style = (await ask(css.slice(base.length))).text
      const font = /url\(([^)]+\.woff2)\)/.exec(style)?.[1] ?? ''
      const beside = new URL(font, `http://x${css}`).pathname
      expect((await ask(beside.slice(base.length))).headers['content-type']).toBe('font/woff2')
      expect((await ask('/~assets/../../v1')).status).toBe(404)
      expect((await ask('/~icon.svg')).headers['content-type']).toBe('image/svg+xml')
    })

    test('search finds pages with the words marked, as JSON and as a page', async () => {
      const { ask, base } = await publishedSite(kit, [
        { title: 'Start', markdown: 'Nothing here.' },
        { title: 'Backups', markdown: '## Every night\n\nA backup of the <b>database</b> is made.' },
      ])
      const found = JSON.parse((await ask('/~search?q=database', { headers: { accept: 'application/json' } })).text)
      expect(found.pages).toMatchObject([{ href: `${base}/backups`, title: ['Backups'] }])
      expect(found.pages[0].sections[0]).toMatchObject({ href: `${base}/backups#every-night` })
      expect(found.pages[0].sections[0].snippet[1]).toBe('database')
      const none = JSON.parse((await ask('/~search?q=zebra', { headers: { accept: 'application/json' } })).text)
      expect(none).toEqual({ query: 'zebra', pages: [], near: [] })
      const page = await ask('/~search?q=database')
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(page.text).toContain('<mark>database</mark>')
    })

    test('feedback is counted and kept, and its sender is led back', async () => {
      const { ask, base, spaceId, ...site } = await publishedSite(kit, [{ title: 'Start' }, { title: 'Install' }])
      const { text } = await ask('/install')
      const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? ''
      const send = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
        ask('/~feedback', {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
          body: String(new URLSearchParams(fields)),
        })
      const given = { page: field('page'), place: field('place'), rating: 'bad' }
      const sent = await send(given)
      expect([sent.status, sent.headers.location]).toEqual([303, `${base}/install`])
      await send({ ...given, comment: 'More examples.' })
      expect((await send({ ...given, place: 'someone-else' })).status).toBe(303)
      expect((await send(given, { origin: 'https://evil.example' })).status).toBe(403)
      expect((await send({ comment: 'x'.repeat(20_000) })).status).toBe(413)
      const day = kit.clock.now().toISOString().slice(0, 10)
      const { events } = await kit.as.admin.aggregateSiteEvents({ ...site, body: { from: day, to: day } })
      const counted = events
        .filter(({ type }) => type !== 'page_view')
        .map(({ type, count, page }) => [type, count, page])
      expect(counted.sort()).toEqual([
        ['page_post_feedback', 1, given.page],
        ['page_post_feedback_comment', 1, given.page],
      ])
    })

    test('views are counted together, without those of machines, of browsers that only think ahead, and of previews', async () => {
      const { ask, spaceId, ...site } = await publishedSite(kit, [{ title: 'Start' }])
      const as = (agent: string, more: Record<string, string> = {}) =>
        ask('', { headers: { 'user-agent': agent, ...more } })
      for (let i = 0; i < 3; i++) await as('Mozilla/5.0')
      await as('Googlebot/2.1')
      await as('Mozilla/5.0', { 'x-prefetch': '1' })
      await ask('', { method: 'HEAD', headers: { 'user-agent': 'Mozilla/5.0' } })
      const { previewURL } = await kit.as.admin.getSitePublishingPreviewById(site)
      const cookie = `lectern-preview=${previewURL.split('/').at(-1)}`
      for (let i = 0; i < 2; i++)
        expect((await as('Mozilla/5.0', { cookie })).headers['cache-control']).toBe('private, no-store')
      await kit.server.published.stop()
      const day = kit.clock.now().toISOString().slice(0, 10)
      const { events } = await kit.as.admin.aggregateSiteEvents({
        ...site,
        body: { from: day, to: day, type: 'page_view' },
      })
      const ids = await pageIds(kit, spaceId)
      expect(events.map(({ count, page }) => [count, page])).toEqual([[3, ids.Start]])
    })

    test('other methods are refused', async () => {
      const { ask } = await publishedSite(kit, [{ title: 'Start' }])
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
        const { status } = await ask('', { method, headers: { 'content-type': 'application/x-www-form-urlencoded' } })
        expect([method, status]).toEqual([method, 405])
      }
    })
  })

  describe('sections and variants', () => {
    test('stand over the page and lead to the page that stands for this one', async () => {
      const [one, two, german] = await Promise.all([
        makeSpace(kit, 'v1', [{ title: 'Start' }, { title: 'Install' }]),
        makeSpace(kit, 'v2', [{ title: 'Start' }, { title: 'Install' }]),
        makeSpace(kit, 'Deutsch', [{ title: 'Start' }]),
      ])
      await kit.as.admin.updateSpaceById({ spaceId: german, body: { language: 'de' } })
      const { ask, base, ...site } = await publishedSite(kit, [{ title: 'Home' }])
      const params = { organizationId: site.organizationId, siteId: site.siteId }
      const section = await kit.as.admin.addSectionToSite({ ...params, body: { spaceId: one, title: 'Manual' } })
      await kit.as.admin.addSpaceToSite({ ...params, body: { spaceId: two, sectionId: section.id } })
      await kit.as.admin.addSpaceToSite({ ...params, body: { spaceId: german, sectionId: section.id } })
      for (const spaceId of [one, two]) await kit.as.admin.updateSpaceById({ spaceId, body: { language: 'en' } })
      const page = await ask('/manual/install')
      expect(page.status).toBe(200)
      // Versions are called by their own names, languages by the name of the language.
      const choicesIn = (name: string) => {
        const menu = new RegExp(`<details class="menu ${name}".*?</details>`, 's').exec(page.text)?.[0] ?? ''
        return [...menu.matchAll(/<a[^>]*>([^<]*)/g)].map(([, title]) => title)
      }
      expect(choicesIn('version')).toEqual(['v1', 'v2'])
      expect(choicesIn('language')).toEqual(['English', 'Deutsch'])
      expect(page.text).toContain(`href="${base}/manual/v2/install"`)
      expect(page.text).toContain(`href="${base}/manual/deutsch"`)
      expect(page.text).toMatch(/aria-current="true"[^>]*>.*?Manual/)
      const translated = await ask('/manual/deutsch')
      expect(translated.text).toContain('<html lang="de"')
      expect(translated.text).toContain(`hreflang="de" href="http://lectern.test${base}/manual/deutsch"`)
    })
  })
})

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Compression is done beside; it comes soon. */
async function eventually(ask: () => ReturnType<Ask>, isDone: (answer: Reading) => boolean): Promise<Reading> {
  for (let attempt = 0; ; attempt++) {
    const answer = await ask()
    if (isDone(answer) || attempt === 100) return answer
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
