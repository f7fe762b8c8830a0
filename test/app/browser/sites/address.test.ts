/** The address of a site in the app: its part, a host name that is proved, a folder elsewhere, a preview, and the site's end. */
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlite } from '../../../kit/backends.ts'
import { useKit } from '../../../kit/server.ts'
import { launchChromium } from '../../../site/chromium.ts'
import { makePage } from '../pages.ts'
import { signIn } from '../people.ts'

const kit = useKit(sqlite, { settings: { LECTERN_HOSTNAME_PROOF: '1' } })
let browser: Browser
let origin = ''
let page: Page
let spaceId = ''
/** What the domain's TXT record holds. */
let record: string | undefined

beforeAll(async () => {
  kit.env.hostnames.resolveTxt = async () => (record === undefined ? [] : [[record]])
  kit.env.fetch = async () => {
    throw new Error('No server is asked here.')
  }
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  spaceId = (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Guide' } })).id
  await makePage(kit.as.admin, { spaceId, title: 'Start', markdown: 'Words for readers.' })
  browser = await launchChromium()
  page = (await signIn(browser, origin, kit.people.admin.token)).page
})
afterAll(() => browser?.close())

async function makeSite(title: string) {
  const made = await kit.as.admin.createSite({ organizationId: kit.organization, body: { title, spaces: [spaceId] } })
  const ids = { organizationId: kit.organization, siteId: made.id }
  await page.goto(`${origin}/app/sites/${made.id}/address`)
  await page.getByRole('heading', { name: 'Where readers find it' }).waitFor()
  return { ids, site: () => kit.as.admin.getSiteById(ids) }
}

const region = (name: string) => page.getByRole('region', { name })
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const press = (within: string, name: string) => region(within).getByRole('button', { name, exact: true }).click()

test('the part of the address is changed, and what is wrong is said beside it', { timeout: 60_000 }, async () => {
  await makeSite('Taken')
  const { site } = await makeSite('Docs')
  await page.getByText('Once it is published, readers find the site at').waitFor()
  await page.getByText('http://lectern.test/sites/docs', { exact: true }).waitFor()
  const send = async (text: string): Promise<void> => {
    await field('Part of the address').fill(text)
    await press('Where readers find it', 'Change')
  }
  await send('taken')
  await page.getByText('Another site has this part.').waitFor()
  await send('Large Letters')
  await page.getByText('Small letters a to z, digits').waitFor()
  expect(await field('Part of the address').getAttribute('aria-invalid')).toBe('true')
  expect((await site()).basename).toBe('docs')
  await send('manual')
  await page.getByText('http://lectern.test/sites/manual', { exact: true }).waitFor()
  expect((await site()).basename).toBe('manual')
})

test('a host name is asked for, proved by its record, and given up', { timeout: 90_000 }, async () => {
  const { ids, site } = await makeSite('Named')
  await kit.as.admin.publishSite(ids)
  const own = 'A host name of its own'
  await field('Host name').fill('localhost')
  await press(own, 'Ask for it')
  await page.getByText('A name with at least two dots').waitFor()
  await field('Host name').fill('https://Docs.Example.org/')
  await press(own, 'Ask for it')
  await region(own).getByRole('heading', { name: 'docs.example.org is not proved yet' }).waitFor()
  await region(own).getByText('_lectern.docs.example.org').waitFor()
  expect(await site()).toMatchObject({ pendingHostname: 'docs.example.org' })
  expect((await site()).hostname).toBeUndefined()
  await press(own, 'Check now')
  await page.getByText('It is not there yet.').waitFor()
  record = (await kit.as.admin.getCustomHostname({ hostname: 'docs.example.org' })).verification?.txt.value
  await region(own).getByText(String(record)).first().waitFor()
  await press(own, 'Check now')
  await page.getByText('docs.example.org is proved: readers find the site there.').waitFor()
  await page.getByText('http://docs.example.org', { exact: true }).waitFor()
  await page.getByText('The address here leads on to docs.example.org.').waitFor()
  expect((await site()).hostname).toBe('docs.example.org')
  await press(own, 'Give the name up')
  const dialog = page.getByRole('dialog', { name: 'Give docs.example.org up?' })
  await dialog.getByRole('button', { name: 'Give the name up' }).click()
  await page.getByText('docs.example.org no longer belongs to this site.').waitFor()
  await expect.poll(async () => (await site()).hostname).toBeUndefined()
  record = undefined
})

test('a request is withdrawn, and one that ended is asked for again', { timeout: 60_000 }, async () => {
  const { site } = await makeSite('Waiting')
  const own = 'A host name of its own'
  await field('Host name').fill('help.example.org')
  await press(own, 'Ask for it')
  await press(own, 'Withdraw the request')
  await field('Host name').waitFor()
  expect((await site()).pendingHostname).toBeUndefined()
  await field('Host name').fill('help.example.org')
  await press(own, 'Ask for it')
  await region(own).getByRole('heading', { name: 'help.example.org is not proved yet' }).waitFor()
  kit.clock.advance(8 * 24 * 60 * 60 * 1000)
  await page.reload()
  await page.getByText('Nobody proved help.example.org within a week.').waitFor()
  await press(own, 'Ask again')
  await region(own).getByRole('heading', { name: 'help.example.org is not proved yet' }).waitFor()
})

test('a folder of another web site is set and taken away', { timeout: 60_000 }, async () => {
  const { site } = await makeSite('Folder')
  const folder = 'A folder of another web site'
  await field('Host and folder').fill('www.example.org')
  await press(folder, 'Change')
  await page.getByText('A host and a folder such as www.example.org/docs.', { exact: true }).waitFor()
  await field('Host and folder').fill('https://www.example.org/docs/')
  await press(folder, 'Change')
  await region(folder).getByText('http://lectern.test/sites/folder', { exact: true }).waitFor()
  await page.getByText('https://www.example.org/docs', { exact: true }).waitFor()
  expect((await site()).proxy).toMatchObject({ origin: 'www.example.org/docs' })
  await field('Host and folder').fill('')
  await press(folder, 'Change')
  await expect.poll(async () => (await site()).proxy).toBeUndefined()
})

test('a preview shows a site that is not published to somebody without an account', { timeout: 60_000 }, async () => {
  await makeSite('Previewed')
  await page.getByRole('button', { name: 'Make a preview link' }).click()
  const link = await region('Preview link').locator('code').textContent()
  const { pathname } = new URL(String(link))
  const stranger = await browser.newContext()
  const seen = await stranger.newPage()
  await seen.goto(`${origin}${pathname}`)
  await seen.getByText('Words for readers.').waitFor()
  await stranger.close()
})

test('a site is deleted after a question; who may not administer it is not offered it', {
  timeout: 90_000,
}, async () => {
  const { ids } = await makeSite('Ending')
  const editor = await signIn(browser, origin, kit.people.create.token)
  await editor.page.goto(`${origin}/app/sites/${ids.siteId}/address`)
  await editor.page.getByText('Whoever administers the site can change it.').waitFor()
  expect(await editor.page.getByRole('button', { name: 'Delete the site' }).count()).toBe(0)
  expect(await editor.page.getByRole('textbox', { name: 'Host name', exact: true }).count()).toBe(0)
  await editor.context.close()
  const reader = await signIn(browser, origin, kit.people.review.token)
  await reader.page.goto(`${origin}/app/sites/${ids.siteId}/address`)
  await reader.page.getByRole('heading', { name: 'Spaces on this site' }).waitFor()
  await reader.context.close()

  await page.getByRole('button', { name: 'Delete the site' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete the site “Ending” for good?' })
  await dialog.getByText('Readers no longer find it at lectern.test/sites/ending').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await kit.as.admin.getSiteById(ids)
  await page.getByRole('button', { name: 'Delete the site' }).click()
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await page.waitForURL(`${origin}/app/sites`)
  await page.getByText('The site “Ending” is deleted.').waitFor()
  expect(await page.getByRole('link', { name: 'Ending' }).count()).toBe(0)
  await expect(kit.as.admin.getSiteById(ids)).rejects.toThrow()
  await page.goBack()
  await page.getByRole('heading', { name: 'This is not here' }).waitFor()
})
