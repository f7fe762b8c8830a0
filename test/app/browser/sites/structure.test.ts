/** The structure of a site in the app: what readers see is added, arranged, changed and taken off, and stored as it is shown. */
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sqlite } from '../../../kit/backends.ts'
import { useKit } from '../../../kit/server.ts'
import { launchChromium } from '../../../site/chromium.ts'
import { signIn } from '../people.ts'

const kit = useKit(sqlite)
let browser: Browser
let origin = ''
let page: Page
let siteId = ''
const spaces: Record<string, string> = {}

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  for (const title of ['Guide', 'Handbuch', 'API', 'SDKs'])
    spaces[title] = (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title } })).id
  browser = await launchChromium()
  page = (await signIn(browser, origin, kit.people.create.token)).page
})
afterAll(() => browser?.close())

const organizationId = (): string => kit.organization
const ids = () => ({ organizationId: organizationId(), siteId })
const idOf = (title: string): string => spaces[title] ?? ''

beforeEach(async () => {
  const made = await kit.as.admin.createSite({ organizationId: organizationId(), body: { title: 'Docs' } })
  siteId = made.id
})

/** `Docs(Guide* Handbuch) Group[API(API*)]`: sections with their spaces, groups with their sections, defaults marked. */
async function stored(): Promise<string> {
  const { structure } = await kit.as.admin.getSiteStructure(ids())
  type Stored = (typeof structure)[number]
  const print = (part: Stored): string => {
    const title = `${part.title}${'default' in part && part.default ? '*' : ''}`
    if (part.object === 'site-section') return `${title}(${part.siteSpaces.map(print).join(' ')})`
    return part.object === 'site-section-group' ? `${title}[${part.sections.map(print).join(' ')}]` : title
  }
  return structure.map(print).join(' ')
}

const expectStored = (structure: string) => expect.poll(stored, { timeout: 15_000 }).toBe(structure)

async function open(): Promise<void> {
  await page.goto(`${origin}/app/sites/${siteId}/structure`)
  await page.locator('main h2').first().waitFor()
}

const row = (title: string, kind: 'space' | 'section' | 'section-group') =>
  page.locator(`[data-kind="site-${kind}"] > .ui-part`, { has: page.locator('.title > span', { hasText: title }) })
const nameOf = (title: string, kind: 'space' | 'section' | 'section-group') => row(title, kind).locator('.title')
const dialog = () => page.getByRole('dialog')

async function choose(title: string, kind: 'space' | 'section' | 'section-group', entry: string): Promise<void> {
  await row(title, kind)
    .getByRole('button', { name: `Actions for ${title}` })
    .click()
  await page.getByRole('menuitem', { name: entry }).click()
}

