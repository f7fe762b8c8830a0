/** People in browsers of their own, signed in to a real server, on a page of it. */

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { cursorMoved, moveCursor } from './keyboard.ts'

export interface Writer {
  context: BrowserContext
  page: Page
}

export const content = (page: Page) => page.getByRole('textbox', { name: 'Page content' })

export const status = (page: Page, begins: RegExp) => page.getByRole('status').filter({ hasText: begins }).first()

/** A browser of its own, signed in by a token as the app does it. */
export async function signIn(
  browser: Browser,
  origin: string,
  token: string,
  device: BrowserContextOptions = {},
): Promise<Writer> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...device })
  const page = await context.newPage()
  // Any page of the origin can sign in; the app itself would go elsewhere meanwhile.
  await page.route(`${origin}/host`, (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body: '<!doctype html>' }),
  )
  await page.goto(`${origin}/host`)
  const answered = await page.evaluate(
    `fetch('/v1/sessions', { method: 'POST', headers: { 'content-type': 'application/json', 'x-lectern-app': '1' }, body: JSON.stringify({ token: ${JSON.stringify(token)} }) }).then((answer) => answer.status)`,
  )
  expect(answered).toBe(201)
  return { context, page }
}

/** Opens a page of the app and waits until it can be written in. */
export async function openToWrite(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await content(page).waitFor({ timeout: 30_000 })
}

/** Puts the cursor into the block that holds these words. */
export async function writeAt(page: Page, words: string, key: 'Home' | 'End', typed: string): Promise<void> {
  await content(page).getByText(words).first().click()
  await cursorMoved(page)
  await moveCursor(page, key)
  await page.keyboard.type(typed)
}
