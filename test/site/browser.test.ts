/** The gallery in a real browser: what readers do, with the script and without it. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawn, launchChromium, openPage } from './chromium.ts'
import { hrefOf } from './fixtures/gallery-page.ts'
import { bigTree } from './fixtures/trees.ts'
import { type Gallery, galleryPages, startGallery } from './gallery.ts'

let browser: Browser
let gallery: Gallery
let large: Gallery
beforeAll(async () => {
  browser = await launchChromium()
  gallery = await startGallery()
  large = await startGallery({ tree: bigTree(500) })
})
afterAll(async () => {
  await browser?.close()
  await gallery?.close()
  await large?.close()
})

const open = async (path: string, options: Parameters<typeof openPage>[1] = {}, of: Gallery = gallery) => {
  const watched = await openPage(browser, { viewport: { width: 1440, height: 900 }, ...options })
  await watched.page.goto(`${of.url}${path}`)
  await drawn(watched.page)
  return { ...watched, close: () => watched.page.context().close() }
}
/** Playwright's own waiting for an expression evaluates it in the page, which the policy forbids. */
async function until(page: Page, expression: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await page.evaluate(expression)) return
    await page.waitForTimeout(100)
  }
  throw new Error(`never true: ${expression}`)
}
const scrollable = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > innerWidth + 1')

describe('every page', () => {
  it('shows without an error, a broken policy or a sideways scroll, wide and narrow', async () => {
    for (const width of [1440, 390]) {
      for (const { slug } of galleryPages) {
        const { page, problems, close } = await open(hrefOf({ slug }), { viewport: { width, height: 900 } })
        expect(problems, `${slug} at ${width}`).toEqual([])
        expect(await scrollable(page), `${slug} at ${width} scrolls sideways`).toBe(false)
        await close()
      }
    }
    expect(gallery.reports).toEqual([])
  }, 180_000)

  it('fits at 200 % zoom', async () => {
    const { page, close } = await open('/docs/every-block', { viewport: { width: 720, height: 450 } })
    expect(await scrollable(page)).toBe(false)
    await close()
  })

  it('shows formulas and code from the left in a language that is read from the right', async () => {
    const { page, close } = await open('/docs/every-block')
    await page.evaluate('document.documentElement.dir = "rtl"')
    for (const what of ['.katex', 'pre'])
      expect(
        await page.evaluate(
          `[...new Set([...document.querySelectorAll('${what}')].map((one) => getComputedStyle(one).direction))]`,
        ),
        what,
      ).toEqual(['ltr'])
    await close()
  })

  it('prints everything, with hidden tabs and without the frame around it', async () => {
    const { page, close } = await open('/docs/every-block')
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.top').isVisible()).toBe(false)
    expect(await page.locator('.side').isVisible()).toBe(false)
    expect(await page.getByText('Yarn works as well.').isVisible()).toBe(true)
    await close()
  })
})

