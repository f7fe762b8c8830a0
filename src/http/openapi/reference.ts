/** `/v1/openapi.json`, and `/reference`: the same document as pages, by the renderer of published sites. */
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isObject } from '../../core/openapi/json.ts'
import type { Urls } from '../../core/urls.ts'
import { version } from '../../platform/version.ts'
import type { Reference } from '../../site/serve/reference.ts'
import type { Database } from '../../store/database.ts'
import { replyPrepared } from '../edge/fastify.ts'
import type { Edge } from '../edge/index.ts'
import { type Prepared, prepare } from '../edge/prepared.ts'
import { etagOf } from '../etag.ts'
import { mountOf } from '../mount.ts'
import { openApiDocument } from './openapi.ts'

export function addReference(app: FastifyInstance, { db, urls, edge }: { db: Database; urls: Urls; edge: Edge }): void {
  // Printing the document takes some milliseconds: done for the first who asks, then kept, compressed as well.
  let text: string | undefined
  const print = (): string => {
    text ??= JSON.stringify(openApiDocument({ url: urls.app, version }))
    return text
  }
  let document: Promise<Prepared> | undefined
  app.get('/v1/openapi.json', async (request, reply) => {
    document ??= prepare({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: print(),
      hash: etagOf(print()).slice(1, -1),
      caching: 'public, max-age=0, must-revalidate',
    })
    return replyPrepared(edge, request, reply, await document)
  })

  let loading: Promise<Reference> | undefined
  const load = async (): Promise<Reference> => {
    const { makeReference } = await import('../../site/serve/reference.ts')
    // Bundled, this file lies in dist/; unbundled it lies where the sources do.
    const root = new URL(import.meta.url.includes('/src/') ? '../../../' : '../', import.meta.url)
    const document: unknown = JSON.parse(print())
    return makeReference({
      document: isObject(document) ? document : {},
      root: `${urls.app}/reference`,
      basePath: `${mountOf(urls)}/reference`,
      built: fileURLToPath(new URL('dist/site', root)),
      vendored: fileURLToPath(new URL('assets/site', root)),
      caches: db.caches,
      threads: db.threads,
    })
  }
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    loading ??= load()
    const url = new URL(request.url, 'http://reference')
    const path = url.pathname.split('/').slice(2).map(decoded)
    const found = await (await loading).answer({ path, query: url.searchParams, accept: request.headers.accept ?? '' })
    const caching = found.lasts === 'forever' ? 'public, max-age=31536000, immutable' : 'no-cache'
    return replyPrepared(edge, request, reply, await prepare({ ...found, caching, effort: 'once' }))
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
