/**
 * What a reader gets who is not served from memory: their site is found, they are let in, and the site answers them. What
 * can be sent again is kept under the claims it was made for.
 */

import type { IncomingMessage } from 'node:http'
import { fileURLToPath } from 'node:url'
import { makeClient } from '../../client/client.ts'
import { inProcessTransport } from '../../client/in-process.ts'
import { type Cache, defineCache } from '../../core/caches.ts'
import { completeCustomization } from '../../core/customization/complete.ts'
import { untold } from '../../core/expressions/evaluate.ts'
import type { Environment } from '../../domain/environment.ts'
import { type FoundSite, findSiteAt } from '../../domain/sites/access/enter.ts'
import { renderedParts } from '../../domain/sites/rendered-parts.ts'
import type { Answered, Asked, SiteServer, VisitedSite } from '../../site/serve/index.ts'
import type { CommitVersion, Database } from '../../store/database.ts'
import { cachedSite } from '../../store/sites/cached-sites.ts'
import type { Runner } from '../api/dispatch.ts'
import type { Effort } from '../edge/encoding.ts'
import { type Prepared, prepare } from '../edge/prepared.ts'
import { type Entered, enter } from './access.ts'
import { formOf, isJson, jsonOf } from './form.ts'
import { SecretGuesses } from './guesses.ts'

/** An answer with the site it is of, and how the site was when it was made. */
export interface Entry {
  prepared: Prepared
  viewed: Answered['viewed']
  siteId: string
  version: string
  commitVersion: CommitVersion
}

export type Outcome =
  | { entry: Entry }
  | { answer: Answered; caching: string; cookies?: readonly string[] }
  /** A download address of the API, whose bytes are the answer. */
  | { file: string }
  /** No site is there, or none for them. */
  | undefined

export interface ReaderParts {
  db: Database
  env: Environment
  runners: ReadonlyMap<string, Runner>
  clock: () => Date
  /** The network address a request comes from, behind the proxies that are believed. */
  addressOf: (request: IncomingMessage) => string
}

export interface Reader {
  entries: Cache<Entry>
  site(): Promise<SiteServer>
  find(url: URL, commitVersion: CommitVersion): Promise<FoundSite | undefined>
  /** `key` names the answer for readers of whom nothing is known; `commitVersion` was asked for before anything was read. */
  read(request: IncomingMessage, coming: Coming): Promise<Outcome>
  failed(found: FoundSite, requestId: string): Promise<Answered>
}

export interface Coming {
  found: FoundSite
  url: URL
  flavour: string
  key: string | undefined
  commitVersion: CommitVersion
}

const pagesIn = defineCache<Entry>('site pages', { share: 0.11 })

