/** What people do with pages besides writing: in the tree, in the settings of a page, with files, conflicts and the trash. */
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlite } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { launchChromium } from '../../site/chromium.ts'
import { makePage } from './pages.ts'
import { openToWrite, signIn } from './people.ts'

const kit = useKit(sqlite)
let browser: Browser
let page: Page
let origin = ''

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  browser = await launchChromium()
  page = (await signIn(browser, origin, kit.people.admin.token)).page
})
afterAll(() => browser?.close())

const newSpace = async (title: string): Promise<string> =>
  (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title } })).id
const row = (name: string) => page.getByRole('treeitem', { name, exact: true })

test('in the tree: a new title in place, groups, links, and pages that readers do not see', {
  timeout: 60_000,
}, async () => {
  const spaceId = await newSpace('Tree')
  const pageId = await makePage(kit.as.admin, { spaceId, title: 'Install', markdown: 'Words.' })
  const seen = async (): Promise<string[]> =>
    (await kit.as.admin.listPages({ spaceId })).pages.map(({ type, title, hidden }) =>
      [type, title, ...(hidden ? ['hidden'] : [])].join(' '),
    )
  await openToWrite(page, `${origin}/app/s/${spaceId}/p/${pageId}`)
  await page.getByRole('tree', { name: 'Pages' }).focus()
  await page.keyboard.press('F2')
  const field = page.getByRole('textbox', { name: 'New title' })
  await field.fill('Set up')
  await field.press('Enter')
  await expect.poll(seen, { timeout: 15_000 }).toEqual(['document Set up'])

  await row('Set up').hover()
  await page.getByRole('button', { name: 'Actions for Set up' }).click()
  await page.getByRole('menuitem', { name: 'Hide from readers' }).click()
  await row('Set up, hidden').waitFor()

  const more = page.getByRole('button', { name: 'More', exact: true }).first()
  await more.click()
  await page.getByRole('menuitem', { name: 'New group' }).click()
  await row('New group, group').waitFor()
  await more.click()
  await page.getByRole('menuitem', { name: 'New link' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).fill('Elsewhere')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Address' }).fill('https://example.org/')
  await page.keyboard.press('Enter')
  await expect.poll(seen, { timeout: 15_000 }).toEqual(['document Set up hidden', 'group New group', 'link Elsewhere'])
})

test('what is pressed in the menu of a row, and to find a page by its first letters, does nothing else', {
  timeout: 60_000,
}, async () => {
  const spaceId = await newSpace('Letters')
  const titles = async (): Promise<string[]> =>
    (await kit.as.admin.listPages({ spaceId })).pages.map(({ title }) => title)
  const [first] = await ['Alpha', 'Install', 'Zeta'].reduce<Promise<string[]>>(
    async (made, title) => [...(await made), await makePage(kit.as.admin, { spaceId, title, markdown: 'Words.' })],
    Promise.resolve([]),
  )
  await openToWrite(page, `${origin}/app/s/${spaceId}/p/${first}`)
  const active = page.locator('.ui-tree-row[data-active]')
  const tree = page.getByRole('tree', { name: 'Pages' })
  await tree.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'New page inside' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Delete')
  await page.keyboard.press('ArrowDown')
  await page
    .getByRole('menuitem', { name: /^Rename/ })
    .and(page.locator(':focus'))
    .waitFor()
  expect(await active.getAttribute('aria-label')).toBe('Install')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'New title' }).fill('Set in')
  await page.keyboard.press('Enter')
  await expect.poll(titles, { timeout: 15_000 }).toEqual(['Alpha', 'Set in', 'Zeta'])
  expect(page.url()).toContain(first)
  // What others do does not lead away from it either.
  await makePage(kit.as.edit, { spaceId, title: 'Omega', markdown: 'Words.' })
  await row('Omega').waitFor()
  expect(await active.getAttribute('aria-label')).toBe('Set in')

  // The letter that makes a page is the second of a title.
  await page.keyboard.press('s')
  await page.keyboard.press('n')
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'New page inside' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('n')
  await page.keyboard.press('Escape')
  // What is no letter is the key that it is elsewhere.
  await tree.focus()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('n')
  await page.keyboard.press('Escape')
  expect(await titles()).toEqual(['Alpha', 'Set in', 'Zeta', 'Omega'])
})

