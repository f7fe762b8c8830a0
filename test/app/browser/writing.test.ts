/** The whole way in a browser: sign in, write, reload, two people in one page, and a server that goes away for a while. */
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlite } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { launchChromium } from '../../site/chromium.ts'

const kit = useKit(sqlite)
let browser: Browser
let origin = ''
let spaceId = ''
let pageId = ''

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  spaceId = (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Writing' } })).id
  const made = await kit.as.admin.updateSpaceContent({
    spaceId,
    body: {
      changes: [
        { operation: 'insert_page', title: 'Install', document: { markdown: 'First words.\n\nSecond words.' } },
      ],
    },
  })
  const [change] = made.changes
  pageId = change?.object === 'created_page' ? change.page.id : ''
  browser = await launchChromium()
})
afterAll(() => browser?.close())

/** A browser of its own, signed in by a token as the app does it. */
async function openPage(token: string): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext()
  const page = await context.newPage()
  // Any page of the origin can sign in; the app itself would go elsewhere meanwhile.
  await page.route(`${origin}/host`, (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body: '<!doctype html>' }),
  )
  await page.goto(`${origin}/host`)
  const status = await page.evaluate(
    `fetch('/v1/sessions', { method: 'POST', headers: { 'content-type': 'application/json', 'x-lectern-app': '1' }, body: JSON.stringify({ token: ${JSON.stringify(token)} }) }).then((answer) => answer.status)`,
  )
  expect(status).toBe(201)
  await page.goto(`${origin}/app/s/${spaceId}/p/${pageId}`)
  await content(page).waitFor({ timeout: 30_000 })
  return { context, page }
}

const content = (page: Page) => page.getByRole('textbox', { name: 'Page content' })
const stored = async (): Promise<string> => {
  const page = await kit.as.admin.getPageById({ spaceId, pageId, query: { format: 'markdown' } })
  return 'markdown' in page ? String(page.markdown) : ''
}

test('what is written is saved, and there after a reload', async () => {
  const { context, page } = await openPage(kit.people.admin.token)
  await content(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('## Written in the browser')
  await page
    .getByRole('status')
    .filter({ hasText: /^Saved/ })
    .first()
    .waitFor({ timeout: 20_000 })
  await expect.poll(stored, { timeout: 15_000 }).toContain('Written in the browser')
  await page.reload()
  await content(page).getByText('Written in the browser').waitFor({ timeout: 30_000 })
  await context.close()
})

test('without the server it says so and keeps what is written; afterwards it is saved', async () => {
  const { context, page } = await openPage(kit.people.admin.token)
  await context.setOffline(true)
  await content(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' offline words')
  await page
    .getByRole('status')
    .filter({ hasText: /^Offline/ })
    .first()
    .waitFor({ timeout: 20_000 })
  await context.setOffline(false)
  await expect.poll(stored, { timeout: 30_000 }).toContain('offline words')
  await context.close()
})

test('two people in one paragraph both stay, and each sees the other', async () => {
  const first = await openPage(kit.people.admin.token)
  const second = await openPage(kit.people.admin.token)
  await content(first.page).getByText('First words.').click()
  await first.page.keyboard.press('End')
  await first.page.keyboard.type(' Ann was here.')
  await expect.poll(stored, { timeout: 15_000 }).toContain('Ann was here.')
  await content(second.page).getByText('First words.').click()
  await second.page.keyboard.press('Home')
  await second.page.keyboard.type('Ben too. ')
  await expect.poll(stored, { timeout: 15_000 }).toMatch(/Ben too\. First words\. Ann was here\./)
  await content(second.page).getByText('Ann was here.').waitFor({ timeout: 15_000 })
  await first.context.close()
  await second.context.close()
})
