/**
 * A demo site of fixture pages, served on loopback: what the browser tests look at.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { Caches } from '../../src/core/caches.ts'
import { fromMarkdown } from '../../src/core/document/read/from-markdown.ts'
import {
  type Customization,
  type CustomizationInput,
  completeCustomization,
  faviconSvg,
  loadIcons,
  loadSiteFiles,
  type PageView,
  type Questions,
  type RenderedPage,
  type ResolvedRef,
  renderError,
  renderLogin,
  renderNotFound,
  renderPage,
  renderSearchPage,
  renderTreeFragment,
  renderTreePage,
  type SearchAnswer,
  type SiteFiles,
  type StaticFile,
  siteStyle,
  sliceTree,
  stringsOf,
  styleFile,
  type TreeItem,
  treeLevel,
} from '../../src/site/index.ts'
import { refKey } from '../../src/site/render/body.ts'
import { Threads } from '../../src/threads/supervisor.ts'
import { everyBlock, sharedContent } from './fixtures/every-block.ts'
import { base, type GalleryPage, hrefOf } from './fixtures/gallery-page.ts'
import { longSpecs, longWords } from './fixtures/long-words.ts'
import { landing, longCode, prose, rightToLeft, wideTable } from './fixtures/pages.ts'
import { type Tree, treeOf } from './fixtures/trees.ts'

const tools = { caches: new Caches({ bytes: 128 * 1024 * 1024 }), threads: new Threads() }

const root = new URL('../..', import.meta.url).pathname

export interface Gallery {
  url: string
  files: SiteFiles
  style: StaticFile
  posted: URLSearchParams[]
  reports: string[]
  close(): Promise<void>
}

const longTitle =
  'How to move a very large documentation site with many versions and languages from another service without losing a link'

/** The Markdown of other writers, with everything in it that we read. */
function asWritten() {
  return fromMarkdown(readFileSync(`${root}test/core/document/cases/as-written.md`, 'utf8')).document
}

export const galleryPages: GalleryPage[] = [
  {
    id: 'home',
    slug: '',
    title: 'Welcome',
    emoji: '1f44b',
    description: 'Documentation you run yourself: write, review and publish, on your own machine.',
    document: landing,
    page: { layout: { outline: false, width: 'wide' } },
  },
  {
    id: 'install',
    slug: 'install',
    title: 'Install and run',
    icon: 'rocket',
    description: 'From nothing to a published page in three minutes.',
    document: prose,
  },
  { id: 'every-block', slug: 'every-block', title: 'Every block', icon: 'shapes', document: everyBlock },
  { id: 'as-written', slug: 'as-written', title: 'As people write it', icon: 'pen', document: asWritten() },
  {
    id: 'long-code',
    slug: 'long-code',
    title: 'Long code',
    icon: 'code',
    description: 'How long listings look and feel.',
    document: longCode,
  },
  { id: 'wide-table', slug: 'wide-table', title: 'Wide table', icon: 'table', document: wideTable },
  {
    id: 'rtl',
    slug: 'rtl',
    title: 'صفحة من اليمين إلى اليسار',
    description: 'وصف قصير للصفحة.',
    document: rightToLeft,
    view: { language: 'ar', direction: 'rtl' },
  },
  {
    id: 'long-title',
    slug: 'long-title',
    title: longTitle,
    description: 'A title of a hundred and twenty characters, as real ones sometimes are.',
    document: prose,
  },
  { id: 'long-words', slug: 'long-words', title: 'Long words', document: longWords },
  { id: 'empty', slug: 'empty', title: 'An empty page' },
]

