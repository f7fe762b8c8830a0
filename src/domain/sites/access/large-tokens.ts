/**
 * Visitors' tokens that no cookie can hold: browsers drop cookies above 4 KB, and with them the visitor's claims. Such a
 * token is kept here until it ends, and the cookie says a secret derived from it.
 */
import type { Database } from '../../../store/database.ts'
import { findVisitorToken, insertVisitorToken } from '../../../store/sites/visitor-tokens.ts'
import type { Base } from '../../handler.ts'

/** What is left of 4096 bytes beside the name and the attributes of the cookie. */
const largestInCookie = 3_500
/** No token begins with a tilde. */
const prefix = '~'

type Reach = Pick<Base, 'env' | 'now'> & { db: Database }

/** What the cookie of a visitor says: the token, or what it is kept under. The token was verified before. */
export async function cookieValueOf(
  { db, env }: Reach,
  siteId: string,
  { token, expiresAt }: { token: string; expiresAt: string },
): Promise<string> {
  if (token.length <= largestInCookie) return token
  const secret = env.signer.derive('visitor-token', `${siteId} ${token}`)
  await db.transaction((tx) => insertVisitorToken(tx, { id: env.hashSecret(secret), siteId, token, expiresAt }))
  return `${prefix}${secret}`
}

/** The token that a cookie says or names. One that has ended, or is of another site, is as if there were none. */
export async function tokenOfCookie(
  { db, env, now }: Reach,
  siteId: string,
  value: string | undefined,
): Promise<string | undefined> {
  if (!value?.startsWith(prefix)) return value
  return (await findVisitorToken(db, { id: env.hashSecret(value.slice(prefix.length)), siteId, now }))?.token
}
