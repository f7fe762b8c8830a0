/** The audit log in the app: what happened in words, narrowed down, and taken along as a file. */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlite } from '../../../kit/backends.ts'
import { type Person, useKit } from '../../../kit/server.ts'
import { launchChromium } from '../../../site/chromium.ts'
import { signIn } from '../people.ts'

const kit = useKit(sqlite)
let browser: Browser
let origin = ''
let page: Page
let lin: Person

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  const organizationId = kit.organization
  lin = await kit.addPerson({ email: 'lin@audit.test', name: 'Lin Lovelace', role: 'create' })
  for (let n = 0; n < 55; n += 1)
    await kit.as.admin.createSpace({ organizationId, body: { title: `Space ${n}`, empty: true } })
  await kit.client(lin.token).createSpace({ organizationId, body: { title: '=Lin’s, space', empty: true } })
  await kit.as.admin.updateMemberInOrganizationById({ organizationId, userId: lin.id, body: { role: 'review' } })
  browser = await launchChromium()
  page = (await signIn(browser, origin, kit.people.admin.token)).page
})
afterAll(() => browser?.close())

const open = (on = page) => on.goto(`${origin}/app/o/${kit.organization}/audit`)
const events = () => page.locator('.ui-event')
const row = (words: string) => events().filter({ hasText: words }).first()

test('each event is a line of words, and says more when it is opened', { timeout: 60_000 }, async () => {
  await open()
  await expect.poll(() => events().count()).toBe(50)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(() => events().count()).toBeGreaterThan(55)
  const changed = row('Member changed')
  expect(await changed.textContent()).toContain('Lin Lovelace')
  await changed.locator('summary').click()
  expect(await changed.getByRole('row', { name: /role/ }).getByRole('cell').allTextContents()).toEqual([
    'create',
    'review',
  ])
  await changed.getByText('API token', { exact: false }).waitFor()
})

test('it is narrowed by kind, person, time and thing, and all of that is kept as a file', {
  timeout: 60_000,
}, async () => {
  await open()
  await page.getByRole('combobox', { name: 'What happened' }).selectOption('space_created')
  await page.getByRole('combobox', { name: 'Who' }).selectOption({ label: 'Lin Lovelace' })
  await expect.poll(() => events().count()).toBe(1)
  await page.getByText('1 event', { exact: true }).waitFor()
  const save = async (as: string): Promise<string> => {
    await page.getByRole('button', { name: 'Download' }).click()
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: as }).click()])
    return readFileSync(await file.path(), 'utf8')
  }
  const { items } = await kit.as.admin.listOrganizationAuditEvents({
    organizationId: kit.organization,
    query: { action: 'space_created', actor: lin.id },
  })
  expect(JSON.parse(await save('As data (JSON)'))).toEqual(items)
  const lines = (await save('As a table (CSV)')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('space_created,Space made,Lin Lovelace')
  await page.getByLabel('Until').fill('2001-01-01')
  await page.getByRole('heading', { name: 'Nothing happened in this' }).waitFor()
  await page.getByRole('button', { name: 'Show everything' }).click()
  await expect.poll(() => events().count()).toBe(50)
  const changed = row('Member changed')
  await changed.locator('summary').click()
  await changed.getByRole('button', { name: 'Only about this' }).click()
  await page.getByRole('button', { name: 'Only about Lin Lovelace' }).waitFor()
  await expect.poll(() => events().filter({ hasText: 'Space made' }).count()).toBe(0)
  expect(await events().count()).toBeGreaterThan(0)
})

test('whoever is no admin is led away', { timeout: 30_000 }, async () => {
  const reader = (await signIn(browser, origin, kit.people.create.token)).page
  await open(reader)
  await reader.waitForURL(/\/settings$/)
  expect(await reader.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
  await reader.context().close()
})
