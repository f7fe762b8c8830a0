/** What a page waits for until it can be written in: not for the tree, and not for the text that is out of view. */
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlite } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { launchChromium } from '../../site/chromium.ts'
import { cursorMoved, moveCursor } from './keyboard.ts'
import { makePage, readMarkdown } from './pages.ts'
import { content, openToWrite, signIn, type Writer } from './people.ts'

const kit = useKit(sqlite)
let browser: Browser
let ann: Writer
let address = ''
let spaceId = ''
let pageId = ''
const paragraphs = 120

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  const origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  spaceId = (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Opening' } })).id
  const markdown = Array.from({ length: paragraphs }, (_, at) => `Paragraph ${at}.`).join('\n\n')
  pageId = await makePage(kit.as.admin, { spaceId, title: 'Long', markdown })
  address = `${origin}/app/s/${spaceId}/p/${pageId}`
  browser = await launchChromium()
  ann = await signIn(browser, origin, kit.people.admin.token)
})
afterAll(() => browser?.close())

const leftOut = (page: Page): Promise<number> =>
  page.evaluate(
    `[...document.querySelector('.ed-doc').children].filter((block) => getComputedStyle(block).contentVisibility === 'auto').length`,
  )

test('a browser that is never idle: the page can be written in without the tree and without the blocks below', async () => {
  const page = await ann.context.newPage()
  await page.addInitScript('window.requestIdleCallback = () => 0')
  await openToWrite(page, address)
  expect(await page.getByRole('treeitem').count()).toBe(0)
  expect(await leftOut(page)).toBeGreaterThan(50)

  // Where the cursor comes to them all are laid out: Chromium loses what is typed into a block made among those left out.
  await content(page).getByText('Paragraph 100.').click()
  await cursorMoved(page)
  await moveCursor(page, 'End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Typed at once')
  await expect
    .poll(() => content(page).innerText(), { timeout: 30_000 })
    .toMatch(/Paragraph 100\.\s+Typed at once\s+Paragraph 101\./)
  expect(await leftOut(page)).toBe(0)
  await expect
    .poll(() => readMarkdown(kit.as.admin, { spaceId, pageId }), { timeout: 30_000 })
    .toContain('Paragraph 100.\n\nTyped at once\n\nParagraph 101.')
  await page.close()
})

test('an idle browser shows the tree and lays the whole page out', async () => {
  await openToWrite(ann.page, address)
  await ann.page.getByRole('treeitem', { name: 'Long' }).waitFor({ timeout: 30_000 })
  await expect.poll(() => leftOut(ann.page), { timeout: 60_000 }).toBe(0)
})
