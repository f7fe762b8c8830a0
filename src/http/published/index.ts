/**
 * Readers of published sites, served before anything of the API is looked at.
 *
 * 1. A page that anyone may read, asked for by someone of whom nothing is known, is sent from memory as the bytes it was
 *    made into, for as long as the site is as it was (versions.ts).
 * 2. Everyone else is let in first (door.ts), and finds only what was kept for their own claims (reader.ts).
 * 3. What is not there for a visitor is answered like what is not there at all.
 * 4. While the process cannot keep up, what is not at hand is refused: pages for all that are kept go on.
 * 5. The rendering of sites is loaded when the first reader comes.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { defineCache } from '../../core/caches.ts'
import { ApiError } from '../../core/errors.ts'
import type { FoundSite } from '../../domain/sites/access/enter.ts'
import type { Log } from '../../platform/log.ts'
import { mountOf } from '../mount.ts'
import { RateLimit } from '../rate-limit.ts'
import { requestIdOf } from '../request-id.ts'
import type { Said } from '../said.ts'
import { type Addressed, makeAddresses } from './address.ts'
import { isBearer } from './bearer.ts'
import { cookiePrefix } from './cookies.ts'
import { FormRefused } from './form.ts'
import { type Kept, makeKept, type Sending, send } from './kept.ts'
import { sendBusy, sendNothing, sendPlain } from './plain.ts'
import { isMcpPreflight, sendPreflight } from './preflight.ts'
import { type Entry, makeReader, type ReaderParts } from './reader.ts'
import { makeVersions } from './versions.ts'
import { makeViews } from './views.ts'

type Next = (request: IncomingMessage, response: ServerResponse) => void

export interface Published {
  /** True when the request is taken care of; it may still be handed to `next` later. */
  take(exchange: Exchange): boolean
  /** Loads what the first reader would wait for. */
  warm(): Promise<void>
  /** Writes what was counted. */
  stop(): Promise<void>
}

export interface PublishedParts extends Omit<ReaderParts, 'versions'> {
  log: Log
  isDraining: () => boolean
  isOverloaded: () => boolean
}

/** One request on its way, and what of its headers matters first. */
export interface Exchange extends Sending {
  next: Next
}

/** What readers send to one site. Most of it is that a page was shown, which costs no write. */
const formsPerMinute = 6_000
const filesIn = defineCache<Kept>('site files', { share: 0.05 })

