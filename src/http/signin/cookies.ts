/** Our cookies. Over https their names begin with `__Host-`: then no other host and no plain connection can set them. */
import type { Urls } from '../../core/urls.ts'
import { setCookie } from '../edge/set-cookie.ts'

const isSecure = ({ app }: Pick<Urls, 'app'>): boolean => app.startsWith('https:')

const named = (urls: Pick<Urls, 'app'>, name: string): string => (isSecure(urls) ? `__Host-${name}` : name)

/** The cookie of a session. */
export const sessionCookieName = (urls: Pick<Urls, 'app'>): string => named(urls, 'lectern_session')

/** Ties a single sign-on to the browser that began it. */
export const ssoCookieName = (urls: Pick<Urls, 'app'>): string => named(urls, 'lectern_sso')

/** Its value in the header of a request; undefined also when it comes twice, because then one is not ours. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined
  const values = header.split(';').flatMap((part) => {
    const at = part.indexOf('=')
    return at > 0 && part.slice(0, at).trim() === name ? [part.slice(at + 1).trim()] : []
  })
  return values.length === 1 && /^[\w-]{43}$/.test(values[0] ?? '') ? values[0] : undefined
}

/** They belong to the whole host, as the prefix asks, also where we stand below a path of it. */
const rootOf = ({ app }: Pick<Urls, 'app'>): string => new URL('/', app).href

export const writeCookie = (
  urls: Pick<Urls, 'app'>,
  cookie: { name: string; value: string; expires: string },
): string => setCookie({ ...cookie, root: rootOf(urls) })

export const clearCookie = (urls: Pick<Urls, 'app'>, name: string): string =>
  setCookie({ name, value: '', root: rootOf(urls), seconds: 0 })

/** What an answer says about the session: a new secret, or (null) that it has ended. */
export const sessionCookie = (
  urls: Pick<Urls, 'app'>,
  session: { secret: string; expiresAt: string } | null,
): string => {
  const name = sessionCookieName(urls)
  return session
    ? writeCookie(urls, { name, value: session.secret, expires: session.expiresAt })
    : clearCookie(urls, name)
}
