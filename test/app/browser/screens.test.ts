/**
 * Every screen of the app: fit for screen readers in light and dark, no wider than a small phone, in German as in English, under
 * the names that others rely on, and where the addresses of the API's resources lead.
 */
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolations } from '../../kit/axe.ts'
import { sqlite } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { launchChromium, openPage } from '../../site/chromium.ts'
import { makeEverything, openScreen, screensOf } from './every-screen.ts'
import { moveCursor } from './keyboard.ts'
import { content, signIn } from './people.ts'

const kit = useKit(sqlite)
let browser: Browser
let origin = ''
let page: Page
let ids: Awaited<ReturnType<typeof makeEverything>>

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  ids = await makeEverything(kit.as.admin, kit.organization)
  browser = await launchChromium()
  page = (await signIn(browser, origin, kit.people.admin.token)).page
})
afterAll(() => browser?.close())

const screens = (): string[] => screensOf(ids, kit.organization)
const open = (path: string): Promise<void> => openScreen(page, new URL(path, origin).href)

test('every screen is fit for screen readers, in light and dark, on a wide screen and on a small one', {
  timeout: 300_000,
}, async () => {
  const wrong: string[] = []
  const check = async (path: string, only?: string[]): Promise<void> => {
    const found = await findViolations(page, only ? { only } : {})
    wrong.push(...found.map((violation) => `${path}: ${violation}`))
  }
  for (const path of screens()) {
    await open(path)
    await check(path)
    await page.evaluate('document.documentElement.dataset.theme = "dark"')
    await check(`${path} in the dark`, ['color-contrast'])
    await page.evaluate('document.documentElement.dataset.theme = "light"')
    await page.setViewportSize({ width: 320, height: 640 })
    const tooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
    if (tooWide) wrong.push(`${path}: wider than 320 pixels`)
    await page.setViewportSize({ width: 1280, height: 720 })
  }
  expect(wrong).toEqual([])
})

test('what others find by its name has that name', { timeout: 90_000 }, async () => {
  const named = async (role: Parameters<Page['getByRole']>[0], name: string, on = page): Promise<void> => {
    const found = on.getByRole(role, { name, exact: true }).first()
    await found.waitFor({ state: 'visible', timeout: 15_000 }).catch(() => {
      throw new Error(`No ${role} named “${name}” at ${on.url()}.`)
    })
  }
  const { page: stranger } = await openPage(browser)
  await stranger.goto(`${origin}/app`)
  await named('textbox', 'Email', stranger)
  await stranger.getByLabel('Password', { exact: true }).waitFor()
  await named('button', 'Sign in', stranger)
  await open('/app')
  await named('button', 'New space')
  await open(`/app/s/${ids.space}/p/${ids.page}`)
  for (const [role, name] of [
    ['tree', 'Pages'],
    ['button', 'New page'],
    ['textbox', 'Page title'],
    ['textbox', 'Page content'],
  ] as const)
    await named(role, name)
  await content(page).click()
  await moveCursor(page, 'Control+End')
  await page.keyboard.type(' More words.')
  const state = page.getByRole('status').filter({ hasText: /^(Saving…|Saved \d|Saved)/ })
  await state.first().waitFor()
  await page.context().setOffline(true)
  await page.keyboard.type(' And more.')
  await page
    .getByRole('status')
    .filter({ hasText: /^Offline/ })
    .first()
    .waitFor({ timeout: 15_000 })
  await page.context().setOffline(false)
  await page
    .getByRole('status')
    .filter({ hasText: /^Saved \d/ })
    .first()
    .waitFor({ timeout: 30_000 })
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+p')
  await named('dialog', 'Commands')
  await open(`/app/s/${ids.space}/c`)
  await named('button', 'New change request')
  await open(`/app/s/${ids.space}/c/${ids.request}`)
  for (const [role, name] of [
    ['button', 'Merge'],
    ['region', 'Changes'],
    ['region', 'Comments'],
  ] as const)
    await named(role, name)
  const other = await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Unpublished' } })
  await kit.as.admin.updateSpaceContent({
    spaceId: other.id,
    body: { changes: [{ operation: 'insert_page', title: 'One', document: { markdown: 'Words.' } }] },
  })
  await open(`/app/s/${other.id}`)
  await named('button', 'Publish')
})

