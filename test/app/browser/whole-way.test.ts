/**
 * The whole way by keyboard alone, against the real server: first start, password, space, a page with every common kind
 * of block, reload, change request, a second person on the same page, both merged, publish, and a reader who sees it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Child, startChild } from '../../kit/child.ts'
import { launchChromium, openPage, type Watched } from '../../site/chromium.ts'
import { press, saved, tabTo, typeKeys } from './keyboard.ts'

let browser: Browser
let server: Child
let data: string
let first: Watched
let second: Watched

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

const linkIn = (output: string): string => /http\S+\/signin\/password\/\S+/.exec(output)?.[0] ?? ''
const content = (page: Page) => page.getByRole('textbox', { name: 'Page content' })

async function choosePassword(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await tabTo(page, 'New password')
  await page.keyboard.type(password)
  await tabTo(page, 'Repeat password')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
}

async function beginChangeRequest(page: Page, subject: string): Promise<void> {
  await press(page, 'Change requests')
  await press(page, 'New change request')
  await tabTo(page, 'Subject')
  await page.keyboard.type(subject)
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Description' }).waitFor()
}

async function openInTree(page: Page, title: string): Promise<void> {
  await tabTo(page, 'Pages', { key: 'Shift+Tab' })
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Page title' }).inputValue(), { timeout: 15_000 })
    .toBe(title)
  await content(page).waitFor()
}

const blocksByKey = [
  'For everyone who begins.<Enter>',
  '# What you need<Enter>',
  '- Node<Enter>SQLite<Enter><Enter>',
  '1. Download<Enter>Unpack<Enter><Enter>',
  '[] Read on<Enter><Enter>',
  '> Measure twice.<Enter><Enter>',
  '```sh npm start<Control+Enter>',
  '/warn<Enter>Back up first.<Control+Enter>',
  '/expand<Enter>Why?<Tab>Because.<Control+Enter>',
  '/tabs<Enter>Linux<Control+Enter>',
  '/stepper<Enter>First<Control+Enter>',
  '/columns<Enter>Left<Control+Enter>',
  '/table<Enter>Cell<Control+Enter>',
  '/formula<Enter>e = mc^2<Control+Enter><Enter>',
  '---<Enter>The end.',
].join('')

/** The kinds of blocks on the page, each once, in the order in which they first appear. */
const kindsOn = async (page: Page): Promise<string[]> => [
  ...new Set(
    await page.evaluate<string[]>(
      `[...document.querySelectorAll('.ed-doc > *')].map((element) => element.pmViewDesc?.node?.type.name).filter(Boolean)`,
    ),
  ),
]

const kinds = [
  'paragraph',
  'heading_1',
  'list_unordered',
  'list_ordered',
  'list_tasks',
  'blockquote',
  'code',
  'hint',
  'expandable',
  'tabs',
  'stepper',
  'columns',
  'table',
  'math',
  'divider',
]

