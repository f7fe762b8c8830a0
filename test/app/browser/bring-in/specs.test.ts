/** OpenAPI specs as a person keeps them: added, broken, mended, put into a space, opened to everyone, deleted. */
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openapi } from '../../../../src/jobs/openapi/job.ts'
import { makeWorker, type Worker } from '../../../../src/jobs/worker.ts'
import { makeLog } from '../../../../src/platform/log.ts'
import { sqlite } from '../../../kit/backends.ts'
import { useKit } from '../../../kit/server.ts'
import { launchChromium } from '../../../site/chromium.ts'
import { signIn } from '../people.ts'

const kit = useKit(sqlite, { settings: { LECTERN_ALLOW_PRIVATE_FETCH: '1' } })
let browser: Browser
let worker: Worker
let files: Server
let origin = ''
let page: Page
let served = ''

const specWith = (path: string) =>
  `openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\npaths:\n  ${path}:\n    get:\n      tags: [pets]\n      summary: List them\n      responses: {"200": {description: All}}\n`

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers: { openapi } })
  await worker.start()
  files = createServer((_, response) => void response.end(served))
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
  browser = await launchChromium()
  page = (await signIn(browser, origin, kit.people.admin.token)).page
})
afterAll(async () => {
  await browser?.close()
  await worker?.stop()
  files?.close()
})

const specs = () => `${origin}/app/o/${kit.organization}/openapi`
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const input = () => ({ organizationId: kit.organization, specSlug: 'pets' })

test('a spec is added by its address, and what is wrong with it is told until it is mended', {
  timeout: 60_000,
}, async () => {
  served = 'no: spec'
  await page.goto(specs())
  await button('Add a spec').first().click()
  await dialog().getByLabel('Address of the spec').fill('pets')
  await dialog().getByLabel('Name').fill('Not so')
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  await dialog().getByText('An address begins with https:// or http://.').waitFor()
  await dialog().getByText('Only lower-case letters').waitFor()
  const address = `http://127.0.0.1:${(files.address() as AddressInfo).port}/Pets.yaml`
  await dialog().getByLabel('Address of the spec').fill(address)
  await dialog().getByLabel('Name').fill('pets')
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('heading', { name: 'pets' }).waitFor()
  await page.getByText('It cannot be read as an OpenAPI spec').waitFor({ timeout: 20_000 })
  await page.getByText('Pages show nothing of it until it can be read.').waitFor()
  served = specWith('/pets')
  await button('Read again now').click()
  await page.getByText('Ready').waitFor({ timeout: 20_000 })
  await page.getByText('latest').waitFor()
  expect(await page.getByText('It cannot be read').count()).toBe(0)
  expect(await kit.as.admin.getOpenAPISpecBySlug(input())).toMatchObject({
    sourceURL: address,
    processingState: 'complete',
  })
})

test('another text takes its place, and each version is saved as a file', { timeout: 60_000 }, async () => {
  await page.goto(`${specs()}/pets`)
  await button('Replace…').click()
  await dialog().getByRole('radio', { name: 'I paste it' }).check()
  await dialog().getByLabel('Text').fill(specWith('/cats'))
  await dialog().getByRole('button', { name: 'Replace', exact: true }).click()
  await page.getByText('Sent as text').waitFor()
  await expect.poll(() => page.locator('section[aria-labelledby=versions] li').count(), { timeout: 20_000 }).toBe(2)
  for (const [index, path] of ['/cats', '/pets'].entries()) {
    const saving = page.waitForEvent('download')
    await page
      .locator('section[aria-labelledby=versions] li')
      .nth(index)
      .getByRole('button', { name: 'Download' })
      .click()
    const saved = await saving
    expect(saved.suggestedFilename()).toBe('pets.json')
    expect(Object.keys(JSON.parse(readFileSync(await saved.path(), 'utf8')).paths)).toEqual([path])
  }
  expect(await button('Read again now').count()).toBe(0)
})

test('it becomes pages of a space, which show its operations', { timeout: 60_000 }, async () => {
  const space = await kit.as.admin.createSpace({
    organizationId: kit.organization,
    body: { title: 'Reference', editMode: 'locked' },
  })
  await page.goto(`${specs()}/pets`)
  await button('Put into a space…').click()
  await dialog().getByLabel('Space').selectOption({ label: 'Reference' })
  await dialog().getByText('This space changes through change requests only').waitFor()
  await dialog().getByLabel('Title of the page').fill('Pets API')
  await dialog().getByRole('button', { name: 'Put in', exact: true }).click()
  await button('Open').click()
  await page.getByText('Pets API').first().waitFor()
  const { items } = await kit.as.admin.listChangeRequestsForSpace({ spaceId: space.id })
  expect(items.map(({ subject }) => subject)).toEqual(['API reference of pets'])
  const { pages } = await kit.as.admin.listPagesInChangeRequest({
    spaceId: space.id,
    changeRequestId: items[0]?.id ?? '',
  })
  expect(pages.map(({ title }) => title)).toEqual(['Pets API'])
  expect(pages[0]?.pages?.length).toBeGreaterThan(0)
})

test('it is opened to everyone, and deleted after a question', { timeout: 60_000 }, async () => {
  await page.goto(`${specs()}/pets`)
  await page.getByLabel('Who may fetch it').selectOption('public')
  await page.getByText('Link for everyone').waitFor()
  const link = (await page.locator('.ui-token code').textContent()) ?? ''
  expect((await fetch(new URL(new URL(link).pathname, origin))).status).toBe(200)
  await button('Delete').click()
  await dialog().getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('pets is deleted.').waitFor()
  await page.getByText('No specs yet').waitFor()
  expect(await kit.as.admin.listOpenAPISpecs({ organizationId: kit.organization })).toMatchObject({ items: [] })
})

test('readers see specs and change none, guests see none', { timeout: 60_000 }, async () => {
  await kit.as.admin.createOpenAPISpec({
    organizationId: kit.organization,
    body: { slug: 'cats', source: { text: specWith('/cats') } },
  })
  const reader = await signIn(browser, origin, kit.people.read.token)
  await reader.page.goto(specs())
  await reader.page.getByRole('link', { name: /cats/ }).click()
  await reader.page.getByText('latest').waitFor({ timeout: 20_000 })
  for (const name of ['Add a spec', 'Delete', 'Replace…', 'Read again now'])
    expect(await reader.page.getByRole('button', { name, exact: true }).count(), name).toBe(0)
  expect(await reader.page.getByLabel('Who may fetch it').count()).toBe(0)
  await reader.context.close()
  const guest = await signIn(browser, origin, kit.people.guest.token)
  await guest.page.goto(`${specs()}/cats`)
  await guest.page.waitForURL(/\/app\/?$/)
  await guest.context.close()
})
