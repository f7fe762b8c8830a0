/** `/v1/openapi.json`, and `/reference`: the same document as pages, by the renderer of published sites. */
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isObject } from '../core/openapi/json.ts'
import type { Urls } from '../core/urls.ts'
import { version } from '../platform/version.ts'
import type { Reference } from '../site/serve/reference.ts'
import type { Database } from '../store/database.ts'
import { etagOf, isHeld } from './etag.ts'
import { mountOf } from './mount.ts'
import { openApiDocument } from './openapi.ts'

export function addReference(app: FastifyInstance, { db, urls }: { db: Database; urls: Urls }): void {
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

  let loading: Promise<Reference> | undefined
  const load = async (): Promise<Reference> => {
    const { makeReference } = await import('../site/serve/reference.ts')
    // Bundled, this file lies in dist/; unbundled it lies where the sources do.
    const root = new URL(import.meta.url.includes('/src/') ? '../../' : '../', import.meta.url)
    const document: unknown = JSON.parse(print().text)
    return makeReference({
      document: isObject(document) ? document : {},
      root: `${urls.app}/reference`,
      basePath: `${mountOf(urls)}/reference`,
      built: fileURLToPath(new URL('dist/site', root)),
      vendored: fileURLToPath(new URL('assets/site', root)),
      caches: db.caches,
    })
  }
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    loading ??= load()
    const url = new URL(request.url, 'http://reference')
    const path = url.pathname.split('/').slice(2).map(decoded)
    const found = await (await loading).answer({ path, query: url.searchParams, accept: request.headers.accept ?? '' })
    const { status, headers, body = '', hash, lasts } = found
    reply.headers(headers)
    reply.header('cache-control', lasts === 'forever' ? 'public, max-age=31536000, immutable' : 'no-cache')
    const etag = hash === undefined ? undefined : `"${hash}"`
    if (etag !== undefined) reply.header('etag', etag)
    if (etag !== undefined && isHeld(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.code(status).send(typeof body === 'string' ? body : Buffer.from(body))
  }
  app.get('/reference', answer)
  app.get('/reference/*', answer)
  // Pages tell that they were read; nobody counts these.
  app.post('/reference/~view', (_request, reply) => reply.code(204).send())
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
