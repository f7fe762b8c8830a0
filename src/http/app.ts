/**
 * `/app`: the place where people write. One HTML page for every address below it, which loads the script that `npm run
 * build` made; the script's files carry a hash in their names, so that browsers keep them for ever.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../core/errors.ts'
import type { Urls } from '../core/urls.ts'
import { assetFile, packageFile } from '../platform/assets.ts'
import { frameHosts } from '../site/index.ts'
import { type Language, languageFor } from './edge/language.ts'
import { etagOf, isHeld } from './etag.ts'
import { mountOf } from './mount.ts'

/** One inline script, known by its hash, and no inline style; nothing from elsewhere but pictures and players that pages embed. */
const policyWith = (inlineScript: string) =>
  [
    "default-src 'none'",
    `script-src 'self' 'sha256-${createHash('sha256').update(inlineScript).digest('base64')}'`,
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data: blob: https:",
    "media-src 'self' blob: https:",
    "font-src 'self'",
    `frame-src 'self' ${frameHosts.join(' ')}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
}

interface Entries {
  main: string
  early: string
  style: string
  font: string
  /** The words in German. */
  german: string
  /** The files of each part, the largest first. */
  shell: string[]
  side: string[]
  editor: string[]
}

/** `folder` is where the build lies; it may be replaced by another while this one serves it. */
export function addApp(app: FastifyInstance, urls: Urls, folder = packageFile('dist/app/')): void {
  const mount = mountOf(urls)
  let built: Built | undefined

  const pageAt = (url: string, language: Language) => {
    // Another build may have taken the place of this one, or be about to.
    const at = builtAt(folder)
    if (!built || (at !== undefined && at !== built.at)) built = readBuilt(folder, at)
    const text = page(mount, built, url.slice('/app'.length).split('?', 1)[0] ?? '', language)
    return { text, etag: etagOf(text), policy: built.policy }
  }

  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const html = pageAt(request.url, languageFor(request.headers))
    reply
      .header('content-security-policy', html.policy)
      .header('referrer-policy', 'same-origin')
      .header('cross-origin-opener-policy', 'same-origin')
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-language, cookie')
      .header('etag', html.etag)
    if (isHeld(request.headers['if-none-match'], html.etag)) return reply.code(304).send()
    return reply.header('content-type', 'text/html; charset=utf-8').send(html.text)
  }

  // Addresses that others kept from before there was an app.
  for (const path of ['/s/*', '/o/*'])
    app.get(path, (request, reply) => reply.redirect(`${mount}/app${request.url}`, 308))
  app.get('/c/:collection', (request, reply) =>
    reply.redirect(
      `${mount}/app/collections/${encodeURIComponent((request.params as { collection: string }).collection)}`,
      308,
    ),
  )
  app.get('/app', sendPage)
  app.get('/app/*', sendPage)
  app.get('/app/~/:name', async (request, reply) => {
    const { name } = request.params as { name: string }
    const type = types[/^[\w.-]+\.(\w+)$/.exec(name)?.[1] ?? '']
    const file = [`${folder}${name}`, `${folder}before/${name}`].find(existsSync)
    if (type === undefined || file === undefined) throw fail('not_found')
    const encoding = encodingFor(request.headers['accept-encoding'] ?? '', file)
    reply
      .header('content-type', type)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('vary', 'accept-encoding')
    if (encoding) reply.header('content-encoding', encoding.name)
    return reply.send(await readFile(`${file}${encoding?.ending ?? ''}`))
  })
}

const encodings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
]

const encodingFor = (accepted: string, file: string) =>
  encodings.find(({ name, ending }) => new RegExp(`\\b${name}\\b`).test(accepted) && existsSync(`${file}${ending}`))

interface Built {
  /** When it was built. */
  at: number | undefined
  entries: Entries
  /** The source of `src/app/early.ts`. A file of its own would keep the browser from reading on until it has come. */
  early: string
  policy: string
  /** The icon of the tab. A drawing (SVG) would have the browser make a page of its own for it, twice. */
  icon: string
}

const builtAt = (folder: string): number | undefined =>
  statSync(`${folder}entries.json`, { throwIfNoEntry: false })?.mtimeMs

function readBuilt(folder: string, at: number | undefined): Built {
  const entries: Entries = JSON.parse(readFileSync(`${folder}entries.json`, 'utf8'))
  const early = readFileSync(`${folder}${entries.early}`, 'utf8')
  return { at, entries, early, policy: policyWith(early), icon: readFileSync(assetFile('app/icon.png'), 'base64') }
}

/** What an address below `/app` is about: a space, one of its change requests by number, a page. */
const screenAddress =
  /^\/s\/(?<space>[\w-]+)(?:\/c\/(?<request>[\w-]+)(?:\/edit)?)?(?:\/p\/(?<page>[\w-]+))?(?<rest>\/|$)/

/**
 * What the first screen at this address begins with, in files and in answers of the API: the browser asks for all of it at
 * once, before any script has run. `src/app/early.ts` takes the answers.
 *
 * A browser has six connections to a server, and uses them in this order. Files are first, the large before the small: what
 * takes longest is to compile them. The tree of a page's space is not among the answers: a large one would keep the server
 * from answering with the page.
 */
function firstOf(entries: Entries, path: string): { files: string[]; calls: string[] } {
  const calls = ['/user', '/orgs?limit=200']
  const { space, request, page, rest } = screenAddress.exec(path)?.groups ?? {}
  if (space === undefined) return { files: entries.shell, calls }
  const inSpace = [`/spaces/${space}`]
  if (request !== undefined) inSpace.push(`/spaces/${space}/change-requests/${request}`)
  const content = `${inSpace.at(-1)}/content`
  if (page === undefined)
    return {
      files: [...entries.shell, ...entries.side],
      calls: [`${content}/pages?fields=tree`, ...inSpace, ...calls],
    }
  return {
    files: [...entries.shell, ...(rest === '' ? entries.editor : [])],
    calls: [`${content}/page/${page}?format=document&pages=false&revision=true`, ...inSpace, ...calls],
  }
}

function page(mount: string, { entries, early, icon }: Built, path: string, language: Language): string {
  const { files, calls } = firstOf(entries, path)
  const links = [
    `<script src="${mount}/app/~/${entries.main}" type="module"></script>`,
    ...[...files, ...(language === 'de' ? [entries.german] : [])]
      .filter((name) => name !== entries.main)
      .map((name) => `<link rel="modulepreload" href="${mount}/app/~/${name}">`),
    ...calls.map(
      (call) => `<link rel="preload" as="fetch" href="${mount}/v1${call.replaceAll('&', '&amp;')}" crossorigin>`,
    ),
    `<script>${early}</script>`,
    `<link rel="stylesheet" href="${mount}/app/~/${entries.style}">`,
    `<link rel="preload" as="font" type="font/woff2" href="${mount}/app/~/${entries.font}" crossorigin>`,
  ]
  return `<!doctype html>
<html lang="en" data-mount="${mount}" data-theme="system">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="robots" content="noindex">
<title>Lectern</title>
<link rel="icon" type="image/png" href="data:image/png;base64,${icon}">
${links.join('\n')}
</head>
<body>
<div id="app"></div>
<noscript><p>The app needs JavaScript. The API works without: <a href="${mount}/reference">reference</a>.</p></noscript>
</body>
</html>
`
}
