/** Docs brought in as a person does it: from files, from an address, into a new space and a change request, and called off. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importJob } from '../../../../src/jobs/import/job.ts'
import { makeWorker, type Worker } from '../../../../src/jobs/worker.ts'
import { makeLog } from '../../../../src/platform/log.ts'
import { zip } from '../../../jobs/import-fixtures.ts'
import { sqlite } from '../../../kit/backends.ts'
import { useKit } from '../../../kit/server.ts'
import { launchChromium } from '../../../site/chromium.ts'
import { signIn } from '../people.ts'

const kit = useKit(sqlite, {
  settings: { LECTERN_ALLOW_PRIVATE_FETCH: '1', LECTERN_IMPORT_WAIT: '30', LECTERN_IMPORT_MEGABYTES: '2' },
})
let browser: Browser
let worker: Worker
let files: Server
let origin = ''
let page: Page
/** Answers that are held back until the test has seen what it wants. */
let release: (() => void) | undefined

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  await kit.as.admin.updateOrganizationById({ organizationId: kit.organization, body: { title: 'Example Ltd' } })
  worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers: { import: importJob } })
  await worker.start()
  files = createServer(async (request, response) => {
    if (request.url?.startsWith('/slow.md')) await new Promise<void>((resolve) => (release = resolve))
    response.writeHead(200, { 'content-type': 'text/markdown' }).end('# From afar\n\nWords.')
  })
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
  browser = await launchChromium()
  page = (await signIn(browser, origin, kit.people.admin.token)).page
})
afterAll(async () => {
  release?.()
  await browser?.close()
  await worker?.stop()
  files?.close()
})

const imports = () => `${origin}/app/o/${kit.organization}/imports`
const button = (name: string) => page.getByRole('button', { name, exact: true })
const choose = (given: { name: string; mimeType: string; buffer: Buffer }[]) =>
  page.locator('input[type=file]').first().setInputFiles(given)
const asFile = (name: string, words: string | Buffer) => ({ name, mimeType: '', buffer: Buffer.from(words) })
const spaceNamed = async (title: string): Promise<string> => {
  const { items } = await kit.as.admin.listSpacesInOrganizationById({ organizationId: kit.organization })
  return items.find((space) => space.title === title)?.id ?? ''
}

test('an archive becomes a new space, and what was not understood is told', { timeout: 60_000 }, async () => {
  await page.goto(imports())
  await page.getByRole('link', { name: 'Bring docs in' }).first().click()
  await button('Bring in').click()
  await page.getByText('Choose files first.').waitFor()
  await page.getByText('Give the space a name.').waitFor()
  await choose([asFile('photo.png', 'x')])
  await page.getByText('photo.png cannot become a page.').waitFor()
  const archive = await zip({
    'SUMMARY.md': '* [One](one.md)\n* [Two](two.md)\n* [Gone](gone.md)\n',
    'one.md': '# One\n\nFirst words.',
    'two.md': '# Two\n\nSecond.',
  })
  await choose([asFile('book.zip', archive)])
  await page.getByText('book.zip · 1 file').waitFor()
  await page.getByLabel('Name of the new space').fill('Brought in')
  await button('Bring in').click()
  await page.getByRole('heading', { name: 'Import of book.zip' }).waitFor()
  await page.getByText('2 pages and files are in.').waitFor({ timeout: 20_000 })
  await page.getByRole('heading', { name: '1 thing was not understood' }).waitFor()
  await page.getByText('3 new pages').waitFor()
  await page.getByRole('link', { name: 'One', exact: true }).click()
  await page.getByText('First words.').waitFor()
  const { pages } = await kit.as.admin.listPages({ spaceId: await spaceNamed('Brought in') })
  expect(pages.map(({ title }) => title)).toEqual(['One', 'Two', 'Gone'])
})

test('loose files are packed, and later ones do not take their place', { timeout: 60_000 }, async () => {
  const spaceId = await spaceNamed('Brought in')
  for (const [first, second] of [
    ['a', 'b'],
    ['c', 'd'],
  ]) {
    await page.goto(`${imports()}/new?space=${spaceId}`)
    await choose([asFile(`${first}.md`, `# ${first}\n\nWords.`), asFile(`${second}.md`, `# ${second}\n\nWords.`)])
    await page.getByRole('radio', { name: /^Directly/ }).check()
    await button('Bring in').click()
    await page.getByText('2 pages and files are in.').waitFor({ timeout: 20_000 })
    await page.getByText('2 new pages').waitFor()
  }
  const { pages } = await kit.as.admin.listPages({ spaceId })
  expect(pages.map(({ title }) => title).sort()).toEqual(['Gone', 'One', 'Two', 'a', 'b', 'c', 'd'])
})

