/** Writing together in real browsers: what each types, where each is, and what concerns them, told by the stream of events. */
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlite } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { launchChromium } from '../../site/chromium.ts'
import { moveCursor } from './keyboard.ts'
import { makePage, readMarkdown } from './pages.ts'
import { content, openToWrite, signIn, status, type Writer, writeAt } from './people.ts'

const kit = useKit(sqlite)
let browser: Browser
let origin = ''
let spaceId = ''
let pageId = ''
let ann: Writer
let ben: Writer

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  spaceId = (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Writing' } })).id
  pageId = await makePage(kit.as.admin, {
    spaceId,
    title: 'Install',
    markdown: 'First words.\n\nSecond words.\n\nThird words.',
  })
  browser = await launchChromium()
  ann = await signIn(browser, origin, kit.people.admin.token)
  ben = await signIn(browser, origin, kit.people.review.token)
  await openToWrite(ann.page, addressOf(pageId))
})
afterAll(() => browser?.close())

const addressOf = (page: string): string => `${origin}/app/s/${spaceId}/p/${page}`
const stored = (): Promise<string> => readMarkdown(kit.as.admin, { spaceId, pageId })

test('what is written is saved, and there after a reload', async () => {
  await content(ann.page).click()
  await moveCursor(ann.page, 'Control+End')
  await ann.page.keyboard.press('Enter')
  await ann.page.keyboard.type('## Written in the browser')
  await status(ann.page, /^Saved/).waitFor({ timeout: 20_000 })
  await expect.poll(stored, { timeout: 15_000 }).toContain('Written in the browser')
  await ann.page.reload()
  await content(ann.page).getByText('Written in the browser').waitFor({ timeout: 30_000 })
})

test('without the server it says so and keeps what is written; afterwards it is saved', async () => {
  await ann.context.setOffline(true)
  await content(ann.page).click()
  await moveCursor(ann.page, 'Control+End')
  await ann.page.keyboard.type(' offline words')
  await status(ann.page, /^Offline/).waitFor({ timeout: 20_000 })
  const asksOnLeaving = `!dispatchEvent(new Event('beforeunload', { cancelable: true }))`
  expect(await ann.page.evaluate(asksOnLeaving)).toBe(true)
  await ann.context.setOffline(false)
  await expect.poll(stored, { timeout: 30_000 }).toContain('offline words')
  await status(ann.page, /^Saved/).waitFor({ timeout: 20_000 })
  expect(await ann.page.evaluate(asksOnLeaving)).toBe(false)
})

test('each sees where the other is, and within a second what they write, in one paragraph', async () => {
  await openToWrite(ben.page, addressOf(pageId))
  await writeAt(ann.page, 'First words.', 'End', '')
  await writeAt(ben.page, 'First words.', 'Home', '')
  const nameAt = (page: typeof ann.page) => page.locator('.ed-other-name')
  await expect.poll(() => nameAt(ann.page).allTextContents(), { timeout: 15_000 }).toEqual(['review'])
  await expect.poll(() => nameAt(ben.page).allTextContents(), { timeout: 15_000 }).toEqual(['Admin'])

  // Ann is at the end of the sentence, Ben before it.
  const wordsBefore = (page: typeof ann.page) =>
    page.evaluate<string>(`(() => {
      const cursor = document.querySelector('.ed-other-cursor')
      const range = document.createRange()
      range.setStart(cursor.closest('p'), 0)
      range.setEndBefore(cursor)
      return range.toString()
    })()`)
  await expect.poll(() => wordsBefore(ben.page), { timeout: 15_000 }).toBe('First words.')
  await expect.poll(() => wordsBefore(ann.page), { timeout: 15_000 }).toBe('')

  const took: number[] = []
  for (const word of ['one', 'two', 'three']) {
    await ann.page.keyboard.type(` ${word}`)
    const typed = Date.now()
    await expect.poll(() => content(ben.page).textContent(), { interval: 20, timeout: 15_000 }).toContain(` ${word}`)
    took.push(Date.now() - typed)
  }
  console.log(`the other sees a word after ${took.join(', ')} ms`)
  // A second on a machine that has nothing else to do.
  expect(Math.min(...took)).toBeLessThan(3_000)
  await ben.page.keyboard.type('Ben too. ')
  await expect.poll(stored, { timeout: 15_000 }).toContain('Ben too. First words. one two three')
  await expect.poll(() => content(ann.page).textContent(), { timeout: 15_000 }).toContain('Ben too. First words.')

  // What Ben wrote after it is not taken back with it.
  await ann.page.keyboard.press('Control+z')
  await expect.poll(stored, { timeout: 15_000 }).toContain('Ben too. First words.')
  await expect.poll(stored, { timeout: 15_000 }).not.toContain('three')
  expect(await stored()).toContain('Ben too. First words.')
})

