/** Pages made from a spec in a real browser: what folds, and what happens when a reader tries an operation. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openapi } from '../../../src/jobs/openapi/job.ts'
import { makeWorker } from '../../../src/jobs/worker.ts'
import { makeLog } from '../../../src/platform/log.ts'
import { findViolations } from '../../kit/axe.ts'
import { sqlite } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { launchChromium, openPage } from '../chromium.ts'
import { type PublishedSite, portOf, publishedSite } from './site-kit.ts'

const secret = 'key-that-stays-in-the-tab'

const specOf = (server: string) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: server }],
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    schemas: {
      Pet: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', description: 'What it is called.' },
          home: {
            type: 'object',
            properties: { street: { type: 'string', description: 'Where the bowl stands.' } },
          },
        },
      },
    },
  },
  security: [{ key: [] }],
  paths: {
    '/pets/{name}': {
      get: {
        summary: 'Find a pet',
        parameters: [
          { name: 'name', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'kind', in: 'query', schema: { type: 'string', enum: ['cat', 'dog'] } },
        ],
        responses: {
          '200': {
            description: 'Found',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
          },
        },
      },
    },
  },
  webhooks: { newPet: { post: { summary: 'A pet was added', responses: { '200': { description: 'Taken' } } } } },
})

const kit = useKit(sqlite)
const reached: IncomingMessage[] = []
let browser: Browser
let pets: Server
let site: PublishedSite
let root = ''

beforeAll(async () => {
  browser = await launchChromium()
  pets = createServer((request, response) => {
    const allowed = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    if (request.method === 'OPTIONS') return void response.writeHead(204, allowed).end()
    reached.push(request)
    response.writeHead(200, { ...allowed, 'content-type': 'application/json' }).end('{"name":"Minka"}')
  })
  await new Promise<void>((resolve) => pets.listen(0, '127.0.0.1', resolve))
  const server = `http://127.0.0.1:${(pets.address() as AddressInfo).port}/v1`
  site = await publishedSite(kit, [
    {
      title: 'Start',
      markdown: [
        '{% openapi-operation spec="pets" path="/pets/{name}" method="get" %}\n{% endopenapi-operation %}',
        '{% openapi-webhook spec="pets" name="newPet" method="post" %}\n{% endopenapi-webhook %}',
        '{% openapi-schemas spec="pets" schemas="Pet" %}\n{% endopenapi-schemas %}',
      ].join('\n\n'),
    },
  ])
  const params = { organizationId: kit.organization, specSlug: 'pets' }
  const body = { source: { text: JSON.stringify(specOf(server)) } }
  await kit.as.admin.createOrUpdateOpenAPISpecBySlug({ ...params, body })
  const worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers: { openapi } })
  await worker.start()
  await vi.waitFor(async () => expect((await kit.as.admin.getOpenAPISpecBySlug(params)).lastVersion).toBeDefined(), {
    timeout: 60_000,
    interval: 20,
  })
  await worker.stop()
  root = `http://127.0.0.1:${await portOf(kit)}${site.base}`
}, 120_000)

afterAll(async () => {
  await browser?.close()
  pets?.close()
})

const storedIn = (page: Page): Promise<string> =>
  page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')

test('an operation folds what is deep, is tried from the page, and its secret is in no storage', {
  timeout: 120_000,
}, async () => {
  const { page, problems } = await openPage(browser, { viewport: { width: 1280, height: 900 } })
  await page.goto(root)
  await page.waitForLoadState('networkidle')
  const deep = page.getByText('Where the bowl stands.').first()
  expect(await deep.isVisible()).toBe(false)
  await page.locator('details.fold').first().locator('summary').first().click()
  await deep.waitFor({ state: 'visible' })

  await page.locator('[data-try] summary').click()
  expect(await findViolations(page)).toEqual([])
  await page.locator('[data-try] [data-secret]').fill(secret)
  await page.locator('[data-try] [data-name="name"]').fill('Minka & co')
  await page.locator('[data-try] [data-name="kind"]').selectOption('cat')
  await page.locator('[data-try] button[type="submit"]').click()
  await page.locator('.try-answer pre').waitFor()
  expect(await page.locator('.try-answer').textContent()).toMatch(/200.*"name": "Minka"/s)
  expect(reached.map(({ method, url, headers }) => [method, url, headers['x-key'], headers.cookie])).toEqual([
    ['GET', '/v1/pets/Minka%20%26%20co?kind=cat', secret, undefined],
  ])
  expect(await storedIn(page)).not.toContain(secret)
  expect(problems).toEqual([])

  await page.reload()
  await page.waitForLoadState('networkidle')
  await page.locator('[data-try] summary').click()
  expect(await page.locator('[data-try] [data-secret]').inputValue()).toBe('')
  expect(await storedIn(page)).not.toContain(secret)
  await page.context().close()
})

test('in the dark on a phone axe finds nothing, and nothing scrolls sideways', { timeout: 120_000 }, async () => {
  const { page, problems } = await openPage(browser, { colorScheme: 'dark', viewport: { width: 390, height: 844 } })
  await page.goto(root)
  await page.waitForLoadState('networkidle')
  expect(await findViolations(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth + 1')).toBe(false)
  expect(problems).toEqual([])
  await page.context().close()
})

test('a site that does not let readers try operations has no panel', { timeout: 120_000 }, async () => {
  const params = { organizationId: site.organizationId, siteId: site.siteId }
  const customization = await kit.as.admin.getSiteCustomizationById(params)
  const body = { ...customization, openapi: { tryIt: false } }
  await kit.as.admin.updateSiteCustomizationById({ ...params, body })
  const { page } = await openPage(browser)
  await page.goto(root)
  await page.getByText('What it is called.').first().waitFor()
  expect(await page.locator('[data-try]').count()).toBe(0)
  await page.context().close()
})