test('from the first start to a reader', { timeout: 240_000 }, async () => {
  const link = linkIn(server.output.join('\n'))
  first = await openPage(browser)
  const { page } = first
  await choosePassword(page, link)

  await page.getByRole('heading', { name: 'Welcome to Lectern' }).waitFor()
  const labelOfFocused = (): Promise<string> =>
    page.evaluate<string>('document.activeElement?.labels?.[0]?.textContent ?? ""')
  await expect.poll(labelOfFocused, { timeout: 15_000 }).toMatch(/^What is your team/)
  await page.keyboard.type('Example Ltd')
  await tabTo(page, 'What will you write first')
  await page.keyboard.type('Handbook')
  await page.keyboard.press('Enter')

  await page.getByRole('textbox', { name: 'Page title' }).waitFor()
  const origin = new URL(page.url()).origin
  expect(await page.getByRole('tree', { name: 'Pages' }).getByRole('treeitem').allTextContents()).toEqual(['Welcome'])

  // The page was made to be written: the cursor is in it.
  const nameOfFocused = (): Promise<string> =>
    page.evaluate<string>('document.activeElement?.getAttribute("aria-label") ?? ""')
  await expect.poll(nameOfFocused, { timeout: 15_000 }).toBe('Page content')
  await page.keyboard.press('Escape')
  await tabTo(page, 'Page title')
  await typeKeys(page, '<Control+a>Install')
  await saved(page)
  await page.reload()
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Page title' }).inputValue(), { timeout: 15_000 })
    .toBe('Install')
  await content(page).waitFor()

  // More than ten kinds of blocks, typed and chosen from the menu, all there after a reload.
  await tabTo(page, 'Page content')
  await typeKeys(page, blocksByKey)
  await saved(page)
  await expect.poll(() => kindsOn(page), { timeout: 15_000 }).toEqual(kinds)
  await page.reload()
  await content(page).waitFor()
  await expect.poll(() => kindsOn(page), { timeout: 15_000 }).toEqual(kinds)

  // A second page, made and moved in the tree.
  await press(page, 'New page')
  await expect.poll(() => page.getByRole('treeitem').count(), { timeout: 15_000 }).toBe(2)
  await expect.poll(() => page.getByRole('textbox', { name: 'Page title' }).inputValue(), { timeout: 15_000 }).toBe('')
  await page.keyboard.type('Upgrade')
  await saved(page)
  await tabTo(page, 'Pages', { key: 'Shift+Tab' })
  await page.keyboard.press('Alt+ArrowUp')
  await expect
    .poll(() => page.getByRole('treeitem').allTextContents(), { timeout: 15_000 })
    .toEqual(['Upgrade', 'Install'])

  // Somebody else is invited and takes part.
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Commands' }).waitFor()
  await page.keyboard.type('Members')
  await page.getByRole('option', { name: 'Members' }).first().waitFor()
  await page.keyboard.press('Enter')
  await press(page, 'Invite people')
  await page.getByRole('dialog').waitFor()
  await tabTo(page, 'Email addresses')
  await page.keyboard.type('lin@example.com')
  await tabTo(page, 'Role')
  await page.keyboard.press('ArrowUp')
  await press(page, /^Invite people$/)
  await page.getByText('lin@example.com').waitFor()
  const asked = startChild('bin/lectern.js', ['user', 'link', '--email', 'lin@example.com'], { LECTERN_DATA: data })
  await asked.ended
  second = await openPage(browser)
  const lin = second.page
  await choosePassword(lin, new URL(new URL(linkIn(asked.output.join('\n'))).pathname, origin).href)
  await lin.getByRole('heading', { name: 'Spaces' }).waitFor()

  // A change request of each, both about one page.
  await page.goBack()
  await page.getByRole('textbox', { name: 'Page title' }).waitFor()
  await beginChangeRequest(page, 'Say who it is for')
  await page.getByRole('treeitem', { name: 'Install' }).waitFor()
  await openInTree(page, 'Install')
  await tabTo(page, 'Page content')
  await typeKeys(page, '<Control+Home><End> In a minute.')
  await saved(page)
  await press(lin, /^\W*Handbook/)
  await lin.getByRole('textbox', { name: 'Page title' }).waitFor()
  await beginChangeRequest(lin, 'Name what is needed')
  await openInTree(lin, 'Install')
  await tabTo(lin, 'Page content')
  await typeKeys(lin, '<Control+Home><ArrowDown><End> And an hour.')
  await saved(lin)

  // What it changes, a word about it, and the merge.
  await press(page, /^#1 Say who it is for/)
  const changes = page.getByRole('region', { name: 'Changes' })
  await changes.getByText('In a minute.').waitFor()
  await tabTo(page, 'Write a comment')
  await page.keyboard.type('Looks right.')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('region', { name: 'Comments' }).getByText('Looks right.').waitFor()
  await press(page, /^Merge$/, { key: 'Shift+Tab' })
  await page.getByText('Merged', { exact: true }).first().waitFor()

  // The second is behind now: it is brought up to date without a conflict, and merged as well.
  await press(lin, /^#2 Name what is needed/)
  await press(lin, /^Update$/)
  await lin.getByText('Up to date with the space').waitFor()
  await lin.getByRole('region', { name: 'Changes' }).getByText('And an hour.').waitFor()
  await press(lin, /^Merge$/, { key: 'Shift+Tab' })
  await lin.getByText('Merged', { exact: true }).first().waitFor()

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
  await reader.page.getByRole('link', { name: 'Install' }).first().click()
  const read = reader.page.locator('main')
  for (const words of ['In a minute.', 'And an hour.', 'Back up first.', 'npm start', 'Linux'])
    await expect.poll(() => read.textContent(), { timeout: 15_000 }).toContain(words)

  expect([first.problems, second.problems, reader.problems]).toEqual([[], [], []])
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
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Page title' }).inputValue(), { timeout: 15_000 })
    .toBe('Upgrade')
})