test('what changed in a list, a table and code is shown with the words beside it', { timeout: 60_000 }, async () => {
  await open(`/app/s/${ids.space}/c/${ids.request}`)
  const card = page.getByRole('region', { name: 'Changes' }).locator('article', { hasText: 'Shapes' })
  await card.waitFor()
  const text = await card.textContent()
  for (const beside of ['one', 'three', 'near', 'first()', 'a()', 'c()']) expect(text).toContain(beside)
  for (const far of ['zero', 'four', 'far', 'list-item', 'paragraph', 'code-line']) expect(text).not.toContain(far)
  expect(text).toContain('1 unchanged row')
  expect(text).toContain('1 unchanged block')
})

test('where changes are shown N goes to the next of them, and makes no page', { timeout: 60_000 }, async () => {
  const at = { spaceId: ids.space, changeRequestId: String(ids.request) }
  const count = async (): Promise<number[]> =>
    [await kit.as.admin.listPages({ spaceId: ids.space }), await kit.as.admin.listPagesInChangeRequest(at)].map(
      ({ pages }) => pages.length,
    )
  const before = await count()
  for (const path of [
    `/c/${ids.request}`,
    `/c/${ids.request}/conflicts`,
    `/c/${ids.conflicting}/conflicts`,
    '/history',
  ]) {
    await open(`/app/s/${ids.space}${path}`)
    await page.keyboard.press('n')
    if (path.endsWith(`${ids.request}`)) await page.locator('[data-change]:focus').waitFor()
    await page.waitForTimeout(300)
    expect(new URL(page.url()).pathname).toBe(`/app/s/${ids.space}${path}`)
  }
  expect(await count()).toEqual(before)
})

test('a page is dragged to another place in the tree, and it can be undone', { timeout: 60_000 }, async () => {
  const { id: spaceId } = await kit.as.admin.createSpace({
    organizationId: kit.organization,
    body: { title: 'Moving' },
  })
  const insert = (title: string) => ({ operation: 'insert_page', title, document: {} }) as const
  await kit.as.admin.updateSpaceContent({ spaceId, body: { changes: ['A', 'B', 'C'].map(insert) } })
  const order = async (): Promise<string> =>
    (await kit.as.admin.listPages({ spaceId })).pages.map(({ title }) => title).join('')
  await open(`/app/s/${spaceId}/files`)
  const row = (title: string) => page.getByRole('treeitem', { name: title, exact: true })
  const box = (await row('C').boundingBox()) ?? { height: 28 }
  await row('A').dragTo(row('C'), { targetPosition: { x: 60, y: box.height - 3 } })
  await expect.poll(order, { timeout: 15_000 }).toBe('BCA')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(order, { timeout: 15_000 }).toBe('ABC')
})

test('the address of every resource leads to its screen', { timeout: 60_000 }, async () => {
  for (const { what, url, title } of ids.urls) {
    expect(url, `urls.app of a ${what}`).toMatch(/^https?:\/\/[^/]+\/app/)
    await page.goto(new URL(new URL(url).pathname, origin).href)
    const crumb = page.locator('.ui-crumbs [aria-current]')
    await expect.poll(() => crumb.textContent(), { timeout: 15_000, message: what }).toBe(title)
  }
})

test('in German nothing is left in English', { timeout: 90_000 }, async () => {
  await page.evaluate('localStorage.setItem("lectern-language", "de")')
  const english = /\b(the|and|with|your|New|Change|Publish|Saved|Search|Settings|Comments|Broken|Files)\b/
  const left: string[] = []
  for (const path of screens()) {
    await open(path)
    // What people wrote and what they are called is not the interface.
    const words = await page.evaluate<string>(
      `[...document.querySelectorAll('button, a, label, h1, h2, [aria-label], .ui-quiet, .ui-hint, .ui-empty')].flatMap((element) => [element.getAttribute('aria-label') ?? '', element.matches('.ed-root *, .doc *, .ui-row *, .ui-tree *, .ui-diff, .ui-diff *, .ui-conflicts *') ? '' : element.innerText ?? '']).join('\\n')`,
    )
    for (const line of new Set(words.split('\n'))) if (english.test(line)) left.push(`${path}: ${line.slice(0, 100)}`)
  }
  await page.evaluate('localStorage.removeItem("lectern-language")')
  expect(left).toEqual([])
})
