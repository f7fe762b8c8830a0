/**
 * The whole way by keyboard alone, against the real server: first start, password, space, page, reload, change request,
 * a second writer, merge, publish, and a reader who sees it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Child, startChild } from '../../kit/child.ts'
import { launchChromium, openPage, type Watched } from '../../site/chromium.ts'

let browser: Browser
let server: Child
let data: string
let first: Watched

const password = 'correct horse battery staple'

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'lectern-app-'))
  server = startChild('bin/lectern.js', ['serve'], {
    PORT: '0',
    HOST: '127.0.0.1',
    LECTERN_DATA: data,
    LECTERN_SAMPLE: 'false',
  })
  browser = await launchChromium()
  await server.says('/v1/orgs')
})
afterAll(async () => {
  await browser.close()
  await server.kill()
  rmSync(data, { recursive: true, force: true })
})

/** Runs in the page, where the types of the test do not reach. */
const nameOfFocused = `(() => {
  const element = document.activeElement
  return element?.getAttribute('aria-label') ?? element?.labels?.[0]?.textContent ?? element?.textContent ?? ''
})()`

/** Presses Tab until something of this name has the focus, as a person without a mouse would. */
async function tabTo(page: Page, name: string | RegExp, { key = 'Tab', most = 80 } = {}): Promise<void> {
  const wanted = typeof name === 'string' ? new RegExp(`^${name}`) : name
  for (let step = 0; step < most; step++) {
    const focused = await page.evaluate<string>(nameOfFocused)
    if (wanted.test(focused.trim())) return
    await page.keyboard.press(key)
  }
  throw new Error(`Nothing named ${name} was reached by ${key}.`)
}

const press = async (page: Page, name: string | RegExp): Promise<void> => {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

const saved = (page: Page) =>
  page
    .getByRole('status')
    .filter({ hasText: /^Saved/ })
    .first()
    .waitFor()

test('from the first start to a reader', { timeout: 240_000 }, async () => {
  const link = /http\S+\/signin\/password\/\S+/.exec(server.output.join('\n'))?.[0] ?? ''
  first = await openPage(browser)
  const { page } = first

  await page.goto(link)
  await tabTo(page, 'New password')
  await page.keyboard.type(password)
  await tabTo(page, 'Repeat password')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')

  await page.getByRole('heading', { name: 'Welcome to Lectern' }).waitFor()
  await tabTo(page, 'What is your team')
  await page.keyboard.type('Example Ltd')
  await tabTo(page, 'What will you write first')
  await page.keyboard.type('Handbook')
  await page.keyboard.press('Enter')

  await page.getByRole('textbox', { name: 'Page title' }).waitFor()
  const origin = new URL(page.url()).origin
  expect(await page.getByRole('tree', { name: 'Pages' }).getByRole('treeitem').allTextContents()).toEqual(['Welcome'])

  await tabTo(page, 'Page title')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Install')
  await saved(page)
  await page.reload()
  await expect.poll(() => page.getByRole('textbox', { name: 'Page title' }).inputValue()).toBe('Install')

  // A page of its own kind under it, made and moved in the tree.
  await press(page, 'New page')
  await page.getByRole('textbox', { name: 'Page title' }).waitFor()
  await expect.poll(() => page.getByRole('treeitem').count()).toBe(2)
  await page.keyboard.type('Upgrade')
  await saved(page)
  await tabTo(page, 'Pages', { key: 'Shift+Tab' })
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(() => page.getByRole('treeitem').allTextContents()).toEqual(['Upgrade', 'Install'])

  // A change request, what it changes, a word about it, and the merge.
  await press(page, 'Change requests')
  await press(page, 'New change request')
  await tabTo(page, 'Subject')
  await page.keyboard.type('Say who it is for')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Description' }).waitFor()
  await tabTo(page, 'Description')
  await page.keyboard.type('For everyone who moves up.')
  await saved(page)
  await press(page, /^#1 Say who it is for/)
  const changes = page.getByRole('region', { name: 'Changes' })
  await changes.getByText('For everyone who moves up.').waitFor()
  await tabTo(page, 'Write a comment')
  await page.keyboard.type('Looks right.')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('region', { name: 'Comments' }).getByText('Looks right.').waitFor()
  await tabTo(page, /^Merge$/, { key: 'Shift+Tab' })
  await page.keyboard.press('Enter')
  await page.getByText('Merged', { exact: true }).first().waitFor()

  // Published, and read by someone who is not signed in.
  await press(page, 'Handbook')
  await page.getByRole('textbox', { name: 'Page title' }).waitFor()
  await press(page, /^Publish$/)
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Tab')
  await press(page, /^Publish$/)
  await page.getByText('The site is live.').waitFor()
  const address = (await page.getByRole('link', { name: 'Open the site' }).getAttribute('href')) ?? ''
  expect(address).toContain(origin)
  const reader = await openPage(browser)
  await reader.page.goto(address)
  await expect.poll(() => reader.page.locator('main').textContent()).toContain('For everyone who moves up.')

  expect(first.problems).toEqual([])
})

test('the palette opens by key, finds a page and goes there', { timeout: 60_000 }, async () => {
  const { page } = first
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Commands' })
  await palette.waitFor()
  await page.keyboard.type('Upgra')
  await palette
    .getByRole('option', { name: /Upgrade/ })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByRole('textbox', { name: 'Page title' }).inputValue()).toBe('Upgrade')
})

test('every screen is fit for screen readers, on a wide screen and on a small one', { timeout: 180_000 }, async () => {
  const { page } = first
  const space = /\/app\/s\/[^/]+/.exec(page.url())?.[0] ?? ''
  const below = ['', '/c', '/c/1', '/files', '/links', '/history', '/settings'].map((path) => `${space}${path}`)
  const wrong: string[] = []
  for (const path of ['/app', '/app/changes', '/app/sites', '/app/me', '/app/nowhere', ...below]) {
    await page.goto(new URL(path, page.url()).href)
    await page.locator('.ui-crumbs [aria-current]').waitFor()
    await page.locator('main [aria-busy]').first().waitFor({ state: 'detached' })
    const { violations } = await new AxeBuilder({ page }).analyze()
    wrong.push(...violations.map(({ id, nodes }) => `${path}: ${id} ${nodes[0]?.html}`))
    await page.setViewportSize({ width: 320, height: 640 })
    const tooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
    if (tooWide) wrong.push(`${path}: wider than 320 pixels`)
    await page.setViewportSize({ width: 1280, height: 720 })
  }
  expect(wrong).toEqual([])
})
