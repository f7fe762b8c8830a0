/**
 * Who reads a published site, and what of it they see.
 *
 * 1. A site that is not published, or asks for a share key that was not given, is not there.
 * 2. Signed claims are those of a JWT under this site's own key; a token that is anything else is no token.
 * 3. What a visitor says of themselves is found under `visitor.claims.unsigned` only, and where the site declares its
 *    claims, only what is declared is found at all. With adaptive content off, nothing is: a condition that asks for the
 *    visitor then holds for nobody.
 * 4. A visitor is an actor: they read the site and its spaces through the same operations as everyone, and nothing else is
 *    there for them.
 */
import { fail } from '../../../core/errors.ts'
import { visitorScope } from '../../../core/expressions/claims.ts'
import { claimsAgainst } from '../../../core/expressions/declared-claims.ts'
import { type Scope, untold } from '../../../core/expressions/evaluate.ts'
import { checkAdaptiveSchema } from '../../../core/expressions/schema.ts'
import { unsignedClaims } from '../../../core/expressions/unsigned.ts'
import { findChangeRequest } from '../../../store/content/change-requests.ts'
import { cachedSite } from '../../../store/sites/cached-sites.ts'
import type { SiteRow } from '../../../store/sites/sites.ts'
import type { Actor, Visit } from '../../actor.ts'
import type { Environment } from '../../environment.ts'
import type { Base } from '../../handler.ts'
import { shownTo } from '../structure/state.ts'
import { linkOfKey } from './share-keys.ts'

type Reach = Pick<Base, 'db' | 'env' | 'now'>

/** What a visitor comes with. */
export interface VisitorCredentials {
  shareKey?: string | undefined
  jwtToken?: string | undefined
  unsignedClaims?: Readonly<Record<string, unknown>> | undefined
  /** The query of the address they ask for. */
  query?: Iterable<readonly [string, string]> | undefined
  /** Opens a site for a while, published or not: for those who work on it. */
  preview?: string | undefined
}

/** `scope`: let in, and what conditions know of them. `authenticate`: only a token of the site's own would let them in. */
export type Admission =
  | { scope: Scope; isSigned: boolean; draft?: Draft | undefined; endsAt: number | undefined }
  | { authenticate: true }

/** A change request that a preview shows in the place of the content of its space. */
export interface Draft {
  spaceId: string
  changeRequestId: string
}

export async function admit(reach: Reach, site: SiteRow, shown: VisitorCredentials): Promise<Admission> {
  const claims = await claimsOf(reach, site, shown)
  const scope = scopeOf(site, claims ?? {}, shown)
  const isSigned = claims !== undefined
  const ends = typeof claims?.exp === 'number' ? claims.exp * 1000 : undefined
  if (shown.preview !== undefined) {
    const opened = openPreview(reach, site, shown.preview)
    if (!opened) throw fail('not_found')
    const until = Date.parse(opened.until)
    return { scope, isSigned, draft: opened.draft, endsAt: ends && ends < until ? ends : until }
  }
  if (site.published === 0) throw fail('not_found')
  if (site.visibility === 'share-link') {
    const link = shown.shareKey === undefined ? undefined : await linkOfKey(reach, shown.shareKey)
    if (link?.siteId !== site.id) throw fail('not_found')
  }
  return site.visibility === 'visitor-auth' && !isSigned ? { authenticate: true } : { scope, isSigned, endsAt: ends }
}

/** The key of a site's visitors: derived, so that it is stored nowhere; the next version of it is another key. */
export const visitorKeyOf = ({ signer }: Pick<Environment, 'signer'>, site: SiteRow): string =>
  signer.derive('visitor-key', `${site.id}\n${site.visitorKeyVersion}`)

