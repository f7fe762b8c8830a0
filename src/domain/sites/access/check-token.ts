/** What a visitor's token admits to: by the same steps as for whoever comes with it. */
import type { z } from 'zod'
import type { TokenCheck, VisitorTokenCheck } from '../../../contract/sites/visitor-token.ts'
import { isObject, readProperty } from '../../../core/expressions/values.ts'
import { findParts, spacesOfSite } from '../../../store/sites/sites.ts'
import type { Base } from '../../handler.ts'
import type { Things } from '../../things.ts'
import { shownTo } from '../structure/state.ts'
import { claimsOf, faultOfToken, scopeOf } from './visitors.ts'

/** What the token says about itself; conditions are about the visitor. */
const registered = new Set(['exp', 'iat', 'nbf', 'iss', 'aud', 'sub', 'jti'])

export async function checkVisitorToken(
  base: Base,
  site: Things['site'],
  { token, unsignedClaims = {} }: z.output<typeof TokenCheck>,
): Promise<z.output<typeof VisitorTokenCheck>> {
  const claims = await claimsOf(base, site, { jwtToken: token })
  const reason = claims ? undefined : await faultOfToken(base, site, token)
  const scope = scopeOf(site, claims ?? {}, { unsignedClaims })
  const known = readProperty(scope.visitor, 'claims')
  const found = isObject(known) ? { ...known } : {}
  const parts = await findParts(base.db, site.id)
  const spaces = new Map((await spacesOfSite(base.db, { siteId: site.id })).map((row) => [row.id, row]))
  const shown = shownTo(parts, spaces, scope)
  const admitted = site.visibility !== 'visitor-auth' || claims !== undefined
  const item = (row: { id: string; path: string; condition: string | null }) => ({
    id: row.id,
    path: row.path,
    ...(row.condition === null ? {} : { condition: row.condition }),
  })
  return {
    object: 'visitor-token-check',
    accepted: claims !== undefined,
    ...(reason === undefined ? {} : { reason }),
    ...(typeof claims?.exp === 'number' ? { expiresAt: timeOf(claims.exp) } : {}),
    admitted,
    claims: found,
    ignored: Object.keys(claims ?? {}).filter((name) => !Object.hasOwn(found, name) && !registered.has(name)),
    items: [
      ...parts.sections.map((row) => ({
        object: 'site-section' as const,
        ...item(row),
        title: row.title,
        shown: admitted && shown.sections.some(({ id }) => id === row.id),
      })),
      ...parts.spaces.flatMap((row) => {
        const space = spaces.get(row.spaceId)
        if (!space) return []
        const isShown = admitted && shown.spaces.some(({ id }) => id === row.id)
        return [{ object: 'site-space' as const, ...item(row), title: space.title, shown: isShown }]
      }),
    ],
  }
}

/** A time that no calendar knows is the last one. */
const timeOf = (seconds: number): string => new Date(Math.min(seconds, 253_402_300_799) * 1000).toISOString()
