/**
 * Who comes: what let them in before (cookies), what lets them in now (a share key, a preview token or a visitor's token in
 * the address), and where they are sent. What let them in leaves the address at once and becomes a cookie of the site's
 * path, so that it is in no history, no referrer and no bookmark. Programs keep no cookies: they say the same with each
 * request, as a bearer of a visitor's token or of a share key.
 */
import { createHash } from 'node:crypto'
import { ApiError } from '../../core/errors.ts'
import { type Scope, untold } from '../../core/expressions/evaluate.ts'
import { onSameOrigin, pathFrom } from '../../core/url-paths.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Environment } from '../../domain/environment.ts'
import { enterSite, type FoundSite } from '../../domain/sites/access/enter.ts'
import { cookieValueOf, tokenOfCookie } from '../../domain/sites/access/large-tokens.ts'
import { claimsOf } from '../../domain/sites/access/visitors.ts'
import { previewSegment, shareSegment } from '../../domain/sites/published-address.ts'
import { signInAddress } from '../../domain/sites/reading/resolve.ts'
import type { Database } from '../../store/database.ts'
import type { SiteRow } from '../../store/sites/sites.ts'
import { setCookie } from '../edge/set-cookie.ts'
import { bearerOf } from './bearer.ts'
import { cookieNames, readCookies } from './cookies.ts'
import type { SecretGuesses } from './guesses.ts'

export type Entered =
  | { kind: 'visitor'; actor: Actor; scope: Scope; claims: string; isPreview: boolean; isBearer: boolean }
  | { kind: 'redirect'; location: string; cookies: string[] }
  | { kind: 'sign-in'; location: string | undefined; cookies: string[]; isBearer: boolean }

export interface Coming {
  found: FoundSite
  url: URL
  cookie: string | undefined
  authorization: string | undefined
  /** The network address they come from. */
  address: string
  /** They came to the common address of a site that has a host of its own. */
  isAstray: boolean
}

export interface AccessParts {
  db: Database
  env: Environment
  now: string
  guesses: SecretGuesses
}

/** Where a visitor is forgotten; `logoutURL` is where their own sign-in ends. */
const logoutSegment = '~logout'

/** Whether anyone may know that the site is there. */
const isOpenSite = (site: SiteRow): boolean => site.published === 1 && site.visibility !== 'share-link'

/** Who is kept out finds nothing: `not_found`. */
export async function enter(parts: AccessParts, coming: Coming): Promise<Entered> {
  const { found, url, cookie, authorization } = coming
  const { site, segments, root } = found
  if (coming.isAstray) return ledHome(parts, coming)
  const carried = readCookies(cookie)
  const bearer = bearerOf(authorization)
  const [segment, given = '', ...behind] = segments
  if (segment === shareSegment || segment === previewSegment) {
    const shown = segment === shareSegment ? { shareKey: given } : { preview: given }
    await counted(parts, { address: coming.address, secret: given }, () => enterSite(parts, site, shown))
    const cookies = [
      setCookie({ name: segment === shareSegment ? cookieNames.share : cookieNames.preview, value: given, root }),
    ]
    return { kind: 'redirect', location: addressOf(root, behind, url.searchParams), cookies }
  }
  if (segment === logoutSegment && segments.length === 1 && isOpenSite(site)) {
    const cookies = [setCookie({ name: cookieNames.visitor, value: '', root, seconds: 0 })]
    return { kind: 'redirect', location: site.logoutURL ?? addressOf(root, [], new URLSearchParams()), cookies }
  }
  const token = url.searchParams.get('jwt_token') ?? undefined
  const visitorToken = await tokenOfCookie(parts, site.id, carried.visitor)
  const preview = carried.preview
  const shown = {
    // A proxy before us may add a token of its own to all that browsers send: what is meant for us comes first.
    shareKey: carried.share ?? bearer?.shareKey,
    jwtToken: token ?? visitorToken ?? bearer?.jwtToken,
    unsignedClaims: carried.claims,
    query: url.searchParams,
  }
  const secret = shown.jwtToken ?? shown.shareKey
  const { entered, isPreview } = await counted(parts, { address: coming.address, secret }, () =>
    letIn(parts, site, shown, preview),
  )
  if ('authenticate' in entered)
    return { ...signIn(site, found, carried.visitor !== undefined), isBearer: bearer !== undefined }
  if (token !== undefined) {
    const rest = new URLSearchParams(url.searchParams)
    rest.delete('jwt_token')
    return {
      kind: 'redirect',
      location: addressOf(root, segments, rest),
      cookies: await cookiesFor(parts, found, token),
    }
  }
  const { scope, drafts } = entered.visit
  const claims = `${claimsKeyOf(scope)}${drafts ? ` ${[...drafts.values()].join(' ')}` : ''}`
  return { kind: 'visitor', actor: entered.actor, scope, claims, isPreview, isBearer: bearer !== undefined }
}