export const demoCustomization: CustomizationInput = {
  title: 'Lectern',
  header: {
    links: [
      { title: 'Blog', to: { kind: 'url', url: 'https://example.com/blog' } },
      {
        title: 'Resources',
        to: null,
        links: [
          { title: 'Status', to: { kind: 'url', url: 'https://example.com/status' } },
          { title: 'Community', to: { kind: 'url', url: 'https://example.com/chat' } },
        ],
      },
      { title: 'Sign in', style: 'button-primary', to: { kind: 'url', url: 'https://example.com/login' } },
    ],
  },
  footer: {
    groups: [
      {
        title: 'Product',
        links: [
          { title: 'Changes', to: { kind: 'page', page: 'install' } },
          { title: 'Pricing', to: { kind: 'url', url: 'https://example.com/pricing' } },
        ],
      },
      { title: 'Company', links: [{ title: 'About', to: { kind: 'url', url: 'https://example.com/about' } }] },
    ],
    copyright: '© 2026 The Lectern authors',
  },
  announcement: {
    enabled: true,
    message: 'Version 1.0 is out.',
    link: { title: 'What is new', to: { kind: 'page', page: 'install' } },
    style: 'info',
  },
  privacyPolicy: { url: 'https://example.com/privacy' },
  git: { showEditLink: true },
  socialAccounts: [{ platform: 'github', handle: 'lectern' }],
}

export interface GalleryOptions {
  customization?: CustomizationInput
  pages?: GalleryPage[]
  tree?: Tree
}

export async function startGallery(options: GalleryOptions = {}): Promise<Gallery> {
  await loadIcons()
  const files = await buildFiles()
  const customization = completeCustomization({ ...demoCustomization, ...options.customization })
  const style = siteStyle(customization, { base: files.baseStyle, fonts: files.fonts })
  const sheet = styleFile(style.css)
  const pages = options.pages ?? galleryPages
  const tree = options.tree ?? treeOf(pages)
  const gallery: Gallery = { url: '', files, style: sheet, posted: [], reports: [], close: async () => {} }
  const frame = frameOf(customization, { files, sheet, style, tree, pages })
  const server = createServer((request, response) => {
    void answer(request, response).catch((error) => {
      response.writeHead(500).end(String(error instanceof Error ? error.stack : error))
    })
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://gallery')
    const send = (page: RenderedPage, status = 200): void => {
      response.writeHead(status, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `${page.policy}; report-uri ${base}/~report`,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'strict-origin-when-cross-origin',
      })
      response.end(page.html)
    }
    const path = decodeURIComponent(url.pathname)
    if (path === '/') return void response.writeHead(302, { location: `${base}/` }).end()
    if (path.startsWith('/~site/'))
      return sendStatic(response, path.slice(7) === sheet.path ? sheet : files.all.get(path.slice(7)))
    if (path.startsWith('/~files/')) return sendPicture(response, path)
    if (!path.startsWith(base)) return void response.writeHead(404).end()
    const rest = path.slice(base.length).replace(/^\/|\/$/g, '')
    if (rest === '~icon.svg')
      return void response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(faviconSvg(customization, 'Lectern'))
    if (rest === '~view') return void response.writeHead(204).end()
    if (rest === '~report' || rest === '~feedback') {
      const body = await readBody(request)
      if (rest === '~report') gallery.reports.push(body)
      else gallery.posted.push(new URLSearchParams(body))
      return void response.writeHead(rest === '~report' ? 204 : 303, { location: `${base}/` }).end()
    }
    if (rest === '~search') {
      const found = search(pages, url.searchParams.get('q') ?? '')
      if (request.headers.accept?.includes('json'))
        return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found))
      return send(await renderSearchPage(frame(tree.roots[0]), found))
    }
    if (rest === '~tree' || rest.startsWith('~tree/')) {
      const item = tree.items.get(rest.slice(6))
      const level = treeLevel(item?.children ?? tree.roots, item)
      if (request.headers.accept?.includes('fragment')) {
        const html = renderTreeFragment(level, { strings: stringsOf('en'), basePath: base, iconStyle: 'regular' })
        return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
      }
      return send(await renderTreePage(frame(item ?? tree.roots[0]), level, item?.title))
    }
    if (rest === '~error') return send(await renderError(frame(undefined), 'req_1'), 500)
    if (rest === '~login') return send(await renderLogin(frame(undefined), { href: '/login' }), 401)
    const page = pages.find((known) => known.slug === rest.replace(/\.md$/, ''))
    if (page !== undefined && rest.endsWith('.md'))
      return void response.writeHead(200, { 'content-type': 'text/markdown; charset=utf-8' }).end(`# ${page.title}\n`)
    const item =
      page === undefined ? [...tree.items.values()].find((known) => known.href === path) : tree.items.get(page.id)
    if (page === undefined && item === undefined) {
      return send(
        await renderNotFound(frame(undefined), [{ title: 'Install and run', href: `${base}/install`, icon: 'rocket' }]),
        404,
      )
    }
    send(
      await renderPage(
        viewOf(
          frame(item),
          page ?? { id: item?.id ?? '', slug: rest, title: item?.title ?? '', document: prose },
          pages,
        ),
        tools,
      ),
    )
  }
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const address = server.address()
  gallery.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  gallery.close = () =>
    new Promise((closed) => {
      server.close(() => closed())
      server.closeAllConnections()
    })
  return gallery
}

