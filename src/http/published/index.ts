/**
 * Readers of published sites, served before anything of the API is looked at.
 *
 * 1. A page that anyone may read, asked for by someone of whom nothing is known, is sent from memory as the bytes it was
 *    made into, for as long as the site is as it was (store/sites/cached-sites.ts).
 * 2. Everyone else is let in first (access.ts), and finds only what was kept for their own claims (reader.ts).
 * 3. What is not there for a visitor is answered like what is not there at all.
 * 4. While the process cannot keep up, what is not at hand is refused: pages for all that are kept go on.
 * 5. The rendering of sites is loaded when the first reader comes.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { defineCache } from '../../core/caches.ts'
import { ApiError, fail } from '../../core/errors.ts'
import type { FoundSite } from '../../domain/sites/access/enter.ts'
import type { Log } from '../../platform/log.ts'
import { cachedSite } from '../../store/sites/cached-sites.ts'
import { errorOf, isWorthLogging } from '../edge/errors.ts'
import type { Exchange } from '../edge/exchange.ts'
import type { Edge } from '../edge/index.ts'
import { type Prepared, prepare } from '../edge/prepared.ts'
import { RateLimit } from '../edge/rate-limit.ts'
import type { RequestHeaders } from '../edge/request-headers.ts'
import { mountOf } from '../mount.ts'
import { type Addressed, makeAddresses } from './address.ts'
import { isBearer } from './bearer.ts'
import { cookiePrefix } from './cookies.ts'
import { isMcpPreflight, sendPreflight } from './preflight.ts'
import { type Entry, effortFor, makeReader, type ReaderParts } from './reader.ts'
import { routeOf } from './route.ts'
import { makeViews } from './views.ts'

type Next = (request: IncomingMessage, response: ServerResponse) => void

export interface Published {
  /** True when the request is taken care of; it may still be handed to `next` later. */
  take(exchange: Exchange, next: Next): boolean
  /** Loads what the first reader would wait for. */
  warm(): Promise<void>
  /** Writes what was counted. */
  stop(): Promise<void>
}

export interface PublishedParts extends ReaderParts {
  log: Log
  edge: Edge
}

/** What readers send to one site. Most of it is that a page was shown, which costs no write. */
const formsPerMinute = 6_000
const filesIn = defineCache<Prepared>('site files', { share: 0.04 })

