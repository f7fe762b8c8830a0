/** What a request shows of who sent it, with the cookie of a session only where it counts. */
import type { Urls } from '../../core/urls.ts'
import type { Shown } from '../api/authenticate.ts'
import { readCookie, sessionCookieName } from './cookies.ts'
import { isCookieGood, type OriginHeaders } from './own-origin.ts'

export type ShownReader = (
  method: string | undefined,
  headers: OriginHeaders & { authorization?: string | undefined; cookie?: string | undefined },
) => Shown

export function makeShownReader(urls: Pick<Urls, 'app'>): ShownReader {
  const { origin } = new URL(urls.app)
  const name = sessionCookieName(urls)
  return (method, headers) => {
    const { authorization, cookie } = headers
    if (authorization !== undefined || cookie === undefined) return { authorization }
    const isWrite = method !== 'GET' && method !== 'HEAD'
    if (!isCookieGood(headers, { origin, isWrite })) return {}
    const user = headers['x-lectern-user']
    return { session: readCookie(cookie, name), ...(isWrite && typeof user === 'string' ? { user } : {}) }
  }
}
