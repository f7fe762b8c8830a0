/** Axe over every page of the gallery: light and dark, wide and narrow, and with its menus and dialogs open. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findViolations } from '../kit/axe.ts'
import { drawn, launchChromium, openPage } from './chromium.ts'
import { hrefOf } from './fixtures/gallery-page.ts'
import { type Gallery, galleryPages, startGallery } from './gallery.ts'

let browser: Browser
let gallery: Gallery
/** A theme is another style sheet for the same elements; those were looked at with all rules. */
const rulesOfColour = ['color-contrast', 'link-in-text-block']
const themes = ['clean', 'muted', 'bold', 'gradient'] as const
const others: Gallery[] = []
beforeAll(async () => {
  browser = await launchChromium()
  gallery = await startGallery()
})
afterAll(async () => {
  await browser?.close()
  await gallery?.close()
  for (const other of others) await other.close()
})

describe('axe', () => {
  const extra = ['/docs/nowhere', '/docs/~login', '/docs/~error', '/docs/~search?q=install', '/docs/~tree']
  it.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)(
    'finds nothing in %s at %i px',
    async (colorScheme, width) => {
      const { page } = await openPage(browser, { colorScheme, viewport: { width, height: 900 } })
      for (const path of [...galleryPages.map(hrefOf), ...extra]) {
        await page.goto(`${gallery.url}${path}`)
        await drawn(page)
        expect(await findViolations(page), path).toEqual([])
      }
      await page.context().close()
    },
    240_000,
  )

  it('finds nothing in what opens', async () => {
    const { page } = await openPage(browser, { viewport: { width: 1440, height: 900 } })
    await page.goto(`${gallery.url}/docs/every-block`)
    await page.locator('.actions summary').click()
    expect(await findViolations(page)).toEqual([])
    await page.locator('.top .version summary').click()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'annotated word' }).click()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('install')
    await page.getByRole('option').first().waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Menu' }).click()
    expect(await findViolations(page)).toEqual([])
    await page.context().close()
  }, 120_000)

  it.each(themes)(
    'finds nothing in the theme %s',
    async (theme) => {
      const styling = {
        theme,
        primaryColor: { light: '#e11d48', dark: '#fb7185' },
        sidebar: { background: 'filled' as const, list: theme === 'bold' ? ('pill' as const) : ('line' as const) },
        links: 'accent' as const,
      }
      const other = await startGallery({ customization: { styling } })
      others.push(other)
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page } = await openPage(browser, { colorScheme, viewport: { width: 1440, height: 900 } })
        await page.goto(`${other.url}/docs/every-block`)
        await drawn(page)
        expect(await findViolations(page, { only: rulesOfColour }), colorScheme).toEqual([])
        await page.context().close()
      }
    },
    120_000,
  )
})