describe('without a script', () => {
  it('reads, folds, chooses tabs, opens the drawer and sends forms', async () => {
    const { page, close } = await open('/docs/every-block', { javaScriptEnabled: false })
    expect(await page.locator('.copy').first().isVisible()).toBe(false)
    await page.locator('.tabs label', { hasText: 'Yarn' }).click()
    expect(await page.getByText('Yarn works as well.').isVisible()).toBe(true)
    await page.getByText('What happens to my data?').click()
    expect(await page.getByText('It stays on your machine.').isVisible()).toBe(true)
    await page.getByRole('button', { name: 'annotated word' }).click()
    expect(await page.getByText('The note behind the word').isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await page.locator('.search-field input').first().fill('install')
    await page.keyboard.press('Enter')
    await page.waitForURL(/~search\?q=install/)
    expect(await page.getByRole('link', { name: 'Install and run' }).first().isVisible()).toBe(true)
    await close()
    const narrow = await open('/docs/install', { javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
    await narrow.page.getByRole('link', { name: 'Menu' }).click()
    expect(await narrow.page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(true)
    await narrow.page
      .locator('.outline-label')
      .click({ force: true })
      .catch(() => undefined)
    await narrow.close()
  })

  it('leads from a closed branch to its pages', async () => {
    const { page, close } = await open('/docs/part-2/chapter-1/page-3', { javaScriptEnabled: false }, large)
    await page.locator('.tree .group.branch > a').last().click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Part')
    await close()
  })
})

describe('a head with more in it than the screen is wide', () => {
  it('gives way, and opens a group at the end of its sections where it stands', async () => {
    const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'
    const to = { kind: 'url' as const, url: 'https://example.com/' }
    const titles = ['Getting started', 'API reference', 'Community forum', 'Service status', long]
    const sections = titles.flatMap((title) =>
      [1, 2, 3].map((at) => ({ title: `${title} ${at}`, href: `/docs/${at}` })),
    )
    const crowded = await startGallery({
      customization: {
        title: long,
        header: { links: [...titles.map((title) => ({ title, to })), { title: long, style: 'button-primary', to }] },
        footer: { groups: [{ title: long, links: [{ title: long, to }] }], copyright: `${long}${long}` },
        announcement: { enabled: true, message: `${long}${long}`, link: { title: long, to }, style: 'info' },
      },
      pages: [
        {
          id: 'home',
          slug: '',
          title: long,
          view: {
            breadcrumbs: [{ title: `${long}${long}`, href: '/docs/' }],
            sections: [...sections, { title: 'More', sections: [{ title: 'The last one', href: '/docs/last' }] }],
          },
        },
      ],
    })
    for (const width of [1440, 1100, 390]) {
      const { page, close } = await open('/docs/', { viewport: { width, height: 900 } }, crowded)
      const group = page.locator('.section-group summary')
      await group.scrollIntoViewIfNeeded()
      await group.click()
      const last = page.getByRole('link', { name: 'The last one' })
      await last.waitFor()
      const place = await last.boundingBox()
      expect(place && place.x >= 0 && place.x + place.width <= width, `at ${width}`).toBe(true)
      expect(await scrollable(page), `at ${width}`).toBe(false)
      await close()
    }
    await crowded.close()
  }, 60_000)
})

describe('a site without a head', () => {
  it('has its name, search and sections all the same, wide and narrow', async () => {
    const headless = await startGallery({ customization: { header: { preset: 'none', links: [] } } })
    const wide = await open('/docs/install', {}, headless)
    expect(await wide.page.locator('.top-row').isVisible()).toBe(false)
    expect(await wide.page.locator('.sections').isVisible()).toBe(true)
    expect(await wide.page.locator('.side .brand').isVisible()).toBe(true)
    expect(await wide.page.locator('.side .menu.version').isVisible()).toBe(true)
    await wide.page.locator('.side [data-search-field]').click()
    expect(await wide.page.locator('#search').isVisible()).toBe(true)
    await wide.close()
    const narrow = await open('/docs/install', { viewport: { width: 390, height: 844 } }, headless)
    expect(await narrow.page.locator('.search-button').isVisible()).toBe(true)
    await narrow.page.locator('[data-drawer]').click()
    await narrow.page.locator('.tree a', { hasText: 'Long code' }).click()
    await until(narrow.page, "location.pathname === '/docs/long-code'")
    expect([...wide.problems, ...narrow.problems]).toEqual([])
    await narrow.close()
    await headless.close()
  })
})

describe('a page that hides the tree', () => {
  it('has it in the drawer of narrow screens, and a head where the site has none', async () => {
    const [home, install] = galleryPages
    if (!home || !install) throw new Error('The gallery has pages.')
    const hidden = { ...install, page: { layout: { tableOfContents: false } } }
    const header = { preset: 'none' as const, links: [] }
    const bare = await startGallery({ customization: { header }, pages: [home, hidden] })
    const wide = await open('/docs/install', {}, bare)
    expect(await wide.page.locator('.side').isVisible()).toBe(false)
    expect(await wide.page.locator('.top-row .brand').isVisible()).toBe(true)
    await wide.close()
    const narrow = await open('/docs/install', { viewport: { width: 390, height: 844 } }, bare)
    await narrow.page.locator('[data-drawer]').click()
    await narrow.page.locator('.tree a', { hasText: 'Welcome' }).click()
    await until(narrow.page, "location.pathname === '/docs/'")
    await narrow.close()
    await bare.close()
  })
})

describe('moving between pages', () => {
  it('swaps the text in place, keeps the tree and comes back to where it was', async () => {
    const { page, problems, close } = await open('/docs/install')
    await page.evaluate('window.stayed = true')
    await page.evaluate('scrollTo({ top: 900, behavior: "instant" })')
    await page.waitForTimeout(300)
    await page.locator('.tree').getByRole('link', { name: 'Every block' }).click()
    await page.getByRole('heading', { level: 1, name: 'Every block' }).waitFor()
    expect(await page.evaluate('window.stayed')).toBe(true)
    expect(page.url()).toContain('/docs/every-block')
    expect(await page.title()).toBe('Every block | Lectern')
    expect(await page.locator('.tree [aria-current="page"]').textContent()).toBe('Every block')
    expect(await page.evaluate('scrollY')).toBe(0)
    expect(await page.locator('.outline a').count()).toBeGreaterThan(5)
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Install and run' }).waitFor()
    await until(page, 'scrollY > 850 && scrollY < 950')
    expect(problems).toEqual([])
    expect(gallery.reports).toEqual([])
    await close()
  })

  it('fetches a page when the pointer comes near its link', async () => {
    const { page, close } = await open('/docs/install')
    const asked = page.waitForRequest((request) => request.url().endsWith('/docs/long-code'))
    await page.locator('.tree').getByRole('link', { name: 'Long code' }).hover()
    await asked
    await close()
  })

  it('remembers which branches are open and fetches the ones it does not have', async () => {
    const { page, close } = await open('/docs/part-2/chapter-1/page-3', {}, large)
    await page.getByRole('button', { name: 'Show pages under Chapter 5 of part 3' }).click()
    await page.locator('.tree a[href="/docs/part-2/chapter-4/page-0"]').waitFor()
    await page.reload()
    await page.locator('.tree a[href="/docs/part-2/chapter-4/page-0"]').waitFor()
    await close()
  })

  it('marks in the outline where the reader is', async () => {
    const { page, close } = await open('/docs/install')
    await page.evaluate(
      'scrollTo({ top: document.getElementById("configure").getBoundingClientRect().top - 110, behavior: "instant" })',
    )
    await until(page, 'document.querySelector(".outline .here")?.textContent === "Configure"')
    await close()
  })
})

describe('search', () => {
  it('lets the keyboard walk over its field, and opens when someone types there', async () => {
    const { page, close } = await open('/docs/install')
    const dialog = page.locator('#search')
    await page.locator('.top [data-search-field]').focus()
    expect(await dialog.isVisible()).toBe(false)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.matches("[data-search-field]")')).toBe(false)
    await page.keyboard.press('Shift+Tab')
    expect(await dialog.isVisible()).toBe(false)
    await page.keyboard.type('inst')
    expect(await page.locator('#search-input').inputValue()).toBe('inst')
    await page.keyboard.press('Escape')
    expect(await dialog.isVisible()).toBe(false)
    expect(await page.evaluate('document.activeElement.matches("[data-search-field]")')).toBe(true)
    expect(await page.locator('.top [data-search-field]').inputValue()).toBe('')
    await close()
  })

  it('opens by key, answers while typing, and goes to the chosen result', async () => {
    for (const key of ['Control+k', '/']) {
      const { page, problems, close } = await open('/docs/long-code')
      await page.keyboard.press(key)
      await page.keyboard.type('install')
      await page.getByRole('option', { name: /Install and run/ }).waitFor()
      expect(await page.locator('.search mark').first().textContent()).toBe('Install')
      expect(await page.getByRole('option').first().getAttribute('aria-selected')).toBe('true')
      await page.keyboard.press('ArrowDown')
      expect(await page.getByRole('option').nth(1).getAttribute('aria-selected')).toBe('true')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Install and run' }).waitFor()
      expect(page.url()).toContain('#before-you-start')
      await page.keyboard.press(key)
      await page.locator('#search-input').fill('')
      expect(await page.getByText('Recent searches').isVisible()).toBe(true)
      expect(problems).toEqual([])
      await close()
    }
  })

  it('says when nothing was found and offers the nearest pages', async () => {
    const { page, close } = await open('/docs/install')
    await page.locator('.search-field input').click()
    await page.keyboard.type('zzz')
    await page.locator('.search-body').getByText('Nothing found for “zzz”').waitFor()
    expect(await page.getByRole('option', { name: 'Welcome' }).isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await close()
  })
})

describe('small things', () => {
  it('changes the theme and keeps it on the next page without a flash', async () => {
    const { page, close } = await open('/docs/install', { colorScheme: 'light' })
    await page.getByRole('button', { name: 'Theme' }).click()
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await page.goto(`${gallery.url}/docs/long-code`, { waitUntil: 'commit' })
    await page.waitForSelector('.top')
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await close()
  })

  it('has tabs that follow the keyboard and each other', async () => {
    const { page, close } = await open('/docs/every-block')
    const tab = page.getByRole('tab', { name: 'npm', exact: true })
    await tab.focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.getByRole('tab', { name: 'pnpm' }).getAttribute('aria-selected')).toBe('true')
    expect(await page.getByRole('tabpanel', { name: 'pnpm' }).isVisible()).toBe(true)
    expect(await tab.getAttribute('tabindex')).toBe('-1')
    await close()
  })

  it('copies code as it was written', async () => {
    const { page, close } = await open('/docs/every-block', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.locator('.code.titled .copy').first().click()
    await page.locator('.copied').waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(String(copied).startsWith("import { createServer } from 'node:http'\n\n// Answers")).toBe(true)
    expect(String(copied).endsWith("console.log('Listening on 3000'))")).toBe(true)
    await close()
  })

  it('copies on plain http, where browsers have no clipboard for pages', async () => {
    const { page, close } = await open('/docs/every-block')
    await page.addInitScript('Object.defineProperty(navigator, "clipboard", { value: undefined })')
    await page.reload()
    await page.locator('.code.titled .copy').first().click()
    await page.locator('.copied').waitFor()
    expect(await page.locator('body > textarea').count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.keyboard.press('Control+v')
    expect(await page.locator('#search-input').inputValue()).toContain("import { createServer } from 'node:http'")
    await close()
  })

  it('takes feedback without leaving the page', async () => {
    const { page, close } = await open('/docs/install')
    await page.getByRole('button', { name: 'No', exact: true }).click()
    await page.getByLabel(/What could be better/).fill('More examples')
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await page.getByText('Thank you.').isVisible()).toBe(true)
    await page.waitForTimeout(100)
    expect(gallery.posted.at(-1)?.get('rating')).toBe('bad')
    expect(gallery.posted.at(-1)?.get('comment')).toBe('More examples')
    expect(gallery.posted.at(-1)?.get('page')).toBe('install')
    await close()
  })

  it('enlarges a picture and closes it by key', async () => {
    const { page, close } = await open('/docs/every-block')
    await page
      .getByRole('link', { name: /Enlarge image: A landscape/ })
      .first()
      .click()
    expect(await page.locator('.lightbox img').isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await page.locator('.lightbox').waitFor({ state: 'detached' })
    await close()
  })

  it('opens the drawer on a narrow screen, keeps the keyboard in it and closes it', async () => {
    const { page, close } = await open('/docs/install', { viewport: { width: 390, height: 844 } })
    await page.getByRole('link', { name: 'Menu' }).click()
    const pages = page.getByRole('navigation', { name: 'Pages' })
    expect(await pages.isVisible()).toBe(true)
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Escape')
    await until(page, '!document.querySelector("#side").matches(".open")')
    await close()
  })

  it('can be used by keyboard alone: skip, move, open', async () => {
    const { page, close } = await open('/docs/install')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('content')
    await close()
  })

  it('does not move what is on the screen while it loads', async () => {
    const { page, close } = await open('/docs/every-block')
    const shift = await page.evaluate(
      `new Promise((done) => { let sum = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value }).observe({ type: 'layout-shift', buffered: true }); setTimeout(() => done(sum), 300) })`,
    )
    expect(Number(shift)).toBeLessThan(0.02)
    await close()
  })
})

describe('diagrams', () => {
  it('are drawn in a frame without any rights, in the colours of the page', async () => {
    const { page, problems, close } = await open(hrefOf({ slug: 'as-written' }), { colorScheme: 'dark' })
    await page.locator('[data-diagram]').scrollIntoViewIfNeeded()
    await until(page, 'document.querySelector(".diagram.drawn iframe") !== null')
    expect(await page.locator('.diagram iframe').getAttribute('sandbox')).toBe('allow-scripts')
    const frame = page.frames().find((other) => other.url().includes('/diagrams.'))
    const inFrame = (expression: string) => frame?.evaluate(expression)
    expect(await inFrame('document.querySelector("svg").textContent')).toContain('Choice')
    expect(await inFrame('self.origin')).toBe('null')
    const fill = 'getComputedStyle(document.querySelector(".node rect, .node polygon, .node path")).fill'
    const dark = await inFrame(fill)
    await page.evaluate('document.documentElement.dataset.theme = "light"')
    await expect.poll(() => inFrame(fill), { timeout: 10_000 }).not.toBe(dark)
    expect(problems).toEqual([])
    await close()
  })

  it('are their source without the script, and cost other pages nothing', async () => {
    const plain = await open(hrefOf({ slug: 'as-written' }), { javaScriptEnabled: false })
    expect(await plain.page.locator('.diagram .code').textContent()).toContain('A[Start] --> B{Choice}')
    await plain.close()
    const { page, close } = await open(hrefOf({ slug: 'every-block' }))
    expect(
      await page.evaluate('performance.getEntriesByType("resource").some(({ name }) => name.includes("mermaid"))'),
    ).toBe(false)
    await close()
  })
})