/** The static files as scripts/build.js makes them, in a folder of their own. */
export async function buildFiles(): Promise<SiteFiles> {
  const built = mkdtempSync(join(tmpdir(), 'lectern-site-'))
  const options = JSON.parse(readFileSync(`${root}src/site/browser/build.json`, 'utf8'))
  await build({ ...options, absWorkingDir: root, outdir: built })
  const files = loadSiteFiles({ built, vendored: `${root}assets/site`, prefix: '/~site/' })
  rmSync(built, { recursive: true })
  return files
}

export function questionsOf(pages: readonly GalleryPage[]): Questions {
  return {
    resolve: (ref): ResolvedRef | undefined => {
      if (ref.kind === 'page') {
        const page = pages.find((known) => known.id === ref.page)
        return (
          page && {
            href: hrefOf(page),
            title: page.title,
            ...(page.icon ? { icon: page.icon } : {}),
            ...(page.emoji ? { emoji: page.emoji } : {}),
            ...(page.description ? { description: page.description } : {}),
          }
        )
      }
      if (ref.kind === 'file') return pictures[ref.file]
      if (ref.kind === 'user') return { href: '', title: ref.user === 'ada' ? 'Ada Lovelace' : 'Bob' }
      if (ref.kind === 'tag') return { href: '', title: 'New' }
      return undefined
    },
    holds: (expression) => expression === 'true',
    evaluate: (expression) => (expression === 'space.vars.version' ? '1.4.2' : undefined),
    reusable: () => sharedContent,
    spec: (ref) => longSpecs.get(refKey(ref)),
  }
}

const pictures: Record<string, ResolvedRef> = {
  picture: { href: '/~files/picture.svg', title: 'picture.svg', width: 1200, height: 600 },
  'picture-dark': { href: '/~files/picture-dark.svg', width: 1200, height: 600 },
  drawing: { href: '/~files/drawing.svg', width: 800, height: 300 },
  logo: { href: '/~files/logo.svg', width: 64, height: 64 },
  report: { href: '/~files/report.pdf', title: 'Annual report.pdf', size: 2_340_000, contentType: 'application/pdf' },
}

export function frameOf(
  customization: Customization,
  parts: {
    files: SiteFiles
    sheet: StaticFile
    style: ReturnType<typeof siteStyle>
    tree: { roots: TreeItem[] }
    pages: readonly GalleryPage[]
  },
) {
  return (current: TreeItem | undefined): Omit<PageView, 'page' | 'breadcrumbs'> => ({
    site: {
      id: 'demo',
      title: 'Lectern',
      url: `http://127.0.0.1${base}`,
      basePath: base,
      home: `${base}/`,
      rss: `${base}/rss.xml`,
    },
    customization,
    assets: {
      style: `/~site/${parts.sheet.path}`,
      early: parts.files.early,
      script: parts.files.script,
      math: parts.files.math,
      diagrams: parts.files.diagrams,
      preload: parts.style.preload,
      themeColor: parts.style.themeColor,
    },
    sections: [
      { title: 'Guide', href: `${base}/`, icon: 'book-open', current: true },
      { title: 'API reference', href: `${base}/install`, icon: 'code' },
      {
        title: 'More',
        icon: 'layer-group',
        sections: [
          { title: 'Changes', href: `${base}/long-code`, description: 'What is new in each release' },
          { title: 'Examples', href: `${base}/wide-table` },
        ],
      },
    ],
    versions: [
      { title: 'v1.4', href: `${base}/`, current: true },
      { title: 'v1.3', href: `${base}/install` },
    ],
    languages: [
      { title: 'English', href: `${base}/`, language: 'en', current: true },
      { title: 'العربية', href: `${base}/rtl`, language: 'ar' },
    ],
    tree: sliceTree(parts.tree.roots, current),
    treeKey: 'demo',
    questions: questionsOf(parts.pages),
  })
}

