/** Redirects of a site in the app: made, changed, deleted and brought back, pasted, found among thousands, and tried. */
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlite } from '../../../kit/backends.ts'
import { useKit } from '../../../kit/server.ts'
import { launchChromium } from '../../../site/chromium.ts'
import { makePage } from '../pages.ts'
import { signIn } from '../people.ts'

const kit = useKit(sqlite)
let browser: Browser
let origin = ''
let page: Page
let spaceId = ''
let pageId = ''

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  spaceId = (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Guide' } })).id
  await makePage(kit.as.admin, { spaceId, title: 'Start', markdown: 'Words.' })
  pageId = await makePage(kit.as.admin, { spaceId, title: 'Install', markdown: 'Words.' })
  browser = await launchChromium()
  page = (await signIn(browser, origin, kit.people.create.token)).page
})
afterAll(() => browser?.close())

async function makeSite() {
  const body = { title: 'Docs', spaces: [spaceId] }
  const { id: siteId } = await kit.as.admin.createSite({ organizationId: kit.organization, body })
  const ids = { organizationId: kit.organization, siteId }
  await kit.as.admin.publishSite(ids)
  await page.goto(`${origin}/app/sites/${siteId}/redirects`)
  await page.getByRole('button', { name: 'Add a redirect' }).waitFor()
  const stored = async () => (await kit.as.admin.listSiteRedirects({ ...ids, query: { limit: 1000 } })).items
  return { ids, siteId, stored }
}

const dialog = () => page.getByRole('dialog')
const field = (name: string) => dialog().getByRole('textbox', { name })
const select = (name: string, option: string) => dialog().getByRole('combobox', { name }).selectOption(option)
const send = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
const row = (source: string) => page.locator('.ui-redirect', { has: page.getByText(source, { exact: true }) })

test('a redirect to a page is made, changed, deleted and brought back', { timeout: 90_000 }, async () => {
  const { stored } = await makeSite()
  await page.getByRole('heading', { name: 'No redirects yet' }).waitFor()
  await page.getByRole('button', { name: 'Add a redirect' }).click()
  await field('From').fill('https://old.example.org/setup?x=1')
  await select('Page', 'Install')
  await dialog().getByRole('checkbox', { name: 'Not in force yet' }).check()
  await send('Add a redirect')
  await row('/setup').getByText('Guide › Install').waitFor()
  await row('/setup').getByText('not in force').waitFor()
  expect(await stored()).toMatchObject([
    { source: '/setup', destination: { kind: 'site-page', page: pageId }, draft: true, permanent: false },
  ])
  await row('/setup').getByRole('button', { name: '/setup' }).first().click()
  await select('Leads to', 'another address')
  await field('Address').fill('example.org')
  await send('Save')
  await dialog().getByText('A whole address that begins with').waitFor()
  await field('Address').fill('https://example.org/')
  await dialog().getByRole('checkbox', { name: 'With everything below it' }).check()
  await send('Save')
  await row('/setup').getByText('https://example.org/').waitFor()
  expect(await stored()).toMatchObject([
    { destination: { kind: 'external', url: 'https://example.org/' }, captureWildcard: true, draft: true },
  ])
  const [before] = await stored()
  await row('/setup').getByRole('button', { name: 'Actions for /setup' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('The redirect from /setup is deleted.').waitFor()
  await expect.poll(stored).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await row('/setup').waitFor()
  const { source, destination, captureWildcard, draft } = before ?? {}
  expect(await stored()).toMatchObject([{ source, destination, captureWildcard, draft }])
})

test('what is wrong is said beside its field, and nothing is stored', { timeout: 60_000 }, async () => {
  const { ids, stored } = await makeSite()
  await kit.as.admin.createSiteRedirect({ ...ids, body: { source: '/a', destination: { kind: 'path', path: '/b' } } })
  await page.reload()
  await page.getByRole('button', { name: 'Add a redirect' }).click()
  await field('From').fill('/a b')
  await select('Leads to', 'a path of this site')
  await field('Path').fill('b')
  await send('Add a redirect')
  await dialog().getByText('A path such as /old/page, without blanks').waitFor()
  await field('From').fill('/a')
  await send('Add a redirect')
  await dialog().getByText('A path that begins with one /').waitFor()
  await field('Path').fill('/a')
  await send('Add a redirect')
  await dialog().getByText('It would lead to itself and never end.').waitFor()
  await field('Path').fill('/c')
  await send('Add a redirect')
  await dialog().getByText('Another redirect starts there already.').waitFor()
  expect(await field('From').getAttribute('aria-invalid')).toBe('true')
  expect(await stored()).toHaveLength(1)
})

test('a list is pasted, its wrong lines named; one is found among many and tried', { timeout: 120_000 }, async () => {
  const { siteId, stored } = await makeSite()
  await page.getByRole('button', { name: 'Paste a list' }).click()
  const lines = Array.from({ length: 598 }, (_, n) => `/old/${n} /new/${n}`)
  await dialog()
    .getByRole('textbox')
    .fill(['nothing', ...lines, '/kb/* https://help.example.org/:splat 301', '/start /install'].join('\n'))
  await dialog().getByText('1 line is left out:').waitFor()
  await dialog().getByText('Line 1: an old and a new address are needed').waitFor()
  await send('Bring in 600 redirects')
  await page.getByText('600 added, 0 changed.').waitFor({ timeout: 60_000 })
  expect((await stored()).filter(({ permanent, captureWildcard }) => permanent && captureWildcard)).toMatchObject([
    { source: '/kb', destination: { kind: 'external', url: 'https://help.example.org' } },
  ])
  expect(await stored()).toHaveLength(600)
  await expect.poll(() => page.locator('.ui-redirect').count()).toBe(50)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(() => page.locator('.ui-redirect').count()).toBe(100)
  await page.getByRole('searchbox', { name: 'Find by address' }).fill('help.example')
  await page.getByText('1 redirect', { exact: true }).waitFor()
  await row('/kb').getByText('with everything below').waitFor()
  await page.getByRole('searchbox', { name: 'Find by address' }).fill('nowhere to be found')
  await page.getByText('No redirect has these words.').waitFor()

  const tried = async (address: string, answer: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'Address to try' }).fill(address)
    await page.getByRole('button', { name: 'Try' }).click()
    await page.locator('.ui-answer', { hasText: answer }).waitFor()
  }
  await tried('/kb/a/b', 'It leads to https://help.example.org/a/b')
  await tried('/nothing', 'Nothing is there, and nothing redirects from there.')
  // A page comes before a redirect from its address.
  await tried('/install', 'There is a page at this address: it comes first.')
  const reader = await signIn(browser, origin, kit.people.edit.token)
  await reader.page.goto(`${origin}/app/sites/${siteId}/redirects`)
  await reader.page.getByRole('heading', { name: 'Spaces on this site' }).waitFor()
  expect(new URL(reader.page.url()).pathname).toBe(`/app/sites/${siteId}`)
  await reader.context.close()
})

test('a redirect whose section is gone says so', { timeout: 60_000 }, async () => {
  const { ids } = await makeSite()
  const section = await kit.as.admin.addSectionToSite({ ...ids, body: { spaceId, title: 'Gone' } })
  const destination = { kind: 'site-section', siteSection: section.id } as const
  await kit.as.admin.createSiteRedirect({ ...ids, body: { source: '/x', destination } })
  await kit.as.admin.deleteSiteSectionById({ ...ids, siteSectionId: section.id })
  await page.reload()
  await row('/x').getByText('what it leads to is gone').waitFor()
})
