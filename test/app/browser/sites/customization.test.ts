/** How a site looks, set in the app: the preview, saving, what somebody else saved meanwhile, and one space that differs. */
import { type AddressInfo, createServer } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { CustomizationInput } from '../../../../src/core/customization/complete.ts'
import { CustomizationShape } from '../../../../src/core/customization/shape.ts'
import { findViolations } from '../../../kit/axe.ts'
import { sqlite } from '../../../kit/backends.ts'
import { useKit } from '../../../kit/server.ts'
import { launchChromium } from '../../../site/chromium.ts'
import { makePage } from '../pages.ts'
import { signIn } from '../people.ts'

const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const kit = useKit(sqlite, { settings: { LECTERN_URL: origin } })
let browser: Browser
let page: Page
let problems: string[]
let at: { organizationId: string; siteId: string }
let spaces: { id: string; siteSpaceId: string; pageId: string }[]

beforeAll(async () => {
  await kit.server.app.listen({ port, host: '127.0.0.1' })
  const organizationId = kit.organization
  const made = []
  for (const title of ['Manual', 'Old manual']) {
    const { id } = await kit.as.admin.createSpace({ organizationId, body: { title } })
    const markdown = 'Words with [a link](https://example.org) and `code`.\n\n```js\nconst a = 1\n```'
    made.push({ id, pageId: await makePage(kit.as.admin, { spaceId: id, title: `Start of ${title}`, markdown }) })
  }
  const body = { title: 'Docs', spaces: made.map(({ id }) => id) }
  const { id: siteId } = await kit.as.admin.createSite({ organizationId, body })
  await kit.as.admin.publishSite({ organizationId, siteId })
  at = { organizationId, siteId }
  const { items } = await kit.as.admin.listSiteSpaces(at)
  spaces = made.map((one) => ({ ...one, siteSpaceId: items.find(({ space }) => space.id === one.id)?.id ?? '' }))
  browser = await launchChromium()
  page = (await signIn(browser, origin, kit.people.admin.token)).page
  problems = []
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${message.location().url}: ${message.text()}`)
  })
}, 60_000)
afterAll(() => browser?.close())

const read = () => kit.as.admin.getSiteCustomizationById(at)
const write = async (change: CustomizationInput): Promise<void> => {
  const before = await read()
  const { header, styling, footer, themes, ...rest } = change
  await kit.as.admin.updateSiteCustomizationById({
    ...at,
    body: {
      ...before,
      ...rest,
      header: { ...before.header, ...header },
      styling: { ...before.styling, ...styling },
      footer: { ...before.footer, ...footer },
      themes: { ...before.themes, ...themes },
    },
  })
}
const open = async (on: Page = page): Promise<void> => {
  await on.goto(`${origin}/app/sites/${at.siteId}/customization`)
  await on.locator('.customization-group').first().waitFor()
  await on.evaluate('for (const group of document.querySelectorAll(".customization details")) group.open = true')
}
const setting = (path: string, on: Page = page) => on.locator(`[data-setting="${path}"]`)
const frame = () => page.frameLocator('iframe[title="Preview of the site"]')
const save = () => page.getByRole('button', { name: 'Save', exact: true }).click()
const saved = async (): Promise<void> => {
  await page.getByText('Saved. Readers see it now.').last().waitFor()
  // One of an earlier save may still be shown.
  await page.locator('.customization-bar').waitFor({ state: 'detached' })
}
const discard = async (): Promise<void> => {
  const button = page.getByRole('button', { name: 'Discard', exact: true })
  if (await button.isVisible()) await button.click()
}
const styleOf: Parameters<ReturnType<Page['locator']>['evaluate']>[0] = (element, name) =>
  element.ownerDocument.defaultView.getComputedStyle(element).getPropertyValue(name).trim()
/** A variable of the previewed page, as it counts there. */
const shown = async (name: string): Promise<string> => String(await frame().locator(':root').evaluate(styleOf, name))

test('what is changed shows in the preview at once, and to readers when it is saved', { timeout: 90_000 }, async () => {
  await open()
  await frame().getByRole('heading', { name: 'Start of Manual' }).waitFor()
  const before = await read()
  await setting('styling.primaryColor.light').fill('#b00020')
  await page.getByText('Round', { exact: true }).click()
  await setting('styling.font').selectOption('Merriweather')
  await setting('styling.codeTheme.default.light').selectOption('monochrome-light')
  await expect.poll(() => shown('--accent')).toBe('#b00020')
  expect(await shown('--r-2')).toBe('14px')
  expect(await shown('--font-text')).toMatch(/^"Merriweather"/)
  await expect
    .poll(() =>
      frame()
        .locator(':root')
        .evaluate((root) => root.ownerDocument.fonts.check('16px Merriweather')),
    )
    .toBe(true)
  await expect.poll(() => frame().locator(':root').getAttribute('class')).toMatch(/\bcorners-circular\b/)
  await page.getByRole('button', { name: 'Dark', exact: true }).click()
  expect(await shown('color-scheme')).toBe('dark')
  await page.getByRole('button', { name: 'Light', exact: true }).click()
  // Nobody else has seen anything of it.
  expect(await read()).toEqual(before)
  await setting('header.links').getByRole('button', { name: 'Add a link', exact: true }).click()
  await page.keyboard.type('Begin')
  await setting('header.links.0.to.kind').selectOption('page')
  await setting('header.links.0.to').selectOption({ label: 'Start of Manual' })
  await page.getByText('Not in the preview until it is saved: header.').waitFor()
  expect(await frame().getByRole('link', { name: 'Begin' }).count()).toBe(0)
  await save()
  await saved()
  await frame().getByRole('link', { name: 'Begin' }).first().waitFor()
  const [manual] = spaces
  expect(await read()).toEqual({
    ...before,
    styling: {
      ...before.styling,
      primaryColor: { ...before.styling.primaryColor, light: '#b00020' },
      corners: 'circular',
      font: 'Merriweather',
      codeTheme: { ...before.styling.codeTheme, default: { light: 'monochrome-light', dark: 'default-dark' } },
    },
    header: {
      ...before.header,
      links: [
        { title: 'Begin', style: 'link', to: { kind: 'page', page: manual?.pageId, space: manual?.id }, links: [] },
      ],
    },
  })
  // What others saved since stays.
  await write({ feedback: { enabled: false } })
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('Taken back. It is as it was before.').waitFor()
  expect(await read()).toEqual({ ...before, feedback: { enabled: false } })
  expect(await setting('feedback.enabled').isChecked()).toBe(false)
  await write({ feedback: { enabled: true } })
  expect(problems).toEqual([])
})

test('the preview goes back to what was saved before, the colours of code too', { timeout: 60_000 }, async () => {
  await write({ styling: { codeTheme: { default: pair('dracula'), openapi: pair('dracula') } } })
  await open()
  await frame().getByRole('heading', { name: 'Start of Manual' }).waitFor()
  const soft = () => frame().locator('.code').first().evaluate(styleOf, '--soft')
  await expect.poll(soft).toMatch(/^#282a36$/i)
  for (const of of ['default', 'openapi'])
    for (const mode of ['light', 'dark'])
      await setting(`styling.codeTheme.${of}.${mode}`).selectOption(`default-${mode}`)
  await expect.poll(soft).not.toMatch(/^#282a36$/i)
  await discard()
  await expect.poll(soft).toMatch(/^#282a36$/i)
  await write({ styling: { codeTheme: { default: ownPair, openapi: ownPair } } })
})

test('a colour that cannot be read as text says what becomes of it', { timeout: 60_000 }, async () => {
  await open()
  const light = page.locator('[data-contrast="light"]')
  await setting('styling.primaryColor.light').fill('#1d4ed8')
  await light.filter({ hasText: 'AA ✓' }).waitFor()
  expect(await light.textContent()).toMatch(/As text at least \d+\.\d : 1/)
  await setting('styling.primaryColor.light').fill('#ffd400')
  await expect.poll(() => light.textContent()).toMatch(/links are shown in #[0-9a-f]{6}/)
  expect(await light.textContent()).toContain('Text on buttons is black')
  await discard()
})

test('no setting is missing, and nothing that is not shown is lost', { timeout: 60_000 }, async () => {
  // What does nothing here, or says the same as another setting.
  const notOffered =
    /^(ai\.mode|advancedCustomization\.enabled|insights\.trackingCookie|pdf\.enabled|git\.showEditLink|pageActions\.(externalAI|markdown))$/
  await write({
    advancedCustomization: { enabled: true },
    insights: { trackingCookie: true },
    header: {
      preset: 'custom',
      backgroundColor: pair('#112233'),
      linkColor: pair('#ffffff'),
      links: [
        { title: 'File', to: { kind: 'anchor', anchor: 'there', page: spaces[0]?.pageId ?? '' }, links: [] },
        { title: 'Menu', to: null, links: [{ title: 'Inner', to: { kind: 'url', url: '/x' } }], condition: 'true' },
      ],
      logo: pair('https://pictures.example/logo.png'),
    },
    styling: { tint: { color: pair('#445566') } },
    announcement: {
      enabled: true,
      message: 'News',
      style: 'info',
      link: { title: 'More', to: { kind: 'url', url: '/news' } },
    },
    footer: { groups: [], logo: pair('https://pictures.example/foot.png') },
    favicon: { icon: pair('https://pictures.example/icon.png') },
  })
  const before = await read()
  await page.route('https://pictures.example/**', (route) => route.fulfill({ status: 404 }))
  await open()
  const offered = await page
    .locator('[data-setting]')
    .evaluateAll((fields) => fields.map((field) => field.getAttribute('data-setting') ?? ''))
  const missing = leaves.filter(
    (path) => !notOffered.test(path) && !offered.some((field) => field === path || path.startsWith(`${field}.`)),
  )
  // What is the same for dark is not asked for twice.
  expect(missing.filter((path) => !/(logo|icon)\.dark$/.test(path))).toEqual([])
  await setting('title').fill('Another title')
  expect(await findViolations(page)).toEqual([])
  await page.evaluate('document.documentElement.dataset.theme = "dark"')
  expect(await findViolations(page, { only: ['color-contrast'] })).toEqual([])
  await page.evaluate('document.documentElement.dataset.theme = "light"')
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  await page.setViewportSize({ width: 1280, height: 720 })
  await save()
  await saved()
  expect(await read()).toEqual({ ...before, title: 'Another title' })
  await page.unroute('https://pictures.example/**')
  problems.length = 0
})

test('a button is pressed also when what stands above it grows at that moment', { timeout: 60_000 }, async () => {
  await open()
  await page.getByRole('button', { name: 'Add a group' }).click()
  const title = setting('footer.groups.0.title')
  await expect.poll(() => title.evaluate((field) => field.matches(':focus'))).toBe(true)
  // The title is left empty, which is said below it.
  await page.getByRole('button', { name: 'Add a link to the group' }).click()
  await setting('footer.groups.0.links.0.title').waitFor()
  await page.getByText('A group needs a title.').first().waitFor()
  await page.getByRole('button', { name: 'Remove: Group without a title' }).click()
  await setting('footer.groups.0.title').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
  await setting('footer.groups.0.links.0.title').waitFor()
  await discard()
})

test('what would be refused is said beside its field, and keeps what was typed', { timeout: 60_000 }, async () => {
  const before = await read()
  await open()
  await page.evaluate('for (const group of document.querySelectorAll(".customization details")) group.open = false')
  await page.getByText('Name and logo', { exact: true }).click()
  await setting('title').fill('x')
  await save()
  await page.getByText('A title has 2 to 128 characters, or is left empty.').first().waitFor()
  expect(await setting('title').getAttribute('aria-invalid')).toBe('true')
  await expect.poll(() => setting('title').evaluate((field) => field.matches(':focus'))).toBe(true)
  expect(await read()).toEqual(before)
  await setting('title').fill('Fine')
  // What only the server can know: the expression of a condition.
  await page.evaluate('for (const group of document.querySelectorAll(".customization details")) group.open = true')
  await setting('header.links.1.condition').fill('visitor.claims.(')
  await save()
  await expect.poll(() => setting('header.links.1.condition').getAttribute('aria-invalid')).toBe('true')
  await discard()
  expect(await read()).toEqual(before)
  problems.length = 0
})

test('two people at once: what only one changed is brought together, the same is asked about', {
  timeout: 90_000,
}, async () => {
  await open()
  await setting('footer.copyright').fill('© me')
  await write({ title: 'Theirs' })
  await save()
  await saved()
  const both = await read()
  expect([both.title, both.footer.copyright]).toEqual(['Theirs', '© me'])
  await setting('title').fill('Mine')
  await setting('footer.copyright').fill('© me again')
  await write({ title: 'Theirs again' })
  await save()
  await page.getByText('Somebody else saved in the meantime').waitFor()
  expect((await read()).title).toBe('Theirs again')
  await page.getByRole('button', { name: 'Take theirs' }).click()
  expect(await setting('title').inputValue()).toBe('Theirs again')
  expect(await setting('footer.copyright').inputValue()).toBe('© me again')
  await save()
  await saved()
  await setting('title').fill('Mine')
  await write({ title: 'Theirs, a third time' })
  await save()
  await page.getByRole('button', { name: 'Save mine' }).click()
  await expect.poll(async () => (await read()).title, { timeout: 15_000 }).toBe('Mine')
  problems.length = 0
})

test('what is not saved is there after a reload', { timeout: 60_000 }, async () => {
  await open()
  await setting('title').fill('Not saved yet')
  await page.getByText('1 setting changed, not saved').waitFor()
  await page.reload()
  await page.getByText('These changes are from an earlier visit.').waitFor()
  expect(await setting('title').inputValue()).toBe('Not saved yet')
  expect((await read()).title).not.toBe('Not saved yet')
  await discard()
  await page.getByText('1 setting changed, not saved').waitFor({ state: 'detached' })
})

test('one space differs, follows the site in all else, and looks like it again', { timeout: 90_000 }, async () => {
  const [, old] = spaces
  const ofSpace = { ...at, siteSpaceId: old?.siteSpaceId ?? '' }
  await open()
  await page.getByLabel('Which part of the site').selectOption({ label: 'Old manual' })
  await page.getByText('This space looks like the site.').waitFor()
  await page.evaluate('for (const group of document.querySelectorAll(".customization details")) group.open = true')
  await setting('announcement.message').fill('This is an old version.')
  await save()
  await saved()
  await page.getByText('This space differs from the site in: announcement.').waitFor()
  const own = async () => (await kit.as.admin.getSiteSpaceCustomizationById(ofSpace)).announcement?.message
  expect(await own()).toBe('This is an old version.')
  await write({ feedback: { enabled: false } })
  expect((await kit.as.admin.getSiteSpaceCustomizationById(ofSpace)).feedback.enabled).toBe(false)
  await page.getByRole('button', { name: 'As the site again' }).click()
  await page.getByText('This space looks like the site.').waitFor()
  expect(await own()).toBe('News')
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
  await expect.poll(own, { timeout: 15_000 }).toBe('This is an old version.')
})

test('whoever may not edit the site is not offered it, and an address by hand leads to the overview', {
  timeout: 60_000,
}, async () => {
  const reader = await signIn(browser, origin, kit.people.read.token)
  await reader.page.goto(`${origin}/app/sites/${at.siteId}/customization`)
  await reader.page.waitForURL(`${origin}/app/sites/${at.siteId}`)
  await reader.page.getByRole('link', { name: 'Insights' }).waitFor()
  expect(await reader.page.getByRole('link', { name: 'Look', exact: true }).count()).toBe(0)
  await reader.context.close()
})

type Schema = { properties?: Record<string, Schema> }

/** Every setting that there is, by its path. A list is one setting. */
const leaves = leavesOf(
  JSON.parse(JSON.stringify(z.toJSONSchema(CustomizationShape, { unrepresentable: 'any' }))).$defs.Customization,
)

function leavesOf(schema: Schema, above = ''): string[] {
  if (!schema.properties) return [above]
  return Object.entries(schema.properties).flatMap(([name, inner]) =>
    leavesOf(inner, above === '' ? name : `${above}.${name}`),
  )
}

function pair<Value>(value: Value) {
  return { light: value, dark: value }
}

const ownPair = { light: 'default-light', dark: 'default-dark' } as const

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: free } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return free
}
