/**
 * The cookies of published sites: what let a visitor in, and what they say of themselves. Each belongs to the path of its
 * site; scripts cannot read those that we set.
 */

/** All of ours begin with this, so that a request without any is told at once. */
export const cookiePrefix = 'lectern-'

export const cookieNames = {
  share: 'lectern-share',
  preview: 'lectern-preview',
  visitor: 'lectern-visitor-token',
} as const

/** Set by the owner's pages, readable by scripts: JSON of unsigned claims. Several may stand beside each other. */
const publicClaims = 'lectern-visitor-public'
const mostCookies = 50

export interface SiteCookies {
  share?: string
  preview?: string
  visitor?: string
  claims: Record<string, unknown>
}

export function readCookies(header: string | undefined): SiteCookies {
  const found: SiteCookies = { claims: {} }
  if (header === undefined || !header.includes(cookiePrefix)) return found
  for (const pair of header.split(';', mostCookies)) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    if (at === -1 || !name.startsWith(cookiePrefix)) continue
    const value = decoded(pair.slice(at + 1).trim())
    // Of two with one name the first is that of the longer path, which is this site's.
    if (name === cookieNames.share) found.share ??= value
    else if (name === cookieNames.preview) found.preview ??= value
    else if (name === cookieNames.visitor) found.visitor ??= value
    else if (name.startsWith(publicClaims)) Object.assign(found.claims, claimsIn(value))
  }
  return found
}

function claimsIn(text: string): object {
  if (text.length > 4_096) return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replace(/^"(.*)"$/, '$1'))
  } catch {
    return text
  }
}