export function makeReader(parts: ReaderParts): Reader {
  const { db, env } = parts
  const entries = pagesIn(db.caches)
  const underWay = new Map<string, Promise<Outcome>>()
  const guesses = new SecretGuesses()
  let loading: Promise<SiteServer> | undefined
  const site = (): Promise<SiteServer> => {
    loading ??= loadSite(db)
    return loading
  }

  const read: Reader['read'] = async (request, coming) => {
    const { found, url, commitVersion } = coming
    const version = (await cachedSite(db, found.site.id, commitVersion))?.version
    if (version === undefined) return undefined
    const reach = { db, env, now: parts.clock().toISOString(), guesses, commitVersion }
    const { cookie, authorization } = request.headers
    const from = { address: parts.addressOf(request), isAstray: isAstray(request, found) }
    const entered = await enter(reach, { found, url, cookie, authorization, ...from })
    const asked = await askedOf(request, url, found)
    if (entered.kind !== 'visitor') return sentAway(entered, found, asked)
    const isOpen = entered.claims === '' && !entered.isPreview && isForAll(found)
    // Who brings what tells nothing of them finds what is for all, kept apart: only who brings nothing is served at once.
    const isForAnyone = isOpen && !isAside(request, found)
    const key = (isForAnyone ? coming.key : undefined) ?? privateKey(coming, entered, asked)
    const known = key === coming.key ? undefined : entries.get(key)
    if (known?.version === version && asked.method === 'GET') return { entry: known }
    const making = { ...coming, entered, asked, version, isOpen, key }
    if (asked.method !== 'GET') return make(making)
    // Who asks for the same at the same time waits for one making of it. What is not kept may hang on more than the key.
    return together([key, version, url.search, asked.from].join('\n'), () => make(making))
  }

  const commonHost = new URL(env.urls.sites).host
  /** At the common address, of a site that has a host of its own. */
  const isAside = ({ headers }: IncomingMessage, { site: { hostname, proxy } }: FoundSite): boolean =>
    hostname !== null && proxy === null && headers.host === commonHost && commonHost !== hostname
  /** A proxy that calls us by our own name says for whom it does; its readers are where they should be. */
  const isAstray = (request: IncomingMessage, found: FoundSite): boolean =>
    isAside(request, found) && request.method !== 'POST' && request.headers['x-forwarded-host'] !== found.site.hostname

  const make = async (making: Making): Promise<Outcome> => {
    const { found, entered, asked, version, commitVersion, key, isOpen } = making
    const client = makeClient(inProcessTransport(parts.runners, entered.actor))
    const visiting = {
      client,
      scope: entered.scope,
      caches: db.caches,
      threads: db.threads,
      renderedParts: renderedParts(db),
      claims: wordsOf(entered),
      version,
      site: visitedSite(found, entered.isPreview),
    }
    const given = await (await site()).answer(visiting, asked)
    // Who looks at a site that they work on is no reader of it.
    const answer = entered.isPreview ? { ...given, viewed: undefined } : given
    if (answer.file !== undefined) return { file: answer.file }
    const caching = cachingOf(answer, { isOpen, isUnstored: entered.isPreview || (entered.isBearer && !isOpen) })
    if (answer.lasts === 'never' || asked.method !== 'GET') return { answer, caching }
    const prepared = await prepare({ ...answer, caching, effort: effortFor(answer) })
    const entry: Entry = { prepared, viewed: answer.viewed, siteId: found.site.id, version, commitVersion }
    entries.set(key, entry, prepared.bytes)
    return { entry }
  }

  const together = (key: string, begin: () => Promise<Outcome>): Promise<Outcome> => {
    const running = underWay.get(key)
    if (running) return running
    const begun = begin().finally(() => underWay.delete(key))
    underWay.set(key, begun)
    return begun
  }

  const sentAway = async (entered: Away, found: FoundSite, asked: Asked): Promise<Outcome> => {
    const { location, cookies } = entered
    if (entered.kind === 'sign-in' && isProgram(asked, entered))
      return { answer: needsToken, caching: neverStored, cookies }
    if (location !== undefined) {
      const headers = { location, 'referrer-policy': 'no-referrer' }
      return { answer: { status: 302, headers, lasts: 'never' }, caching: neverStored, cookies }
    }
    const answer = await (await site()).shut(identityOf(found), asked)
    return { answer, caching: answer.lasts === 'forever' ? forEver : neverStored, cookies }
  }

  return {
    entries,
    site,
    find: (url, commitVersion) => findSiteAt({ db, env, commitVersion }, url),
    read,
    failed: async (found, requestId) => (await site()).failed(identityOf(found), requestId),
  }
}

type Away = Exclude<Entered, { kind: 'visitor' }>
type Visitor = Extract<Entered, { kind: 'visitor' }>

interface Making extends Omit<Coming, 'key'> {
  entered: Visitor
  asked: Asked
  version: string
  isOpen: boolean
  key: string
}

/** What is kept of a site between its versions is kept for equal ones: nothing known is not the same as nothing asked. */
function wordsOf({ claims, scope, isPreview }: Visitor): string {
  const known = scope.visitor === untold ? `untold ${claims}` : claims
  return isPreview ? `preview ${known}` : known
}

/** Readers who are not just anyone find only what was made for the same claims on the same site. */
const privateKey = (
  { found, flavour }: Coming,
  { claims, isPreview, isBearer }: Visitor,
  { path, query }: Asked,
): string => JSON.stringify([found.site.id, found.root, claims, isPreview, isBearer, flavour, path, query.get('q')])

