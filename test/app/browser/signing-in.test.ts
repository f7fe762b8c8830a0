/** Signing in to an address, a session that ends, and what a person leaves on the device: in a real browser. */
import { type AddressInfo, createServer } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDomain } from '../../../src/domain/setup.ts'
import { putPassword } from '../../../src/store/people/sessions.ts'
import { sqlite } from '../../kit/backends.ts'
import { certificateOf, startProvider } from '../../kit/identity-provider.ts'
import { startOpenIdProvider } from '../../kit/openid-provider.ts'
import { useKit } from '../../kit/server.ts'
import { launchChromium } from '../../site/chromium.ts'
import { makePage } from './pages.ts'
import { content, status, writeAt } from './people.ts'

const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const kit = useKit(sqlite, { settings: { LECTERN_URL: origin, LECTERN_ALLOW_PRIVATE_FETCH: '1' } })
const password = 'nine lecterns in a row'
let browser: Browser
let spaceId = ''

beforeAll(async () => {
  await kit.server.app.listen({ port, host: '127.0.0.1' })
  spaceId = (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Garden' } })).id
  const now = new Date().toISOString()
  for (const { id } of [kit.people.admin, kit.people.create])
    await putPassword(kit.db, { userId: id, hash: await kit.env.passwords.hash(password), setAt: now })
  browser = await launchChromium()
}, 60_000)
afterAll(() => browser?.close())

const newPage = (title: string): Promise<string> =>
  makePage(kit.as.admin, { spaceId, title, markdown: 'First words.\n\nSecond words.' })
const addressOf = (page: string): string => `${origin}/app/s/${spaceId}/p/${page}`
const open = async (): Promise<{ context: BrowserContext; page: Page }> => {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  return { context, page: await context.newPage() }
}

async function signIn(page: Page, who: 'admin' | 'create'): Promise<void> {
  await page.getByLabel('Email').fill(kit.people[who].email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Ends the session that the server knows; the browser keeps its cookie. */
async function endSessions(who: 'admin' | 'create'): Promise<void> {
  await kit.client(kit.people[who].token).deleteAllSessions()
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /, Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

/** What this browser keeps for the person, by the names it goes under. */
const keptOn = (page: Page): Promise<string[]> =>
  page.evaluate(
    `(async () => {
      const database = await new Promise((resolve) => {
        const request = indexedDB.open('lectern-journal', 1)
        request.onsuccess = () => resolve(request.result)
      })
      const keys = await new Promise((resolve) => {
        const request = database.transaction('entries').objectStore('entries').getAllKeys()
        request.onsuccess = () => resolve(request.result)
      })
      database.close()
      const drafts = Object.keys(localStorage).filter((key) => /^lectern-(draft|fields)/.test(key))
      return [...drafts, ...keys.map(([page]) => 'journal ' + page)]
    })()`,
  )

test('a deep address is come back to by a password, with its query and fragment', { timeout: 90_000 }, async () => {
  const { context, page } = await open()
  const address = `${addressOf(await newPage('Deep'))}?block=none#second%20words`
  await page.goto(address)
  await signIn(page, 'admin')
  await page.waitForURL(address)
  await content(page).waitFor()
  await context.close()
})

test('a deep address is come back to through SAML and OpenID Connect', { timeout: 180_000 }, async () => {
  const address = `${addressOf(await newPage('Deeper'))}?block=none#second%20words`
  const saml = await startProvider('one', { first_name: 'Grace', last_name: 'Hopper' })
  await kit.as.admin.createOrganizationSAMLProvider({
    organizationId: kit.organization,
    body: {
      label: 'By SAML',
      entityID: saml.entityId,
      ssoURL: saml.ssoUrl,
      certificate: certificateOf('one'),
      defaultRole: 'edit',
    },
  })
  const oidc = await startOpenIdProvider((login) => ({ email: login, email_verified: true }))
  const made = await kit.as.admin.createOIDCProvider({
    organizationId: kit.organization,
    body: {
      label: 'By OpenID',
      issuer: oidc.issuer,
      clientID: oidc.clientID,
      clientSecret: oidc.clientSecret,
      defaultRole: 'edit',
    },
  })
  oidc.register(made.service.redirectURL)
  await addDomain(kit.db, { domain: 'one.test', organization: kit.organization })
  for (const label of ['By SAML', 'By OpenID']) {
    const { context, page } = await open()
    await page.goto(address)
    await page.getByLabel('Email').fill('grace@one.test')
    await page.getByRole('button', { name: 'Continue with single sign-on' }).click()
    await page.getByRole('link', { name: label }).click()
    if (label === 'By SAML') {
      await page.getByLabel('Who are you?').fill('grace@one.test')
      await page.getByRole('button', { name: 'Continue' }).click()
    } else {
      await page.locator('[name=login]').fill('grace@one.test')
      await page.locator('[name=password]').fill('anything')
      await page.locator('[type=submit]').click()
      await page.locator('[type=submit]').click()
    }
    await page.waitForURL(address, { timeout: 60_000 })
    await context.close()
  }
  await saml.close()
  await oidc.close()
})

test('a session that ends in the middle of typing loses no word, of the text or of the title', {
  timeout: 120_000,
}, async () => {
  const { context, page } = await open()
  const pageId = await newPage('Ending')
  const address = addressOf(pageId)
  await page.goto(address)
  await signIn(page, 'admin')
  await content(page).waitFor({ timeout: 30_000 })
  await status(page, /^Saved/).waitFor()
  await endSessions('admin')
  await writeAt(page, 'Second words.', 'End', ' And more of them.')
  const alert = page.getByRole('alert').filter({ hasText: 'You are signed out' })
  await alert.waitFor({ timeout: 30_000 })
  await status(page, /^Signed out/).waitFor()
  // Nothing was taken away, and writing goes on.
  await page.keyboard.type(' And the last.')
  await page.getByRole('textbox', { name: 'Page title' }).fill('Ending well')
  await alert.getByRole('button', { name: 'Sign in again' }).click()
  await signIn(page, 'admin')
  await page.waitForURL(address)
  await content(page).getByText('Second words. And more of them. And the last.').waitFor({ timeout: 30_000 })
  await status(page, /^Saved/).waitFor({ timeout: 30_000 })
  await expect.poll(() => page.getByRole('textbox', { name: 'Page title' }).inputValue()).toBe('Ending well')
  await expect.poll(async () => (await kit.as.admin.getPageById({ spaceId, pageId })).title).toBe('Ending well')
  expect(await keptOn(page)).toEqual([])
  await context.close()
})

test('what one person left unsaved is not shown to another, and is there for the first again', {
  timeout: 180_000,
}, async () => {
  const { context, page } = await open()
  const pageId = await newPage('Shared')
  await page.goto(addressOf(pageId))
  await signIn(page, 'admin')
  await content(page).waitFor({ timeout: 30_000 })
  await status(page, /^Saved/).waitFor()
  await page.getByRole('button', { name: 'Comments' }).click()
  await page.getByRole('textbox', { name: 'Write a comment', exact: true }).fill('Only for me')
  await endSessions('admin')
  await writeAt(page, 'Second words.', 'End', ' Of the first person.')
  await status(page, /^Signed out/).waitFor({ timeout: 30_000 })

  const second = await context.newPage()
  await second.goto(addressOf(pageId))
  await signIn(second, 'create')
  await content(second).waitFor({ timeout: 30_000 })
  await status(second, /^Saved/).waitFor({ timeout: 30_000 })
  // The tab of the first person sends nothing more, and says why.
  await page.getByText('Somebody else has signed in').waitFor({ timeout: 30_000 })
  await page.close()
  expect(await content(second).textContent()).not.toContain('first person')
  const { document } = await kit.as.admin.getPageById({ spaceId, pageId, query: { format: 'document' } })
  expect(JSON.stringify(document)).not.toContain('first person')
  const comment = second.getByRole('textbox', { name: 'Write a comment', exact: true })
  await comment
    .or(second.getByRole('button', { name: 'Comments' }))
    .first()
    .waitFor()
  if (!(await comment.isVisible())) await second.getByRole('button', { name: 'Comments' }).click()
  expect(await comment.inputValue()).toBe('')
  await second.goto(`${origin}/app`)
  await second.getByText('Recent pages').first().waitFor()
  // Of the pages that the other opened nothing is listed but the one they both did.
  expect(await second.getByRole('link', { name: /Ending/ }).count()).toBe(0)
  await signOut(second)
  await second.waitForURL(/signin\?message=out/)

  await second.goto(addressOf(pageId))
  await signIn(second, 'admin')
  await content(second).getByText('Second words. Of the first person.').waitFor({ timeout: 30_000 })
  await status(second, /^Saved/).waitFor({ timeout: 30_000 })
  await expect.poll(() => comment.inputValue()).toBe('Only for me')
  await context.close()
})

test('signing out asks what becomes of words that are not sent', { timeout: 180_000 }, async () => {
  const { context, page } = await open()
  const pageId = await newPage('Leaving')
  const address = addressOf(pageId)
  const dialog = page.getByRole('dialog', { name: 'Not everything is sent yet' })
  const write = async (): Promise<void> => {
    await page.goto(address)
    await signIn(page, 'admin')
    await content(page).waitFor({ timeout: 30_000 })
    await status(page, /^Saved/).waitFor({ timeout: 30_000 })
    // Saves do not reach the server any more.
    await context.route(/\/content$/, (route) => route.abort())
    await writeAt(page, 'Second words.', 'End', ' Not sent.')
    await status(page, /^Offline/).waitFor({ timeout: 30_000 })
    await signOut(page)
    await dialog.waitFor()
  }
  await write()
  expect(await dialog.textContent()).toContain('Unsaved edits of 1 page')
  await dialog.getByRole('button', { name: 'Stay signed in' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await content(page).textContent()).toContain('Not sent.')
  await signOut(page)
  await dialog.getByRole('button', { name: 'Sign out and keep on this device' }).click()
  await page.waitForURL(/signin\?message=out/)
  expect(await keptOn(page)).toEqual([`journal ${kit.people.admin.id}/${spaceId}//${pageId}`])
  await context.unroute(/\/content$/)

  await page.goto(address)
  await signIn(page, 'admin')
  await content(page).getByText('Second words. Not sent.').waitFor({ timeout: 30_000 })
  await status(page, /^Saved/).waitFor({ timeout: 30_000 })
  expect(await keptOn(page)).toEqual([])
  // With nothing unsent nothing is asked.
  await signOut(page)
  await page.waitForURL(/signin\?message=out/)

  await write()
  await dialog.getByRole('button', { name: 'Discard and sign out' }).click()
  await page.waitForURL(/signin\?message=out/)
  expect(await keptOn(page)).toEqual([])
  await context.close()
})

test('a wrong password in the profile is told there, and nobody is signed out', { timeout: 90_000 }, async () => {
  const { context, page } = await open()
  await page.goto(`${origin}/app/me`)
  await signIn(page, 'create')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByLabel('Current password').fill('not this one')
  await page.getByLabel('New password').fill('ten lecterns in a row')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').filter({ hasText: 'not right' }).waitFor()
  expect(page.url()).toBe(`${origin}/app/me`)
  expect(await page.getByLabel('New password').inputValue()).toBe('ten lecterns in a row')
  await context.close()
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: free } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return free
}
