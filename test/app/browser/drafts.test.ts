/** Comments that are written and not sent yet, and people of one name, in a real browser. */
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlite } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { launchChromium } from '../../site/chromium.ts'
import { makePage } from './pages.ts'
import { openToWrite, signIn, type Writer, writeAt } from './people.ts'

const kit = useKit(sqlite)
let browser: Browser
let ann: Writer
let spaceId = ''
let pageId = ''
let origin = ''

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  spaceId = (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Drafts' } })).id
  pageId = await makePage(kit.as.admin, { spaceId, markdown: 'First words.\n\nSecond words.' })
  browser = await launchChromium()
  ann = await signIn(browser, origin, kit.people.admin.token)
})
afterAll(() => browser?.close())

const address = (): string => `${origin}/app/s/${spaceId}/p/${pageId}`
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const onPage = 'Write a comment'
const onBlock = 'Write a comment on this block'

test('a comment on a page, on a block and an answer are there after a reload, and gone when they are sent', {
  timeout: 90_000,
}, async () => {
  const { page } = ann
  await kit.as.admin.postCommentInSpace({ spaceId, body: { page: pageId, body: { markdown: 'Is that so?' } } })
  await openToWrite(page, address())
  await page.getByRole('button', { name: 'Comments' }).click()
  await field(page, onPage).fill('About the page')
  await page.getByRole('button', { name: 'Reply' }).click()
  // What is typed at once is in the reply.
  await field(page, 'Write a reply').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Almost')
  await page.reload()
  await expect.poll(() => field(page, onPage).inputValue()).toBe('About the page')
  await expect.poll(() => field(page, 'Write a reply').inputValue()).toBe('Almost')

  await field(page, 'Write a reply').press('Control+Enter')
  await page.locator('.ui-replies').getByText('Almost').waitFor()
  await field(page, onPage).press('Control+Enter')
  await page.locator('.ui-comment-list').getByText('About the page').waitFor()

  await writeAt(page, 'Second words.', 'End', '')
  await page.keyboard.press('Control+Alt+m')
  await field(page, onBlock).fill('About this block')
  await page.reload()
  await expect.poll(() => field(page, onBlock).inputValue()).toBe('About this block')
  await field(page, onBlock).press('Control+Enter')
  await page.locator('.ui-comment-list').getByText('About this block').waitFor()
  await page.reload()
  await field(page, onPage).waitFor()
  expect(await field(page, onPage).inputValue()).toBe('')
  expect(await page.evaluate(`Object.keys(localStorage).filter((key) => key.startsWith('lectern-draft'))`)).toEqual([])
})

test('a review that was begun is there after a reload', { timeout: 90_000 }, async () => {
  const { page } = ann
  const request = await kit.as.review.createChangeRequest({ spaceId, body: { subject: 'Better' } })
  await kit.as.review.updateChangeRequestById({
    spaceId,
    changeRequestId: request.id,
    body: { status: 'open' },
  })
  const open = async (): Promise<void> => {
    await page.goto(`${origin}/app/s/${spaceId}/c/${request.number}`)
    await page.getByRole('button', { name: 'Ask for changes' }).click()
  }
  const words = page.getByRole('dialog').getByRole('textbox')
  await open()
  await words.fill('The second half is missing')
  await open()
  await expect.poll(() => words.inputValue()).toBe('The second half is missing')
  await page.getByRole('dialog').getByRole('button', { name: 'Ask for changes' }).click()
  await page.getByText('The second half is missing').waitFor()
  await open()
  expect(await words.inputValue()).toBe('')
})

test('two people of one name are told apart, and both who was chosen', { timeout: 90_000 }, async () => {
  const { page } = ann
  for (const one of [kit.as.review, kit.as.edit]) await one.updateAuthenticatedUser({ body: { displayName: 'Kim' } })
  await openToWrite(page, address())
  await field(page, onPage).click()
  for (const person of [kit.people.edit, kit.people.review]) {
    await page.keyboard.type('@Kim')
    await page.getByRole('option').filter({ hasText: person.email }).click()
  }
  await page.keyboard.type('please look')
  await field(page, onPage).press('Control+Enter')
  await page.locator('.ui-comment-list').getByText('please look').waitFor()
  const { items } = await kit.as.admin.listCommentsInSpace({ spaceId, query: { format: 'markdown', order: 'desc' } })
  const words = JSON.stringify(items.find(({ body }) => JSON.stringify(body).includes('please look'))?.body)
  const named = [...words.matchAll(/users\/([\w-]+)/g)].map(([, id]) => id)
  expect([...new Set(named)]).toEqual([kit.people.edit.id, kit.people.review.id])
})