test('after a break in the stream it goes on, and what was missed is there', async () => {
  await ben.context.setOffline(true)
  await writeAt(ann.page, 'Third words.', 'End', ' Changed elsewhere.')
  await expect.poll(stored, { timeout: 15_000 }).toContain('Changed elsewhere.')
  await ben.context.setOffline(false)
  await content(ben.page).getByText('Changed elsewhere.').waitFor({ timeout: 30_000 })
})

test('what is written after a page was read and before its stream was there is shown', async () => {
  let isHeld = true
  const asked: (() => Promise<void>)[] = []
  await ben.page.route(/\/v1\/spaces\/[^/]+\/events/, async (route) => {
    if (isHeld) asked.push(() => route.continue())
    else await route.continue()
  })
  await openToWrite(ben.page, addressOf(pageId))
  await expect.poll(() => asked.length, { timeout: 15_000 }).toBeGreaterThan(0)
  await writeAt(ann.page, 'Third words.', 'End', ' Before the stream.')
  await expect.poll(stored, { timeout: 15_000 }).toContain('Before the stream.')
  isHeld = false
  for (const go of asked) await go()
  await content(ben.page).getByText('Before the stream.').waitFor({ timeout: 30_000 })
  await ben.page.unroute(/\/v1\/spaces\/[^/]+\/events/)
})