export function makePublished(parts: PublishedParts): Published {
  const { db, log, isDraining, isOverloaded } = parts
  const versions = makeVersions(db)
  const addresses = makeAddresses(parts.env.urls)
  const mount = mountOf(parts.env.urls)
  const reader = makeReader({ ...parts, versions })
  const { entries } = reader
  const files = filesIn(db.caches)
  const forms = new RateLimit(formsPerMinute)
  const views = makeViews({ ...parts, onError: (err) => log.error({ err }, 'page views were not counted') })

  const take: Published['take'] = (exchange) => {
    const { request, said } = exchange
    if (request.method === 'GET' && sendKeptFile(exchange)) return true
    const key = keyOf(request, said)
    const entry = key === undefined ? undefined : entries.get(key)
    if (key !== undefined && entry) {
      const mark = db.mark()
      if (mark !== undefined && mark === entry.mark) sendEntry(exchange, entry)
      else void recheck(exchange, { key, entry, mark })
      return true
    }
    const addressed = addresses(request)
    if (addressed) void serve(exchange, addressed, key)
    return addressed !== undefined
  }

  const sendEntry = (exchange: Exchange, { kept, siteId }: Entry): void => {
    if (kept.viewed && isReading(exchange)) views.count({ siteId, ...kept.viewed })
    send(exchange, kept, isDraining())
  }

  /** Something was written since: whether it was this site is asked once for each commit. */
  const recheck = async (
    exchange: Exchange,
    { key, entry, mark }: { key: string; entry: Entry; mark: number | undefined },
  ): Promise<void> => {
    const version = await versions.of(entry.siteId, mark).catch(() => undefined)
    if (version === entry.version) {
      entry.mark = mark
      return sendEntry(exchange, entry)
    }
    if (entries.get(key) === entry) entries.delete(key)
    const addressed = addresses(exchange.request)
    if (addressed) await serve(exchange, addressed, key)
    else exchange.next(exchange.request, exchange.response)
  }

  const serve = async (
    exchange: Exchange,
    { url, isOurs, common }: Addressed,
    key: string | undefined,
  ): Promise<void> => {
    const { request, said, response, next } = exchange
    let found: FoundSite | undefined
    try {
      if (isMcpPreflight(request.method, url.pathname)) return sendPreflight(response)
      if (!methods.has(request.method ?? ''))
        return isOurs ? sendPlain(response, 405, 'This is for reading.') : next(request, response)
      if (await sendFile(exchange, url.pathname)) return
      // Before anything is looked for, so that no answer tells which sites there are.
      if (isOurs && isOverloaded()) return sendBusy(request, response)
      const mark = db.mark()
      found = (await reader.find(url)) ?? (common && (await reader.find(common)))
      if (!found) return isOurs ? sendNothing(request, response) : next(request, response)
      if (isOverloaded()) return sendBusy(request, response)
      if (request.method === 'POST' && forms.take(found.site.id).exceeded)
        return sendPlain(response, 429, 'Too many forms were sent. Try again in a minute.')
      const outcome = await reader.read(request, { found, url, flavour: flavourIn(said.accept), key, mark })
      if (!outcome) return sendNothing(request, response)
      if ('entry' in outcome) return sendEntry(exchange, outcome.entry)
      if ('file' in outcome) {
        // The API's own way of sending files: ranges, types and a sandbox.
        request.url = new URL(outcome.file).pathname.slice(mount.length)
        return next(request, response)
      }
      const { viewed } = outcome.answer
      if (viewed && isSomeone(said)) views.count({ siteId: found.site.id, ...viewed })
      if (outcome.cookies && outcome.cookies.length > 0) response.setHeader('set-cookie', [...outcome.cookies])
      send(exchange, await makeKept(outcome.answer, outcome.caching), isDraining())
    } catch (error) {
      await refuse(exchange, error, found)
    }
  }

  const sendKeptFile = (exchange: Exchange): boolean => {
    const name = assetIn(exchange.request.url ?? '')
    const kept = name === undefined ? undefined : files.get(name)
    if (kept) send(exchange, kept, isDraining())
    return kept !== undefined
  }

  /** Static files are the same on every site, and for everyone. */
  const sendFile = async (exchange: Exchange, path: string): Promise<boolean> => {
    const name = assetIn(path)
    if (name === undefined) return false
    let kept = files.get(name)
    if (!kept) {
      const answer = (await reader.site()).common(name.split('/'))
      if (!answer) return false
      kept = await makeKept(answer, 'public, max-age=31536000, immutable')
      files.set(name, kept, kept.bytes)
    }
    send(exchange, kept, isDraining())
    return true
  }

  const refuse = async (exchange: Exchange, error: unknown, found: FoundSite | undefined): Promise<void> => {
    const { request, response } = exchange
    if (response.headersSent || response.destroyed) return void response.destroy()
    if (error instanceof FormRefused) return sendPlain(response, error.status, error.message)
    const status = error instanceof ApiError ? error.status : 500
    if (status === 404) return sendNothing(request, response)
    if (status < 500) return sendPlain(response, status, 'The request does not have the form that this address takes.')
    const requestId = requestIdOf(request.headers['x-request-id'])
    log.error({ err: error, method: request.method, path: request.url?.split('?')[0], requestId }, 'request failed')
    if (status === 503) response.setHeader('retry-after', '1')
    const answer = found && (await reader.failed(found, requestId).catch(() => undefined))
    if (!answer) return sendPlain(response, status, `Something went wrong on our side: ${requestId}`)
    send(exchange, await makeKept({ ...answer, status }, 'no-store'), isDraining())
  }

  return { take, warm: async () => void (await reader.site()), stop: () => views.flush() }
}

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
function keyOf({ method, url = '/' }: IncomingMessage, said: Said): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  if (said.cookie?.includes(cookiePrefix)) return undefined
  if (said.authorization !== undefined && isBearer(said.authorization)) return undefined
  const query = url.indexOf('?')
  const path = query === -1 ? url : url.slice(0, query)
  if (query !== -1 && (/[?&](jwt_token|visitor\.)/.test(url.slice(query)) || path.includes('/~'))) return undefined
  return `${said.host}${path}${flavourIn(said.accept)}`
}

/** What an address may answer with, beside a page: asked for by the Accept header. */
function flavourIn(accept: string | undefined): string {
  if (accept === undefined || accept.startsWith('text/html')) return ''
  if (accept.includes('fragment')) return ' fragment'
  if (accept.includes('markdown')) return ' markdown'
  return accept.includes('json') ? ' json' : ''
}

/** Someone reads: no machine that looks through everything, and no browser that only thinks it may come. */
function isReading({ request: { method }, said }: Exchange): boolean {
  if (method !== 'GET' || said['sec-purpose'] !== undefined || said['x-prefetch'] !== undefined) return false
  return isSomeone(said)
}

function isSomeone(said: Said): boolean {
  const agent = said['user-agent']
  return agent !== undefined && !/bot|crawl|spider|slurp|preview|monitor/i.test(agent)
}
