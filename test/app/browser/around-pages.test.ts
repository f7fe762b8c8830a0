/** What stands around the text of a page: its cover, templates, broken links, the writer's name, and scripts read from the right. */
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlite } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { launchChromium } from '../../site/chromium.ts'
import { moveCursor } from './keyboard.ts'
import { makePage, readMarkdown } from './pages.ts'
import { content, openToWrite, signIn, status, type Writer } from './people.ts'

const kit = useKit(sqlite)
let browser: Browser
let origin = ''
let spaceId = ''
let ann: Writer

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  spaceId = (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Around' } })).id
  browser = await launchChromium()
  ann = await signIn(browser, origin, kit.people.admin.token)
})
afterAll(() => browser?.close())

const addressOf = (page: string): string => `${origin}/app/s/${spaceId}/p/${page}`

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('an empty space begins from a template', { timeout: 60_000 }, async () => {
  const { items: templates } = await kit.as.admin.listTemplates()
  const { page } = ann
  await page.goto(`${origin}/app/s/${spaceId}`)
  await page.getByRole('button', { name: 'Use a template…' }).click()
  await page.getByRole('menuitem', { name: templates[0]?.title ?? '' }).click()
  await expect.poll(() => page.getByRole('treeitem').count(), { timeout: 15_000 }).toBeGreaterThan(0)
  const { pages } = await kit.as.admin.listPages({ spaceId })
  expect(await page.getByRole('treeitem').first().textContent()).toContain(pages[0]?.title ?? 'none')
})

test('a cover is chosen, seen after a reload, and taken away', { timeout: 60_000 }, async () => {
  const id = await makePage(kit.as.admin, { spaceId, title: 'Covered', markdown: 'Words.' })
  const { page } = ann
  await openToWrite(page, addressOf(id))
  await page.setInputFiles('input[aria-label="Add a cover"]', {
    name: 'cover.png',
    mimeType: 'image/png',
    buffer: pixel,
  })
  const cover = page.locator('.ui-cover img')
  await cover.waitFor({ state: 'attached', timeout: 15_000 })
  await status(page, /^Saved/).waitFor()
  await page.reload()
  await cover.waitFor({ state: 'attached', timeout: 15_000 })
  const { pathname } = new URL((await cover.getAttribute('src')) ?? '')
  expect(Buffer.from(await (await fetch(origin + pathname)).arrayBuffer())).toEqual(pixel)
  await page.getByRole('button', { name: 'Remove the cover' }).press('Enter')
  await cover.waitFor({ state: 'detached' })
  await expect
    .poll(async () => (await kit.as.admin.getPageById({ spaceId, pageId: id })).cover, { timeout: 15_000 })
    .toBeUndefined()
})

