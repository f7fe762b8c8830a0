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
  /** The files of each part, its entry first. */
  shell: string[]
  space: string[]
  editor: string[]
}

export function addApp(app: FastifyInstance, urls: Urls): void {
  const mount = mountOf(urls)
  const pages = new Map<string, { text: string; etag: string }>()

  const pageFor = (parts: readonly Part[]) => {
    const name = parts.join()
    const known = pages.get(name)
    if (known) return known
    const text = page(mount, readEntries(), parts)
    const made = { text, etag: etagOf(text) }
    pages.set(name, made)
    return made
  }

  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const html = pageFor(partsAt(request.url))
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

type Part = 'shell' | 'space' | 'editor'

/** The parts that the screen at this address begins with: the browser fetches all of them at once. */
const partsAt = (url: string): readonly Part[] => {
  const path = url.split('?', 1)[0] ?? ''
  if (!/^\/app\/s\/[^/]/.test(path)) return ['shell']
  return /\/p\/[^/]+$/.test(path) ? ['shell', 'space', 'editor'] : ['shell', 'space']
}

const preloads = (mount: string, names: readonly string[]): string =>
  names.map((name) => `<link rel="modulepreload" href="${mount}/app/~/${name}">\n`).join('')

const page = (mount: string, entries: Entries, parts: readonly Part[]): string => `<!doctype html>
<html lang="en" data-mount="${mount}" data-theme="system">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="robots" content="noindex">
<title>Lectern</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%230f766e'/%3E%3Cpath d='M10 8v16h12' fill='none' stroke='%23fff' stroke-width='3.4' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E">
<script src="${mount}/app/~/${entries.early}"></script>
<link rel="stylesheet" href="${mount}/app/~/${entries.style}">
${preloads(
  mount,
  parts.flatMap((part) => entries[part]).filter((name) => name !== entries.main),
)}<script src="${mount}/app/~/${entries.main}" type="module"></script>
</head>
<body>
<div id="app"></div>
<noscript><p>The app needs JavaScript. The API works without: <a href="${mount}/reference">reference</a>.</p></noscript>
</body>
</html>
`
