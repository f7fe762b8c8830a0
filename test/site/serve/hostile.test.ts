/**
 * Hostile text through the whole of it: written over the API into every field that takes it, published, and opened in a
 * browser. What the API refuses is refused; of what it takes nothing may run and no policy be broken.
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CallFailed } from '../../../src/client/client.ts'
import { completeCustomization } from '../../../src/core/customization/complete.ts'
import { eachBackend } from '../../kit/backends.ts'
import { type Kit, useKit } from '../../kit/server.ts'
import { launchChromium, openPage } from '../chromium.ts'
import { everyBlock } from '../fixtures/every-block.ts'
import { corpus, effectsOn, evil, noEffects, poison, starts } from '../fixtures/hostile.ts'
import { hostilePages } from '../fixtures/hostile-variants.ts'
import { type PublishedSite, portOf, publishedSite } from './site-kit.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser?.close())

/** Undefined where the API refuses it as malformed. */
const unlessRefused = <T>(call: Promise<T>): Promise<T | undefined> =>
  call.catch((error: unknown) => {
    if (error instanceof CallFailed && error.status === 400) return undefined
    throw error
  })

/** Opens pages of a site and says which broke the policy. */
async function probe(kit: Kit, site: PublishedSite, paths: readonly string[]): Promise<void> {
  const { page, problems } = await openPage(browser, { viewport: { width: 1280, height: 900 } })
  page.on('dialog', (dialog) => {
    problems.push(`script: a dialog said ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.addInitScript(
    `window.__broken = []; addEventListener('securitypolicyviolation', (event) => window.__broken.push(event.violatedDirective + ' ' + event.blockedURI))`,
  )
  for (const path of paths) {
    await page.goto(`http://127.0.0.1:${await portOf(kit)}${site.base}${path}`)
    expect(await effectsOn(page), path).toEqual(noEffects)
    // Pictures and fonts at http addresses are kept out by the policy; scripts and styles must not even be tried.
    const broken = await page.evaluate<string[]>('window.__broken')
    expect(broken.filter((one) => !/^(img|font|media|frame)-src/.test(one))).toEqual([])
  }
  expect(problems.filter((problem) => problem.startsWith('script:'))).toEqual([])
  await page.context().close()
}

eachBackend((backend) => {
  const kit = useKit(backend)
  // What is stored is the same on both; what is shown is one test of the browser's time.
  if (backend.name !== 'sqlite') {
    test('stores hostile titles as they are', async () => {
      const site = await publishedSite(kit, [{ title: evil(0) }])
      expect((await site.ask('')).text).not.toContain('<script>window.__pwned')
    })
    return
  }

  test('never runs in a page', async () => {
    const site = await publishedSite(kit, [{ title: 'Start' }])
    const { spaceId } = site
    const write = (change: object) =>
      unlessRefused(
        kit.as.admin.updateSpaceContent({
          spaceId,
          body: { changes: [{ operation: 'insert_page', ...change } as never] },
        }),
      )
    let taken = 0
    for (const at of starts) {
      const texts = { title: evil(at), description: evil(at + 1).slice(0, 500) }
      const marks = { icon: evil(at + 2).slice(0, 50), emoji: evil(at + 3).slice(0, 50) }
      const slug = `p${at}`
      const made =
        (await write({ ...texts, ...marks, slug, document: { document: poison(everyBlock, at) } })) ??
        (await write({ ...texts, slug, document: { markdown: markdownOf(at) } }))
      if (made) taken += 1
      await write({ title: evil(at), slug: `m${at}`, document: { markdown: markdownOf(at + 1) } })
      await write({ title: evil(at), type: 'group', document: {} })
      await write({ title: evil(at), type: 'link', target: { kind: 'url', url: evil(at + 2) }, document: {} })
    }
    expect(taken).toBe(starts.length)
    const { pages } = await kit.as.admin.listPages({ spaceId })
    const paths = pages.filter((page) => page.type === 'document').map((page) => `/${page.path}`)
    expect(paths.length).toBeGreaterThan(starts.length * 2 - 2)
    await probe(kit, site, [...paths, '/~tree', '/nowhere', `/${encodeURIComponent(evil(1))}`])
    const queries = ['script', 'onerror', evil(0), evil(3)].map((query) => `/~search?q=${encodeURIComponent(query)}`)
    await probe(kit, site, queries)
  }, 300_000)

  test('never runs in two thousand disguises', async () => {
    const pages = hostilePages().map((markdown, i) => ({ title: `Page ${i}`, markdown }))
    expect(pages.length).toBeGreaterThan(20)
    const site = await publishedSite(kit, pages)
    const { pages: listed } = await kit.as.admin.listPages({ spaceId: site.spaceId })
    await probe(
      kit,
      site,
      listed.map((page) => `/${page.path}`),
    )
  }, 300_000)

  test('never runs in what owners set', async () => {
    for (let at = 0; at < corpus.length; at += 7) {
      const site = await publishedSite(kit, [{ title: 'Start' }])
      const params = { organizationId: site.organizationId, siteId: site.siteId }
      const text = evil(at).slice(0, 60)
      const to = { kind: 'url' as const, url: evil(at + 1) }
      const customization = await kit.as.admin.getSiteCustomizationById(params)
      await kit.as.admin.updateSpaceById({ spaceId: site.spaceId, body: { title: text.slice(0, 50) } })
      await kit.as.admin.updateSiteById({ ...params, body: { title: text } })
      const fields = [
        { title: text },
        { footer: { ...customization.footer, copyright: text, groups: [{ title: text, links: [] }] } },
        { header: { ...customization.header, links: [{ title: text, to }] } },
        { header: { ...customization.header, links: [{ title: text, to: null, links: [{ title: text, to }] }] } },
        { announcement: { enabled: true, message: text, style: 'info' as const } },
        { favicon: { emoji: text.slice(0, 50) } },
        { privacyPolicy: { url: evil(at + 2) } },
        { socialPreview: { url: evil(at + 2) } },
      ]
      let whole: Awaited<ReturnType<typeof kit.as.admin.getSiteCustomizationById>> = customization
      for (const field of fields) {
        const body = completeCustomization({ ...whole, ...field })
        if (await unlessRefused(kit.as.admin.updateSiteCustomizationById({ ...params, body }))) whole = body
      }
      expect(whole.footer.copyright).toBe(text)
      await probe(kit, site, ['', '/nowhere', '/~search?q=x', '/~icon.svg'])
    }
  }, 240_000)
})

/** The corpus as somebody would paste it: as text, as a link, as a heading, in code, in a table. */
const markdownOf = (at: number): string =>
  corpus
    .map((_, i) => {
      const text = evil(at + i)
      const forms = [
        text,
        `[x](${text.replaceAll(' ', '%20')})`,
        `![${text}](${text.replaceAll(' ', '%20')})`,
        `## ${text.replaceAll('\n', ' ')}`,
        `\`\`\`${text.replaceAll('`', '').split(/\s/)[0]}\n${text}\n\`\`\``,
        `| a | b |\n| - | - |\n| ${text.replaceAll('|', '')} | x |`,
        `$$${text.replaceAll('$', '')}$$`,
      ]
      return forms[i % forms.length]
    })
    .join('\n\n')
