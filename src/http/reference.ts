/** `/v1/openapi.json`, and `/reference`: the document as a page, with its one script served by us. */
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import type { Urls } from '../core/urls.ts'
import { assetFile } from '../platform/assets.ts'
import { version } from '../platform/version.ts'
import { etagOf, isHeld } from './etag.ts'
import { mountOf } from './mount.ts'
import { openApiDocument } from './openapi.ts'

// Only the document and a way to try it: no services of others.
const settings = JSON.stringify({
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  hideClientButton: true,
  withDefaultFonts: false,
})

const page = (mount: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lectern API reference</title>
</head>
<body>
<noscript><p>This page needs JavaScript. The document itself is at <a href="${mount}/v1/openapi.json">/v1/openapi.json</a>.</p></noscript>
<script id="api-reference" data-url="${mount}/v1/openapi.json" data-configuration='${settings}'></script>
<script src="${mount}/reference/scalar.js"></script>
</body>
</html>
`

export function addReference(app: FastifyInstance, urls: Urls): void {
  // Printing the document takes some milliseconds: done for the first who asks, then kept.
  let printed: { text: string; etag: string } | undefined
  const print = () => {
    if (!printed) {
      const text = JSON.stringify(openApiDocument({ url: urls.app, version }))
      printed = { text, etag: etagOf(text) }
    }
    return printed
  }

  app.get('/v1/openapi.json', async (request, reply) => {
    const { text, etag } = print()
    reply.header('etag', etag).header('cache-control', 'public, max-age=0, must-revalidate')
    if (isHeld(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.header('content-type', 'application/json; charset=utf-8').send(text)
  })

  app.get('/reference', (_request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      // The page's own script styles itself; it may call nothing but this server.
      .header(
        'content-security-policy',
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
      )
      .header('x-content-type-options', 'nosniff')
      .send(page(mountOf(urls))),
  )

  app.get('/reference/scalar.js', async (request, reply) => {
    const packed = await readFile(assetFile('reference/scalar.js.gz'))
    const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
    reply
      .header('content-type', 'text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .header('vary', 'accept-encoding')
    return takesGzip ? reply.header('content-encoding', 'gzip').send(packed) : reply.send(gunzipSync(packed))
  })
}
