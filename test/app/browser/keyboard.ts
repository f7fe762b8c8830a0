/** Walking through the app without a mouse. */
import type { Page } from 'playwright-core'

/** Runs in the page, where the types of the test do not reach. */
const nameOfFocused = `(() => {
  const element = document.activeElement
  return element?.getAttribute('aria-label') ?? element?.labels?.[0]?.textContent ?? element?.textContent ?? ''
})()`

/** Presses Tab until something of this name has the focus, as a person without a mouse would. */
export async function tabTo(page: Page, name: string | RegExp, { key = 'Tab', most = 120 } = {}): Promise<void> {
  const wanted = typeof name === 'string' ? new RegExp(`^${name}`) : name
  const passed: string[] = []
  for (let step = 0; step < most; step++) {
    const focused = (await page.evaluate<string>(nameOfFocused)).trim()
    if (wanted.test(focused)) return
    passed.push(focused.slice(0, 30))
    // Inside the text Tab is a key of the text; a chosen block lets it through.
    if (focused === 'Page content') await page.keyboard.press('Escape')
    await page.keyboard.press(key)
  }
  throw new Error(`Nothing named ${name} was reached by ${key}. Passed: ${passed.slice(-40).join(' | ')}`)
}

export async function press(page: Page, name: string | RegExp, options: { key?: string } = {}): Promise<void> {
  await tabTo(page, name, options)
  await page.keyboard.press('Enter')
}

const cursorKeys = /Home$|End$|^Arrow/

/** Types lines and presses keys: what stands in pointed brackets is a key. */
export async function typeKeys(page: Page, script: string): Promise<void> {
  for (const part of script.split(/(<[^>]+>)/)) {
    if (part === '') continue
    const key = /^<(.+)>$/.exec(part)?.[1]
    if (key === undefined) await page.keyboard.type(part)
    else if (cursorKeys.test(key)) await moveCursor(page, key)
    else await page.keyboard.press(key)
  }
}

export async function moveCursor(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key)
  await cursorMoved(page)
}

/** The editor hears of a moved cursor in an event of its own, which comes after the key or the click. */
export const cursorMoved = async (page: Page): Promise<void> =>
  void (await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 20)))'))

export const saved = (page: Page): Promise<void> =>
  page
    .getByRole('status')
    .filter({ hasText: /^Saved/ })
    .first()
    .waitFor()