test('what comes into a space with pages is looked at first', { timeout: 60_000 }, async () => {
  const spaceId = await spaceNamed('Brought in')
  const before = (await kit.as.admin.listPages({ spaceId })).pages.length
  await page.goto(`${imports()}/new?space=${spaceId}`)
  await page.getByRole('radio', { name: /^In a change request/, checked: true }).waitFor()
  await page.getByRole('radio', { name: 'In a file on the web' }).check()
  await page.getByLabel('What is it?').selectOption('markdown')
  await page.getByLabel('Address', { exact: true }).fill('not an address')
  await button('Bring in').click()
  await page.getByText('An address begins with https:// or http://.').waitFor()
  const url = `http://127.0.0.1:${(files.address() as AddressInfo).port}`
  await page.getByLabel('Address', { exact: true }).fill(`${url}/afar.md?key=secret`)
  await button('Bring in').click()
  await page.getByRole('link', { name: 'Look at the changes' }).click({ timeout: 20_000 })
  await page.getByRole('region', { name: 'Changes' }).getByText('From afar').first().waitFor()
  expect((await kit.as.admin.listPages({ spaceId })).pages).toHaveLength(before)
  await page.goto(imports())
  await page.getByRole('link', { name: /afar\.md/ }).waitFor()
  expect(await page.locator('main').textContent()).not.toContain('secret')
})

test('an import is left, come back to, and called off', { timeout: 60_000 }, async () => {
  const url = `http://127.0.0.1:${(files.address() as AddressInfo).port}/slow.md?key=secret`
  await page.goto(`${imports()}/new`)
  await page.getByRole('radio', { name: 'In a file on the web' }).check()
  await page.getByLabel('What is it?').selectOption('markdown')
  await page.getByLabel('Address', { exact: true }).fill(url)
  await page.getByLabel('Name of the new space').fill('Slow')
  await button('Bring in').click()
  await page.getByText('You may leave this page').waitFor({ timeout: 20_000 })
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('link', { name: 'Imports', exact: true }).click()
  await page.getByRole('link', { name: /slow\.md.*(Under way|Waiting)/ }).click()
  await button('Call it off').click()
  await page.getByText('It was called off. Nothing has changed.').waitFor()
  release?.()
  expect((await kit.as.admin.listPages({ spaceId: await spaceNamed('Slow') })).pages).toEqual([])
  await page.getByRole('link', { name: 'Try again' }).click()
  expect(await page.getByLabel('Address', { exact: true }).inputValue()).toBe(url)
  expect(page.url()).not.toContain('key')
})

test('what is dropped is sent while another screen is looked at', { timeout: 60_000 }, async () => {
  let free = (): void => {}
  const freed = new Promise<void>((resolve) => (free = resolve))
  await page.route('**/content/import/upload*', async (route) => {
    await freed
    await route.continue()
  })
  await page.goto(`${imports()}/new`)
  const dropped = await page.evaluateHandle(
    `(() => { const given = new DataTransfer(); given.items.add(new File(['# Dropped'], 'dropped.md')); return given })()`,
  )
  await page.locator('.ui-drop').dispatchEvent('drop', { dataTransfer: dropped })
  await page.getByText('dropped.md · 1 file').waitFor()
  await page.getByLabel('Name of the new space').fill('Dropped into')
  await button('Bring in').click()
  await page
    .getByText(/^(Sending|Everything is sent)/)
    .first()
    .waitFor()
  await page.getByRole('link', { name: 'Home' }).click()
  free()
  await page.getByText('Everything is sent, and the import is under way.').waitFor({ timeout: 20_000 })
  await page.getByRole('heading', { name: 'For you' }).waitFor()
  await button('Open').click()
  await page.getByText('1 page or file is in.').waitFor({ timeout: 20_000 })
  await page.unroute('**/content/import/upload*')
})

test('what the server refuses or cannot read is told in words', { timeout: 60_000 }, async () => {
  await page.goto(`${imports()}/new`)
  await page.getByLabel('Name of the new space').fill('Refused')
  await choose([asFile('large.zip', Buffer.alloc(3 * 1024 * 1024, 1))])
  await button('Bring in').click()
  await page
    .getByRole('alert')
    .getByText(/large|MB|MiB|megabyte/i)
    .first()
    .waitFor({ timeout: 20_000 })
  await choose([asFile('broken.zip', 'This is no archive.')])
  await button('Bring in').click()
  await page.getByText('Nothing was brought in, and nothing has changed.').waitFor({ timeout: 20_000 })
  await page.getByText('It is no zip archive.').waitFor()
  // The space that the first attempt made is the one that the second used.
  const { items } = await kit.as.admin.listSpacesInOrganizationById({ organizationId: kit.organization })
  expect(items.filter(({ title }) => title === 'Refused')).toHaveLength(1)
})

test('who may write nowhere is offered nothing', { timeout: 60_000 }, async () => {
  const reader = await signIn(browser, origin, kit.people.read.token)
  await reader.page.goto(`${origin}/app`)
  await reader.page.getByRole('link', { name: 'Home' }).waitFor()
  expect(await reader.page.getByRole('link', { name: /Imports|Bring docs in/ }).count()).toBe(0)
  await reader.page.goto(`${imports()}/new`)
  await reader.page.getByText('There is no space that you may write in').waitFor()
  await reader.context.close()
})
