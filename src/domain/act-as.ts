/**
 * Acts for somebody without a request: imports, synchronisation and other jobs do what a person asked for, as that person.
 *
 * What the caller gets is what a handler gets, so everything below `domain` can be called with it. Rights are looked up
 * again for each thing (`named`): a job of someone who has lost them since is refused like its owner.
 */
import type { Database } from '../store/database.ts'
import { findUser, type UserRow } from '../store/people/users.ts'
import type { Actor } from './actor.ts'
import type { Environment } from './environment.ts'
import type { Base } from './handler.ts'

/** `id` is the job's own, or the name of the command that works. */
export const jobActor = (user: UserRow, id: string): Actor => ({ user, credential: { kind: 'job', id } })

/** The `Base` of a handler; inside a transaction, use `{ ...base, db: tx }`. */
export const actAs = (
  { db, env, now = new Date() }: { db: Database; env: Environment; now?: Date },
  user: UserRow,
  job: string,
): Base & { db: Database } => ({ db, slow: db.slow, env, actor: jobActor(user, job), now: now.toISOString() })

/** The same for whoever has this id; undefined when the account is gone. */
export async function actAsUserId(
  parts: { db: Database; env: Environment; now?: Date },
  userId: string,
  job: string,
): Promise<(Base & { db: Database }) | undefined> {
  const user = await findUser(parts.db, { id: userId })
  return user && actAs(parts, user, job)
}