test('a page that is opened asks for what it needs once, before any script has run, and for the tree when it stands', {
  timeout: 60_000,
}, async () => {
  const id = await makePage(kit.as.admin, { spaceId, title: 'Asked once', markdown: 'Some words.' })
  const { number } = await kit.as.admin.createChangeRequest({ spaceId, body: { subject: 'Once' } })
  const { page } = ann
  for (const path of [`/p/${id}`, `/c/${number}/edit/p/${id}`]) {
    // What an earlier page still asks for is not counted.
    await page.goto('about:blank')
    const asked: string[] = []
    const note = (request: { url(): string }): void => void asked.push(request.url().slice(origin.length))
    page.on('request', note)
    await openToWrite(page, `${origin}/app/s/${spaceId}${path}`)
    await page.getByRole('tree', { name: 'Pages' }).waitFor()
    page.off('request', note)
    const times = (pattern: RegExp): number => asked.filter((url) => pattern.test(url)).length
    const once = [/\/v1\/user$/, /\/v1\/orgs\?/, /\/content\/page\//]
    expect(once.map(times), asked.join('\n')).toEqual([1, 1, 1])
    expect(times(/\/revisions\//), asked.join('\n')).toBe(0)
    // The tree is read again when the stream tells of something, such as the change request that was made just now.
    expect([1, 2], asked.join('\n')).toContain(times(/\/content\/pages\?/))
    // The page names these itself, before its style: a script asks for the next only when it has run.
    const beforeStyle = asked.slice(
      0,
      asked.findIndex((url) => url.endsWith('.css')),
    )
    const named = [/\/v1\/user$/, /\/v1\/orgs\?/, /\/v1\/spaces\/\w+$/, /\/content\/page\//]
    for (const pattern of named)
      expect(
        beforeStyle.filter((url) => pattern.test(url)),
        asked.join('\n'),
      ).toHaveLength(1)
    expect(asked.findIndex((url) => /\/content\/pages\?/.test(url))).toBeGreaterThan(beforeStyle.length)
  }
})

/**
 * In the page, before the editor stands: how deep the stacks are that its library looks at, what the tree is asked, and
 * which formats of dates are made.
 */
const watchLoading = `
  window.stacks = []
  window.measured = []
  window.formats = []
  for (const name of ['DateTimeFormat', 'RelativeTimeFormat', 'NumberFormat'])
    Intl[name] = new Proxy(Intl[name], {
      construct(target, given) {
        if (!document.querySelector('.ed-doc')) window.formats.push(name)
        return new target(...given)
      },
    })
  Error.prepareStackTrace = (error, frames) => {
    if (error.message === '/') window.stacks.push(frames.length)
    return String(error)
  }
  const ask = (element, name) => {
    if (element.className === 'ui-tree' && !document.querySelector('.ed-doc')) window.measured.push(name)
  }
  for (const [of, name] of [[HTMLElement, 'offsetHeight'], [HTMLElement, 'offsetWidth'], [Element, 'scrollTop'], [Element, 'clientHeight']]) {
    const { get, ...rest } = Object.getOwnPropertyDescriptor(of.prototype, name)
    Object.defineProperty(of.prototype, name, { ...rest, get() { ask(this, name); return get.call(this) } })
  }
  for (const name of ['scrollTo', 'getBoundingClientRect']) {
    const was = Element.prototype[name]
    Element.prototype[name] = function (...all) { ask(this, name); return was.apply(this, all) }
  }`

test('until the editor stands no script is parsed twice, nothing is laid out for the tree, and no format is made', {
  timeout: 60_000,
}, async () => {
  const id = await makePage(kit.as.admin, { spaceId, title: 'Laid out once', markdown: 'Some words.' })
  const page = await ann.page.context().newPage()
  await page.addInitScript(watchLoading)
  await openToWrite(page, addressOf(id))
  expect(await page.evaluate('window.stacks')).toEqual([1])
  expect(await page.evaluate('window.measured')).toEqual([])
  expect(await page.evaluate('window.formats')).toEqual([])
  expect(await page.evaluate('Error.stackTraceLimit')).toBe(10)
  await page.close()
})

test('a broken link is listed with what is wrong, and opens the page where it stands', {
  timeout: 60_000,
}, async () => {
  const long = Array.from({ length: 60 }, (_, at) => `Paragraph ${at}.`).join('\n\n')
  const id = await makePage(kit.as.admin, {
    spaceId,
    title: 'Linked',
    markdown: `${long}\n\nSee [the rest](gone.md).\n\nThe end.`,
  })
  const { page } = ann
  await page.goto(`${origin}/app/s/${spaceId}/links`)
  const row = page
    .getByRole('region', { name: 'Linked' })
    .getByRole('link', { name: 'the rest There is no page or file at gone.md' })
  await row.click()
  await content(page).waitFor({ timeout: 30_000 })
  expect(new URL(page.url()).pathname).toBe(new URL(addressOf(id)).pathname)
  await expect
    .poll(() => page.evaluate('getSelection().focusNode?.parentElement?.closest("p")?.textContent'), {
      timeout: 15_000,
    })
    .toBe('See the rest.')
  const box = await content(page).getByText('See the rest.').boundingBox()
  expect(box?.y).toBeGreaterThan(0)
  expect(box?.y).toBeLessThan(720)
})

test('a page in Arabic is written from the right, one in English from the left', { timeout: 60_000 }, async () => {
  const { page } = ann
  const direction = () => page.evaluate<string>(`getComputedStyle(document.querySelector('.ed-doc')).direction`)
  await openToWrite(
    page,
    addressOf(await makePage(kit.as.admin, { spaceId, title: 'مقدمة', markdown: 'مرحبا بالعالم' })),
  )
  expect(await direction()).toBe('rtl')
  const title = `getComputedStyle(document.querySelector('.ui-page-title')).direction`
  expect(await page.evaluate(title)).toBe('rtl')
  await content(page).getByText('مرحبا').click()
  await moveCursor(page, 'End')
  await page.keyboard.type(' شكرا')
  await content(page).getByText('مرحبا بالعالم شكرا').waitFor()
  await openToWrite(page, addressOf(await makePage(kit.as.admin, { spaceId, title: 'First', markdown: 'Hello world' })))
  expect(await direction()).toBe('ltr')
})

test('code has colours in the app as it is built', { timeout: 60_000 }, async () => {
  const markdown = '```python\ndef f(x):\n    return x\n```'
  await openToWrite(ann.page, addressOf(await makePage(kit.as.admin, { spaceId, title: 'Code', markdown })))
  await expect.poll(() => ann.page.locator('pre .ck').allTextContents(), { timeout: 30_000 }).toEqual(['def', 'return'])
})

test('what adds and removes a tab stands in the middle of the titles', { timeout: 60_000 }, async () => {
  const markdown =
    '{% tabs %}\n{% tab title="Linux" %}\nOne.\n{% endtab %}\n\n{% tab title="macOS" %}\nTwo.\n{% endtab %}\n{% endtabs %}'
  await openToWrite(ann.page, addressOf(await makePage(kit.as.admin, { spaceId, title: 'Tabs', markdown })))
  const middles = await ann.page.evaluate<{ tab: number; tools: number[] }>(`(() => {
    const middle = (box) => (box.top + box.bottom) / 2
    const words = document.createRange()
    words.selectNodeContents(document.querySelector('.ed-doc [role=tab]'))
    const tools = [...document.querySelectorAll('.ed-doc .tab-row .ed-mini')]
    return { tab: middle(words.getBoundingClientRect()), tools: tools.map((one) => middle(one.getBoundingClientRect())) }
  })()`)
  expect(middles.tools).toHaveLength(2)
  for (const middle of middles.tools) expect(Math.abs(middle - middles.tab)).toBeLessThan(1.5)
})

test('whoever asks for less motion gets none', { timeout: 60_000 }, async () => {
  const moving = `[...document.querySelectorAll('body, body *')].flatMap((element) => {
    const { animationName, animationDuration, transitionDuration } = getComputedStyle(element)
    const seconds = (list) => Math.max(...list.split(',').map((time) => parseFloat(time)))
    const isMoving = (animationName !== 'none' && seconds(animationDuration) > 0.01) || seconds(transitionDuration) > 0.01
    return isMoving ? [element.className] : []
  })`
  const { page } = ann
  await page.goto(`${origin}/app/sites`)
  await page.getByRole('heading', { name: 'Sites' }).first().waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'New site' }).click()
  await page.getByRole('dialog').waitFor()
  expect(await page.evaluate(moving)).toEqual([])
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  expect(await page.evaluate(moving)).not.toEqual([])
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

test('where a space or change request is not, the way home is there, and it can be tried again', {
  timeout: 60_000,
}, async () => {
  const { page } = ann
  const { id } = await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Here' } })
  for (const path of ['/app/s/nosuchspace', `/app/s/${id}/c/1`]) {
    await page.goto(`${origin}${path}`)
    await page.getByRole('alert').getByRole('heading', { name: 'This is not here' }).waitFor()
    await page.getByRole('link', { name: 'Home', exact: true }).waitFor()
  }
  await kit.as.admin.createChangeRequest({ spaceId: id, body: { subject: 'Made since' } })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('textbox', { name: 'Subject' }).waitFor()
})

test('whoever sees no space learns whom to ask, and whoever may not change its settings sees the space', {
  timeout: 60_000,
}, async () => {
  const guest = await kit.addPerson({ email: 'guest@around.test', role: null })
  const { page, context } = await signIn(browser, origin, guest.token)
  await page.goto(`${origin}/app`)
  await page.getByRole('heading', { name: 'Nothing is shared with you yet' }).waitFor()
  await context.close()
  const reader = await signIn(browser, origin, kit.people.read.token)
  const { id } = await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Set' } })
  await reader.page.goto(`${origin}/app/s/${id}/settings`)
  await expect.poll(() => new URL(reader.page.url()).pathname).toBe(`/app/s/${id}`)
  await reader.context.close()
})

test('a site for whoever has a secret link shows its links, and makes and deletes them', {
  timeout: 90_000,
}, async () => {
  const { page } = ann
  const organizationId = kit.organization
  const site = await kit.as.admin.createSite({ organizationId, body: { title: 'Linked', spaces: [spaceId] } })
  await kit.as.admin.publishSite({ organizationId, siteId: site.id })
  await page.goto(`${origin}/app/sites/${site.id}`)
  await page.getByRole('combobox', { name: 'Who can read it' }).selectOption('share-link')
  await page.getByText('Nobody can read the site yet.').waitFor()
  await page.getByRole('button', { name: 'New link' }).click()
  await page.getByRole('textbox', { name: 'Who is it for?' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Press')
  await page.keyboard.press('Enter')
  const link = page.locator('code', { hasText: '~share/' })
  await link.waitFor()
  const { items } = await kit.as.admin.listSiteShareLinks({ organizationId, siteId: site.id })
  expect(await link.textContent()).toBe(items[0]?.urls.published)
  await page.getByRole('button', { name: 'Delete the link for Press' }).click()
  await link.waitFor({ state: 'detached' })
})

test('of people who are invited nobody is left out without a word', { timeout: 60_000 }, async () => {
  const { page } = ann
  const emails = async () =>
    (await kit.as.admin.listMembersInOrganizationById({ organizationId: kit.organization })).items.map(
      ({ user }) => user.email,
    )
  await page.goto(`${origin}/app/o/${kit.organization}/members`)
  await page.getByRole('button', { name: 'Invite people' }).click()
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('textbox', { name: 'Email addresses' })
  await field.fill('Ada Lovelace <ada@around.test>, bob.around.test')
  await dialog.getByRole('button', { name: 'Invite people' }).click()
  await page.getByText('This is no e-mail address').waitFor()
  await page.getByText('bob.around.test', { exact: true }).waitFor()
  expect(await emails()).not.toContain('ada@around.test')
  await field.fill('Ada Lovelace <ada@around.test>, bob@around.test')
  await dialog.getByRole('button', { name: 'Invite people' }).click()
  await expect.poll(emails).toEqual(expect.arrayContaining(['ada@around.test', 'bob@around.test']))
})

test('a site for visitors of another sign-in takes its address, and shows and renews the key', {
  timeout: 90_000,
}, async () => {
  const { page } = ann
  const organizationId = kit.organization
  const site = await kit.as.admin.createSite({ organizationId, body: { title: 'Signed', spaces: [spaceId] } })
  const authOf = () => kit.as.admin.getSitePublishingAuthById({ organizationId, siteId: site.id })
  const { privateKey } = await authOf()
  await page.goto(`${origin}/app/sites/${site.id}`)
  await page.getByRole('combobox', { name: 'Who can read it' }).selectOption('visitor-auth')
  const field = page.getByRole('textbox', { name: 'Sign-in address' })
  await field.fill('https://app.example.org/login')
  await field.press('Enter')
  await expect.poll(async () => (await authOf()).fallbackURL).toBe('https://app.example.org/login')
  await expect.poll(() => field.inputValue()).toBe('https://app.example.org/login')
  await field.fill('')
  await field.press('Enter')
  await expect.poll(async () => (await authOf()).fallbackURL).toBeUndefined()
  expect(await page.getByText(privateKey).count()).toBe(0)
  await page.getByRole('button', { name: 'Show the key' }).click()
  await page.getByText(privateKey).waitFor()
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'New key' }).click()
  await page.getByText(privateKey).waitFor({ state: 'detached' })
  await page.getByText((await authOf()).privateKey).waitFor()
})

test('people change their name themselves', { timeout: 60_000 }, async () => {
  const { page } = ann
  await page.goto(`${origin}/app/me`)
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Ada Byron')
  await name.press('Enter')
  await page.getByRole('heading', { name: 'Ada Byron' }).waitFor({ timeout: 15_000 })
  expect((await kit.as.admin.getAuthenticatedUser()).displayName).toBe('Ada Byron')
})

test('on a touch screen blocks are inserted and moved by a bar at the foot of the screen', {
  timeout: 60_000,
}, async () => {
  const pageId = await makePage(kit.as.admin, { spaceId, title: 'Touched', markdown: 'One.\n\nTwo.\n\nThree.' })
  const phone = { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true }
  const { context, page } = await signIn(browser, origin, kit.people.edit.token, phone)
  await openToWrite(page, addressOf(pageId))
  const bar = page.getByRole('toolbar', { name: 'Block' })
  expect(await bar.isVisible()).toBe(false)
  await content(page).getByText('One.').tap()
  await bar.waitFor()
  await bar.getByRole('button', { name: 'Move down' }).tap()
  const stored = () => readMarkdown(kit.as.admin, { spaceId, pageId })
  await expect.poll(stored, { timeout: 15_000 }).toContain('Two.\n\nOne.\n\nThree.')
  await bar.getByRole('button', { name: 'Insert a block' }).tap()
  await page.getByRole('option', { name: 'Divider' }).tap()
  await expect.poll(stored, { timeout: 15_000 }).toMatch(/One\.\n\n(---|\*\*\*)\n\n/)
  await bar.getByRole('button', { name: 'Hide the keyboard' }).tap()
  await bar.waitFor({ state: 'hidden' })
  await context.close()
})

test('a site that is made in the German app speaks German to its readers', { timeout: 60_000 }, async () => {
  const german = await signIn(browser, origin, kit.people.admin.token, { locale: 'de-DE' })
  const { page } = german
  const { id } = await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Handbuch' } })
  const pageId = await makePage(kit.as.admin, { spaceId: id, title: 'Anfang', markdown: 'Worte.' })
  await page.goto(`${origin}/app/s/${id}/p/${pageId}`)
  await page.getByRole('button', { name: 'Veröffentlichen' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Veröffentlichen' }).click()
  await page.waitForURL(/\/app\/sites\//)
  const siteId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const { internationalization } = await kit.as.admin.getSiteCustomizationById({
    organizationId: kit.organization,
    siteId,
  })
  expect(internationalization).toEqual({ locale: 'de' })
  await german.context.close()
})
