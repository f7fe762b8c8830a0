/** A published site in a real browser, over the real server: how it is read, searched and walked through. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSpace } from '../../api/sites/site-things.ts'
import { findViolations } from '../../kit/axe.ts'
import { eachBackend } from '../../kit/backends.ts'
import { type Kit, useKit } from '../../kit/server.ts'
import { drawn, launchChromium, openPage } from '../chromium.ts'
import { everyBlock } from '../fixtures/every-block.ts'
import { longCode, prose, wideTable } from '../fixtures/pages.ts'
import { type PublishedSite, pageIds, portOf, publishedSite } from './site-kit.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser?.close())

async function manual(kit: Kit): Promise<PublishedSite> {
  const site = await publishedSite(kit, [{ title: 'Start', markdown: '## Welcome\n\nRead on.' }])
  const documents = {
    'Install and run': prose,
    'Every block': everyBlock,
    'Long code': longCode,
    'Wide table': wideTable,
  }
  const changes = Object.entries(documents).map(([title, document]) => ({
    operation: 'insert_page' as const,
    title,
    document: { document: document as never },
  }))
  await kit.as.admin.updateSpaceContent({ spaceId: site.spaceId, body: { changes } })
  const params = { organizationId: site.organizationId, siteId: site.siteId }
  const api = await makeSpace(kit, 'API', [{ title: 'Overview', markdown: 'Calls.' }])
  await kit.as.admin.addSectionToSite({ ...params, body: { spaceId: api, title: 'API' } })
  return site
}

eachBackend((backend) => {
  const kit = useKit(backend)
  let site: PublishedSite
  let root: string

  beforeAll(async () => {
    site = await manual(kit)
    root = `http://127.0.0.1:${await portOf(kit)}${site.base}`
  })

  // How it looks is one test of the browser's time; the database has no part in it. Every block in every look stands in
  // ../accessibility.test.ts; here are the pages that only a server makes.
  const paths = ['', '/install-and-run', '/api', '/nowhere', '/~search?q=run', '/~tree']
  const looks = [
    ['light', 1440],
    ['dark', 390],
  ] as const

  test.each(backend.name === 'sqlite' ? looks : [])(
    'in %s at %i px axe finds nothing, and the console stays empty',
    async (colorScheme, width) => {
      const { page, problems } = await openPage(browser, { colorScheme, viewport: { width, height: 900 } })
      for (const path of paths) {
        await page.goto(`${root}${path}`)
        await drawn(page)
        expect(await findViolations(page), path).toEqual([])
      }
      for (const path of ['/every-block', '/long-code', '/wide-table']) {
        await page.goto(`${root}${path}`)
        // Nothing is wider than the screen.
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), path).toBeLessThanOrEqual(0)
      }
      // The page that is not there is one on purpose, and fixtures name pictures that are nowhere.
      expect(problems.filter((problem) => !/404|example\.(com|org)|net::ERR/.test(problem))).toEqual([])
      await page.context().close()
    },
    240_000,
  )

  test('the next page is swapped in, counted when it is shown, and back leads back', async () => {
    const { page, problems } = await openPage(browser, { viewport: { width: 1440, height: 900 } })
    await page.goto(root)
    await page.evaluate('window.__same = true')
    await page.locator('.side a', { hasText: 'Install and run' }).click()
    await page.waitForURL('**/install-and-run')
    await page.locator('h1', { hasText: 'Install and run' }).waitFor()
    expect(await page.evaluate('window.__same')).toBe(true)
    expect(await page.title()).toContain('Install and run')
    await page.goBack()
    await page.locator('h1', { hasText: 'Start' }).waitFor()
    expect(await page.evaluate('window.__same')).toBe(true)
    expect(problems).toEqual([])
    const day = kit.clock.now().toISOString().slice(0, 10)
    const ids = await pageIds(kit, site.spaceId)
    // The browser sends what it counts when it has time, and does not wait for an answer: what it has not sent yet goes with its context.
    const isCounted = async () => {
      await kit.server.published.stop()
      const { events } = await kit.as.admin.aggregateSiteEvents({
        organizationId: site.organizationId,
        siteId: site.siteId,
        body: { from: day, to: day, type: 'page_view' },
      })
      return events.some((event) => event.page === ids['Install and run'])
    }
    await expect.poll(isCounted, { timeout: 20_000, interval: 200 }).toBe(true)
    await page.context().close()
  }, 60_000)

  test('variants lead from the page that is shown, in the drawer as well', async () => {
    const pages = [{ title: 'Start' }, { title: 'Install' }]
    const own = await publishedSite(kit, pages)
    const { organizationId, siteId } = own
    const spaceId = await makeSpace(kit, 'v2', pages)
    await kit.as.admin.addSpaceToSite({ organizationId, siteId, body: { spaceId } })
    const { page, problems } = await openPage(browser)
    await page.goto(`http://127.0.0.1:${await portOf(kit)}${own.base}`)
    await page.locator('.tree').getByRole('link', { name: 'Install' }).click()
    await page.getByRole('heading', { level: 1, name: 'Install' }).waitFor()
    for (const place of ['.top', '.side-links'])
      expect(await page.locator(`${place} .version a`).last().getAttribute('href')).toBe(`${own.base}/v2/install`)
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('search answers as they type, and enter opens', async () => {
    const { page, problems } = await openPage(browser, { viewport: { width: 1440, height: 900 } })
    await page.goto(root)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('calls', { delay: 20 })
    // What was found for the first letters is there before what is found for all of them.
    const mark = page.locator('.hit mark').first()
    await expect.poll(() => mark.textContent(), { timeout: 15_000 }).toMatch(/calls/i)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/api**')
    expect(problems).toEqual([])
    await page.context().close()
  }, 60_000)

  test('what a reader thinks is sent without leaving the page', async () => {
    const { page, problems } = await openPage(browser, { viewport: { width: 1440, height: 900 } })
    await page.goto(`${root}/long-code`)
    const sent = page.waitForResponse((response) => response.url().endsWith('/~feedback'))
    await page.locator('.choice[value=good]').click()
    expect((await sent).status()).toBe(303)
    await page.locator('.feedback-thanks').waitFor({ state: 'visible' })
    expect(problems).toEqual([])
    await page.context().close()
  }, 60_000)

  test('without a script everything is there: text, tree, search, feedback', async () => {
    const { page } = await openPage(browser, { javaScriptEnabled: false, viewport: { width: 390, height: 800 } })
    await page.goto(`${root}/install-and-run`)
    expect(await page.locator('article p').first().isVisible()).toBe(true)
    await page.locator('[data-drawer]').click()
    await page.locator('.side a', { hasText: 'Long code' }).click()
    await page.waitForURL('**/long-code')
    await page.goto(`${root}/~search?q=calls`)
    await page.locator('.result a').first().click()
    await page.waitForURL('**/api**')
    await page.goto(root)
    await page.locator('.choice[value=good]').click()
    await page.waitForURL(root)
    await page.context().close()
  }, 60_000)
})
