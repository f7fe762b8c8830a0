/** A real browser opens what people upload: pictures show, nothing runs. */
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { sqlite } from '../../kit/backends.ts'
import { formOf } from '../../kit/forms.ts'
import { useKit } from '../../kit/server.ts'
import { samples } from '../../kit/tiny-files.ts'
import { launchChromium } from '../../site/chromium.ts'

const kit = useKit(sqlite)
let browser: Browser
let origin = ''
let spaceId = ''

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  spaceId = (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Browser' } })).id
  browser = await launchChromium()
  return () => browser.close()
})

const addressOf = async (name: string, bytes: Buffer, type = ''): Promise<string> => {
  const { files } = await kit.as.admin.uploadFiles({ spaceId, body: formOf({ name, bytes, type }) })
  return `${origin}${new URL(files[0]?.downloadURL ?? '').pathname}`
}

/** Any page of ours, at its own address: what it could load, an attacker could make it load. */
const openHost = async (): Promise<Page> => {
  const page = await browser.newPage()
  const body = '<!doctype html><title>host</title><body>'
  await page.route(`${origin}/host`, (route) => route.fulfill({ status: 200, contentType: 'text/html', body }))
  await page.goto(`${origin}/host`)
  return page
}

/** Puts an element into the page; whether it loaded. Scripts for the page are text: these tests know no DOM. */
const load = (page: Page, tag: string, fields: Record<string, string>) =>
  page.evaluate(`new Promise((resolve) => {
    const element = Object.assign(document.createElement(${JSON.stringify(tag)}), ${JSON.stringify(fields)})
    element.onload = () => resolve('loaded')
    element.onerror = () => resolve('refused')
    document.body.append(element)
    setTimeout(() => resolve('silent'), 3000)
  })`)

test('shows an SVG as an image, and saves it when it is opened', async () => {
  const address = await addressOf('drawing.svg', samples.svg)
  const page = await openHost()
  expect(await load(page, 'img', { src: address })).toBe('loaded')
  expect(await page.evaluate('document.images[0].naturalWidth')).toBe(20)
  const saved = page.waitForEvent('download')
  await page.goto(address).catch(() => {})
  expect((await saved).suggestedFilename()).toBe('drawing.svg')
  expect(await page.title()).toBe('host')
  await page.close()
})

test('saves HTML whatever it is called, and runs none of it', async () => {
  for (const [name, type] of [
    ['page.html', 'text/html'],
    ['page.png', 'image/png'],
    ['page.txt', 'text/plain'],
  ] as const) {
    const address = await addressOf(name, samples.html, type)
    const page = await openHost()
    const saved = page.waitForEvent('download')
    await page.goto(address).catch(() => {})
    await saved
    expect(await page.title()).toBe('host')
    await page.close()
  }
})

test('loads nothing from a file as a script, a style or a frame', async () => {
  const page = await openHost()
  const code = Buffer.from('window.ran = true')
  for (const [name, type] of [
    ['a.js', 'text/javascript'],
    ['b.txt', 'text/plain'],
    ['c.json', 'application/json'],
  ] as const)
    expect(await load(page, 'script', { src: await addressOf(name, code, type) })).toBe('refused')
  const sheet = await addressOf('a.css', Buffer.from('body { color: rgb(1, 2, 3) }'), 'text/css')
  expect(await load(page, 'link', { rel: 'stylesheet', href: sheet })).toBe('refused')
  const drawing = await addressOf('a.svg', samples.svg)
  await load(page, 'object', { data: drawing, type: 'image/svg+xml' })
  await load(page, 'iframe', { src: drawing })
  expect(await page.evaluate(`['ran' in window, document.title, getComputedStyle(document.body).color]`)).toEqual([
    false,
    'host',
    'rgb(0, 0, 0)',
  ])
  await page.close()
})

test('shows pictures and text in place', async () => {
  const page = await openHost()
  const response = await page.goto(await addressOf('a.png', samples.png))
  expect(response?.status()).toBe(200)
  expect(await page.evaluate('document.images[0].naturalWidth')).toBe(3)
  await page.goto(await addressOf('words.txt', Buffer.from('<b>words é</b>'), 'text/plain'))
  expect(await page.evaluate('document.body.innerText')).toBe('<b>words é</b>')
  await page.close()
})
