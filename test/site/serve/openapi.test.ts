/** Specs on published sites: computed pages and blocks, what they allow, and how they follow a new version. */
import { beforeAll, expect, test, vi } from 'vitest'
import { specSearchKind } from '../../../src/domain/openapi/search.ts'
import { openapi } from '../../../src/jobs/openapi/job.ts'
import { specSearch } from '../../../src/jobs/openapi/search.ts'
import { makeWorker } from '../../../src/jobs/worker.ts'
import { makeLog } from '../../../src/platform/log.ts'
import { listJobs } from '../../../src/store/jobs.ts'
import { eachBackend } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { type PublishedSite, publishedSite } from './site-kit.ts'

const spec = (summary: string) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://pets.example.org/v1' }],
  paths: {
    '/pets': {
      post: {
        operationId: 'addPet',
        tags: ['Pets'],
        summary,
        description: 'Adds <script>alert(1)</script> **one**.',
        requestBody: {
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Pet' } },
            'application/xml': { schema: { type: 'object', properties: { name: { type: 'string' } } } },
          },
        },
        responses: {
          '201': {
            description: 'Added',
            content: {
              'application/yaml': { schema: { $ref: '#/components/schemas/Pet' } },
              'application/json': { schema: { $ref: '#/components/schemas/Pet' } },
              'application/xml': { example: '<pet/>' },
            },
          },
        },
        callbacks: {
          fed: { '{$request.query.feed}': { put: { description: 'Sent <b>when</b> it was fed.', responses: {} } } },
        },
      },
      delete: { operationId: 'dropPets', tags: ['Pets'], summary: 'Drop all', 'x-hideTryItPanel': true, responses: {} },
    },
  },
  webhooks: { newPet: { post: { summary: 'A pet was added', responses: { '200': { description: 'Taken' } } } } },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', description: 'What it is called.' },
          mother: { $ref: '#/components/schemas/Pet' },
        },
      },
    },
  },
})

