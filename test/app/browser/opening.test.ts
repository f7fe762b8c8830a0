/** What a page does not wait for until it can be written in: the tree of its space, the side panel, the bar. */
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlite } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { launchChromium } from '../../site/chromium.ts'
import { makePage, readMarkdown } from './pages.ts'
import { openToWrite, signIn, type Writer, writeAt } from './people.ts'

const kit = useKit(sqlite)
let browser: Browser
let ann: Writer
let address = ''
let spaceId = ''
let pageId = ''

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  const origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  spaceId = (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Opening' } })).id
  const markdown = 'Paragraph 0.\n\nParagraph 1.'
  pageId = await makePage(kit.as.admin, { spaceId, title: 'Long', markdown })
  address = `${origin}/app/s/${spaceId}/p/${pageId}`
  browser = await launchChromium()
  ann = await signIn(browser, origin, kit.people.admin.token)
})
afterAll(() => browser?.close())

test('a browser that is never idle: the page can be written in without the tree, the panel and the bar', async () => {
  const page = await ann.context.newPage()
  await page.addInitScript('window.requestIdleCallback = () => 0')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await openToWrite(page, address)
  expect(await page.getByRole('treeitem').count()).toBe(0)
  expect(await page.locator('.ui-side :is(a, button), .ui-top-slot *').count()).toBe(0)
  expect(asked.filter((url) => /\/content\/page\//.test(url))).toHaveLength(1)
  expect(asked.filter((url) => /\/content\/pages\?/.test(url))).toEqual([])
  const status = page.getByRole('status')
  expect(await status.count()).toBe(1)
  await writeAt(page, 'Paragraph 1.', 'End', ' Typed at once')
  await status.filter({ hasText: /^Saved/ }).waitFor({ state: 'attached', timeout: 30_000 })
  const stored = () => readMarkdown(kit.as.admin, { spaceId, pageId })
  await expect.poll(stored, { timeout: 30_000 }).toContain('Paragraph 1. Typed at once')
  await page.close()
})

test('an idle browser shows the tree, the panel and the bar', async () => {
  await openToWrite(ann.page, address)
  await ann.page.getByRole('treeitem', { name: 'Long' }).waitFor({ timeout: 30_000 })
  await ann.page.getByRole('link', { name: 'History' }).waitFor()
  await ann.page.getByRole('navigation', { name: 'Where you are' }).getByText('Long').waitFor()
  await ann.page.keyboard.press('ControlOrMeta+k')
  await ann.page.getByRole('dialog', { name: 'Commands' }).waitFor()
})

test('what cannot be loaded is told in words, and is there when it is tried again with the network back', async () => {
  const page = await ann.context.newPage()
  await page.route(/\/(ariakit|space-side)-\w+\.js$/, (route) => route.abort())
  await openToWrite(page, address)
  const missing = 'This part of the app could not be loaded'
  const side = page.getByRole('navigation', { name: 'Main' })
  await side.getByRole('heading', { name: missing }).waitFor({ timeout: 30_000 })
  const tools = page.locator('.ui-top').getByRole('button', { name: 'More', exact: true })
  const told = page.getByRole('alert').filter({ hasText: missing })
  await tools.click()
  await told.getByRole('button', { name: 'Close' }).click()
  await page.keyboard.press('ControlOrMeta+k')
  await told.waitFor()
  await page.unrouteAll()
  await side.getByRole('button', { name: 'Try again' }).click()
  await side.getByRole('treeitem', { name: 'Long' }).waitFor()
  await tools.click()
  await page.getByRole('menuitem').first().waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog', { name: 'Commands' }).waitFor()
  await page.close()
})

test('an app that the server no longer has says that there is a newer one', async () => {
  const page = await ann.context.newPage()
  await openToWrite(page, address)
  await page.getByRole('treeitem', { name: 'Long' }).waitFor({ timeout: 30_000 })
  await page.route(/\/app\/~\/.*\.js$/, (route) => route.fulfill({ status: 404 }))
  await page.getByRole('link', { name: 'History' }).click()
  const main = page.getByRole('main')
  await main.getByRole('heading', { name: 'A new version is ready' }).waitFor()
  await page.unrouteAll()
  await main.getByRole('button', { name: 'Reload' }).click()
  await main.getByRole('heading', { name: 'History' }).waitFor({ timeout: 30_000 })
  await page.close()
})