test('a dialog opens in its first field', { timeout: 60_000 }, async () => {
  const spaceId = await newSpace('Dialogs')
  await page.goto(`${origin}/app/s/${spaceId}/c`)
  await page.getByRole('button', { name: 'New change request' }).first().click()
  const subject = page.getByRole('textbox', { name: 'Subject' })
  await subject.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Nouns')
  expect(await subject.inputValue()).toBe('Nouns')
  await page.keyboard.press('Escape')
  expect((await kit.as.admin.listPages({ spaceId })).pages).toEqual([])
})

test('in a change request the tree tells which pages it adds and which it changes', { timeout: 60_000 }, async () => {
  const spaceId = await newSpace('Badges')
  const changed = await makePage(kit.as.admin, { spaceId, title: 'Install', markdown: 'Words.' })
  await makePage(kit.as.admin, { spaceId, title: 'Untouched', markdown: 'Words.' })
  const { id: changeRequestId, number } = await kit.as.admin.createChangeRequest({ spaceId, body: { subject: 'More' } })
  await kit.as.admin.updateChangeRequestContent({
    spaceId,
    changeRequestId,
    query: { compat: false },
    body: { changes: [{ operation: 'update_page', page: changed, document: { markdown: 'Other words.' } }] },
  })
  await openToWrite(page, `${origin}/app/s/${spaceId}/c/${number}/edit/p/${changed}`)
  await row('Install, changed').waitFor()
  await row('Untouched').waitFor()
  await page.getByRole('button', { name: 'New page' }).first().click()
  const title = page.getByRole('textbox', { name: 'Page title' })
  // Until the new page is open, this is the title of the one before.
  await expect.poll(() => title.inputValue(), { timeout: 15_000 }).toBe('')
  await title.fill('Fresh')
  await row('Fresh, new').waitFor()
})

