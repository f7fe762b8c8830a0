/** Translations as an admin keeps them: without a service, with one, with instructions and a glossary, and deleted. */
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { translation } from '../../../../src/jobs/translation/job.ts'
import { makeWorker, type Worker } from '../../../../src/jobs/worker.ts'
import { makeLog } from '../../../../src/platform/log.ts'
import { sqlite } from '../../../kit/backends.ts'
import { type EngineServer, startEngineServer } from '../../../kit/engine-server.ts'
import { useKit } from '../../../kit/server.ts'
import { launchChromium } from '../../../site/chromium.ts'
import { makePage } from '../pages.ts'
import { signIn } from '../people.ts'

const kit = useKit(sqlite)
let browser: Browser
let worker: Worker
let engine: EngineServer
let origin = ''
let page: Page
let spaceId = ''

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  await kit.as.admin.updateOrganizationById({ organizationId: kit.organization, body: { title: 'Example Ltd' } })
  const body = { title: 'Manual', empty: true, language: 'en' }
  spaceId = (await kit.as.admin.createSpace({ organizationId: kit.organization, body })).id
  await makePage(kit.as.admin, { spaceId, title: 'Install', markdown: 'Open the space.' })
  engine = await startEngineServer()
  worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers: { translation } })
  await worker.start()
  browser = await launchChromium()
  page = (await signIn(browser, origin, kit.people.admin.token)).page
})
afterAll(async () => {
  await browser?.close()
  await worker?.stop()
  engine?.close()
})

const area = () => `${origin}/app/o/${kit.organization}`
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const only = async () => (await kit.as.admin.listTranslations({ organizationId: kit.organization })).items[0]

test('without a service it says what has to be set, and with one the space is translated', {
  timeout: 60_000,
}, async () => {
  await page.goto(`${area()}/translations`)
  await page.getByText('Translating needs a service').waitFor()
  await button('New translation').first().click()
  await dialog().getByLabel('Space to translate').selectOption({ label: 'Manual' })
  await dialog().getByLabel('Language it is written in').selectOption('en')
  await dialog().getByLabel('Language to translate into').selectOption('en')
  await dialog().getByRole('button', { name: 'Translate', exact: true }).click()
  await dialog().getByText('Choose another language than that of the source.').waitFor()
  await dialog().getByLabel('Language to translate into').selectOption('de')
  await dialog().getByLabel('Instructions').fill('Be kind.\nBe short.')
  await dialog().getByRole('button', { name: 'Translate', exact: true }).click()
  await page.getByText('No translation service is set up').waitFor({ timeout: 20_000 })
  await page.getByText('LECTERN_TRANSLATE_KEY').waitFor()
  Object.assign(kit.env, { translator: engine.engineOf('openai') })
  await button('Run now').click()
  await page.getByText('Up to date').waitFor({ timeout: 20_000 })
  expect(engine.instructions.join()).toContain('Be kind.')
  await page.getByRole('link', { name: 'Open the translation' }).click()
  await page.getByText('OPEN THE SPACE.').waitFor()
})

test('a term of the glossary is added, changed, deleted and brought back', { timeout: 60_000 }, async () => {
  const terms = async () =>
    (await kit.as.admin.listTranslationsGlossary({ organizationId: kit.organization })).items.map(
      ({ term, translations }) => [term, translations],
    )
  await page.goto(`${area()}/translations`)
  await page.getByRole('link', { name: 'Glossary' }).click()
  await button('New term').first().click()
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().getByText('Write the term.').waitFor()
  await dialog().getByLabel('Term').fill('space')
  await dialog().getByLabel('Language').selectOption('de')
  await dialog().getByLabel('Translation').fill('Bereich')
  await button('Add a language').click()
  await dialog().getByLabel('Language').nth(1).selectOption('fr')
  await dialog().getByLabel('Translation').nth(1).fill('espace')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await page.getByText('German: Bereich · French: espace').waitFor()
  // Another admin's term, which this screen has not seen yet, stays.
  await kit.as.admin.updateTranslationsGlossary({
    organizationId: kit.organization,
    body: { entries: [{ term: 'Lectern' }, { term: 'space', translations: { de: 'Bereich', fr: 'espace' } }] },
  })
  await button('Change the term: space').click()
  await button('Remove French').click()
  await dialog().getByRole('button', { name: 'Save' }).click()
  await expect.poll(terms).toEqual([
    ['Lectern', {}],
    ['space', { de: 'Bereich' }],
  ])
  await page.getByText('stays as it is everywhere').waitFor()
  await button('Delete space').click()
  await expect.poll(terms).toEqual([['Lectern', {}]])
  await button('Undo').click()
  await expect.poll(terms).toEqual([
    ['Lectern', {}],
    ['space', { de: 'Bereich' }],
  ])
})

test('instructions are changed, and deleting the translation keeps its space', { timeout: 60_000 }, async () => {
  await page.goto(`${area()}/translations`)
  await page.getByRole('link', { name: /Manual.*English → German/ }).click()
  expect(await page.getByLabel('Instructions', { exact: true }).inputValue()).toBe('Be kind.\nBe short.')
  await page.getByLabel('Instructions', { exact: true }).fill('Be brief.')
  await button('Save and translate anew').click()
  await expect.poll(async () => JSON.stringify((await only())?.instructions)).toContain('Be brief.')
  const result = (await only())?.result?.space ?? ''
  await button('Delete').click()
  await dialog().getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('The translation is deleted. Its space stays.').waitFor()
  expect(await only()).toBeUndefined()
  expect(await kit.as.admin.getSpaceById({ spaceId: result })).toMatchObject({ id: result })
})

test('only admins are offered translations', { timeout: 60_000 }, async () => {
  const creator = await signIn(browser, origin, kit.people.create.token)
  await creator.page.goto(`${area()}/translations`)
  await creator.page.waitForURL(/\/app\/?$/)
  await creator.page.getByRole('link', { name: 'Imports' }).waitFor()
  expect(await creator.page.getByRole('link', { name: 'Translations' }).count()).toBe(0)
  await creator.context.close()
})
