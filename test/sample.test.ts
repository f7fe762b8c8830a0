/** The first start: the guide as a published site, whole and once, whatever happens; and the page at `/` that leads to it. */
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { listFolder } from '../src/cli/folder.ts'
import { entriesOf } from '../src/core/book/parts.ts'
import { gatherBook } from '../src/domain/pdf/gather.ts'
import { makeSample } from '../src/domain/sample.ts'
import { sampleUrl } from '../src/domain/sample-note.ts'
import { setUp } from '../src/domain/setup.ts'
import { open } from '../src/open.ts'
import { readConfig, variables } from '../src/platform/config.ts'
import { countByStatus } from '../src/store/content/links.ts'
import { adminToken, startProcess } from './faults/process.ts'
import { type Backend, eachBackend, postgres } from './kit/backends.ts'
import { readPdf } from './kit/read-pdf.ts'
import { useKit } from './kit/server.ts'
import { snapshotOf } from './kit/snapshot.ts'

const guide = () => listFolder(fileURLToPath(new URL('../docs/guide', import.meta.url)))

async function opened(backend: Backend) {
  const place = await backend.make()
  const config = { DATABASE_URL: place.location, LECTERN_DATA: place.folder, LECTERN_URL: 'http://lectern.test' }
  const parts = await open(readConfig(config))
  const first = await setUp(parts.db, parts.env, { email: 'admin@lectern.test', token: adminToken, sample: true })
  const end = async () => {
    await parts.db.close()
    await place.drop()
  }
  return { ...parts, organization: first?.organization ?? '', end }
}

/** The page at the root of a host that nobody knows. */
const readAs = (url: string, host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { host } }, (answer) => text(answer).then(resolve, reject)).on('error', reject)
  })

const rows = async (db: Awaited<ReturnType<typeof opened>>['db'], sql: string) =>
  db.all({ sql, name: `test_${sql.length}_${sql.slice(0, 20)}` }, [])

