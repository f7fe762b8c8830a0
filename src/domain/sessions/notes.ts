/**
 * Sign-ins in the audit log of every organization whose member the person is: admins ask who came in, when, how and from
 * where, and who tried to.
 */
import { z } from 'zod'
import type { Connection } from '../../store/database.ts'
import { enqueueAlone } from '../../store/jobs.ts'
import { organizationIdsOf } from '../../store/people/members.ts'
import type { SessionRow } from '../../store/people/sessions.ts'
import { findUserByEmail } from '../../store/people/users.ts'
import type { Environment } from '../environment.ts'
import { type EventAction, note } from '../events/note.ts'
import type { Base } from '../handler.ts'

interface Parts {
  db: Connection
  env: Environment
  now: string
}

export async function noteSignIn(parts: Parts, userId: string, session: SessionRow): Promise<void> {
  const { method, providerId, address } = session
  const data = { method, ...(providerId === null ? {} : { provider: providerId }) }
  const credential = { kind: 'session' as const, id: session.id }
  await noteEverywhere(parts, { userId, action: 'signed_in', credential, address, data })
}

/** A sign-in that failed, as it waits to be noted. */
export const RefusedSignIn = z.object({ email: z.string(), address: z.string(), at: z.string() })
export type RefusedSignIn = z.output<typeof RefusedSignIn>

export const refusedSignInKind = 'refused-sign-in'

/**
 * Whether there is such an account is found out by a job, later: here both ways write the same row, so that the time an
 * answer takes does not tell.
 */
export const noteRefusedSignIn = (db: Connection, refused: RefusedSignIn): Promise<void> =>
  enqueueAlone(db, { kind: refusedSignInKind, payload: refused })

export async function writeRefusedSignIn(
  parts: Omit<Parts, 'now'> & { jobId: string },
  { email, address, at }: RefusedSignIn,
): Promise<void> {
  const user = await findUserByEmail(parts.db, email)
  if (!user) return
  const credential = { kind: 'job' as const, id: parts.jobId }
  await noteEverywhere(
    { ...parts, now: at },
    { userId: user.id, action: 'sign_in_refused', credential, address, data: {} },
  )
}

async function noteEverywhere(
  { db, env, now }: Parts,
  event: {
    userId: string
    action: Extract<EventAction, 'signed_in' | 'sign_in_refused'>
    credential: Base['actor']['credential']
    address: string
    data: Record<string, unknown>
  },
): Promise<void> {
  const { userId, action, credential, address, data } = event
  const base = { db, env, now, actor: { user: { id: userId }, credential }, address }
  for (const { organizationId } of await organizationIdsOf(db, { userId }))
    await note(base, { organizationId, action, target: { type: 'member', id: userId }, data })
}