export const claimsOf = async ({ env, now }: Reach, site: SiteRow, { jwtToken }: VisitorCredentials) => {
  if (jwtToken === undefined) return undefined
  for (const key of env.signer.deriveAll('visitor-key', `${site.id}\n${site.visitorKeyVersion}`)) {
    const claims = await env.signer.readJwt(jwtToken, { key, now: new Date(now) })
    if (claims) return claims
  }
  return undefined
}

/** Why a token is none of this site's; undefined when it is one. */
export async function faultOfToken(reach: Reach, site: SiteRow, token: string): Promise<string | undefined> {
  if (await claimsOf(reach, site, { jwtToken: token })) return undefined
  const { env, now } = reach
  return env.signer.faultOfJwt(token, { key: visitorKeyOf(env, site), now: new Date(now) })
}

export function scopeOf(site: SiteRow, claims: Readonly<Record<string, unknown>>, shown: VisitorCredentials): Scope {
  const unsigned = unsignedClaims({
    cookies: shown.unsignedClaims === undefined ? [] : [JSON.stringify(shown.unsignedClaims)],
    query: shown.query ?? [],
  })
  return scopeOn(site, { claims, unsigned })
}

type Given = Readonly<Record<string, unknown>>

/** What conditions of a site find of these claims, as the site is now. */
export function scopeOn(site: SiteRow, given: { claims: Given; unsigned: Given }): Scope {
  if (site.adaptiveContent === 0) return { ...visitorScope({}), visitor: untold }
  const checked = site.adaptiveSchema === null ? undefined : checkAdaptiveSchema(JSON.parse(site.adaptiveSchema))
  return visitorScope(checked?.ok ? claimsAgainst(checked.schema, given) : given)
}

const previewPurpose = 'site-preview'

export const previewToken = (
  env: Pick<Environment, 'signer'>,
  { siteId, until, draft }: { siteId: string; until: string; draft?: Draft | undefined },
): string =>
  env.signer.seal(previewPurpose, [siteId, until, ...(draft ? [draft.spaceId, draft.changeRequestId] : [])].join(' '))

function openPreview({ env, now }: Reach, site: SiteRow, token: string): { until: string; draft?: Draft } | undefined {
  const [siteId, until = '', spaceId, changeRequestId] = env.signer.open(previewPurpose, token)?.split(' ') ?? []
  if (siteId !== site.id || until <= now) return undefined
  return spaceId === undefined || changeRequestId === undefined
    ? { until }
    : { until, draft: { spaceId, changeRequestId } }
}

/** What a visitor who was let in finds there. */
export async function visitOf(
  { db, commitVersion }: Pick<Base, 'db'> & Pick<Visit, 'commitVersion'>,
  site: SiteRow,
  { scope, shareKey, draft }: Pick<Visit, 'scope' | 'shareKey'> & { draft?: Draft | undefined },
): Promise<Visit> {
  const found = await cachedSite(db, site.id, commitVersion)
  if (!found) throw fail('not_found')
  const { parts } = found
  const shown = shownTo(parts, new Map(parts.spaces.map((space) => [space.spaceId, space])), scope)
  return {
    commitVersion,
    siteId: site.id,
    organizationId: site.organizationId,
    spaces: new Set(shown.spaces.map((space) => space.spaceId)),
    scope,
    shareKey,
    ...(draft ? { drafts: await draftsOf({ db }, draft) } : {}),
  }
}

async function draftsOf({ db }: Pick<Base, 'db'>, draft: Draft): Promise<ReadonlyMap<string, string>> {
  const row = await findChangeRequest(db, { spaceId: draft.spaceId, id: draft.changeRequestId })
  return new Map(row ? [[draft.spaceId, row.revisionId]] : [])
}

/** The visitor as the one who calls: for whoever serves the site. No account has this id. */
export const visitorActor = (visit: Visit, id = visit.siteId): Actor => ({
  user: { id: '~visitor', displayName: 'Visitor', email: '', folded: '', photoURL: null, createdAt: '' },
  credential: { kind: 'visitor', id },
  visitor: visit,
})
