/** Conflicts of a change request with its space, settled by keys alone: mine, theirs and both, and a page that one side deleted. */
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlite } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { launchChromium } from '../../site/chromium.ts'
import { press, tabTo } from './keyboard.ts'
import { makePage, readMarkdown } from './pages.ts'
import { signIn, type Writer } from './people.ts'

const kit = useKit(sqlite)
let browser: Browser
let ann: Writer
let origin = ''
let spaceId = ''

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  spaceId = (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Disputed' } })).id
  browser = await launchChromium()
  ann = await signIn(browser, origin, kit.people.admin.token)
})
afterAll(() => browser?.close())

type Changes = Parameters<typeof kit.as.admin.updateSpaceContent>[0]['body']['changes']

const inSpace = (changes: Changes) => kit.as.admin.updateSpaceContent({ spaceId, body: { changes } })

const inRequest = (changeRequestId: string, changes: Changes) =>
  kit.as.admin.updateChangeRequestContent({ spaceId, changeRequestId, query: { compat: false }, body: { changes } })

const rewrite = (page: string, markdown: string): Changes[number] => ({
  operation: 'update_page',
  page,
  document: { markdown },
})

test('each of three paragraphs is settled by a key, the focus goes on by itself, and the merge holds what was chosen', {
  timeout: 90_000,
}, async () => {
  const pageId = await makePage(kit.as.admin, { spaceId, markdown: 'One is red.\n\nTwo is red.\n\nThree is red.' })
  const edited = await makePage(kit.as.admin, { spaceId, title: 'Deleted there', markdown: 'Words.' })
  const { id, number } = await kit.as.admin.createChangeRequest({ spaceId, body: { subject: 'Mine' } })
  await inRequest(id, [
    rewrite(pageId, 'One is mine.\n\nTwo is mine.\n\nThree is mine.'),
    rewrite(edited, 'More words.'),
  ])
  await inSpace([
    rewrite(pageId, 'One is theirs.\n\nTwo is theirs.\n\nThree is theirs.'),
    { operation: 'delete_page', page: edited },
  ])

  const { page } = ann
  await page.goto(`${origin}/app/s/${spaceId}/c/${number}`)
  await page.getByRole('button', { name: /^Update$/ }).waitFor()
  await press(page, /^Update$/)
  const cards = page.getByRole('article', { name: 'On “Page”' })
  await expect.poll(() => cards.count(), { timeout: 15_000 }).toBe(3)
  const left = (words: string) => page.getByRole('status').filter({ hasText: words }).waitFor()
  await left('3 conflicts left')

  // N and P go from card to card; each key chooses for the card that has the focus.
  await tabTo(page, 'Keep mine')
  await page.keyboard.press('n')
  await page.keyboard.press('n')
  await page.keyboard.press('p')
  await page.keyboard.press('t')
  await left('2 conflicts left')
  await expect.poll(() => focused()).toContain('One is mine.')
  await page.keyboard.press('m')
  await left('1 conflict left')
  await expect.poll(() => focused()).toContain('Three is mine.')
  await page.keyboard.press('b')
  await page.getByText('Every conflict is resolved.').waitFor()
  await expect.poll(() => focused()).toContain('Every conflict is resolved.')

  // The update kept the page that one side had deleted, says so, and does not stand in the way.
  await page.getByText('One side changed a page that the other deleted. The page is kept.').waitFor()
  await press(page, /^Merge$/, { key: 'Shift+Tab' })
  await page.getByText('Merged', { exact: true }).first().waitFor()
  expect(await readMarkdown(kit.as.admin, { spaceId, pageId })).toBe(
    '# Page\n\nOne is mine.\n\nTwo is theirs.\n\nThree is theirs.\n\nThree is mine.\n',
  )
  expect(await readMarkdown(kit.as.admin, { spaceId, pageId: edited })).toContain('More words.')
})

test('a page that was changed here and deleted there is deleted after all', { timeout: 60_000 }, async () => {
  const pageId = await makePage(kit.as.admin, { spaceId, title: 'Going', markdown: 'Words.' })
  const { id, number } = await kit.as.admin.createChangeRequest({ spaceId, body: { subject: 'Goes' } })
  await inRequest(id, [rewrite(pageId, 'More words.')])
  await inSpace([{ operation: 'delete_page', page: pageId }])
  await kit.as.admin.updateChangeRequest({ spaceId, changeRequestId: id })
  const { page } = ann
  await page.goto(`${origin}/app/s/${spaceId}/c/${number}/conflicts`)
  // Seen before it is walked to: Chromium's own process has crashed at keys that came while the page was being built.
  const remove = page.getByRole('button', { name: 'Delete the page' })
  await remove.waitFor()
  await press(page, 'Delete the page')
  await remove.waitFor({ state: 'detached' })
  await press(page, /^Merge$/, { key: 'Shift+Tab' })
  await page.getByText('Merged', { exact: true }).first().waitFor()
  const gone = await kit.as.admin.getPageById({ spaceId, pageId }).then(
    () => false,
    () => true,
  )
  expect(gone).toBe(true)
})

test('both titles of a page are shown, and one’s own is given back', { timeout: 60_000 }, async () => {
  const pageId = await makePage(kit.as.admin, { spaceId, title: 'At first', markdown: 'Words.' })
  const { id, number } = await kit.as.admin.createChangeRequest({ spaceId, body: { subject: 'Renames' } })
  await inRequest(id, [{ operation: 'update_page', page: pageId, title: 'My title' }])
  await inSpace([{ operation: 'update_page', page: pageId, title: 'Their title' }])
  await kit.as.admin.updateChangeRequest({ spaceId, changeRequestId: id })
  const { page } = ann
  await page.goto(`${origin}/app/s/${spaceId}/c/${number}/conflicts`)
  await page.getByText('My title', { exact: true }).first().waitFor()
  await page.getByText('Their title', { exact: true }).first().waitFor()
  const keep = page.getByRole('button', { name: 'Keep mine' })
  await keep.first().waitFor()
  await press(page, 'Keep mine')
  await keep.first().waitFor({ state: 'detached' })
  const kept = await kit.as.admin.getPageInChangeRequestById({ spaceId, changeRequestId: id, pageId })
  expect(kept).toMatchObject({ title: 'My title', slug: 'my-title' })
})

/** What stands in the card, or in all of the conflicts, that has the focus. */
const focused = (): Promise<string> =>
  ann.page.evaluate<string>('document.querySelector(".ui-conflict:focus, .ui-conflicts:focus")?.textContent ?? ""')
