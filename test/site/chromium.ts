/** A browser for the tests: Debian's Chromium, driven by playwright-core. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { requireChromium } from '../kit/programs.ts'

export async function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: requireChromium(),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

export interface Watched {
  page: Page
  /** What went wrong so far: errors in the console and in scripts. */
  problems: string[]
}

/** A page that remembers every error and never leaves the machine. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  // BROWSER_SLOWDOWN=6: as on a machine six times slower.
  const rate = Number(process.env.BROWSER_SLOWDOWN ?? '1')
  if (rate > 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate })
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(`console: ${message.text()}`)
  })
  await page.route(/^https?:\/\/(?!127\.0\.0\.1)/, (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body: '' }),
  )
  return { page, problems }
}

/**
 * Loaded, with its fonts: what a page asks for afterwards (an index for searching) changes nothing that is seen. Asked again and
 * again rather than by a promise, which is never answered in a page without scripts.
 */
export async function drawn(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  while ((await page.evaluate('document.fonts.status')) !== 'loaded') await page.waitForTimeout(20)
}
