/** Specs that pages name by an address or a file: fetched by a job, shown whole to whoever reads the page, and kept up. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { specSearchKind } from '../../../src/domain/openapi/search.ts'
import { openapi } from '../../../src/jobs/openapi/job.ts'
import { specSearch } from '../../../src/jobs/openapi/search.ts'
import { makeWorker } from '../../../src/jobs/worker.ts'
import { makeFetch } from '../../../src/platform/fetch.ts'
import { makeLog } from '../../../src/platform/log.ts'
import { countNamedSpecs, findSpecById } from '../../../src/store/content/openapi.ts'
import { enqueue, listJobs } from '../../../src/store/jobs.ts'
import { eachBackend } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { edit, type PublishedSite, pageIds, publishedSite } from './site-kit.ts'

const spec = (summary: string) =>
  JSON.stringify({
    swagger: '2.0',
    info: { title: 'Pets', version: '1' },
    host: 'pets.example.org',
    paths: {
      '/pets': {
        get: {
          summary,
          parameters: [{ name: 'color', in: 'query', type: 'string', description: 'Only of this colour.' }],
          responses: { 200: { description: 'All of them.' } },
        },
      },
    },
  })
const unread = 'The description of this operation is not available.'
const blockOf = (src: string, path = '/pets') =>
  `{% swagger src="${src}" path="${path}" method="get" %}\n{% endswagger %}`

eachBackend((backend) => {
  const kit = useKit(backend, { settings: { LECTERN_ALLOW_PRIVATE_FETCH: '1' } })
  let site: PublishedSite
  let server: Server
  let address = ''
  let asked = 0

  /** Does all that waits, except what waits for its hour. */
  const settle = async (): Promise<void> => {
    const handlers = { openapi, [specSearchKind]: specSearch }
    const worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers })
    await worker.start()
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    await vi.waitFor(
      async () => {
        const jobs = [
          ...(await listJobs(kit.db, { kind: 'openapi' })),
          ...(await listJobs(kit.db, { kind: specSearchKind })),
        ]
        expect(jobs.filter(({ runAt }) => runAt < soon)).toEqual([])
      },
      { timeout: 30_000, interval: 20 },
    )
    await worker.stop()
  }
  const putFile = async (content: string): Promise<string> => {
    const files = [
      { name: 'pets.json', contentType: 'application/json', base64: Buffer.from(content).toString('base64') },
    ]
    await kit.as.admin.updateSpaceContent({
      spaceId: site.spaceId,
      body: { changes: [{ operation: 'insert_files', files }] },
    })
    const { items } = await kit.as.admin.listFiles({ spaceId: site.spaceId })
    return items.find(({ name }) => name === 'pets.json')?.id ?? ''
  }
  const write = async (page: string, markdown: string): Promise<void> => {
    await edit(kit, site.spaceId, (await pageIds(kit, site.spaceId))[page] ?? '', markdown)
  }

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked += 1
      if (request.url === '/gone.json') return void response.writeHead(404).end()
      response.writeHead(200, { 'content-type': 'application/json' }).end(spec('List pets from afar'))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    site = await publishedSite(kit, [
      { title: 'Start', markdown: 'Hello.' },
      { title: 'Afar', markdown: blockOf(`${address}/pets.json`) },
    ])
  })
  afterAll(() => void server.close())

  test('an address is fetched by a job and not by readers, and then shown whole', async () => {
    expect((await site.ask('/afar')).text).toContain(unread)
    expect(asked).toBe(0)
    await settle()
    const fetched = asked
    expect(fetched).toBe(1)
    const { text } = await site.ask('/afar')
    for (const words of ['List pets from afar', 'Only of this colour.', 'All of them.']) expect(text).toContain(words)
    expect(text).not.toContain(unread)
    expect((await site.ask('/afar.md')).text).toContain('Only of this colour.')
    expect(asked).toBe(fetched)
    const query = { query: 'colour' }
    const { items } = await kit.as.read.searchSpaceContent({ spaceId: site.spaceId, query })
    expect(items.map(({ path }) => path)).toContain('afar')
  })

  test('it is no spec of the organization that anyone could list, ask for or name', async () => {
    const { organization: organizationId } = kit
    expect((await kit.as.admin.listOpenAPISpecs({ organizationId })).items).toEqual([])
    const [row] = await listJobs(kit.db, { kind: 'openapi' })
    const { spec: id } = JSON.parse(row?.payload ?? '{}')
    const slug = (await findSpecById(kit.db, { id }))?.slug ?? ''
    expect(slug).toMatch(/^~/)
    expect((await kit.call('admin', 'getOpenAPISpecBySlug', { organizationId, specSlug: slug })).status).toBe(404)
    await write('Start', `{% openapi-operation spec="${slug}" path="/pets" method="get" %}\n{% endopenapi-operation %}`)
    expect((await site.ask('')).text).not.toContain('Only of this colour.')
  })

  test('a file of the space is read, once however many pages name it', async () => {
    const file = await putFile(spec('List pets of the file'))
    await write('Start', blockOf(`/files/${file}`))
    await settle()
    expect((await site.ask('')).text).toContain('List pets of the file')
    const { items } = await kit.as.read.searchSpaceContent({ spaceId: site.spaceId, query: { query: 'colour' } })
    expect(items.map(({ path }) => path)).toContain('start')
    const known = await countNamedSpecs(kit.db, kit.organization)
    await write('Start', `${blockOf(`/files/${file}`)}\n\nOnce more.`)
    expect(await countNamedSpecs(kit.db, kit.organization)).toBe(known)
  })

  test('what cannot be read or is not there leaves method and path, and a sentence', async () => {
    const broken = await putFile('{ "swagger": ')
    for (const source of [`${address}/gone.json`, `/files/${broken}`, 'file:///etc/passwd', `${address}/pets.json`]) {
      await write('Start', blockOf(source, '/cats'))
      await settle()
      const { text, status } = await site.ask('')
      expect(status).toBe(200)
      if (source.startsWith('file:')) continue
      expect(text, source).toContain('/cats')
      expect(text, source).toContain(unread)
    }
  })

  test('an address of this network is not reached where those are closed', async () => {
    const { fetch } = kit.env
    kit.env.fetch = makeFetch({ allowPrivate: false })
    const before = asked
    await write('Start', blockOf(`${address}/other.json`))
    await settle()
    kit.env.fetch = fetch
    expect(asked).toBe(before)
    expect((await site.ask('')).text).toContain(unread)
    await write('Start', blockOf(`${address}/gone.json`))
  })

  test('an address that no page names any more is not fetched again, but forgotten', async () => {
    await write('Start', 'Nothing.')
    const before = await countNamedSpecs(kit.db, kit.organization)
    const jobs = await listJobs(kit.db, { kind: 'openapi' })
    const fetched = asked
    await kit.db.transaction(async (tx) => {
      for (const { payload, uniqueKey } of jobs)
        await enqueue(tx, { kind: 'openapi', payload: JSON.parse(payload), uniqueKey: uniqueKey ?? '' })
    })
    await settle()
    // `gone.json` and `other.json` of the tests before; the page that shows `pets.json` is still there.
    expect(await countNamedSpecs(kit.db, kit.organization)).toBe(before - 2)
    expect(asked).toBe(fetched + 1)
  })
})
