/** Who calls: the account behind a bearer token. */
import type { Actor } from '../domain/scope.ts'
import type { Database } from '../store/database.ts'
import { findTokenOwner, touchToken } from '../store/users.ts'

/** A token is asked for again after this long, so that one revoked on another process is refused within a second. */
const trustMilliseconds = 500
const rememberAtMost = 10_000
const touchMilliseconds = 60_000

/** `mark` is the database's: while it stands, so does what was read of a token. */
export type Authenticator = (authorization: string | undefined, mark?: number) => Promise<Actor | undefined>

export function makeAuthenticator(parts: {
  db: Database
  hashSecret: (secret: string) => string
  clock: () => Date
}): Authenticator {
  const { db, hashSecret, clock } = parts
  const known = new Map<string, { actor: Actor; until: number; mark: number | undefined }>()
  const touched = new Map<string, number>()

  const touch = (id: string, lastUsedAt: string | null): void => {
    const now = clock()
    const last = touched.get(id) ?? (lastUsedAt === null ? 0 : Date.parse(lastUsedAt))
    if (now.getTime() - last < touchMilliseconds) return
    if (touched.size >= rememberAtMost) touched.clear()
    touched.set(id, now.getTime())
    // Nobody waits for this note, and a token used while the database is away has other troubles.
    touchToken(db, { id, now: now.toISOString() }).catch(() => {})
  }

  return async (authorization, mark) => {
    if (authorization === undefined) return undefined
    const token = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization)?.[1]
    if (token === undefined) return undefined
    const now = performance.now()
    const remembered = known.get(token)
    if (remembered && remembered.until > now && remembered.mark === mark) return remembered.actor
    const row = await findTokenOwner(db, { hash: hashSecret(token) })
    if (!row) {
      known.delete(token)
      return undefined
    }
    const { tokenId, lastUsedAt, ...user } = row
    const actor: Actor = { user, tokenId }
    if (known.size >= rememberAtMost) known.clear()
    known.set(token, { actor, until: now + trustMilliseconds, mark })
    touch(tokenId, lastUsedAt)
    return actor
  }
}
