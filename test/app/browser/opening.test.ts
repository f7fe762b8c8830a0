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
  await writeAt(page, 'Paragraph 1.', 'End', ' Typed at once')
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
