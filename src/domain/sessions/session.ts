/**
 * How a session begins, stays and ends.
 *
 * 1. Its secret is random, lives in a cookie of the browser, and only its hash is stored.
 * 2. Each sign-in makes a new one; nobody can prepare a session for somebody else.
 * 3. The secret changes once a day. The one before is accepted for two minutes more, for requests that were under way.
 * 4. It ends after two weeks without use, at the latest after ninety days; after a single sign-on already after seven, so
 *    that who has left the provider's directory is out by then.
 */
import type { Connection } from '../../store/database.ts'
import { insertSession, type SessionRow } from '../../store/people/sessions.ts'
import type { Environment } from '../environment.ts'
import { noteSignIn } from './notes.ts'

const minute = 60_000
const day = 24 * 60 * minute
const idleDays = 14
const longestDays = { password: 90, token: 90, link: 90, saml: 7, oidc: 7 } as const

/** From where a request comes, as far as it can be known. */
export interface Client {
  address: string
  userAgent: string
  /** Whether a page of ours sent it, by what the browser says of it; scripts of others cannot make it say so. */
  isOwnOrigin: boolean
}

/** What the browser is given; it is shown to nobody else. */
export interface StartedSession {
  row: SessionRow
  secret: string
}

export async function startSession(
  { db, env, now }: { db: Connection; env: Environment; now: string },
  session: {
    userId: string
    method: SessionRow['method']
    client: Pick<Client, 'address' | 'userAgent'>
    provider?: { id: string; organizationId: string } | undefined
  },
): Promise<StartedSession> {
  const secret = env.newSecret()
  const row: SessionRow = {
    id: env.newId(),
    userId: session.userId,
    hash: env.hashSecret(secret),
    previousHash: null,
    method: session.method,
    providerId: session.provider?.id ?? null,
    organizationId: session.provider?.organizationId ?? null,
    userAgent: storable(session.client.userAgent).slice(0, 256),
    address: session.client.address.slice(0, 64),
    createdAt: now,
    rotatedAt: now,
    lastUsedAt: now,
    expiresAt: later(now, longestDays[session.method] * day),
  }
  await insertSession(db, row)
  await noteSignIn({ db, env, now }, session.userId, row)
  return { row, secret }
}

export interface Lifetime {
  rotatedAt: string
  lastUsedAt: string
  expiresAt: string
}

export const idleSince = (now: string): string => later(now, -idleDays * day)

/** `isPrevious`: the secret shown is the one from before the last rotation. */
export function isAlive(session: Lifetime, { now, isPrevious }: { now: string; isPrevious: boolean }): boolean {
  if (session.expiresAt <= now || session.lastUsedAt <= idleSince(now)) return false
  return !isPrevious || later(session.rotatedAt, 2 * minute) > now
}

export const isDueForRotation = (session: Lifetime, now: string): boolean => later(session.rotatedAt, day) <= now

const later = (time: string, milliseconds: number): string => new Date(Date.parse(time) + milliseconds).toISOString()

/** Headers may hold anything; the database holds no NUL. */
const storable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?')
