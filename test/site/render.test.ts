import { describe, expect, it } from 'vitest'
import { Caches } from '../../src/core/caches.ts'
import { fromMarkdown } from '../../src/core/document/read/from-markdown.ts'
import {
  annotation,
  code,
  codeLine,
  heading,
  link,
  makeDocument,
  paragraph,
  parentBlock,
  text,
  voidBlock,
  voidInline,
} from '../../src/core/document/tree/make.ts'
import type { Block, JSONDocument } from '../../src/core/document/tree/nodes.ts'
import {
  completeCustomization,
  defaultCustomization,
  locales,
  type PageView,
  type RenderedPage,
  renderNotFound,
  renderPage,
  stringsOf,
} from '../../src/site/index.ts'
import { isHeavy } from '../../src/site/render/aside.ts'
import { Threads } from '../../src/threads/supervisor.ts'
import { everyBlock } from './fixtures/every-block.ts'
import { questionsOf } from './gallery.ts'

const tools = { caches: new Caches({ bytes: 128 * 1024 * 1024 }), threads: new Threads() }

const page = (document: JSONDocument | undefined, more: Partial<PageView> = {}): PageView => ({
  site: { id: 's', title: 'Site', url: 'https://docs.example.com', basePath: '', home: '/' },
  customization: defaultCustomization,
  assets: {
    style: '/s.css',
    early: '/e.js',
    script: '/m.js',
    math: '/math.css',
    diagrams: '/frame.html',
    preload: [],
    themeColor: { light: '#ffffff', dark: '#000000' },
  },
  sections: [],
  versions: [],
  languages: [],
  tree: { nodes: [], before: 0, after: 0 },
  treeKey: 'k',
  page: { id: 'p', title: 'Title', canonical: 'https://docs.example.com/p' },
  breadcrumbs: [],
  questions: questionsOf([{ id: 'install', slug: 'install', title: 'Install' }]),
  ...(document ? { document } : {}),
  ...more,
})
const render = (blocks: Block[], more: Partial<PageView> = {}): Promise<RenderedPage> =>
  renderPage(page(makeDocument(blocks), more), tools)
const article = ({ html }: RenderedPage): string => /<article class="doc">([\s\S]*)<\/article>/.exec(html)?.[1] ?? ''

