/** Changes the secret of a session once a day: one that was copied from a disk or a backup is soon worth nothing. */
import { type Actor, keyOfCredential } from '../../domain/actor.ts'
import { isDueForRotation } from '../../domain/sessions/session.ts'
import { rotateSession } from '../../store/people/sessions.ts'
import type { AddHeader } from '../api/admit.ts'
import type { Parts } from '../api/dispatch.ts'
import { sessionCookie } from './cookies.ts'

/** Sessions whose secret is being changed: a page asks for many things at once, and one change is enough. */
const underWay = new Set<string>()

export async function rotateWhenDue({ db, env, clock }: Parts, actor: Actor, add: AddHeader): Promise<void> {
  const { session, credential } = actor
  const now = clock().toISOString()
  const key = keyOfCredential(credential)
  if (!session || !isDueForRotation(session, now) || underWay.has(key)) return
  underWay.add(key)
  try {
    const secret = env.newSecret()
    const change = { id: credential.id, hash: session.hash, newHash: env.hashSecret(secret), now }
    if (!(await rotateSession(db, change))) return
    add('set-cookie', sessionCookie(env.urls, { secret, expiresAt: session.expiresAt }))
  } finally {
    underWay.delete(key)
  }
}