eachBackend((backend) => {
  test('the guide comes in whole: every page listed, no link broken', async () => {
    const parts = await opened(backend)
    expect(await sampleUrl(parts)).toBe('http://lectern.test/sites/lectern-guide')
    expect(await makeSample(parts, guide)).toBe(true)
    const [space] = await rows(parts.db, 'select "id", "title" from "space"')
    expect(space?.title).toBe('Lectern guide')
    const links = await countByStatus(parts.db, String(space?.id))
    expect(links.total).toBeGreaterThan(20)
    expect(links.broken).toBe(0)
    const [site] = await rows(parts.db, 'select "basename", "published", "visibility" from "site"')
    expect(site).toMatchObject({ basename: 'lectern-guide', published: 1, visibility: 'public' })
    expect(await sampleUrl(parts)).toBe('http://lectern.test/sites/lectern-guide')
    await parts.end()
  })

  // A book is made of what was read: one database is enough.
  if (backend.name === 'sqlite')
    test('as a book it can be read, and every link within it leads to its page', { timeout: 180_000 }, async () => {
      const parts = await opened(backend)
      await makeSample(parts, guide)
      const [space] = await rows(parts.db, 'select "id", "revisionId" from "space"')
      const now = '2026-01-01T00:00:00.000Z'
      const ticket = { space: String(space?.id), revision: String(space?.revisionId), cover: '', until: 0 }
      const { book, images } = await gatherBook({ ...parts, now }, ticket)
      const { pages, leadsTo, places, urls } = await readPdf(await parts.env.books.typeset(book, images))
      expect(urls.filter((url) => url.startsWith('book:'))).toEqual([])
      expect(leadsTo).not.toContain(0)
      const entries = entriesOf(book)
      const linked = JSON.stringify(book.chapters).match(/"to":\{"label":/g) ?? []
      expect(leadsTo.length).toBeGreaterThanOrEqual(entries.length + linked.length)
      expect(places).toHaveLength(entries.length)
      const plain = (text = '') => text.replace(/\s+/g, '')
      for (const { title, page } of places) expect(plain(pages[page - 1]), title).toContain(plain(title))
      // The words of a picture stand in the book only where it cannot be drawn; those drawn in it can be read.
      expect(plain(pages.join(''))).not.toContain('Aspaceholdsrevisions')
      expect(plain(pages.join(''))).toContain('forreaders')
      await parts.end()
    })

  test('it is made once, however many try', async () => {
    const parts = await opened(backend)
    const made = await Promise.all(Array.from({ length: 4 }, () => makeSample(parts, guide)))
    expect(made.filter((one) => one)).toHaveLength(1)
    expect(await rows(parts.db, 'select "id" from "site"')).toHaveLength(1)
    expect(await rows(parts.db, 'select "id" from "space"')).toHaveLength(1)
    // Who deletes it does not get it back.
    await parts.db.script('delete from "siteSpace"')
    await parts.db.script('delete from "site"')
    expect(await makeSample(parts, guide)).toBe(false)
    expect(await sampleUrl(parts)).toBeUndefined()
    await parts.end()
  })

  test('what fails leaves nothing behind, and is tried again', async () => {
    const parts = await opened(backend)
    const before = await snapshotOf(parts.db)
    await expect(makeSample(parts, () => Promise.reject(new Error('The disk is slow.')))).rejects.toThrow('slow')
    expect(await snapshotOf(parts.db)).toEqual(before)
    expect(await makeSample(parts, guide)).toBe(true)
    await parts.end()
  })

  test('a server that is killed while it starts has it after the next start', async () => {
    const place = await backend.make()
    // Host names are believed here: nobody answers for guide.example.org.
    const env = { LECTERN_SAMPLE: 'true', LECTERN_HOSTNAME_PROOF: '0' }
    const killed = await startProcess({ ...place, env })
    await killed.end('SIGKILL')
    const server = await startProcess({ ...place, env })
    try {
      const site = `${server.url}/sites/lectern-guide`
      let answer = await fetch(site)
      for (let left = 200; answer.status !== 200 && left > 0; left--) {
        await sleep(50)
        answer = await fetch(site)
      }
      expect(answer.status, server.output()).toBe(200)
      expect(await answer.text()).toContain('Lectern guide')
      const organizationId = (await server.client().listOrganizationsForAuthenticatedUser()).items[0]?.id ?? ''
      expect((await server.client().listSites({ organizationId })).count).toBe(1)
      expect(server.output()).toContain(site)
      const welcome = await (await fetch(`${server.url}/`)).text()
      expect(welcome).toContain(`href="${site}"`)
      expect((await fetch(`${site}/start/first-steps`)).status).toBe(200)
      const link = /<a[^>]* href="([^"]*)"[^>]*>API reference</
      expect(link.exec(await (await fetch(site)).text())?.[1]).toBe('/reference')
      expect((await fetch(`${server.url}/reference`)).status).toBe(200)
      // Under a host of its own the link still leads to the installation.
      const [{ id: siteId = '' } = {}] = (await server.client().listSites({ organizationId })).items
      await server.client().updateSiteById({ organizationId, siteId, body: { hostname: 'guide.example.org' } })
      expect(link.exec(await readAs(server.url, 'guide.example.org'))?.[1]).toBe(`${server.url}/reference`)
    } finally {
      await server.end('SIGKILL')
      await place.drop()
    }
  }, 120_000)

  const kit = useKit(backend)

  test('without it, / leads to the reference', async () => {
    const { statusCode, headers, body } = await kit.request({ method: 'GET', url: '/' })
    expect(statusCode).toBe(200)
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; /)
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(body).toContain('href="/reference"')
    expect(body).not.toContain('Sample site')
    expect(body).not.toContain('<script')
  })
})

test('the guide names every setting', () => {
  const page = readFileSync(new URL('../docs/guide/operate/configuration.md', import.meta.url), 'utf8')
  for (const name of Object.keys(variables)) expect(page).toContain(`| \`${name}\` |`)
  const named = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)
  expect(named.filter((name) => !(String(name) in variables))).toEqual([])
})

test('of several processes that start at once one makes it', async () => {
  const place = await postgres.make({ migrated: false })
  const env = { LECTERN_SAMPLE: 'true' }
  const servers = await Promise.all([1, 2, 3].map(() => startProcess({ ...place, env })))
  try {
    const [server] = servers
    for (let left = 200; (await fetch(`${server?.url}/sites/lectern-guide`)).status !== 200 && left > 0; left--)
      await sleep(50)
    const client = server?.client()
    const organizationId = (await client?.listOrganizationsForAuthenticatedUser())?.items[0]?.id ?? ''
    expect((await client?.listSites({ organizationId }))?.count).toBe(1)
    expect((await client?.listSpacesInOrganizationById({ organizationId }))?.count).toBe(1)
  } finally {
    await Promise.all(servers.map((one) => one.end('SIGKILL')))
    await place.drop()
  }
}, 120_000)
