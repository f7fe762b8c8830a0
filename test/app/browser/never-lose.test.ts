/**
 * Never lose a word, in real browsers against a real process: a server that is killed while someone writes, a tab that is closed
 * meanwhile, one that slept, a second one, two people in the same words; and the way back through the history.
 */
import { rmSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../../src/client/client.ts'
import { connect } from '../../../src/client/index.ts'
import { makeFolder } from '../../kit/backends.ts'
import { type Child, startChild } from '../../kit/child.ts'
import { launchChromium } from '../../site/chromium.ts'
import { cursorMoved, moveCursor } from './keyboard.ts'
import { makePage, readMarkdown } from './pages.ts'
import { content, openToWrite, signIn, status, type Writer, writeAt } from './people.ts'

let browser: Browser
let server: Child
let folder: string
let origin = ''
let token = ''
let client: Client
let spaceId = ''
let ann: Writer

async function start(port = '0'): Promise<void> {
  server = startChild('bin/lectern.js', ['serve'], {
    PORT: port,
    HOST: '127.0.0.1',
    LECTERN_DATA: folder,
    LECTERN_SAMPLE: 'false',
    LECTERN_RATE_LIMIT: '0',
  })
  await server.says('/v1')
}

beforeAll(async () => {
  folder = makeFolder()
  await start()
  await server.says('lct_')
  token = /lct_[\w-]+/.exec(server.output.join('\n'))?.[0] ?? ''
  origin = /http:\/\/127\.0\.0\.1:\d+/.exec(server.output.join('\n'))?.[0] ?? ''
  client = connect({ url: origin, token })
  const organizationId = (await client.listOrganizationsForAuthenticatedUser()).items[0]?.id ?? ''
  spaceId = (await client.createSpace({ organizationId, body: { title: 'Safe' } })).id
  browser = await launchChromium()
  ann = await signIn(browser, origin, token)
})
afterAll(async () => {
  await browser?.close()
  await server.kill()
  rmSync(folder, { recursive: true, force: true })
})

async function newPage(markdown: string): Promise<{ id: string; address: string; stored: () => Promise<string> }> {
  const id = await makePage(client, { spaceId, markdown })
  const stored = (): Promise<string> => readMarkdown(client, { spaceId, pageId: id })
  return { id, address: `${origin}/app/s/${spaceId}/p/${id}`, stored }
}

test('a killed server: what is written goes on, and a tab opened afterwards has what a closed one held', {
  timeout: 120_000,
}, async () => {
  const { address, stored } = await newPage('Before.\n\nUnder.')
  await openToWrite(ann.page, address)
  await server.kill()
  await writeAt(ann.page, 'Before.', 'End', ' Written without a server.')
  await status(ann.page, /^Offline: 1 edit kept on this device, not saved since \d/).waitFor()
  // The tab dies as well: nothing but the device has the words.
  await ann.page.close({ runBeforeUnload: false })
  await start(new URL(origin).port)
  ann.page = await ann.context.newPage()
  await openToWrite(ann.page, address)
  await content(ann.page).getByText('Before. Written without a server.').waitFor()
  await expect.poll(stored, { timeout: 20_000 }).toContain('Written without a server.')
})

test('a tab that slept, and a second tab, overwrite nothing', { timeout: 60_000 }, async () => {
  const { address, stored } = await newPage('Alpha.\n\nBeta.\n\nGamma.')
  await openToWrite(ann.page, address)
  const other = await signIn(browser, origin, token)
  await openToWrite(other.page, address)
  const second = await ann.context.newPage()
  await openToWrite(second, address)
  await ann.context.setOffline(true)
  await writeAt(other.page, 'Alpha.', 'End', ' From elsewhere.')
  await expect.poll(stored, { timeout: 15_000 }).toContain('From elsewhere.')
  // The sleeping tab wakes and writes on what it had.
  await writeAt(ann.page, 'Beta.', 'End', ' From the old tab.')
  await ann.context.setOffline(false)
  await writeAt(second, 'Gamma.', 'End', ' From the second tab.')
  await expect
    .poll(stored, { timeout: 20_000 })
    .toBe('# Page\n\nAlpha. From elsewhere.\n\nBeta. From the old tab.\n\nGamma. From the second tab.\n')
  await second.close()
  await other.context.close()
})

test('what is written on a page that is deleted meanwhile is kept, which is said, and there when the page is back', {
  timeout: 60_000,
}, async () => {
  const { id, address, stored } = await newPage('First.')
  const { page } = ann
  await openToWrite(page, address)
  const { revision } = await client.getSpaceById({ spaceId })
  await client.updateSpaceContent({ spaceId, body: { changes: [{ operation: 'delete_page', page: id }] } })
  await writeAt(page, 'First.', 'End', ' More.')
  await status(page, /^This page is gone: your edits are kept/).waitFor({ timeout: 15_000 })
  await page.goto(`${origin}/app`)
  await client.updateSpaceContent({ spaceId, body: { changes: [{ operation: 'revert_page', page: id, revision }] } })
  await openToWrite(page, address)
  await content(page).getByText('First. More.').waitFor()
  await expect.poll(stored, { timeout: 15_000 }).toContain('First. More.')
})

test('two who change the same words see both versions side by side, go on typing, and choose', {
  timeout: 90_000,
}, async () => {
  const { address, stored } = await newPage('The lamp is red.\n\nRest.')
  await openToWrite(ann.page, address)
  const other = await signIn(browser, origin, token)
  await openToWrite(other.page, address)
  await ann.context.setOffline(true)
  const replace = async (writer: Writer, colour: string): Promise<void> => {
    await content(writer.page).getByText('The lamp is red.').click()
    await cursorMoved(writer.page)
    await moveCursor(writer.page, 'End')
    for (const _ of 'red.') await moveCursor(writer.page, 'Shift+ArrowLeft')
    // In one step: a save of half the change would bring other words together than those asked for below.
    await writer.page.keyboard.insertText(colour)
  }
  await replace(other, 'green.')
  await expect.poll(stored, { timeout: 15_000 }).toContain('green.')
  await replace(ann, 'blue.')
  await ann.context.setOffline(false)
  const cards = ann.page.getByRole('region', { name: 'Someone changed the same words' })
  await cards.getByText('The lamp is green.').waitFor({ timeout: 20_000 })
  await cards.getByText('The lamp is blue.').waitFor()
  await status(ann.page, /^Someone changed the same words/).waitFor()
  // Typing goes on meanwhile, and is kept.
  await writeAt(ann.page, 'Rest.', 'End', ' Typed meanwhile.')
  await cards.getByRole('button', { name: 'Keep both' }).click()
  await cards.waitFor({ state: 'detached' })
  await expect.poll(stored, { timeout: 15_000 }).toContain('Typed meanwhile.')
  expect(await stored()).toMatch(/The lamp is blue\.[\s\S]*The lamp is green\.|green\.[\s\S]*blue\./)
  await other.context.close()
})

test('the history compares, and brings back a block or the page', { timeout: 60_000 }, async () => {
  const { id, address, stored } = await newPage('Keep me.\n\nChange me.')
  const old = (await client.getSpaceById({ spaceId })).revision
  await client.updateSpaceContent({
    spaceId,
    body: { changes: [{ operation: 'update_page', page: id, document: { markdown: 'Other words.' } }] },
  })
  await openToWrite(ann.page, address)
  await ann.page.getByRole('button', { name: 'More' }).last().click()
  await ann.page.getByRole('menuitem', { name: 'Versions' }).click()
  const history = ann.page.getByRole('dialog', { name: 'History of this page' })
  await history.getByRole('listitem').getByRole('button').nth(1).click()
  await history.getByText('Change me.').waitFor()
  await history.getByRole('button', { name: 'Restore this block' }).last().click()
  await expect.poll(stored, { timeout: 15_000 }).toContain('Change me.')
  await history.getByRole('button', { name: 'Restore this version' }).click()
  await expect.poll(stored, { timeout: 15_000 }).toBe('# Page\n\nKeep me.\n\nChange me.\n')
  expect(old).not.toBe((await client.getSpaceById({ spaceId })).revision)

  // The same from the screen of the space's history.
  await ann.page.goto(`${origin}/app/s/${spaceId}/history?page=${id}`)
  await ann.page.getByRole('region', { name: 'Changes' }).waitFor()
  await ann.page.locator('.ui-history .ui-row').nth(1).click()
  await ann.page.getByRole('button', { name: 'Restore this page' }).click()
  await ann.page.getByText('The page is as it was then.').waitFor()
})