test('the settings of a page are kept, one beside the other', { timeout: 60_000 }, async () => {
  const spaceId = await newSpace('Settings')
  const pageId = await makePage(kit.as.admin, { spaceId, title: 'Install', markdown: 'Words.' })
  await openToWrite(page, `${origin}/app/s/${spaceId}/p/${pageId}`)
  await page.getByRole('button', { name: 'Page settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Page settings' })
  await dialog.getByRole('textbox', { name: 'Address part' }).fill('set-up')
  await dialog.getByRole('checkbox', { name: 'Not found by the site’s search' }).check()
  await dialog.getByRole('checkbox', { name: 'Outline' }).uncheck()
  await dialog.getByRole('combobox', { name: 'Width' }).selectOption('wide')
  await dialog.getByRole('button', { name: 'Add a variable' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('version')
  await dialog.getByRole('textbox', { name: 'Value' }).fill('2.1')
  // What is typed into the last field is not lost by closing, and the focus goes back to where it was.
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  const focused = `document.activeElement?.getAttribute('aria-label')`
  await expect.poll(() => page.evaluate(focused), { timeout: 15_000 }).toBe('Page settings')
  const stored = async () => {
    const { slug, noIndex, layout, variables } = await kit.as.admin.getPageById({ spaceId, pageId })
    return { slug, noIndex, width: layout?.width, outline: layout?.outline, variables }
  }
  await expect.poll(stored, { timeout: 15_000 }).toEqual({
    slug: 'set-up',
    noIndex: true,
    width: 'wide',
    outline: false,
    variables: { version: '2.1' },
  })
})

test('a condition on a page is kept, and taken away again', {
  timeout: 60_000,
}, async () => {
  const spaceId = await newSpace('Conditions')
  const pageId = await makePage(kit.as.admin, { spaceId, title: 'For some', markdown: 'Words.' })
  const condition = async () => (await kit.as.admin.getPageById({ spaceId, pageId })).condition
  const write = async (words: string) => {
    await page.getByRole('button', { name: 'Page settings' }).click()
    const dialog = page.getByRole('dialog', { name: 'Page settings' })
    await dialog.getByRole('textbox', { name: 'Shown only to visitors who' }).fill(words)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }
  await openToWrite(page, `${origin}/app/s/${spaceId}/p/${pageId}`)
  await write('visitor.claims.plan == "pro"')
  await expect.poll(condition, { timeout: 15_000 }).toBe('visitor.claims.plan == "pro"')
  await write('')
  await expect.poll(condition, { timeout: 15_000 }).toBeUndefined()
})

test('in the profile: a token is made, shown once and revoked; another session is ended', {
  timeout: 60_000,
}, async () => {
  const other = await signIn(browser, origin, kit.people.admin.token)
  await page.goto(`${origin}/app/me`)
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByRole('textbox', { name: 'What is it for?' }).fill('Robot')
  await page.keyboard.press('Enter')
  const shown = page.getByText(/^lct_/)
  const token = (await shown.textContent()) ?? ''
  const asks = async () =>
    (await fetch(`${origin}/v1/user`, { headers: { authorization: `Bearer ${token.trim()}` } })).status
  expect(await asks()).toBe(200)
  await page.reload()
  const row = page.getByRole('listitem').filter({ hasText: 'Robot' })
  await row.waitFor()
  expect(await page.getByText(token.trim()).count()).toBe(0)
  await row.getByRole('button', { name: 'Revoke' }).click()
  await row.waitFor({ state: 'detached' })
  expect(await asks()).toBe(401)

  const sessions = page.getByRole('region', { name: 'Where you are signed in' })
  await sessions.getByRole('button', { name: 'Sign out there' }).first().click()
  await expect.poll(() => sessions.getByRole('button', { name: 'Sign out there' }).count(), { timeout: 15_000 }).toBe(0)
  await other.page.goto(`${origin}/app`)
  await other.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor({ timeout: 15_000 })
  await other.context.close()
})

test('a page that was deleted comes back by Undo', {
  timeout: 60_000,
}, async () => {
  const spaceId = await newSpace('Deleted')
  await makePage(kit.as.admin, { spaceId, title: 'Stays', markdown: 'Here.' })
  const pageId = await makePage(kit.as.admin, { spaceId, title: 'Goes', markdown: 'Precious words.' })
  const titles = async () => (await kit.as.admin.listPages({ spaceId })).pages.map(({ title }) => title)
  await openToWrite(page, `${origin}/app/s/${spaceId}/p/${pageId}`)
  await row('Goes').hover()
  await page.getByRole('button', { name: 'Actions for Goes' }).click()
  await page.getByRole('menuitem', { name: /^Delete/ }).click()
  await expect.poll(titles, { timeout: 15_000 }).toEqual(['Stays'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(titles, { timeout: 15_000 }).toEqual(['Stays', 'Goes'])
  const { markdown } = await kit.as.admin.getPageById({ spaceId, pageId, query: { format: 'markdown' } })
  expect(String(markdown)).toContain('Precious words.')
})

test('a change is seen on the site before it is merged, and what stops that is told', { timeout: 60_000 }, async () => {
  const spaceId = await newSpace('Previewed')
  const pageId = await makePage(kit.as.admin, { spaceId, title: 'Install', markdown: 'As it was.' })
  const organizationId = kit.organization
  const site = await kit.as.admin.createSite({ organizationId, body: { title: 'Docs', spaces: [spaceId] } })
  await kit.as.admin.publishSite({ organizationId, siteId: site.id })
  const request = await kit.as.admin.createChangeRequest({ spaceId, body: { subject: 'Other words' } })
  await kit.as.admin.updateChangeRequestContent({
    spaceId,
    changeRequestId: request.id,
    query: { compat: false },
    body: { changes: [{ operation: 'update_page', page: pageId, document: { markdown: 'As it will be.' } }] },
  })
  const context = page.context()
  // Addresses name the server as its settings do, which is not where this one listens.
  await context.route('http://lectern.test/**', async (route) => {
    const { pathname, search } = new URL(route.request().url())
    await route.fulfill({ response: await route.fetch({ url: origin + pathname + search }) })
  })
  await page.goto(`${origin}/app/s/${spaceId}/c/${request.number}`)
  const open = page.getByRole('button', { name: 'Preview on the site' })
  const [preview] = await Promise.all([context.waitForEvent('page'), open.click()])
  await preview.getByText('As it will be.').waitFor({ timeout: 15_000 })
  const { urls } = await kit.as.admin.getSiteById({ organizationId, siteId: site.id })
  const asReader = await fetch(origin + new URL(urls.published ?? '').pathname)
  expect(await asReader.text()).toContain('As it was.')
  await preview.close()

  await page.route(/publishing\/preview/, (route) => route.abort())
  const [empty] = await Promise.all([context.waitForEvent('page'), open.click()])
  await expect.poll(() => empty.isClosed(), { timeout: 15_000 }).toBe(true)
  await page.getByRole('alert').waitFor({ timeout: 15_000 })
  await page.unroute(/publishing\/preview/)
  await context.unroute('http://lectern.test/**')
})

test('a file says on which pages it is used', { timeout: 60_000 }, async () => {
  const spaceId = await newSpace('Files')
  await page.goto(`${origin}/app/s/${spaceId}/files`)
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('Words.') })
  const file = page.getByRole('button', { name: /^plan\.txt/ })
  await file.waitFor({ timeout: 15_000 })
  const { items } = await kit.as.admin.listFiles({ spaceId })
  await makePage(kit.as.admin, {
    spaceId,
    title: 'Uses it',
    markdown: `Words with [the plan](/files/${items[0]?.id}).`,
  })
  await file.click()
  await page.getByRole('dialog', { name: 'plan.txt' }).getByRole('link', { name: 'Uses it' }).waitFor()
})

test.each([
  ['Keep mine', 'Mine.'],
  ['Keep theirs', 'Theirs.'],
  ['Keep both', 'Mine.\n\nTheirs.'],
])('a conflict of a change request: %s', { timeout: 60_000 }, async (button, wanted) => {
  const spaceId = await newSpace(button)
  const pageId = await makePage(kit.as.admin, { spaceId, title: 'Install', markdown: 'First.' })
  const request = await kit.as.admin.createChangeRequest({ spaceId, body: { subject: 'Other words' } })
  const at = { spaceId, changeRequestId: request.id }
  const edit = (markdown: string) => ({ operation: 'update_page', page: pageId, document: { markdown } }) as const
  await kit.as.admin.updateChangeRequestContent({ ...at, query: { compat: false }, body: { changes: [edit('Mine.')] } })
  await kit.as.admin.updateSpaceContent({ spaceId, body: { changes: [edit('Theirs.')] } })
  await kit.as.admin.updateChangeRequest(at)
  await page.goto(`${origin}/app/s/${spaceId}/c/${request.number}/conflicts`)
  await row('Install, changed').waitFor({ timeout: 15_000 })
  await page.getByRole('article', { name: 'On “Install”' }).getByRole('button', { name: button }).click()
  await page.getByText('Every conflict is resolved.').first().waitFor({ timeout: 15_000 })
  const { markdown } = await kit.as.admin.getPageInChangeRequestById({
    ...at,
    pageId,
    query: { format: 'markdown' },
  })
  const words = String(markdown).replace('# Install', '').trim()
  expect(words.split('\n\n').sort()).toEqual(wanted.split('\n\n').sort())
})

test('a space goes to the trash, and comes back', { timeout: 60_000 }, async () => {
  const spaceId = await newSpace('Thrown away')
  await kit.as.admin.deleteSpaceById({ spaceId })
  await page.goto(`${origin}/app/o/${kit.organization}/trash`)
  const thrown = page.getByRole('listitem').filter({ hasText: 'Thrown away' })
  await thrown.getByRole('button', { name: 'Restore' }).click()
  await thrown.waitFor({ state: 'detached' })
  expect((await kit.as.admin.getSpaceById({ spaceId })).title).toBe('Thrown away')
})
