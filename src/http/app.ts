/**
 * `/app`: the place where people write. One HTML page for every address below it, which loads the script that `npm run
 * build` made; the script's files carry a hash in their names, so that browsers keep them for ever.
 */
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../core/errors.ts'
import type { Urls } from '../core/urls.ts'
import { packageFile } from '../platform/assets.ts'
import { frameHosts } from '../site/index.ts'
import { etagOf, isHeld } from './etag.ts'
import { mountOf } from './mount.ts'

/** No inline script or style, nothing from elsewhere but pictures and players that pages embed. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
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

const folder = packageFile('dist/app/')
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
  /** The files of each part, its entry first. */
  shell: string[]
  space: string[]
  editor: string[]
}

export function addApp(app: FastifyInstance, urls: Urls): void {
  const mount = mountOf(urls)
  let entries: Entries | undefined

  const pageAt = (url: string) => {
    entries ??= readEntries()
    const text = page(mount, entries, url.slice('/app'.length).split('?', 1)[0] ?? '')
    return { text, etag: etagOf(text) }
  }

  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const html = pageAt(request.url)
    reply
      .header('content-security-policy', policy)
      .header('referrer-policy', 'same-origin')
      .header('cross-origin-opener-policy', 'same-origin')
      .header('cache-control', 'no-cache')
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
    if (type === undefined || !existsSync(`${folder}${name}`)) throw fail('not_found')
    const encoding = encodingFor(request.headers['accept-encoding'] ?? '', `${folder}${name}`)
    reply
      .header('content-type', type)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('vary', 'accept-encoding')
    if (encoding) reply.header('content-encoding', encoding.name)
    return reply.send(await readFile(`${folder}${name}${encoding?.ending ?? ''}`))
  })
}

const encodings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
]

const encodingFor = (accepted: string, file: string) =>
  encodings.find(({ name, ending }) => new RegExp(`\\b${name}\\b`).test(accepted) && existsSync(`${file}${ending}`))

function readEntries(): Entries {
  return JSON.parse(readFileSync(`${folder}entries.json`, 'utf8'))
}

/** What an address below `/app` is about: a space, one of its change requests by number, a page. */
const screenAddress =
  /^\/s\/(?<space>[\w-]+)(?:\/c\/(?<request>[\w-]+)(?:\/edit)?)?(?:\/p\/(?<page>[\w-]+))?(?<rest>\/|$)/

/**
 * What the first screen at this address begins with, in files and in answers of the API: the browser asks for all of it at
 * once, before any script has run. `src/app/early.ts` takes the answers.
 */
function firstOf(entries: Entries, path: string): { files: string[]; calls: string[] } {
  const calls = ['/user', '/orgs?limit=200']
  const { space, request, page, rest } = screenAddress.exec(path)?.groups ?? {}
  if (space === undefined) return { files: entries.shell, calls }
  calls.push(`/spaces/${space}`)
  if (request !== undefined) calls.push(`/spaces/${space}/change-requests/${request}`)
  const content = `${calls.at(-1)}/content`
  calls.push(`${content}/pages?fields=tree`)
  const files = [...entries.shell, ...entries.space]
  if (page === undefined) return { files, calls }
  calls.push(`${content}/page/${page}?format=document&pages=false&revision=true`)
  return { files: rest === '' ? [...files, ...entries.editor] : files, calls }
}

function page(mount: string, entries: Entries, path: string): string {
  const { files, calls } = firstOf(entries, path)
  const links = [
    ...calls.map(
      (call) => `<link rel="preload" as="fetch" href="${mount}/v1${call.replaceAll('&', '&amp;')}" crossorigin>`,
    ),
    `<script src="${mount}/app/~/${entries.early}"></script>`,
    `<link rel="stylesheet" href="${mount}/app/~/${entries.style}">`,
    `<link rel="preload" as="font" type="font/woff2" href="${mount}/app/~/${entries.font}" crossorigin>`,
    ...files
      .filter((name) => name !== entries.main)
      .map((name) => `<link rel="modulepreload" href="${mount}/app/~/${name}">`),
    `<script src="${mount}/app/~/${entries.main}" type="module"></script>`,
  ]
  return `<!doctype html>
<html lang="en" data-mount="${mount}" data-theme="system">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="robots" content="noindex">
<title>Lectern</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%230f766e'/%3E%3Cpath d='M10 8v16h12' fill='none' stroke='%23fff' stroke-width='3.4' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E">
${links.join('\n')}
</head>
<body>
<div id="app"></div>
<noscript><p>The app needs JavaScript. The API works without: <a href="${mount}/reference">reference</a>.</p></noscript>
</body>
</html>
`
}
