/** Specs on published sites: computed pages and blocks, what they allow, and how they follow a new version. */
import { beforeAll, expect, test, vi } from 'vitest'
import { openapi } from '../../../src/jobs/openapi/job.ts'
import { makeWorker } from '../../../src/jobs/worker.ts'
import { makeLog } from '../../../src/platform/log.ts'
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
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
        responses: {
          '201': {
            description: 'Added',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
          },
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
    const worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers: { openapi } })
    await worker.start()
    await vi.waitFor(
      async () => expect((await kit.as.admin.getOpenAPISpecBySlug(params)).lastVersion ?? before).not.toBe(before),
      { timeout: 20_000, interval: 20 },
    )
    await worker.stop()
  }

  beforeAll(async () => {
    site = await publishedSite(kit, [
      {
        title: 'Start',
        markdown: '{% openapi-operation spec="pets" path="/pets" method="post" %}\n{% endopenapi-operation %}',
      },
    ])
    await put('Add a pet')
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
  })

  test('a block shows the operation, and the page may call its server and no other', async () => {
    const { text, headers } = await site.ask('')
    expect(text).toContain('Add a pet')
    expect(text).toContain('What it is called.')
    expect(text).toContain('data-try')
    expect(text).not.toContain('<script>alert')
    expect(String(headers['content-security-policy'])).toContain("connect-src 'self' https://pets.example.org;")
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

  test('machines read it as Markdown', async () => {
    const { text } = await site.ask('/api/pets/addpet.md')
    expect(text).toContain('`POST https://pets.example.org/v1/pets`')
    expect(text).toContain('`name` string, required: What it is called.')
    expect((await site.ask('/llms-full.txt')).text).toContain('What it is called.')
  })

  test('pages follow a new version at the next request', async () => {
    await put('Register a pet')
    expect((await site.ask('')).text).toContain('Register a pet')
    expect((await site.ask('/api/pets/addpet')).text).toContain('Register a pet')
  })
})
