/**
 * The app on a phone of 320 pixels, by touch: no screen and nothing that is opened on one is wider, nothing is cut off at the
 * edge, and what is pressed is large enough. Pages move by their menu.
 */
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlite } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { launchChromium } from '../../site/chromium.ts'
import { makeEverything, openScreen, screensOf } from './every-screen.ts'
import { signIn } from './people.ts'

const kit = useKit(sqlite)
let browser: Browser
let page: Page
let origin = ''
let ids: Awaited<ReturnType<typeof makeEverything>>

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  ids = await makeEverything(kit.as.admin, kit.organization)
  browser = await launchChromium()
  const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }
  page = (await signIn(browser, origin, kit.people.admin.token, phone)).page
})
afterAll(() => browser?.close())

const open = (path: string): Promise<void> => openScreen(page, new URL(path, origin).href)

/** Runs in the page: what is wider than the screen, reaches over its edge without a way to scroll there, or is hard to press. */
const findFaults = `(() => {
  const faults = []
  const root = document.documentElement
  if (root.scrollWidth > innerWidth) faults.push('scrolls sideways: ' + root.scrollWidth)
  const scrolls = (element) => {
    for (let box = element; box; box = box.parentElement)
      if (/auto|scroll/.test(getComputedStyle(box).overflowX) && box.scrollWidth > box.clientWidth) return true
    return false
  }
  const nameOf = (element) =>
    element.tagName.toLowerCase() + '.' + (element.getAttribute('class') ?? '') + ' ' + (element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 30)
  for (const element of document.querySelectorAll('body *')) {
    const { left, right, width, height } = element.getBoundingClientRect()
    if (width === 0 || height === 0 || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    if (element.closest('.sr, [inert], .ui-side:not([data-drawer] .ui-side)')) continue
    if ((right > innerWidth + 1 || left < -1) && !scrolls(element)) faults.push('cut off: ' + nameOf(element))
    const isPressed = element.matches('button, select, [role=menuitem], [role=option], [role=tab], .ui-side-link')
    // What is one pixel wide is there for screen readers.
    if (isPressed && width > 1 && (width < 24 || height < 24)) faults.push('too small: ' + nameOf(element))
  }
  return faults.slice(0, 10)
})()`

test('every screen, in light and dark', { timeout: 300_000 }, async () => {
  const wrong: string[] = []
  for (const path of screensOf(ids, kit.organization)) {
    await open(path)
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
      const faults = await page.evaluate<string[]>(findFaults)
      wrong.push(...faults.map((fault) => `${path}, ${theme}: ${fault}`))
    }
  }
  expect(wrong).toEqual([])
})

test('what is opened on a screen', { timeout: 180_000 }, async () => {
  const space = `/app/s/${ids.space}`
  const writing = `${space}/p/${ids.page}`
  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().tap()
  const dialog = page.getByRole('dialog').first()
  const menu = page.getByRole('menu').first()
  const inText = () => page.locator('.ed-doc p').first().tap()
  const states: [name: string, path: string, run: () => Promise<unknown>, shown: { waitFor(): Promise<unknown> }][] = [
    ['the drawer', writing, () => press('Menu'), page.getByRole('tree', { name: 'Pages' })],
    ['comments', writing, () => press('Comments'), page.getByRole('region', { name: 'Comments' })],
    ['the menu of a page', writing, () => press('More'), menu],
    [
      'settings of a page',
      writing,
      async () => {
        await press('More')
        await page.getByRole('menuitem', { name: 'Page settings' }).tap()
      },
      dialog,
    ],
    ['the palette', writing, () => page.keyboard.press('Control+p'), dialog],
    ['a new space', '/app', () => press('New space'), dialog],
    [
      'notifications',
      '/app',
      async () => {
        await press('Menu')
        await press(/^Notifications/)
      },
      dialog,
    ],
    ['the keys', '/app', () => page.keyboard.press('?'), dialog],
    [
      'the menu of a block',
      writing,
      async () => {
        await inText()
        await page.keyboard.press('Alt+Enter')
      },
      menu,
    ],
    [
      'the list of blocks',
      writing,
      async () => {
        await inText()
        await page.keyboard.press('End')
        await page.keyboard.press('Enter')
        await page.keyboard.type('/')
      },
      page.getByRole('listbox').first(),
    ],
    [
      'find and replace',
      writing,
      async () => {
        await inText()
        await page.keyboard.press('Control+Alt+f')
      },
      page.getByRole('textbox', { name: 'Find', exact: true }),
    ],
  ]
  const wrong: string[] = []
  for (const [name, path, run, shown] of states) {
    await open(path)
    await run()
    await shown.waitFor().catch(() => wrong.push(`${name}: did not open`))
    const faults = await page.evaluate<string[]>(findFaults)
    wrong.push(...faults.map((fault) => `${name}: ${fault}`))
  }
  expect(wrong).toEqual([])
})

test('a page moves by its menu', { timeout: 90_000 }, async () => {
  const order = async (): Promise<string[]> =>
    (await kit.as.admin.listPages({ spaceId: ids.space })).pages.map(({ title }) => title)
  expect(await order()).toEqual(['Install', 'Shapes'])
  await open(`/app/s/${ids.space}/p/${ids.page}`)
  await page.getByRole('button', { name: 'Menu', exact: true }).tap()
  await page.getByRole('button', { name: 'Actions for Shapes' }).tap()
  await page.getByRole('menuitem', { name: /^Move up/ }).tap()
  await expect.poll(order, { timeout: 15_000 }).toEqual(['Shapes', 'Install'])
})

test('the drawer closes on the page that is open already', { timeout: 60_000 }, async () => {
  await open(`/app/s/${ids.space}/p/${ids.page}`)
  await page.getByRole('button', { name: 'Menu', exact: true }).tap()
  await page.locator('.ui-drawer-veil').waitFor()
  await page.getByRole('treeitem', { name: 'Install' }).tap()
  await page.locator('.ui-drawer-veil').waitFor({ state: 'detached' })
})

test('what became of the words can be read, also without a connection', { timeout: 90_000 }, async () => {
  const state = page.locator('.ui-save')
  const isCut = () =>
    state.evaluate((box) => box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight + 1)
  await open(`/app/s/${ids.space}/p/${ids.page}`)
  await page.locator('.ed-doc p').first().tap()
  await page.keyboard.type('More. ')
  await state.filter({ hasText: /^Saved \d/ }).waitFor()
  expect(await isCut()).toBe(false)
  await page.context().setOffline(true)
  await page.keyboard.type('And more. ')
  await state.filter({ hasText: /^Offline/ }).waitFor()
  expect(await isCut()).toBe(false)
  await page.context().setOffline(false)
  await state.filter({ hasText: /^Saved \d/ }).waitFor()
})