/**
 * A site is read at one address: its links, and the cookies of its readers, are of its own host. That there is one is told
 * to those whom it would let in.
 */
async function ledHome(parts: AccessParts, { found: { site, segments, root }, url }: Coming): Promise<Entered> {
  const [segment, given = ''] = segments
  const key = segment === shareSegment ? given : undefined
  if (!isOpenSite(site))
    await enterSite(parts, site, segment === previewSegment ? { preview: given } : { shareKey: key })
  const { origin } = new URL(root)
  return { kind: 'redirect', location: `${origin}${addressOf(root, segments, url.searchParams)}`, cookies: [] }
}

/** Lets nobody try secrets for as long as they like. */
async function counted<T extends object>(
  { guesses }: AccessParts,
  { address, secret }: { address: string; secret: string | undefined },
  enter: () => Promise<T>,
): Promise<T> {
  if (secret === undefined) return enter()
  guesses.check(address, secret)
  try {
    const result = await enter()
    if (isRefused(result)) guesses.wrong(address, secret)
    else guesses.right(secret)
    return result
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') guesses.wrong(address, secret)
    throw error
  }
}

const isRefused = (result: object): boolean =>
  'authenticate' in result || ('entered' in result && isRefused(result.entered as object))

/** A preview that has ended is as if there were none. */
async function letIn(
  parts: AccessParts,
  site: SiteRow,
  shown: Parameters<typeof enterSite>[2],
  preview: string | undefined,
) {
  if (preview !== undefined) {
    const entered = await enterSite(parts, site, { ...shown, preview }).catch(() => undefined)
    if (entered) return { entered, isPreview: true }
  }
  return { entered: await enterSite(parts, site, shown), isPreview: false }
}

function signIn(site: SiteRow, { segments, root }: FoundSite, hadToken: boolean) {
  const cookies = hadToken ? [setCookie({ name: cookieNames.visitor, value: '', root, seconds: 0 })] : []
  return { kind: 'sign-in' as const, location: signInAddress(site, segments), cookies }
}

function addressOf(root: string, segments: readonly string[], query: URLSearchParams): string {
  const { pathname } = new URL(root)
  const path = `${pathname.replace(/\/$/, '')}${pathFrom(segments)}`
  return `${onSameOrigin(path.length > 1 ? path.replace(/\/$/, '') : path)}${query.size === 0 ? '' : `?${query}`}`
}

const shortest = 60
const longest = 7 * 24 * 60 * 60

/**
 * A cookie that lives as long as its token. Where a site lets everyone in, one that is none of its own gives no cookie: it
 * would only take the place of one that is.
 */
async function cookiesFor(parts: AccessParts, { site, root }: FoundSite, token: string): Promise<string[]> {
  const claims = await claimsOf(parts, site, { jwtToken: token })
  if (claims === undefined) return []
  const now = Date.parse(parts.now)
  const seconds = Math.min(longest, Math.max(shortest, Number(claims.exp) - now / 1000))
  const expiresAt = new Date(now + seconds * 1000).toISOString()
  const value = await cookieValueOf(parts, site.id, { token, expiresAt })
  return [setCookie({ name: cookieNames.visitor, value, root, seconds })]
}

/** One text for equal claims; nobody's is empty. */
function claimsKeyOf(scope: Scope): string {
  // Nothing may be asked of them, so that all are alike.
  if (scope.visitor === untold) return ''
  const text = JSON.stringify(scope.visitor)
  return text === nobody ? '' : createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

const nobody = JSON.stringify({ claims: { unsigned: {} } })
