/** Tokens of visitors that are too large for a cookie. */
import { first, run } from '../query.ts'
import type { VisitorTokenTable } from '../tables.ts'

/** The same token is kept once, however often its visitor comes with it. */
export const insertVisitorToken = run((b, p: VisitorTokenTable) =>
  b
    .insertInto('visitorToken')
    .values({ id: p.id, siteId: p.siteId, token: p.token, expiresAt: p.expiresAt })
    .onConflict((oc) => oc.doNothing()),
)

export const findVisitorToken = first((b, p: { id: string; siteId: string; now: string }) =>
  b
    .selectFrom('visitorToken')
    .select('token')
    .where('id', '=', p.id)
    .where('siteId', '=', p.siteId)
    .where('expiresAt', '>', p.now),
)

export const deleteVisitorTokensBefore = run((b, p: { now: string }) =>
  b.deleteFrom('visitorToken').where('expiresAt', '<=', p.now),
)
