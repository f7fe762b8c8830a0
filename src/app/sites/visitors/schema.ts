/** The schema of a site's visitors: read anew before each change, so that no other one is written over. */
import { call, callQuery, type Name, queries } from '../../session/client.ts'
import type { SiteIds } from '../row.tsx'
import { type Claim, claimsIn, isSame, schemaIn, schemaOf } from './claims.ts'

export const staleSchema: Name[] = ['getSiteAdaptiveSchema', 'listSiteAdaptiveTemplateConditions']

export const putSchema = (ids: SiteIds, jsonSchema: unknown): Promise<unknown> =>
  call('updateSiteAdaptiveSchema', { ...ids, body: { jsonSchema } })

async function changeClaims(ids: SiteIds, change: (claims: Claim[]) => Claim[]): Promise<void> {
  const { jsonSchema } = await queries.fetchQuery({ ...callQuery('getSiteAdaptiveSchema', ids), staleTime: 0 })
  const schema = schemaIn(jsonSchema)
  await putSchema(ids, schemaOf(schema, change(claimsIn(schema))))
}

/** In the place of the one before, or last. */
export const putClaim = (ids: SiteIds, claim: Claim, before?: Claim): Promise<void> =>
  changeClaims(ids, (claims) =>
    before && claims.some((one) => isSame(one, before))
      ? claims.map((one) => (isSame(one, before) ? claim : one))
      : [...claims, claim],
  )

/** Again where it stood. */
export const restoreClaim = (ids: SiteIds, claim: Claim, at: number): Promise<void> =>
  changeClaims(ids, (claims) => [...claims.slice(0, at), claim, ...claims.slice(at)])

export const removeClaim = (ids: SiteIds, claim: Claim): Promise<void> =>
  changeClaims(ids, (claims) => claims.filter((one) => !isSame(one, claim)))
