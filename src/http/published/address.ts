/**
 * Which requests may belong to a published site, told from host and path alone. The host is only compared, never believed:
 * links and redirects are made from what is configured.
 */
import type { IncomingMessage } from 'node:http'
import { Hostname } from '../../contract/sites/site.ts'
import type { Urls } from '../../core/urls.ts'
import { isBelow, mountOf } from '../mount.ts'

export interface Addressed {
  /** The address as if it had been asked for at the configured host, or at the host of its own that a site may have. */
  url: URL
  /** Whether it is nothing else: then what is not found here is not found at all. */
  isOurs: boolean
  /** What it is when no site has this host: a proxy may call us by a name that readers never see. */
  common?: URL
}

export type Addresses = (request: IncomingMessage) => Addressed | undefined

/** The longest name that there can be, and a port. */
const longestHost = 253 + 6

export function makeAddresses(urls: Urls): Addresses {
  const app = new URL(urls.app)
  const sites = new URL(urls.sites)
  const path = sites.pathname.replace(/\/$/, '')
  const mount = sites.host === app.host && isBelow(path, mountOf(urls)) ? mountOf(urls) : ''
  const prefix = path.slice(mount.length)
  const home = `${sites.origin}${mount}`
  const isApart = sites.host !== app.host
  const named = new Map<string, boolean>()

  /** A name that a site can have; addresses and short names of machines cannot. */
  const mayBeNamed = (host: string): boolean => {
    if (host.length > longestHost) return false
    let known = named.get(host)
    if (known === undefined) {
      known = Hostname.safeParse(host.replace(/:\d+$/, '').toLowerCase()).success
      if (named.size > 1000) named.clear()
      named.set(host, known)
    }
    return known
  }

  return (request) => {
    const host = withoutLastDot(request.headers.host ?? '')
    const asked = request.url ?? '/'
    if (host !== app.host && host !== sites.host && mayBeNamed(host)) {
      const named = at(`${sites.protocol}//${host}`, asked, false)
      const common = named && prefix !== '' && isBelow(asked, prefix) ? at(home, asked, true) : undefined
      return named && common ? { ...named, common: common.url } : named
    }
    if (isApart && host === sites.host) return at(home, asked, true)
    if (isApart && (host === app.host || prefix === '')) return undefined
    if (prefix !== '') return isBelow(asked, prefix) ? at(home, asked, true) : undefined
    return at(home, asked, false)
  }
}

/** A full name may end with a dot. */
const withoutLastDot = (host: string): string =>
  host.includes('.:') || host.endsWith('.') ? host.replace(/\.(:|$)/, '$1') : host

/** Joined as text: a path such as `//other.example` must not name a host. */
function at(base: string, path: string, isOurs: boolean): Addressed | undefined {
  const address = `${base}${path.startsWith('/') ? path : '/'}`
  return URL.canParse(address) ? { url: new URL(address), isOurs } : undefined
}
