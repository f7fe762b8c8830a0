/**
 * `/reference` in a real browser at a quarter of the processor, from an empty cache: when it is painted, when it is loaded,
 * and when its search answers a key. The median of five visits.
 */
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { startLectern } from './kit/process.js'

const visits = 5
const slowdown = Number(process.env.SLOWDOWN ?? 4)
const places = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

export async function run() {
  const server = await startLectern()
  const browser = await chromium.launch({
    executablePath: places.find((place) => place && existsSync(place)),
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  })
  try {
    // The server's own first time is another matter: its page is kept from then on.
    await visit(browser, server, 1)
    const seen = []
    for (let i = 0; i < visits; i++) seen.push(await visit(browser, server, slowdown))
    const row = (name, pick, most) => ({
      name: `${name} at 1/${slowdown} of the processor`,
      value: seen.map(pick).sort((a, b) => a - b)[Math.floor(visits / 2)] / 1000,
      unit: 's',
      ...(most ? { most } : {}),
    })
    return {
      rows: [
        row('painted', ({ painted }) => painted),
        row('loaded', ({ loaded }) => loaded),
        row('search answers', ({ usable }) => usable, 1.5),
      ],
    }
  } finally {
    await browser.close()
    await server.stop()
  }
}

async function visit(browser, server, rate) {
  const context = await browser.newContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
  await page.goto(`${server.url}/reference`, { waitUntil: 'commit' })
  // The keys are heard once the script runs; until then they are pressed again.
  const search = page.locator('dialog[open] input, [role="dialog"] input').first()
  for (;;) {
    await page.keyboard.press('Control+k')
    if (await search.isVisible()) break
    await page.waitForTimeout(25)
  }
  const usable = await page.evaluate(() => performance.now())
  await page.waitForLoadState('load')
  const times = await page.evaluate(() => ({
    painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    loaded: performance.getEntriesByType('navigation')[0]?.loadEventEnd ?? 0,
  }))
  await context.close()
  return { ...times, usable }
}