eachBackend((backend) => {
  const kit = useKit(backend)
  let site: PublishedSite

  const put = async (summary: string): Promise<void> => {
    const params = { organizationId: kit.organization, specSlug: 'pets' }
    const before = (await kit.call('admin', 'getOpenAPISpecBySlug', params)).body.lastVersion
    await kit.as.admin.createOrUpdateOpenAPISpecBySlug({
      ...params,
      body: { source: { text: JSON.stringify(spec(summary)) } },
    })
    const handlers = { openapi, [specSearchKind]: specSearch }
    const worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers })
    await worker.start()
    await vi.waitFor(
      async () => expect((await kit.as.admin.getOpenAPISpecBySlug(params)).lastVersion ?? before).not.toBe(before),
      { timeout: 20_000, interval: 20 },
    )
    await searchIsReady()
    await worker.stop()
  }

  const searchIsReady = () =>
    vi.waitFor(async () => expect(await listJobs(kit.db, { kind: specSearchKind })).toEqual([]), {
      timeout: 20_000,
      interval: 20,
    })

  const settleSearch = async (): Promise<void> => {
    const handlers = { [specSearchKind]: specSearch }
    const worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers })
    await worker.start()
    await searchIsReady()
    await worker.stop()
  }

  /** Where readers of the site are led by these words, and what members find in the space. */
  const found = async (query: string): Promise<[string[], string[]]> => {
    const headers = { accept: 'application/json' }
    const { text } = await site.ask(`/~search?q=${encodeURIComponent(query)}`, { headers })
    const hrefs = JSON.parse(text).pages.map((page: { href: string }) => page.href.slice(site.base.length))
    const { items } = await kit.as.read.searchSpaceContent({ spaceId: site.spaceId, query: { query } })
    return [hrefs, items.map(({ path }) => path)]
  }

  beforeAll(async () => {
    site = await publishedSite(kit, [
      {
        title: 'Start',
        markdown: '{% openapi-operation spec="pets" path="/pets" method="post" %}\n{% endopenapi-operation %}',
      },
    ])
    await put('Add a pet')
    await makeAPI()
  })

  const makeAPI = async (): Promise<void> => {
    const computed = {
      type: 'builtin:openapi' as const,
      props: { grouping: 'by-operation' as const },
      dependencies: { spec: { ref: { kind: 'openapi' as const, spec: 'pets' } } },
    }
    await kit.as.admin.updateSpaceContent({
      spaceId: site.spaceId,
      body: {
        changes: [{ operation: 'insert_page', type: 'computed', title: 'API', document: { markdown: '' }, computed }],
      },
    })
  }

  test('a block shows the operation, and the page may call its server and no other', async () => {
    const { text, headers } = await site.ask('')
    expect(text).toContain('Add a pet')
    expect(text).toContain('What it is called.')
    expect(text).toContain('data-try')
    expect(text).toContain('<code class="operation-path">{$request.query.feed}</code>')
    expect(text).toContain('Sent <strong>when</strong> it was fed.')
    expect(text).toMatch(/<details class="fold content" open>(?:(?!<details).)*application\/json/)
    expect(text).toMatch(/<details class="fold content">(?:(?!<details).)*application\/xml/)
    expect(text).not.toContain('<script>alert')
    expect(String(headers['content-security-policy'])).toContain("connect-src 'self' https://pets.example.org;")
  })

  test('examples of one status are told apart by their media types, and the same one stands once', async () => {
    const { text } = await site.ask('')
    const tabs = [...text.matchAll(/<label class="tab"[^>]*>(201[^<]*)</g)].map(([, title]) => title)
    expect(tabs).toEqual(['201 application/json', '201 application/xml'])
  })

  test('a site can do without the panel that calls the server', async () => {
    const { organizationId, siteId } = site
    const customization = await kit.as.admin.getSiteCustomizationById({ organizationId, siteId })
    const allow = (tryIt: boolean) =>
      kit.as.admin.updateSiteCustomizationById({
        organizationId,
        siteId,
        body: { ...customization, openapi: { tryIt } },
      })
    await allow(false)
    const { text, headers } = await site.ask('')
    expect(text).toContain('What it is called.')
    expect(text).not.toContain('data-try')
    expect(String(headers['content-security-policy'])).not.toContain('pets.example.org')
    await allow(true)
    expect((await site.ask('')).text).toContain('data-try')
  })

  test('a computed page becomes pages, unless they are not asked for', async () => {
    const paths = async (computed: boolean) => {
      const { pages } = await kit.as.read.listPages({ spaceId: site.spaceId, query: { computed } })
      const api = pages.find(({ title }) => title === 'API')
      return [api?.type, api?.pages?.map(({ path }) => path)]
    }
    expect(await paths(false)).toEqual(['computed', []])
    expect(await paths(true)).toEqual(['document', ['api/pets', 'api/webhooks', 'api/models']])
    const operation = await site.ask('/api/pets/droppets')
    expect(operation.text).toContain('Drop all')
    expect(operation.text).not.toContain('data-try')
    expect((await site.ask('/api/webhooks')).text).toContain('A pet was added')
    expect((await site.ask('/api/models')).text).toContain('What it is called.')
  })

  test('the page of a tag lists its operations and leads to them', async () => {
    const { text } = await site.ask('/api/pets')
    expect(text).toMatch(/<a [^>]*href="[^"]*\/api\/pets\/droppets"[^>]*>Drop all<\/a> <code>DELETE \/pets<\/code>/)
    expect((await site.ask('/api/pets.md')).text).toMatch(/\[Drop all\]\([^)]*droppets[^)]*\) `DELETE \/pets`/)
  })

  test('machines read it as Markdown', async () => {
    const { text } = await site.ask('/api/pets/addpet.md')
    expect(text).toContain('`POST https://pets.example.org/v1/pets`')
    expect(text).toContain('`name` string, required: What it is called.')
    expect((await site.ask('/llms-full.txt')).text).toContain('What it is called.')
  })

  test('search finds operations, webhooks and models, on computed pages and in blocks, and forgets what is gone', async () => {
    await settleSearch()
    expect(await found('droppets')).toEqual([['/api/pets/droppets'], ['api/pets/droppets']])
    expect((await found('"pet was added"'))[1]).toEqual(['api/webhooks'])
    // What a field is for, in the body of an operation: on its page, among the models, and where a page shows it.
    expect((await found('what it is called'))[1].toSorted()).toEqual(['api/models', 'api/pets/addpet', 'start'])
    await put('Enrol a pet')
    expect((await found('enrol'))[1].toSorted()).toEqual(['api/pets', 'api/pets/addpet', 'start'])
    const { pages } = await kit.as.read.listPages({ spaceId: site.spaceId })
    const api = pages.find(({ title }) => title === 'API')?.id ?? ''
    await kit.as.admin.updateSpaceContent({
      spaceId: site.spaceId,
      body: { changes: [{ operation: 'delete_page', page: api }] },
    })
    await settleSearch()
    expect((await found('enrol'))[1]).toEqual(['start'])
    expect((await found('droppets'))[1]).toEqual([])
    await makeAPI()
  })

  test('pages follow a new version at the next request', async () => {
    await put('Register a pet')
    expect((await site.ask('')).text).toContain('Register a pet')
    expect((await site.ask('/api/pets/addpet')).text).toContain('Register a pet')
  })
})
