/** A book of a space, of a page and of a change request, asked for in the app; and one that cannot be made. */
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlite } from '../../../kit/backends.ts'
import { readPdf } from '../../../kit/read-pdf.ts'
import { useKit } from '../../../kit/server.ts'
import { launchChromium } from '../../../site/chromium.ts'
import { makePage } from '../pages.ts'
import { signIn } from '../people.ts'

const kit = useKit(sqlite)
let browser: Browser
let origin = ''
let page: Page
let spaceId = ''

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  const body = { title: 'Manual', empty: true, editMode: 'live' as const }
  spaceId = (await kit.as.admin.createSpace({ organizationId: kit.organization, body })).id
  browser = await launchChromium()
  page = (await signIn(browser, origin, kit.people.read.token)).page
})
afterAll(() => browser?.close())

const button = (name: string) => page.getByRole('button', { name, exact: true })

async function readBook(): Promise<string> {
  const address = await page.getByRole('link', { name: 'Open the PDF' }).getAttribute('href', { timeout: 60_000 })
  const answer = await fetch(new URL(address ?? '', origin))
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  const { pages } = await readPdf(Buffer.from(await answer.arrayBuffer()))
  return pages.join(' ')
}

test('a space without pages makes no book, and says so', { timeout: 60_000 }, async () => {
  await page.goto(`${origin}/app/s/${spaceId}/pdf`)
  await button('Make the PDF').click()
  await page.getByRole('alert').waitFor()
  await button('Try again').waitFor()
})

test('a reader has the whole space as a book', { timeout: 120_000 }, async () => {
  await makePage(kit.as.admin, { spaceId, title: 'First', markdown: 'Words of the first.' })
  await makePage(kit.as.admin, { spaceId, title: 'Second', markdown: 'Words of the second.' })
  await page.goto(`${origin}/app/s/${spaceId}/files`)
  await page.getByRole('link', { name: 'PDF' }).click()
  await button('Make the PDF').click()
  const text = await readBook()
  expect(text).toContain('Words of the first.')
  expect(text).toContain('Words of the second.')
})

test('a page of a change request is a book of its own', { timeout: 120_000 }, async () => {
  const { id: changeRequestId, number } = await kit.as.edit.createChangeRequest({ spaceId, body: {} })
  const [first] = (await kit.as.read.listPages({ spaceId })).pages
  const pageId = first?.id ?? ''
  await kit.as.edit.updateChangeRequestContent({
    spaceId,
    changeRequestId,
    query: { compat: false },
    body: { changes: [{ operation: 'update_page', page: pageId, document: { markdown: 'Words as they will be.' } }] },
  })
  const editor = await signIn(browser, origin, kit.people.edit.token)
  const before = page
  page = editor.page
  await page.goto(`${origin}/app/s/${spaceId}/c/${number}/edit/p/${pageId}`)
  await button('More').last().click()
  await page.getByRole('menuitem', { name: 'PDF' }).click()
  await page.getByRole('radio', { name: 'First alone' }).waitFor()
  await button('Make the PDF').click()
  const text = await readBook()
  expect(text).toContain('Words as they will be.')
  expect(text).not.toContain('Words of the second.')
  await editor.context.close()
  page = before
})
