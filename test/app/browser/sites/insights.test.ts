/** What readers of a site did, as the app shows it: numbers, bars, pages by their names, a file of all of it. */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countInsight } from '../../../../src/store/sites/site-links.ts'
import { sqlite } from '../../../kit/backends.ts'
import { useKit } from '../../../kit/server.ts'
import { launchChromium } from '../../../site/chromium.ts'
import { makePage } from '../pages.ts'
import { signIn } from '../people.ts'

const kit = useKit(sqlite)
let browser: Browser
let page: Page
let origin = ''
let at: { organizationId: string; siteId: string }
let quietSite = ''
let pages: { install: string; upgrade: string }

const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  const organizationId = kit.organization
  const { id: spaceId } = await kit.as.admin.createSpace({ organizationId, body: { title: 'Manual' } })
  const write = (title: string) => makePage(kit.as.admin, { spaceId, title, markdown: 'Words.' })
  pages = { install: await write('=Install'), upgrade: await write('Upgrade') }
  const { id: siteId } = await kit.as.admin.createSite({ organizationId, body: { title: 'Docs', spaces: [spaceId] } })
  await kit.as.admin.publishSite({ organizationId, siteId })
  quietSite = (await kit.as.admin.createSite({ organizationId, body: { title: 'Quiet' } })).id
  at = { organizationId, siteId }
  const { items } = await kit.as.admin.listSiteSpaces(at)
  const counted = (days: number, pageId: string, count: number, type = 'page_view') =>
    kit.db.transaction((tx) =>
      countInsight(tx, { siteId, day: dayBefore(days), type, siteSpaceId: items[0]?.id ?? '', pageId, count }),
    )
  await counted(1, pages.install, 30)
  await counted(2, pages.upgrade, 10)
  await counted(2, 'gone', 2)
  await counted(2, pages.install, 3, 'page_post_feedback')
  await counted(10, pages.install, 21)
  await counted(100, pages.install, 500)
  browser = await launchChromium()
  page = (await signIn(browser, origin, kit.people.read.token)).page
}, 60_000)
afterAll(() => browser?.close())

const open = async (site = at.siteId): Promise<void> => {
  await page.goto(`${origin}/app/sites/${site}/insights`)
  await page.getByRole('group', { name: 'Range' }).waitFor()
}
const total = (name: string) => page.locator('.insights-totals div').filter({ hasText: name }).locator('strong')

test('numbers of the days that one chooses, for whoever may see the site', { timeout: 60_000 }, async () => {
  await open()
  await expect.poll(() => total('Altogether').textContent()).toBe('63')
  expect(await total('Different pages').textContent()).toBe('3')
  await page.getByText('7 days', { exact: true }).click()
  await expect.poll(() => total('Altogether').textContent()).toBe('42')
  await page.getByText('+100% to the 7 days before').waitFor()
  await page.getByText('365 days', { exact: true }).click()
  await expect.poll(() => total('Altogether').textContent()).toBe('563')
  await page.getByText('Other days …', { exact: true }).click()
  await page.getByLabel('From', { exact: true }).fill(dayBefore(101))
  await page.getByLabel('To', { exact: true }).fill(dayBefore(99))
  await expect.poll(() => total('Altogether').textContent()).toBe('500')
  await page.getByLabel('To', { exact: true }).fill(dayBefore(120))
  await page.getByText('The last day must not be before the first.').waitFor()
  expect(await total('Altogether').textContent()).toBe('500')
})

test('bars, and the same as a table', { timeout: 60_000 }, async () => {
  await open()
  const chart = page.getByRole('img', { name: /^Page views from .*63 altogether, most on .*\(30\)/ })
  await chart.waitFor()
  const bars = await chart
    .locator('.insights-bar')
    .evaluateAll((all) => all.map((bar) => Number(bar.getAttribute('height'))))
  expect(bars.length).toBe(30)
  expect(bars.filter((height) => height > 0).length).toBe(3)
  expect(Math.max(...bars)).toBe(bars[28])
  await page.getByText('The numbers as a table').click()
  const rows = page.locator('.insights-table tbody tr')
  expect(await rows.count()).toBe(30)
  expect(await rows.nth(28).locator('td').textContent()).toBe('30')
  await page.getByLabel('What was counted').selectOption('page_post_feedback')
  await expect.poll(() => total('Altogether').textContent()).toBe('3')
})

test('pages by their names, the most read first', { timeout: 60_000 }, async () => {
  await open()
  const names = page.getByRole('region', { name: 'By page' }).locator('tbody th')
  await expect
    .poll(() => names.allTextContents())
    .toEqual(['=Install', 'Upgrade', 'A page that is not there any more, or not for you'])
  await page.getByRole('link', { name: '=Install' }).click()
  await page.waitForURL(new RegExp(`/p/${pages.install}`))
})

test('all of it as a file, in which no title is a formula', { timeout: 60_000 }, async () => {
  await open()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toBe(`insights-${dayBefore(29)}-${dayBefore(0)}.csv`)
  const text = readFileSync(await file.path(), 'utf8')
  expect(text.split('\r\n').slice(0, 2)).toEqual([
    '\ufeffDay,What,Space,Page,Page id,Number',
    `${dayBefore(10)},page_view,Manual,'=Install,${pages.install},21`,
  ])
  expect(text.trim().split('\r\n').length).toBe(6)
})

test('where nothing was counted, it says why', { timeout: 60_000 }, async () => {
  await open(quietSite)
  await page.getByRole('heading', { name: 'The site is not published' }).waitFor()
  expect(await page.getByRole('button', { name: 'Download as CSV' }).count()).toBe(0)
  await page.getByText('Who reads is never stored', { exact: false }).waitFor()
})

test('more counts than come at once are asked for in parts', { timeout: 90_000 }, async () => {
  const asked: string[] = []
  await page.route('**/insights/aggregate', async (route) => {
    const { from, to }: { from: string; to: string } = route.request().postDataJSON()
    asked.push(`${from} ${to}`)
    if (from === dayBefore(29) && to === dayBefore(0))
      return route.fulfill({
        status: 400,
        json: { error: { code: 400, type: 'invalid_input', message: 'covers more than 20000 counts', details: [] } },
      })
    return route.continue()
  })
  await open()
  await expect.poll(() => total('Altogether').textContent()).toBe('63')
  expect(asked).toContain(`${dayBefore(29)} ${dayBefore(15)}`)
  expect(asked).toContain(`${dayBefore(14)} ${dayBefore(0)}`)
  await page.unroute('**/insights/aggregate')
})