describe('blocks', () => {
  it('draws the covers of cards that stand in a column of files', async () => {
    const cards =
      '<table data-view="cards"><thead><tr><th>Title</th><th data-hidden data-card-cover data-type="files"></th></tr></thead><tbody><tr><td>One</td><td><a href="https://example.com/one.png">one.png</a></td></tr></tbody></table>'
    const drawn = article(await render(fromMarkdown(cards).document.nodes))
    expect(drawn).toMatch(/<div class="card-cover"><img [^>]*src="https:\/\/example.com\/one.png"/)
  })

  it('gives what folds the id that its writer gave it', async () => {
    const folding = '<details id="more">\n<summary>Words</summary>\nInside.\n</details>'
    expect(article(await render(fromMarkdown(folding).document.nodes))).toContain(
      '<details class="expandable" id="more">',
    )
  })

  it('escapes every text', async () => {
    const html = article(await render([paragraph('<img src=x onerror=alert(1)> & "quotes"')]))
    expect(html).toBe('<p>&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quotes&quot;</p>')
  })

  it('writes unresolved references as their words', async () => {
    const html = article(await render([paragraph([link({ kind: 'page', page: 'gone' }, [text('words')])])]))
    expect(html).toBe('<p>words</p>')
  })

  it('marks links that leave the site as the owner wants', async () => {
    const blocks = [
      paragraph([
        link({ kind: 'url', url: 'https://example.com/' }, [text('out')]),
        link({ kind: 'url', url: 'https://docs.example.com/x' }, [text('in')]),
      ]),
    ]
    const html = article(
      await render(blocks, { customization: completeCustomization({ externalLinks: { target: 'blank' } }) }),
    )
    expect(html).toContain('<a href="https://example.com/" target="_blank" rel="noopener">out')
    expect(html).toContain('<a href="https://docs.example.com/x">in</a>')
  })

  it('gives headings anchors that stay apart, from the layout’s ids too', async () => {
    const html = article(
      await render([heading('heading-1', 'Same'), heading('heading-1', 'Same'), heading('heading-2', 'Search')]),
    )
    expect(html).toContain('<h2 id="same">')
    expect(html).toContain('<h2 id="same-1">')
    expect(html).toContain('<h3 id="search-1">')
  })

  it('has headings under the anchors of other hosts too, where no heading has them as its own', async () => {
    const html = article(
      await render([
        heading('heading-1', 'Issue/Verify'),
        heading('heading-1', '2. Run & look'),
        heading('heading-1', 'IssueVerify'),
      ]),
    )
    expect(html).toContain('<h2 id="issue-verify">Issue/Verify</h2>')
    expect(html).toContain('<h2 id="issueverify">IssueVerify</h2>')
    expect(html).toContain(
      '<h2 id="2.-run-look"><span id="2-run--look"></span><span id="2.-run-and-look"></span><span id="id-2.-run-and-look">',
    )
  })

  it('shows a conditional block only when its condition holds', async () => {
    const html = article(
      await render([
        parentBlock('if', { expression: 'true' }, [paragraph('yes')]),
        parentBlock('if', { expression: 'false' }, [paragraph('no')]),
      ]),
    )
    expect(html).toBe('<p>yes</p>')
  })

  it('stops when reusable contents include themselves', async () => {
    const block = voidBlock('reusable-content', { ref: { kind: 'reusable-content' as const, reusableContent: 'a' } })
    const self = makeDocument([paragraph('again'), block])
    const html = article(await render([block], { questions: { ...questionsOf([]), reusable: () => self } }))
    expect(html.match(/again/g)?.length).toBe(8)
  })

  it('highlights code without a single inline style', async () => {
    const { html } = await render([code('const answer = "42" // yes', { syntax: 'ts' })])
    expect(html).toContain('<span class="ck">const</span>')
    expect(html).toContain('<span class="cs">&quot;42&quot;</span>')
    expect(html).toContain('<span class="cc">// yes</span>')
    expect(html).not.toMatch(/ style=/)
  })

  it('keeps highlighting on both sides of a note in a line of code', async () => {
    const line = codeLine([text('const '), annotation([text('answer = "4')], [paragraph('A note.')]), text('2"')])
    const html = article(await render([parentBlock('code', { syntax: 'ts' }, [line])]))
    expect(html).toContain('>answer</span>')
    expect(html).toContain('<span class="cs">&quot;4</span></button><span class="cs">2&quot;</span>')
    expect(html).toContain('A note.')
  })

  it('leaves blocks over 50 KB and unknown languages plain', async () => {
    const html = article(
      await render([code('const x = 1\n'.repeat(5_000), { syntax: 'ts' }), code('x', { syntax: '__proto__' })]),
    )
    expect(html).not.toContain('<span class="ck">')
  })

  it('writes formulas with classes for styles, and broken ones as their source', async () => {
    const { html, policy } = await render([
      voidBlock('math', { formula: '\\frac{a}{b}' }),
      voidBlock('math', { formula: '\\frac{' }),
      paragraph([voidInline('inline-math', { formula: '\\href{javascript:alert(1)}{x}' })]),
    ])
    expect(html).toContain('<math ')
    expect(html).not.toMatch(/<[^>]+ style=/)
    expect(html).toContain('<pre tabindex="0"><code>\\frac{</code>')
    expect(html).not.toMatch(/href="javascript/)
    expect(policy).toMatch(/style-src 'self' 'sha256-/)
    expect(html).toContain('/math.css')
  })

  it('bounds what macros of a formula become', async () => {
    const draw = async (formula: string): Promise<string> => article(await render([voidBlock('math', { formula })]))
    const bomb = `\\def\\a{${'x'.repeat(1_500)}}${'\\a'.repeat(100)}`
    for (const formula of [
      bomb,
      bomb.replace('\\def\\a', '\\newcommand{\\a}'),
      bomb.replace('\\def', '\\global\\def'),
      `\\def\\a#1{\\a{#1#1}}\\a{x}`,
    ]) {
      const began = performance.now()
      const drawn = await draw(formula)
      expect([drawn.includes('<math '), drawn.includes(`<code>${formula}</code>`)]).toEqual([false, true])
      expect(performance.now() - began).toBeLessThan(2_000)
    }
    const drawn = await draw('\\newcommand{\\V}{\\mathbb{V}} \\V^n \\to \\V')
    expect(drawn).toContain('<math ')
    expect(drawn).not.toContain('<pre')
  })

  it('writes pages of long formulas, and of those that define macros, in a thread', () => {
    const heavy = (formula: string): boolean => isHeavy(makeDocument([voidBlock('math', { formula })]))
    expect(['x'.repeat(100), 'x'.repeat(1_100), '\\let\\a=b \\a'].map(heavy)).toEqual([false, true, true])
  })

  it('knows every block of the tree', async () => {
    const { html } = await renderPage(page(everyBlock), tools)
    for (const words of [
      'The note behind the word',
      '1.4.2',
      'For every reader',
      'written once',
      'Annual report.pdf',
      '120,394',
      'Ada Lovelace',
      'October 2, 2026',
      '/v1/spaces/{spaceId}/content',
    ]) {
      expect(html).toContain(words)
    }
    expect(html).not.toContain('Only for beta readers')
    expect(html).not.toContain('undefined')
    expect(html).not.toContain('[object')
    expect(html).not.toMatch(/<[^>]+ style=/)
  })

  it('passes over nodes it does not know', async () => {
    const strange = JSON.parse('{"object":"block","type":"hologram","isVoid":true,"data":{}}')
    expect(article(await render([strange, paragraph('after')]))).toBe('<p>after</p>')
  })
})

describe('page', () => {
  it('names itself for machines', async () => {
    const view = page(makeDocument([paragraph('First words of the page.')]), {
      breadcrumbs: [{ title: 'Guide', href: '/guide' }],
    })
    const { html } = await renderPage(
      {
        ...view,
        page: {
          ...view.page,
          alternates: [{ language: 'de', href: 'https://docs.example.com/de/p' }],
          markdownUrl: '/p.md',
          updatedAt: '2026-01-02T00:00:00Z',
        },
      },
      tools,
    )
    expect(html).toContain('<title>Title | Site</title>')
    expect(html).toContain('<meta name="description" content="First words of the page.">')
    expect(html).toContain('<link rel="canonical" href="https://docs.example.com/p">')
    expect(html).toContain('<link rel="alternate" hreflang="de"')
    expect(html).toContain('<link rel="alternate" type="text/markdown" href="/p.md">')
    const data = JSON.parse(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '')
    expect(data[0].headline).toBe('Title')
    expect(data[1].itemListElement[0].item).toBe('https://docs.example.com/guide')
  })

  it('is hidden from search engines when it must be', async () => {
    const open = await renderPage(page(undefined), tools)
    expect(open.html).not.toContain('noindex')
    const shut = await renderPage(page(undefined, { site: { ...page(undefined).site, noIndex: true } }), tools)
    expect(shut.html).toContain('noindex')
  })

  it('is the same text for the same view', async () => {
    const [one, other] = [await renderPage(page(everyBlock), tools), await renderPage(page(everyBlock), tools)]
    expect(one.html).toBe(other.html)
  })

  it('speaks every language of the interface', async () => {
    for (const locale of locales) {
      const words = stringsOf(locale)
      expect(Object.keys(words).sort()).toEqual(Object.keys(stringsOf('en')).sort())
      const { html } = await renderNotFound(
        page(undefined, { customization: completeCustomization({ internationalization: { locale } }) }),
      )
      expect(html).toContain(words.skip)
      expect(html).toContain(`lang="${locale}"`)
    }
  })

  it('leaves parts out that its layout turns off', async () => {
    const view = page(makeDocument([heading('heading-1', 'One'), heading('heading-1', 'Two')]), {
      previous: { title: 'Before', href: '/b' },
    })
    const bare = await renderPage(
      {
        ...view,
        page: {
          ...view.page,
          description: 'About',
          tags: ['Beta'],
          layout: {
            outline: false,
            pagination: false,
            tableOfContents: false,
            description: false,
            metadata: false,
            tags: false,
          },
        },
      },
      tools,
    )
    for (const part of [
      'class="outline"',
      'class="turns"',
      'id="side"',
      'class="description"',
      'class="feedback"',
      'Beta',
    ])
      expect(bare.html).not.toContain(part)
  })
})