export function makePublished(parts: PublishedParts): Published {
  const { db, log, edge } = parts
  const addresses = makeAddresses(parts.env.urls)
  const mount = mountOf(parts.env.urls)
  const reader = makeReader(parts)
  const { entries } = reader
  const files = filesIn(db.caches)
  const forms = new RateLimit(formsPerMinute)
  const views = makeViews({ ...parts, onError: (err) => log.error({ err }, 'page views were not counted') })

  const take: Published['take'] = (exchange, next) => {
    const { request, headers } = exchange
    if (request.method === 'GET' && sendCachedFile(exchange)) return true
    const key = keyOf(request, headers)
    const entry = key === undefined ? undefined : entries.get(key)
    if (key !== undefined && entry) {
      const commitVersion = edge.commitVersionOf(exchange)
      if (commitVersion !== undefined && commitVersion === entry.commitVersion) sendEntry(exchange, entry)
      else void recheck(exchange, next, { key, entry })
      return true
    }
    const addressed = addresses(request)
    if (addressed) void serve(exchange, next, { ...addressed, key })
    return addressed !== undefined
  }

  const send = (exchange: Exchange, prepared: Prepared): void => {
    exchange.surface = 'site'
    exchange.route = routeOf(exchange.request.url ?? '')
    edge.send(exchange, prepared)
  }

  const sendEntry = (exchange: Exchange, { prepared, viewed, siteId }: Entry): void => {
    if (viewed && isReading(exchange)) views.count({ siteId, ...viewed })
    send(exchange, prepared)
  }

  /** Something may have been written since: whether it was this site is asked once for each commit. */
  const recheck = async (
    exchange: Exchange,
    next: Next,
    { key, entry }: { key: string; entry: Entry },
  ): Promise<void> => {
    if (await isAsItWas(exchange, entry)) return sendEntry(exchange, entry)
    if (entries.get(key) === entry) entries.delete(key)
    const addressed = addresses(exchange.request)
    if (addressed) await serve(exchange, next, { ...addressed, key })
    else next(exchange.request, exchange.response)
  }

  const isAsItWas = async (exchange: Exchange, entry: Entry): Promise<boolean> => {
    try {
      const commitVersion = edge.commitVersionOf(exchange) ?? (await db.readCommitVersion())
      if (commitVersion === entry.commitVersion) return true
      if ((await cachedSite(db, entry.siteId, commitVersion))?.version !== entry.version) return false
      entry.commitVersion = commitVersion
      return true
    } catch {
      // The database is away: who has to be served from it is told so.
      return false
    }
  }

  const serve = async (
    exchange: Exchange,
    next: Next,
    { url, isOurs, common, key }: Addressed & { key: string | undefined },
  ): Promise<void> => {
    const { request, headers, response } = exchange
    let found: FoundSite | undefined
    try {
      if (isMcpPreflight(request.method, url.pathname)) return sendPreflight(response)
      if (!methods.has(request.method ?? '')) {
        if (!isOurs) return next(request, response)
        throw fail('method_not_allowed')
      }
      if (await sendFile(exchange, url.pathname)) return
      // Before anything is looked for, so that no answer tells which sites there are.
      if (isOurs) edge.checkLoad()
      const commitVersion = edge.commitVersionOf(exchange) ?? (await db.readCommitVersion())
      found = (await reader.find(url, commitVersion)) ?? (common && (await reader.find(common, commitVersion)))
      if (!found && !isOurs) return next(request, response)
      if (!found) throw nothingHere()
      edge.checkLoad()
      if (request.method === 'POST' && forms.take(found.site.id).exceeded)
        throw new ApiError('rate_limited', {
          message: 'Too many forms were sent. Try again in a minute.',
          retryAfter: forms.secondsLeft,
        })
      const outcome = await reader.read(request, {
        found,
        url,
        flavour: flavourIn(headers.accept),
        key,
        commitVersion,
      })
      if (!outcome) throw nothingHere()
      if ('entry' in outcome) return sendEntry(exchange, outcome.entry)
      if ('file' in outcome) {
        // The API's own way of sending files: ranges, types and a sandbox.
        request.url = new URL(outcome.file).pathname.slice(mount.length)
        return next(request, response)
      }
      const { answer, caching, cookies } = outcome
      if (answer.viewed && isSomeone(headers)) views.count({ siteId: found.site.id, ...answer.viewed })
      if (cookies && cookies.length > 0) response.setHeader('set-cookie', [...cookies])
      send(exchange, await prepare({ ...answer, caching, effort: effortFor(answer) }))
    } catch (error) {
      await refuse(exchange, error, found)
    }
  }

  const sendCachedFile = (exchange: Exchange): boolean => {
    const name = assetIn(exchange.request.url ?? '')
    const cached = name === undefined ? undefined : files.get(name)
    if (cached) send(exchange, cached)
    return cached !== undefined
  }

  /** Static files are the same on every site, and for everyone. */
  const sendFile = async (exchange: Exchange, path: string): Promise<boolean> => {
    const name = assetIn(path)
    if (name === undefined) return false
    let cached = files.get(name)
    if (!cached) {
      const answer = (await reader.site()).common(name.split('/'))
      if (!answer) return false
      cached = await prepare({ ...answer, caching: 'public, max-age=31536000, immutable', effort: 'file' })
      files.set(name, cached, cached.bytes)
    }
    send(exchange, cached)
    return true
  }

  const refuse = async (exchange: Exchange, error: unknown, found: FoundSite | undefined): Promise<void> => {
    const { request, response, id } = exchange
    if (response.headersSent || response.destroyed) return void response.destroy()
    exchange.surface = 'site'
    exchange.route = routeOf(request.url ?? '')
    const known = errorOf(error)
    if (isWorthLogging(known))
      log.error(
        { err: error, method: request.method, path: request.url?.split('?')[0], requestId: id },
        'request failed',
      )
    // A fault is shown in the style of the site, where that is known.
    const page = found && isWorthLogging(known) && (await reader.failed(found, id).catch(() => undefined))
    if (!page) return edge.sendError(exchange, known.code === 'not_found' ? nothingHere() : known, allowed(known))
    if (known.status === 503) response.setHeader('retry-after', '1')
    send(exchange, await prepare({ ...page, status: known.status, caching: 'no-store', effort: 'once' }))
  }

  return { take, warm: async () => void (await reader.site()), stop: () => views.flush() }
}

/** The same for a site that never was, one that is not published, and one that is not for this reader. */
const nothingHere = (): ApiError => fail('not_found', 'No site is published at this address.')

const allowed = ({ status }: ApiError): readonly string[] => (status === 405 ? ['allow', [...methods].join(', ')] : [])

/** The name of a static file, wherever the site is. */
function assetIn(path: string): string | undefined {
  const at = path.indexOf('/~assets/')
  return at === -1 ? undefined : path.slice(at + 1)
}

const methods = new Set(['GET', 'HEAD', 'POST'])

/**
 * The address as readers of whom nothing is known ask for it; undefined for everyone else. What stands in the query is of
 * no account to pages, but for what a visitor says of themselves there.
 */
function keyOf({ method, url = '/' }: IncomingMessage, headers: RequestHeaders): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  if (headers.cookie?.includes(cookiePrefix)) return undefined
  if (headers.authorization !== undefined && isBearer(headers.authorization)) return undefined
  const query = url.indexOf('?')
  const path = query === -1 ? url : url.slice(0, query)
  if (query !== -1 && (/[?&](jwt_token|visitor\.)/.test(url.slice(query)) || path.includes('/~'))) return undefined
  return `${headers.host}${path}${flavourIn(headers.accept)}`
}

/** What an address may answer with, beside a page: asked for by the Accept header. */
function flavourIn(accept: string | undefined): string {
  if (accept === undefined || accept.startsWith('text/html')) return ''
  if (accept.includes('fragment')) return ' fragment'
  if (accept.includes('markdown')) return ' markdown'
  return accept.includes('json') ? ' json' : ''
}

/** Someone reads: no machine that looks through everything, and no browser that only thinks it may come. */
function isReading({ request: { method }, headers }: Exchange): boolean {
  if (method !== 'GET' || headers['sec-purpose'] !== undefined || headers['x-prefetch'] !== undefined) return false
  return isSomeone(headers)
}

function isSomeone(headers: RequestHeaders): boolean {
  const agent = headers['user-agent']
  return agent !== undefined && !/bot|crawl|spider|slurp|preview|monitor/i.test(agent)
}