/** Who cannot sign in anywhere, and is told what to send instead. */
const isProgram = ({ path, accept }: Asked, { isBearer }: { isBearer: boolean }): boolean =>
  path[0] === '~mcp' || (isBearer && !accept.includes('text/html'))

const needsToken: Answered = {
  status: 401,
  headers: {
    'content-type': 'text/plain; charset=utf-8',
    'www-authenticate': 'Bearer',
    'x-robots-tag': 'noindex, nofollow',
  },
  body: 'Send a token of a visitor of this site: Authorization: Bearer …\n',
  lasts: 'never',
}

const isForAll = ({ site }: FoundSite): boolean => site.visibility === 'public' || site.visibility === 'unlisted'

function visitedSite({ site, root }: FoundSite, isPreview: boolean): VisitedSite {
  const { pathname } = new URL(root)
  const basePath = pathname.replace(/\/$/, '')
  const noIndex = isPreview || site.visibility !== 'public'
  return {
    id: site.id,
    organizationId: site.organizationId,
    root: root.replace(/\/$/, ''),
    basePath,
    noIndex,
  }
}

const identityOf = (found: FoundSite) => ({
  site: visitedSite(found, false),
  title: found.site.title,
  customization: completeCustomization(found.site.customization === null ? {} : JSON.parse(found.site.customization)),
})

async function askedOf(request: IncomingMessage, url: URL, { segments, root }: FoundSite): Promise<Asked> {
  const { headers } = request
  const isPost = request.method === 'POST'
  const host = headers.host ?? ''
  const from = headers.referer === undefined || !URL.canParse(headers.referer) ? undefined : new URL(headers.referer)
  const hosts = [host, new URL(root).host]
  // The segments were cut at every slash; one at the end is told again, for who asks for the address without it.
  const isOpenEnded = url.pathname.length > 1 && (url.pathname.endsWith('/') || url.pathname.includes('//'))
  const isRoot = segments.length === 0 && url.pathname === '/'
  return {
    method: isPost ? 'POST' : 'GET',
    path: isOpenEnded && !isRoot ? [...segments, ''] : segments,
    query: url.searchParams,
    accept: headers.accept ?? '',
    ...(isPost ? await sentWith(request, hosts) : {}),
    // Behind a proxy readers come from pages of its host, whatever it calls us.
    ...(from && hosts.includes(from.host) ? { from: from.pathname } : {}),
  }
}

const sentWith = async (request: IncomingMessage, hosts: readonly string[]): Promise<Pick<Asked, 'form' | 'json'>> =>
  isJson(request) ? { json: await jsonOf(request) } : { form: await formOf(request, hosts) }

const forEver = 'public, max-age=31536000, immutable'
const neverStored = 'private, no-store'

export const effortFor = ({ lasts }: Answered): Effort =>
  lasts === 'forever' ? 'file' : lasts === 'page' ? 'page' : 'once'

function cachingOf({ lasts }: Answered, { isOpen, isUnstored }: { isOpen: boolean; isUnstored: boolean }): string {
  if (isUnstored) return neverStored
  if (lasts === 'forever') return isOpen ? forEver : forEver.replace('public', 'private')
  // Anyone may keep it, and asks each time whether it is still so.
  return isOpen && lasts === 'page' ? 'public, max-age=0, must-revalidate' : 'private, no-cache'
}

async function loadSite({ caches, threads }: Pick<Database, 'caches' | 'threads'>): Promise<SiteServer> {
  const { makeSiteServer } = await import('../../site/serve/index.ts')
  // Bundled, this file lies in dist/; unbundled it lies where the sources do.
  const root = new URL(import.meta.url.includes('/src/') ? '../../../' : '../', import.meta.url)
  return makeSiteServer(
    {
      built: fileURLToPath(new URL('dist/site', root)),
      vendored: fileURLToPath(new URL('assets/site', root)),
    },
    { caches, threads },
  )
}