export function viewOf(
  frame: Omit<PageView, 'page' | 'breadcrumbs'>,
  page: GalleryPage,
  pages: readonly GalleryPage[],
): PageView {
  const at = pages.indexOf(page)
  const [previous, next] = [pages[at - 1], pages[at + 1]].map(
    (other) => other && { title: other.title, href: hrefOf(other), ...(other.icon ? { icon: other.icon } : {}) },
  )
  return {
    ...frame,
    page: {
      id: page.id,
      title: page.title,
      ...(page.description ? { description: page.description } : {}),
      ...(page.icon ? { icon: page.icon } : {}),
      ...(page.emoji ? { emoji: page.emoji } : {}),
      canonical: `https://docs.example.com${hrefOf(page)}`,
      markdownUrl: `${hrefOf(page)}.md`,
      edit: { url: 'https://example.com/edit' },
      updatedAt: '2026-10-12T08:00:00Z',
      ...page.page,
    },
    ...(page.document ? { document: page.document } : {}),
    breadcrumbs: page.slug === '' ? [] : [{ title: 'Guide', href: `${base}/` }, { title: 'Getting started' }],
    ...(previous ? { previous } : {}),
    ...(next ? { next } : {}),
    ...page.view,
  }
}

function search(pages: readonly GalleryPage[], query: string): SearchAnswer {
  const wanted = query.trim().toLowerCase()
  const cut = (words: string): string[] => {
    const at = words.toLowerCase().indexOf(wanted)
    return wanted === '' || at < 0
      ? [words]
      : [words.slice(0, at), words.slice(at, at + wanted.length), words.slice(at + wanted.length)]
  }
  const found = pages.filter(
    (page) => wanted !== '' && `${page.title} ${page.description ?? ''}`.toLowerCase().includes(wanted),
  )
  return {
    query,
    pages: found.map((page) => ({
      title: cut(page.title),
      href: hrefOf(page),
      path: ['Guide', 'Getting started'],
      snippet: cut(page.description ?? ''),
      sections: [
        {
          title: cut(`How to ${query}`),
          href: `${hrefOf(page)}#before-you-start`,
          snippet: cut(`Everything about ${query} in one place.`),
        },
      ],
    })),
    near: found.length > 0 ? [] : pages.slice(0, 2).map((page) => ({ title: page.title, href: hrefOf(page) })),
  }
}

function sendStatic(response: ServerResponse, file: StaticFile | undefined): void {
  if (file === undefined) return void response.writeHead(404).end()
  response
    .writeHead(200, { 'content-type': file.contentType, 'cache-control': 'max-age=31536000, immutable' })
    .end(file.body)
}

function sendPicture(response: ServerResponse, path: string): void {
  const dark = path.includes('dark')
  const svg = path.includes('logo')
    ? '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64"><circle cx="32" cy="32" r="30" fill="#3b5bdb"/></svg>'
    : `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 600" width="1200" height="600"><rect width="1200" height="600" fill="${dark ? '#1b2340' : '#dfe7fb'}"/><circle cx="900" cy="180" r="90" fill="${dark ? '#8da2fb' : '#ffd8a8'}"/><path d="M0 600 320 260 560 480 760 300 1200 600Z" fill="${dark ? '#2b3a6b' : '#91a7ff'}"/></svg>`
  response.writeHead(200, { 'content-type': path.endsWith('.pdf') ? 'application/pdf' : 'image/svg+xml' }).end(svg)
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text.slice(0, 100_000)
}
