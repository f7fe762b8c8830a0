/**
 * The token by which a renderer reads a site through the API with the eyes of one visitor: a JWT that says what the
 * visitor was let into, and is no longer good when the site would not let them in any more.
 */
import { claimsUnder } from '../../../core/expressions/claims.ts'
import type { Scope } from '../../../core/expressions/evaluate.ts'
import { findSite, type SiteRow } from '../../../store/sites/sites.ts'
import type { Actor } from '../../actor.ts'
import type { Environment } from '../../environment.ts'
import type { Base } from '../../handler.ts'
import { linkOfKey } from './share-keys.ts'
import { type Draft, scopeOn, visitOf, visitorActor } from './visitors.ts'

const siteTokenSeconds = 60 * 60
const purpose = 'site-token'

/** How a visitor came in. */
interface Entry {
  scope: Scope
  shareKey: string | undefined
  draft: Draft | undefined
  /** Whether their claims came with a token of the site's own. */
  isSigned: boolean
  isPreview: boolean
  /** When what let them in ends, in milliseconds. */
  endsAt: number | undefined
}

type Signing = Pick<Environment, 'signer' | 'hashSecret'>

/** A token ends with what let the visitor in, and after an hour at the latest. */
export function makeSiteToken(
  { env: { signer }, now }: { env: Signing; now: string },
  site: SiteRow,
  entry: Entry & { siteSpace: string; space: string },
): Promise<string> {
  const { scope, shareKey, draft, isSigned, isPreview, siteSpace, space, endsAt } = entry
  const left = endsAt === undefined ? siteTokenSeconds : Math.floor((endsAt - Date.parse(now)) / 1000)
  const claims = claimsUnder(scope)
  const payload = {
    kind: 'site',
    organization: site.organizationId,
    site: site.id,
    siteSpace,
    space,
    ...(claims === undefined ? {} : { claims }),
    ...(shareKey === undefined ? {} : { shareKey }),
    // Another version of the visitors' key is another key: what it vouched for is void with it.
    ...(isSigned ? { signed: true, keyVersion: site.visitorKeyVersion } : {}),
    ...(isPreview ? { preview: true } : {}),
    ...(draft ? { draft } : {}),
  }
  return signer.jwt(payload, {
    subject: site.id,
    seconds: Math.min(siteTokenSeconds, left),
    key: signer.derive(purpose, ''),
  })
}

/** One text for visitors of whom the same is known; nothing when nothing is. */
export function contextOf(
  { hashSecret }: Signing,
  site: SiteRow,
  { scope, shareKey, draft }: Pick<Entry, 'scope' | 'shareKey' | 'draft'>,
): string | undefined {
  const claims = claimsUnder(scope)
  if (claims === undefined && shareKey === undefined && draft === undefined) return undefined
  return hashSecret(JSON.stringify([site.id, claims ?? {}, shareKey ?? '', draft ?? {}])).slice(0, 32)
}

/** The visitor whom a token stands for; undefined when it is none of ours, or lets in no more. */
export async function openSiteToken(
  base: Pick<Base, 'db' | 'now'> & { env: Environment },
  token: string,
): Promise<Actor | undefined> {
  const payload = await readToken(base, token)
  if (payload?.kind !== 'site' || typeof payload.site !== 'string') return undefined
  const site = await findSite(base.db, { id: payload.site })
  if (!site) return undefined
  const shareKey = typeof payload.shareKey === 'string' ? payload.shareKey : undefined
  const [isPreview, isSigned] = [payload.preview === true, payload.signed === true]
  if (isSigned && payload.keyVersion !== site.visitorKeyVersion) return undefined
  if (!isPreview && !(await isOpen(base, site, { shareKey, isSigned }))) return undefined
  const scope = scopeOf(site, payload.claims)
  const draft = draftIn(payload.draft)
  const visit = await visitOf(base, site, { scope, shareKey, draft })
  // Limits are counted and answers are kept by this: visitors of whom different things are known never share it.
  return visitorActor(
    visit,
    [site.id, contextOf(base.env, site, { scope, shareKey, draft }) ?? '', isPreview].join(' '),
  )
}

async function readToken({ env, now }: { env: Environment; now: string }, token: string) {
  for (const key of env.signer.deriveAll(purpose, '')) {
    const payload = await env.signer.readJwt(token, { key, now: new Date(now) })
    if (payload) return payload
  }
  return undefined
}

async function isOpen(
  base: Pick<Base, 'db' | 'now'> & { env: Environment },
  site: SiteRow,
  { shareKey, isSigned }: { shareKey: string | undefined; isSigned: boolean },
): Promise<boolean> {
  if (site.published === 0) return false
  if (site.visibility === 'share-link')
    return shareKey !== undefined && (await linkOfKey(base, shareKey))?.siteId === site.id
  return site.visibility !== 'visitor-auth' || isSigned
}

function scopeOf(site: SiteRow, given: unknown): Scope {
  const { unsigned, ...claims } = isRecord(given) ? given : {}
  return scopeOn(site, { claims, unsigned: isRecord(unsigned) ? unsigned : {} })
}

const draftIn = (given: unknown): Draft | undefined =>
  isRecord(given) && typeof given.spaceId === 'string' && typeof given.changeRequestId === 'string'
    ? { spaceId: given.spaceId, changeRequestId: given.changeRequestId }
    : undefined

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