async function add(entry: string): Promise<void> {
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

const send = (name: string) => dialog().getByRole('button', { name, exact: true }).click()

/** `Docs(Guide* Handbuch) API(API*) SDKs(SDKs*)` by the API. */
async function makeSections(): Promise<void> {
  const admin = kit.as.admin
  await admin.addSpaceToSite({ ...ids(), body: { spaceId: idOf('Guide') } })
  await admin.addSpaceToSite({ ...ids(), body: { spaceId: idOf('Handbuch') } })
  for (const title of ['API', 'SDKs']) await admin.addSectionToSite({ ...ids(), body: { spaceId: idOf(title) } })
}

test('an empty site gets spaces, sections with variants, and a group around them', { timeout: 90_000 }, async () => {
  await open()
  await page.getByRole('heading', { name: 'Nothing to read yet' }).waitFor()
  await page.getByRole('button', { name: 'Add a space' }).click()
  await dialog().getByRole('combobox', { name: 'Space' }).selectOption('Guide')
  await send('Add')
  await nameOf('Guide', 'space').waitFor()
  await add('Add a section')
  await dialog().getByText('What the site shows now becomes a section called “Docs”.').waitFor()
  await dialog().getByRole('combobox', { name: 'Space' }).selectOption('API')
  await dialog().getByRole('textbox', { name: 'Title' }).fill('Reference')
  await send('Add')
  await expectStored('Docs*(Guide*) Reference(API*)')
  await choose('Docs', 'section', 'Add a space here')
  await dialog().getByRole('combobox', { name: 'Space' }).selectOption('Handbuch')
  await send('Add')
  await expectStored('Docs*(Guide* Handbuch) Reference(API*)')
  await add('Add a group')
  await dialog().getByRole('textbox', { name: 'Title' }).fill('Developers')
  await dialog().getByRole('checkbox', { name: 'Reference' }).check()
  await send('Add')
  await expectStored('Docs*(Guide* Handbuch) Developers[Reference(API*)]')
  await row('Reference', 'section').getByText('/reference').waitFor()
})

test('parts are moved by keys, which keep the focus, and a move is taken back', { timeout: 90_000 }, async () => {
  await makeSections()
  await kit.as.admin.addSectionGroupToSite({ ...ids(), body: { title: 'More' } })
  await open()
  const press = async (key: string): Promise<void> => {
    await page.keyboard.press(key)
    await page.locator('.title:focus > span', { hasText: 'SDKs' }).waitFor()
  }
  await nameOf('SDKs', 'section').focus()
  await press('Alt+ArrowUp')
  await press('Alt+ArrowUp')
  await expectStored('SDKs(SDKs*) Docs*(Guide* Handbuch) API(API*) More[]')
  await page.getByText('SDKs, now 1 of 4.').waitFor({ state: 'attached' })
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight']) await press(`Alt+${key}`)
  await expectStored('Docs*(Guide* Handbuch) API(API*) More[SDKs(SDKs*)]')
  await press('Alt+ArrowLeft')
  await expectStored('Docs*(Guide* Handbuch) API(API*) More[] SDKs(SDKs*)')
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expectStored('Docs*(Guide* Handbuch) API(API*) More[SDKs(SDKs*)]')
})

test('a space that goes to another section comes back as it was: its path, and that it opens first', {
  timeout: 90_000,
}, async () => {
  await makeSections()
  const before = (await kit.as.admin.listSiteSpaces(ids())).items.find(({ title }) => title === 'Guide')
  await kit.as.admin.updateSiteSpaceById({ ...ids(), siteSpaceId: before?.id ?? '', body: { path: 'api' } })
  await open()
  await choose('Guide', 'space', 'Move to')
  await dialog().getByRole('combobox', { name: 'Where to' }).selectOption('API')
  await send('Move')
  await expectStored('Docs*(Handbuch*) API(API* Guide) SDKs(SDKs*)')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectStored('Docs*(Guide* Handbuch) API(API*) SDKs(SDKs*)')
  const { items } = await kit.as.admin.listSiteSpaces(ids())
  expect(items.find(({ title }) => title === 'Guide')?.path).toBe('api')
})

test('parts are dragged to where they may stand, and nowhere else', { timeout: 90_000 }, async () => {
  await makeSections()
  await kit.as.admin.addSectionGroupToSite({ ...ids(), body: { title: 'More' } })
  await open()
  const heightOf = async (title: string, kind: 'space' | 'section' | 'section-group') =>
    (await row(title, kind).boundingBox())?.height ?? 36
  await nameOf('Handbuch', 'space').dragTo(row('Guide', 'space'), { targetPosition: { x: 80, y: 3 } })
  await expectStored('Docs*(Handbuch Guide*) API(API*) SDKs(SDKs*) More[]')
  const middle = (await heightOf('More', 'section-group')) / 2
  await nameOf('API', 'section').dragTo(row('More', 'section-group'), { targetPosition: { x: 80, y: middle } })
  await expectStored('Docs*(Handbuch Guide*) SDKs(SDKs*) More[API(API*)]')
  // A space does not stand in a group, nor a group in a section.
  await nameOf('Guide', 'space').dragTo(row('More', 'section-group'), { targetPosition: { x: 80, y: 3 } })
  const below = (await heightOf('SDKs', 'space')) - 3
  await nameOf('Guide', 'space').dragTo(row('SDKs', 'space'), { targetPosition: { x: 80, y: below } })
  await expectStored('Docs*(Handbuch*) SDKs(SDKs* Guide) More[API(API*)]')
})

test('settings are stored, and what is wrong is said beside its field', { timeout: 90_000 }, async () => {
  await makeSections()
  await open()
  await nameOf('SDKs', 'section').click()
  const field = (name: string) => dialog().getByRole('textbox', { name })
  const condition = dialog().getByRole('combobox', { name: 'Only for visitors' })
  await field('Title').fill('Libraries')
  await field('Part of the address').fill('api')
  await send('Save')
  await dialog().getByText('Something beside it has this part already.').waitFor()
  await field('Part of the address').fill('a b')
  await send('Save')
  await dialog().getByText('Letters and digits, with single hyphens').waitFor()
  expect(await field('Part of the address').getAttribute('aria-invalid')).toBe('true')
  await field('Part of the address').fill('libraries')
  await condition.fill('visitor.claims.plan ==')
  await send('Save')
  await expect.poll(() => condition.getAttribute('aria-invalid')).toBe('true')
  await condition.fill('visitor.claims.plan == "pro"')
  await send('Save')
  await dialog().waitFor({ state: 'detached' })
  const section = async () => {
    const { items } = await kit.as.admin.listSiteSections(ids())
    return items.find(({ title }) => title === 'Libraries')
  }
  expect(await section()).toMatchObject({ path: 'libraries', condition: 'visitor.claims.plan == "pro"' })
  await nameOf('Libraries', 'section').getByText('for some').waitFor()
  // Closed by its key, the dialog gives the focus back.
  await nameOf('Docs', 'section').click()
  await dialog().getByRole('combobox', { name: 'Opens first' }).selectOption('Handbuch')
  await send('Save')
  await expectStored('Docs*(Guide Handbuch*) API(API*) Libraries(SDKs*)')
  await choose('Guide', 'space', 'Settings')
  await page.keyboard.press('Escape')
  await page.locator('.title:focus > span', { hasText: 'Guide' }).waitFor()
})

test('what opens first is chosen, and a group dissolved; both can be taken back', { timeout: 90_000 }, async () => {
  await makeSections()
  const { items } = await kit.as.admin.listSiteSections(ids())
  const sections = items.filter(({ title }) => title !== 'SDKs').map(({ id }) => id)
  await kit.as.admin.addSectionGroupToSite({ ...ids(), body: { title: 'Most', sections } })
  await open()
  await choose('SDKs', 'section', 'Open this first')
  await expectStored('SDKs*(SDKs*) Most[Docs(Guide* Handbuch) API(API*)]')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectStored('SDKs(SDKs*) Most[Docs*(Guide* Handbuch) API(API*)]')
  await choose('Most', 'section-group', 'Dissolve the group')
  await expectStored('SDKs(SDKs*) Docs*(Guide* Handbuch) API(API*)')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectStored('SDKs(SDKs*) Most[Docs*(Guide* Handbuch) API(API*)]')
})

test('a part is taken off the site after a question that says what is lost', { timeout: 90_000 }, async () => {
  await makeSections()
  await open()
  await choose('API', 'section', 'Take off the site')
  await dialog().getByText('Its space goes off the site with it; readers no longer find it at /api.').waitFor()
  await send('Cancel')
  await expectStored('Docs*(Guide* Handbuch) API(API*) SDKs(SDKs*)')
  await choose('API', 'section', 'Take off the site')
  await send('Take off the site')
  await expectStored('Docs*(Guide* Handbuch) SDKs(SDKs*)')
  await choose('Handbuch', 'space', 'Take off the site')
  await dialog().getByText('Readers no longer find it at /handbuch.').waitFor()
  await send('Take off the site')
  await expectStored('Docs*(Guide*) SDKs(SDKs*)')
  expect((await kit.as.admin.getSpaceById({ spaceId: idOf('Handbuch') })).deletedAt).toBeUndefined()
  await choose('SDKs', 'section', 'Take off the site')
  await send('Take off the site')
  await choose('Docs', 'section', 'Take off the site')
  await dialog().getByText('It is the last section').waitFor()
  await send('Take off the site')
  await expectStored('Guide*')
})

test('the last section stays where its condition and that of a space do not fit into one, and says why', {
  timeout: 60_000,
}, async () => {
  const { id } = await kit.as.admin.addSectionToSite({ ...ids(), body: { spaceId: idOf('API') } })
  const [siteSpace] = (await kit.as.admin.listSiteSpaces(ids())).items
  const body = (name: string) => ({ condition: `visitor.claims.${name} == "${name.repeat(500)}"` })
  await kit.as.admin.updateSiteSectionById({ ...ids(), siteSectionId: id, body: body('a') })
  await kit.as.admin.updateSiteSpaceById({ ...ids(), siteSpaceId: siteSpace?.id ?? '', body: body('b') })
  await open()
  await choose('API', 'section', 'Take off the site')
  await send('Take off the site')
  await dialog().getByText('Its condition and that of one of its spaces do not fit into one.').waitFor()
  await expectStored('API*(API*)')
})

test('the overview lists the first spaces and leads on; whoever may only read has neither', {
  timeout: 90_000,
}, async () => {
  await makeSections()
  await page.goto(`${origin}/app/sites/${siteId}`)
  await page.getByRole('link', { name: 'Handbuch' }).waitFor()
  await page.getByRole('link', { name: 'Arrange' }).click()
  await nameOf('Handbuch', 'space').waitFor()
  const reader = await signIn(browser, origin, kit.people.review.token)
  await reader.page.goto(`${origin}/app/sites/${siteId}/structure`)
  await reader.page.getByRole('heading', { name: 'Spaces on this site' }).waitFor()
  expect(new URL(reader.page.url()).pathname).toBe(`/app/sites/${siteId}`)
  expect(await reader.page.getByRole('link', { name: 'Structure' }).count()).toBe(0)
  expect(await reader.page.getByRole('link', { name: 'Arrange' }).count()).toBe(0)
  await reader.context.close()
})

test('a space that somebody may not show is not offered; where that is not known, the refusal says it', {
  timeout: 60_000,
}, async () => {
  const make = async (title: string, defaultLevel: 'read' | 'review') => {
    const { id: spaceId } = await kit.as.admin.createSpace({ organizationId: organizationId(), body: { title } })
    await kit.as.admin.updateSpaceById({ spaceId, body: { defaultLevel } })
  }
  await make('Only read', 'read')
  await make('Only reviewed', 'review')
  await open()
  await page.getByRole('button', { name: 'Add a space' }).click()
  const choice = dialog().getByRole('combobox', { name: 'Space' })
  await choice.waitFor()
  expect(await choice.locator('option', { hasText: 'Only re' }).allTextContents()).toEqual(['Only reviewed'])
  await choice.selectOption('Only reviewed')
  await send('Add')
  await dialog().getByText('Your role on this space does not allow you to show it.').waitFor()
  expect(await stored()).toBe('')
})

test('three hundred spaces are drawn and moved without a wait', { timeout: 120_000 }, async () => {
  const { id: spaceId } = await kit.as.admin.createSpace({ organizationId: organizationId(), body: { title: 'Many' } })
  for (let n = 0; n < 300; n++) await kit.as.admin.addSpaceToSite({ ...ids(), body: { spaceId } })
  await open()
  await expect.poll(() => page.locator('[data-kind="site-space"]').count(), { timeout: 30_000 }).toBe(300)
  const first = await page.locator('[data-kind="site-space"]').first().getAttribute('data-part')
  const took = await page.evaluate<number>(`(async () => {
    const title = document.querySelector('[data-kind="site-space"] .title')
    title.focus()
    const begin = performance.now()
    title.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', altKey: true, bubbles: true }))
    while (document.querySelectorAll('[data-kind="site-space"]')[1].dataset.part !== ${JSON.stringify(first)})
      await new Promise((resolve) => setTimeout(resolve, 5))
    return performance.now() - begin
  })()`)
  expect(took).toBeLessThan(2_000)
})
