/** What the server of a site is handed, and what it hands back: plain values, whatever carries them. */

import type { Client } from '../../client/client.ts'
import type { Caches } from '../../core/caches.ts'
import type { Scope } from '../../core/expressions/evaluate.ts'
import { onSameOrigin } from '../../core/url-paths.ts'
import type { Threads } from '../../threads/supervisor.ts'
import type { RenderedParts } from '../render/parts.ts'

/** One visitor of one site. Everything they see is read through `client`, which is theirs. */
export interface Visiting {
  client: Client
  /** What is kept in memory for all visitors. */
  caches: Caches
  threads: Threads
  renderedParts: RenderedParts
  /** What conditions know of them. */
  scope: Scope
  /** Equal for two visitors whose claims are equal: what was made for the one is right for the other. */
  claims: string
  /** Changes with anything that a page of the site shows. */
  version: string
  site: VisitedSite
}

export interface VisitedSite {
  id: string
  organizationId: string
  /** Where readers reach it: absolute, without a trailing slash. */
  root: string
  /** The path of `root`, without a trailing slash. */
  basePath: string
  /** Search engines are told to stay away: unlisted, private, or a preview. */
  noIndex: boolean
}

export interface Asked {
  method: 'GET' | 'POST'
  /** Behind the address of the site, decoded. */
  path: readonly string[]
  query: URLSearchParams
  accept: string
  /** The body of a POST that is a form. */
  form?: URLSearchParams | undefined
  /** The body of a POST that is JSON, and the headers that say how it is meant. */
  json?: { text: string; headers: Readonly<Record<string, string>> } | undefined
  /** The page they come from, when it is one of this site. */
  from?: string | undefined
}

export interface Answered {
  status: number
  headers: Readonly<Record<string, string>>
  body?: string | Uint8Array
  /** Hash of the body, where it is worth an ETag. */
  hash?: string
  /**
   * `page`: the same for everyone with these claims until the site changes. `forever`: its address names its content.
   * `never`: made for this request.
   */
  lasts: 'page' | 'forever' | 'never'
  /** The page that was read, for the counts. */
  viewed?: { siteSpace: string; page: string }
  /** A download address of the API, whose bytes are the body. */
  file?: string
}

type RedirectStatus = 301 | 302 | 303 | 307 | 308

/** To another path of this host, whatever the path holds. */
export const redirectTo = (path: string, status: RedirectStatus = 307): Answered =>
  redirectAway(onSameOrigin(path), status)

/** To an address that an author of the site has set. */
export const redirectAway = (location: string, status: RedirectStatus = 307): Answered => ({
  status,
  headers: { location },
  lasts: 'never',
})
