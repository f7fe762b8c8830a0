/** Hostile text in every field an author, an owner or the search can write: nothing may run, and no policy be broken. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDocument } from '../../src/core/document/make.ts'
import type { Block, JSONDocument } from '../../src/core/document/nodes.ts'
import type { CustomizationInput } from '../../src/site/index.ts'
import { launchChromium, openPage } from './chromium.ts'
import { everyBlock } from './fixtures/every-block.ts'
import type { GalleryPage } from './fixtures/gallery-page.ts'
import { type Gallery, startGallery } from './gallery.ts'

const run = 'window.__pwned=1'
const corpus = [
  `<script>${run}</script>`,
  `"><script>${run}</script>`,
  `'><img src=x onerror=${run}>`,
  `<img src=x onerror="${run}">`,
  `<svg onload=${run}>`,
  `<svg><script>${run}</script></svg>`,
  `<iframe srcdoc="<script>parent.${run}</script>">`,
  `<a href="javascript:${run}">x</a>`,
  `javascript:${run}`,
  `JaVaScRiPt:${run}`,
  `java\tscript:${run}`,
  `\u0001javascript:${run}`,
  `data:text/html,<script>top.${run}</script>`,
  `vbscript:${run}`,
  `" onfocus="${run}" autofocus="`,
  `" onmouseover="${run}`,
  `' onload='${run}`,
  `</title><script>${run}</script>`,
  `</style><script>${run}</script>`,
  `</textarea><script>${run}</script>`,
  `</script><script>${run}</script>`,
  `<!--><script>${run}</script>-->`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${run}&gt;">`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  `<details open ontoggle=${run}>`,
  `<form action=javascript:${run}><button>x`,
  `<object data="javascript:${run}">`,
  `<base href="javascript:${run}//">`,
  `<meta http-equiv="refresh" content="0;url=javascript:${run}">`,
  `\${${run}}{{${run}}}`,
  `\\href{javascript:${run}}{x}`,
  `\\htmlData{onclick=${run}}{x}`,
  `red;background:url(javascript:${run})`,
  `}</style><script>${run}</script>`,
  `\u2028${run}\u2029`,
]

/** The document with every text an author can write replaced, each by the next of the corpus; what the structure and
 * the enumerations need stays. */
function poison(document: JSONDocument, from: number): JSONDocument {
  let next = from
  const fixed = new Set([
    'object',
    'type',
    'kind',
    'fragment',
    'key',
    'style',
    'align',
    'overflow',
    'unit',
    'format',
    'textAlignment',
    'verticalAlignment',
    'cardSize',
    'orderIndex',
    'id',
    'spec',
    'page',
    'file',
    'anchor',
    'targetDefinition',
    'coverDefinition',
    'background',
    'size',
    'columns',
    'action',
    'expression',
    'reusableContent',
  ])
  const visit = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') return fixed.has(name) ? value : evil(next++)
    if (Array.isArray(value)) return name === 'columns' ? value : value.map((part) => visit(part, name))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, visit(part, key)]))
  }
  const nodes = document.nodes.map((node) => visit(node, ''))
  return makeDocument(nodes as Block[])
}

/** Each page begins at another place of the corpus, so that every field meets many of its texts. */
const starts = Array.from({ length: 12 }, (_, at) => at * 3)
const evil = (at: number): string => corpus[at % corpus.length] ?? ''

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
      editUrl: evil(at + 5),
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
      monospaceFont: text,
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
    // Everything an author could have hidden behind a click or a focus.
    await page.evaluate(
      `for (const element of document.querySelectorAll('details')) element.open = true; for (const element of document.querySelectorAll('article a, article button, .menu-list a')) { element.dispatchEvent(new FocusEvent('focus')); element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true })) }`,
    )
    const state = await page.evaluate(
      `({ pwned: window.__pwned, links: [...document.querySelectorAll('[href], [src], [action], [formaction], [data]')].map((element) => ['href', 'src', 'action', 'formaction', 'data'].map((name) => element.getAttribute(name) ?? '').join(' ')).filter((text) => /(?:^|\\s)[\\u0000-\\u0020]*(?:javascript|vbscript|data)\\s*:/i.test(text)), handlers: [...document.querySelectorAll('*')].flatMap((element) => [...element.attributes]).filter((attribute) => /^on/i.test(attribute.name)).length, styles: document.querySelectorAll('[style]').length, bases: document.querySelectorAll('base, object, embed, meta[http-equiv]').length })`,
    )
    expect(state, path).toEqual({ links: [], handlers: 0, styles: 0, bases: 0, pwned: undefined })
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
