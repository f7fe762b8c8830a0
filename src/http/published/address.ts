/**
 * Which requests may belong to a published site, told from host and path alone. The host is only compared, never believed:
 * links and redirects are made from what is configured.
 */
import type { IncomingMessage } from 'node:http'
import { Hostname } from '../../contract/site.ts'
import type { Urls } from '../../core/urls.ts'

export interface Addressed {
  /** The address as if it had been asked for at the configured host, or at the host of its own that a site may have. */
  url: URL
  /** Whether it is nothing else: then what is not found here is not found at all. */
  isOurs: boolean
}

export type Addresses = (request: IncomingMessage) => Addressed | undefined

export function makeAddresses(urls: Urls): Addresses {
  const app = new URL(urls.app)
  const sites = new URL(urls.sites)
  const prefix = sites.pathname.replace(/\/$/, '')
  const isApart = sites.host !== app.host
  const named = new Map<string, boolean>()

  /** A name that a site can have; addresses and short names of machines cannot. */
  const mayBeNamed = (host: string): boolean => {
    let known = named.get(host)
    if (known === undefined) {
      known = Hostname.safeParse(host.replace(/:\d+$/, '').toLowerCase()).success
      if (named.size > 1000) named.clear()
      named.set(host, known)
    }
    return known
  }

  return (request) => {
    const { host = '' } = request.headers
    const path = request.url ?? '/'
    if (host !== app.host && host !== sites.host && mayBeNamed(host))
      return at(`${sites.protocol}//${host}`, path, false)
    if (isApart && host === sites.host) return at(sites.origin, path, true)
    if (isApart && (host === app.host || prefix === '')) return undefined
    if (prefix !== '') return isBelow(path, prefix) ? at(sites.origin, path, true) : undefined
    return at(sites.origin, path, false)
  }
}

const isBelow = (path: string, prefix: string): boolean =>
  path.startsWith(prefix) && (path.length === prefix.length || /[/?]/.test(path.charAt(prefix.length)))

/** Joined as text: a path such as `//other.example` must not name a host. */
function at(origin: string, path: string, isOurs: boolean): Addressed | undefined {
  const address = `${origin}${path.startsWith('/') ? path : '/'}`
  return URL.canParse(address) ? { url: new URL(address), isOurs } : undefined
}
