/**
 * Who calls: the account behind what a request shows. Each way of showing it is a scheme; the first whose secret the
 * request carries decides, and a wrong one is not made up for by another.
 */
import type { Actor, Credential } from '../../domain/actor.ts'
import type { Environment } from '../../domain/environment.ts'
import { isAlive } from '../../domain/sessions/session.ts'
import { openSiteToken } from '../../domain/sites/access/site-token.ts'
import type { Database } from '../../store/database.ts'
import { findSessionOwner, organizationsBehindSso, touchSession } from '../../store/people/sessions.ts'
import { findTokenOwner, touchToken } from '../../store/people/users.ts'

/** A secret is asked for again after this long, so that one revoked on another process is refused within a second. */
const trustMilliseconds = 500
const rememberAtMost = 10_000
const touchMilliseconds = 60_000

/** What a request shows of who sent it. */
export interface Shown {
  authorization?: string | undefined
  /** The secret of a session; only where the cookie counts (`signin/own-origin.ts`). */
  session?: string | undefined
  /**
   * Whose session it must be. A tab of the app says who opened it: when somebody else has signed in beside it in the same
   * browser, what it still has to send is not theirs.
   */
  user?: string | undefined
}

interface Parts {
  db: Database
  env: Environment
  clock: () => Date
}

interface Scheme {
  kind: Credential['kind']
  /** The secret, if one of this kind is shown. */
  read(shown: Shown): string | undefined
  /** Whose it is. */
  find(parts: Parts, secret: string): Promise<{ actor: Actor; lastUsedAt: string | null } | undefined>
  /** Notes that it was used. */
  touch(parts: Parts, used: { id: string; now: string }): Promise<unknown>
}

/** Tokens of sites, which `POST /v1/urls/published` hands out: a JWT where an API token would stand. */
const visitor: Scheme = {
  kind: 'visitor',
  read: ({ authorization }) =>
    authorization === undefined || !authorization.startsWith('eyJ', 'Bearer '.length)
      ? undefined
      : /^Bearer (eyJ[\w-]{1,8000}\.[\w-]{1,16000}\.[\w-]{1,512})$/i.exec(authorization)?.[1],
  async find({ db, env, clock }, secret) {
    const actor = await openSiteToken({ db, env, now: clock().toISOString() }, secret)
    return actor && { actor, lastUsedAt: null }
  },
  touch: async () => {},
}

/** API tokens: `Authorization: Bearer …`. */
const token: Scheme = {
  kind: 'token',
  read: ({ authorization }) =>
    authorization === undefined ? undefined : /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization)?.[1],
  async find({ db, env }, secret) {
    const row = await findTokenOwner(db, { hash: env.hashSecret(secret) })
    if (!row) return undefined
    const { tokenId, lastUsedAt, ...user } = row
    return { actor: { user, credential: { kind: 'token', id: tokenId } }, lastUsedAt }
  },
  touch: ({ db }, used) => touchToken(db, used),
}

/** Sessions: a cookie of ours. Whoever sends a token means the token. */
const session: Scheme = {
  kind: 'session',
  read: ({ authorization, session: secret }) => (authorization === undefined ? secret : undefined),
  async find({ db, env, clock }, secret) {
    const hash = env.hashSecret(secret)
    const row = await findSessionOwner(db, { hash })
    if (!row) return undefined
    const { sessionId, sessionHash, ssoOrganizationId, rotatedAt, lastUsedAt, expiresAt, ...user } = row
    const lifetime = { rotatedAt, lastUsedAt, expiresAt }
    if (!isAlive(lifetime, { now: clock().toISOString(), isPrevious: sessionHash !== hash })) return undefined
    const behindSso = await organizationsBehindSso(db, { userId: user.id })
    const shutOut = new Set(behindSso.flatMap(({ id }) => (id === ssoOrganizationId ? [] : [id])))
    return {
      actor: {
        user,
        credential: { kind: 'session', id: sessionId },
        session: { ...lifetime, hash: sessionHash, shutOut },
      },
      lastUsedAt,
    }
  },
  touch: ({ db }, used) => touchSession(db, used),
}

/** In the order in which they are tried. */
const schemes: readonly Scheme[] = [visitor, token, session]

interface Read {
  scheme: Scheme
  secret: string
}

function schemeOf(shown: Shown): Read | undefined {
  for (const scheme of schemes) {
    const secret = scheme.read(shown)
    if (secret !== undefined) return { scheme, secret }
  }
  return undefined
}

/** The secret that a request shows, as one text that no other kind of secret shares; undefined when it shows none. */
export function secretShown(shown: Shown): string | undefined {
  const found = schemeOf(shown)
  return found && `${found.scheme.kind} ${found.secret}`
}

/**
 * `commitVersion` is the database's: while it stands, so does what was read of a secret. Not always a promise: mostly it is known
 * whose a secret is.
 */
export type Authenticator = (shown: Shown, commitVersion?: number) => Actor | undefined | Promise<Actor | undefined>

export function makeAuthenticator(parts: Parts): Authenticator {
  const { clock } = parts
  const known = new Map<string, { actor: Actor; until: number; commitVersion: number | undefined }>()
  const touched = new Map<string, number>()

  const touch = (scheme: Scheme, id: string, lastUsedAt: string | null): void => {
    const now = clock()
    const last = touched.get(id) ?? (lastUsedAt === null ? 0 : Date.parse(lastUsedAt))
    if (now.getTime() - last < touchMilliseconds) return
    if (touched.size >= rememberAtMost) touched.clear()
    touched.set(id, now.getTime())
    // Nobody waits for this note, and a token used while the database is away has other troubles.
    scheme.touch(parts, { id, now: now.toISOString() }).catch(() => {})
  }

  const find = async ({ scheme, secret }: Read, key: string, commitVersion?: number): Promise<Actor | undefined> => {
    const now = performance.now()
    const found = await scheme.find(parts, secret)
    if (!found) {
      known.delete(key)
      return undefined
    }
    const { actor, lastUsedAt } = found
    if (known.size >= rememberAtMost) known.clear()
    known.set(key, { actor, until: now + trustMilliseconds, commitVersion })
    touch(scheme, actor.credential.id, lastUsedAt)
    return actor
  }

  return (shown, commitVersion) => {
    const read = schemeOf(shown)
    if (!read) return undefined
    const key = `${read.scheme.kind} ${read.secret}`
    const remembered = known.get(key)
    const isFresh = remembered && remembered.commitVersion === commitVersion && remembered.until > performance.now()
    return isFresh ? remembered.actor : find(read, key, commitVersion)
  }
}