test('all tabs of a browser share one stream, which passes on when the tab that has it is hidden', async () => {
  const { context, page: first } = await signIn(browser, origin, kit.people.edit.token)
  const opened: string[] = []
  context.on('request', (request) => {
    if (request.url().includes('/events')) opened.push(new URL(request.url()).pathname)
  })
  await openToWrite(first, addressOf(pageId))
  await expect.poll(() => opened.length, { timeout: 15_000 }).toBe(2)
  const others = [await context.newPage(), await context.newPage()]
  for (const other of others) await openToWrite(other, addressOf(pageId))
  await writeAt(ann.page, 'Third words.', 'End', ' For all tabs.')
  for (const tab of [first, ...others]) await content(tab).getByText('For all tabs.').waitFor({ timeout: 15_000 })
  expect(new Set(opened).size).toBe(2)
  expect(opened).toHaveLength(2)
  const show = (state: 'hidden' | 'visible') =>
    first.evaluate(
      `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
    )
  await show('hidden')
  await expect.poll(() => opened.length, { timeout: 15_000 }).toBe(4)
  await writeAt(ann.page, 'Third words.', 'End', ' While one is hidden.')
  for (const tab of others) await content(tab).getByText('While one is hidden.').waitFor({ timeout: 15_000 })
  await show('visible')
  await content(first).getByText('While one is hidden.').waitFor({ timeout: 15_000 })
  expect(opened).toHaveLength(4)
  await context.close()
})

test('a comment is written on the block with the cursor, by keys alone', async () => {
  await writeAt(ann.page, 'Second words.', 'End', '')
  await ann.page.keyboard.press('Control+Alt+m')
  const field = ann.page.getByRole('textbox', { name: 'Write a comment on this block' })
  await field.waitFor()
  await ann.page.keyboard.type('Which ones?')
  await ann.page.keyboard.press('Control+Enter')
  await ann.page.getByRole('region', { name: 'Comments on this block' }).getByText('Which ones?').waitFor()
  const { items } = await kit.as.admin.listCommentsInSpace({ spaceId, query: { targetPage: pageId } })
  expect(items.map(({ target }) => target.node?.preview)).toEqual(['Second words.'])
})

test('a review that is asked for, and a comment, are told at once', async () => {
  const { id: changeRequestId } = await kit.as.review.createChangeRequest({
    spaceId,
    body: { subject: 'Better words' },
  })
  await kit.as.review.requestReviewersForChangeRequest({
    spaceId,
    changeRequestId,
    body: { users: [kit.people.admin.id] },
  })
  await ann.page.getByText('review asks for your review of “Better words”').first().waitFor({ timeout: 15_000 })
  await ann.page.getByRole('button', { name: /^Notifications, 1 unread/ }).waitFor()
  await kit.as.admin.postCommentInChangeRequest({ spaceId, changeRequestId, body: { body: { markdown: 'Why?' } } })
  await ben.page.getByText('Admin commented on “Better words”').first().waitFor({ timeout: 15_000 })
  await ben.page.getByRole('button', { name: /^Notifications/ }).click()
  await ben.page.getByRole('link', { name: /Admin commented on/ }).click()
  await ben.page.getByRole('region', { name: 'Comments' }).getByText('Why?').waitFor()
})

test('who is mentioned in a comment is told, and so is whose change request is merged or in conflict', async () => {
  // Ann types the name; Ben is told, though the change request is not his.
  await openToWrite(ann.page, addressOf(pageId))
  await writeAt(ann.page, 'Second words.', 'End', '')
  await ann.page.keyboard.press('Control+Alt+m')
  await ann.page.getByRole('textbox', { name: 'Write a comment on this block' }).waitFor()
  await ann.page.keyboard.type('What says @rev')
  await ann.page.getByRole('option', { name: 'review', exact: true }).waitFor()
  await ann.page.keyboard.press('Enter')
  await ann.page.keyboard.type('to it?')
  await ann.page.keyboard.press('Control+Enter')
  await ann.page.getByText('What says review to it?').waitFor()
  await ben.page.getByText('Admin mentioned you').first().waitFor({ timeout: 15_000 })

  const page = await makePage(kit.as.admin, { spaceId, title: 'Disputed', markdown: 'First.' })
  const merged = await kit.as.review.createChangeRequest({ spaceId, body: { subject: 'To be merged' } })
  const edit = (markdown: string) => ({ operation: 'update_page', page, document: { markdown } }) as const
  const change = (changeRequestId: string, markdown: string) =>
    kit.as.review.updateChangeRequestContent({
      spaceId,
      changeRequestId,
      query: { compat: false },
      body: { changes: [edit(markdown)] },
    })
  const inConflict = await kit.as.review.createChangeRequest({ spaceId, body: { subject: 'In conflict' } })
  await change(inConflict.id, 'Mine.')
  await change(merged.id, 'Theirs.')
  await kit.as.admin.mergeChangeRequest({ spaceId, changeRequestId: merged.id })
  await ben.page.getByText('Admin merged “To be merged”').first().waitFor({ timeout: 15_000 })
  await kit.as.admin.updateChangeRequest({ spaceId, changeRequestId: inConflict.id })
  await ben.page
    .getByText(/“In conflict”/)
    .first()
    .waitFor({ timeout: 15_000 })
  await ben.page.getByRole('button', { name: /^Notifications/ }).click()
  await ben.page.getByRole('link', { name: /“In conflict”/ }).click()
  await ben.page.getByRole('article', { name: 'On “Disputed”' }).waitFor({ timeout: 15_000 })
})
