/** Hostile text in every field an author, an owner or the search can write: nothing may run, and no policy be broken. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CustomizationInput } from '../../src/site/index.ts'
import { launchChromium, openPage } from './chromium.ts'
import { everyBlock } from './fixtures/every-block.ts'
import type { GalleryPage } from './fixtures/gallery-page.ts'
import { corpus, effectsOn, evil, noEffects, poison, starts } from './fixtures/hostile.ts'
import { type Gallery, startGallery } from './gallery.ts'

function poisonedPage(at: number): GalleryPage {
  const text = evil(at)
  return {
    id: `p${at}`,
    slug: `p${at}`,
    title: text,
    description: evil(at + 1),
    icon: evil(at + 2),
    emoji: evil(at + 3),
    document: poison(everyBlock, at),
    page: {
      markdownUrl: evil(at + 4),
      edit: { url: evil(at + 5), host: evil(at + 5) },
      canonical: evil(at + 6),
      updatedAt: text,
      alternates: [{ language: text, href: text }],
      cover: { ref: { kind: 'url', url: text }, yPos: 0 },
    },
    view: {
      breadcrumbs: [{ title: text, href: text }, { title: text }],
      language: text,
      previous: { title: text, href: text, icon: text },
    },
  }
}

const everywhere = (text: string, url: string): CustomizationInput => {
  const to = { kind: 'url' as const, url }
  return {
    title: text,
    styling: {
      primaryColor: { light: text, dark: text },
      font: { id: 'x', custom: true, fontFamily: text, fontFaces: [{ weight: 400, sources: [{ url }] }] },
      // The types know the fonts; what is stored may be anything.
      ...JSON.parse(JSON.stringify({ monospaceFont: text })),
    },
    favicon: { icon: { light: url, dark: text } },
    header: {
      logo: { light: url, dark: text },
      links: [
        { title: text, to },
        { title: text, to, links: [{ title: text, to }] },
        { title: text, to, style: 'button-primary' },
      ],
    },
    footer: {
      logo: { light: url, dark: text },
      groups: [{ title: text, links: [{ title: text, to }] }],
      copyright: text,
    },
    announcement: { enabled: true, message: text, link: { title: text, to }, style: 'info' },
    privacyPolicy: { url },
    socialPreview: { url },
    socialAccounts: [{ platform: 'github', handle: text }],
  }
}

let browser: Browser
let gallery: Gallery
const others: Gallery[] = []
beforeAll(async () => {
  browser = await launchChromium()
  gallery = await startGallery({ pages: starts.map(poisonedPage) })
})
afterAll(async () => {
  await browser?.close()
  await gallery?.close()
  for (const other of others) await other.close()
})

async function probe(of: Gallery, paths: readonly string[]): Promise<void> {
  const { page, problems } = await openPage(browser, { viewport: { width: 1280, height: 900 } })
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  for (const path of paths) {
    await page.goto(`${of.url}${path}`)
    expect(await effectsOn(page), path).toEqual(noEffects)
  }
  expect(dialogs).toEqual([])
  expect(problems.filter((problem) => problem.startsWith('script:'))).toEqual([])
  await page.context().close()
}

describe('hostile text', () => {
  it('never runs in any field of a page', async () => {
    await probe(
      gallery,
      starts.map((at) => `/docs/p${at}`),
    )
    expect(gallery.reports).toEqual([])
  }, 240_000)

  it('never runs in what the search shows', async () => {
    const { page } = await openPage(browser)
    await page.goto(`${gallery.url}/docs/p0`)
    for (const query of ['script', 'img', 'onload']) {
      await page.keyboard.press('Control+k')
      await page.locator('#search-input').fill(query)
      await page.getByRole('option').first().waitFor()
      expect(await page.evaluate('window.__pwned')).toBeUndefined()
      await page.keyboard.press('Escape')
    }
    await page.context().close()
    await probe(gallery, [`/docs/~search?q=${encodeURIComponent(evil(0))}`, '/docs/~search?q=script', '/docs/~tree'])
  }, 60_000)

  it('never runs in any field of a customization', async () => {
    for (let at = 0; at < corpus.length; at += 6) {
      const other = await startGallery({ customization: everywhere(evil(at), evil(at + 2)) })
      others.push(other)
      await probe(other, ['/docs/install', '/docs/nowhere'])
      expect(other.reports).toEqual([])
    }
  }, 240_000)
})
