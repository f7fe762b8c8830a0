/** A space and a real repository as an editor keeps them in step: in, out, refused, forced, and a token that is never shown. */
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git } from '../../../../src/jobs/git/job.ts'
import { makeWorker, type Worker } from '../../../../src/jobs/worker.ts'
import { makeLog } from '../../../../src/platform/log.ts'
import { sqlite } from '../../../kit/backends.ts'
import { type GitServer, type Repository, startGitServer } from '../../../kit/git-server.ts'
import { useKit } from '../../../kit/server.ts'
import { launchChromium } from '../../../site/chromium.ts'
import { makePage } from '../pages.ts'
import { signIn } from '../people.ts'

const kit = useKit(sqlite, { settings: { LECTERN_ALLOW_PRIVATE_FETCH: '1', LECTERN_IMPORT_WAIT: '60' } })
let browser: Browser
let worker: Worker
let server: GitServer
let repository: Repository
let origin = ''
let page: Page
let spaceId = ''
const token = 'token-that-nobody-sees'

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  server = await startGitServer()
  repository = server.make({ 'README.md': '# Welcome\n\nFrom the repository.\n' })
  server.credentials = `x:${token}`
  worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers: { git } })
  await worker.start()
  browser = await launchChromium()
  page = (await signIn(browser, origin, kit.people.edit.token)).page
  const body = { title: 'Manual', empty: true, editMode: 'live' as const }
  spaceId = (await kit.as.admin.createSpace({ organizationId: kit.organization, body })).id
})
afterAll(async () => {
  await browser?.close()
  await worker?.stop()
  server?.close()
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const open = () => page.goto(`${origin}/app/s/${spaceId}/git`)
const titles = async () => (await kit.as.admin.listPages({ spaceId })).pages.map(({ title }) => title)

test('a branch comes in, with a token that is typed once', { timeout: 60_000 }, async () => {
  await open()
  await page.getByText('This space has no repository yet').waitFor()
  await button('Begin').click()
  await page.getByText('Give an address that begins with https://').waitFor()
  await page.getByLabel('Address of the repository').fill(`${server.url}/${repository.name}`)
  await button('Begin').click()
  await page.getByText('Bringing in failed').waitFor({ timeout: 20_000 })
  await page.getByText('Another repository, branch or token').click()
  await page.getByLabel('Access token').fill(token)
  await button('Begin').click()
  await page.getByText('Brought in', { exact: true }).waitFor({ timeout: 20_000 })
  expect(await titles()).toEqual(['Welcome'])
  // Typed into the address it is not shown again either.
  const address = page.getByLabel('Address of the repository')
  await address.fill((await address.inputValue()).replace('//', `//x:${token}@`))
  await button('Begin').click()
  await page.getByText('Brought in', { exact: true }).waitFor({ timeout: 20_000 })
  const shown = await page.evaluate<string>(
    `document.documentElement.outerHTML + [...document.querySelectorAll('input')].map(({ value }) => value).join()`,
  )
  expect(shown).not.toContain(token)
  expect(JSON.stringify(await kit.as.admin.getSpaceGitInfo({ spaceId }))).not.toContain(token)
})

test('what is written here goes back as a commit', { timeout: 60_000 }, async () => {
  await makePage(kit.as.admin, { spaceId, title: 'Written here', markdown: 'Our words.' })
  await open()
  await button('Send changes').click()
  await dialog().getByLabel('Message of the commit').fill('Said in the app')
  await dialog().getByRole('button', { name: 'Commit and send' }).click()
  await page.getByText('Sent', { exact: true }).waitFor({ timeout: 20_000 })
  await page.getByText('Said in the app').waitFor()
  expect(repository.git('log', '-1', '--format=%s', 'main').trim()).toBe('Said in the app')
  expect(repository.git('ls-tree', '-r', '--name-only', 'main')).toContain('written-here.md')
})

test('sending is refused while the branch is ahead, and says how to decide', { timeout: 60_000 }, async () => {
  repository.commit({ 'README.md': '# Welcome\n\nOther words in the repository.\n' }, 'Theirs')
  await makePage(kit.as.admin, { spaceId, title: 'Later', markdown: 'More.' })
  await open()
  await button('Send changes').click()
  await dialog().getByRole('button', { name: 'Commit and send' }).click()
  await page.getByText('Sending failed').waitFor({ timeout: 20_000 })
  await page.getByText('Decide who wins').waitFor()
  await button('Bring in changes').click()
  await dialog().getByRole('button', { name: 'Bring in changes' }).click()
  await page.getByText('Brought in', { exact: true }).waitFor({ timeout: 20_000 })
  await button('Send changes').click()
  await dialog().getByRole('button', { name: 'Commit and send' }).click()
  await page.getByText('Sent', { exact: true }).waitFor({ timeout: 20_000 })
  expect(repository.git('show', 'main:README.md')).toContain('Other words in the repository.')
  expect(repository.git('ls-tree', '-r', '--name-only', 'main')).toContain('later.md')
})

test('a locked space only sends, and readers are led away', { timeout: 60_000 }, async () => {
  await kit.as.admin.updateSpaceById({ spaceId, body: { editMode: 'locked' } })
  await open()
  await page.getByText('This space changes through change requests only').waitFor()
  expect(await button('Bring in changes').count()).toBe(0)
  await button('Send changes').waitFor()
  const reader = await signIn(browser, origin, kit.people.read.token)
  await reader.page.goto(`${origin}/app/s/${spaceId}/git`)
  await reader.page.waitForURL(/\/p\//)
  await reader.context.close()
})
