/** Messages with a link that sets a password: asked for by whoever has forgotten theirs, or sent to who was invited. */
import { z } from 'zod'
import type { Connection, Database } from '../../store/database.ts'
import { enqueue } from '../../store/jobs.ts'
import { findOrganization } from '../../store/organizations.ts'
import { findUserByEmail } from '../../store/users.ts'
import type { Environment } from '../scope.ts'
import { linkHours, makeLink } from './credentials.ts'

export const letterJob = 'letter'

export const Letter = z.object({
  email: z.string(),
  /** With the organization that they were invited to; without, they asked for it. */
  organizationId: z.string().optional(),
})

export type Letter = z.output<typeof Letter>

/** Written in the transaction that causes it. Whether there is such an account is looked up later, by the job. */
export const sendLetter = (tx: Connection, letter: Letter): Promise<boolean> =>
  enqueue(tx, { kind: letterJob, payload: letter })

/** What the job sends; undefined when nobody has the address. */
export async function writeLetter(
  { db, env, now }: { db: Database; env: Environment; now: string },
  { email, organizationId }: Letter,
): Promise<{ to: string; subject: string; text: string } | undefined> {
  const user = await findUserByEmail(db, email)
  if (!user) return undefined
  const organization = organizationId === undefined ? undefined : await findOrganization(db, { id: organizationId })
  const secret = await db.transaction((tx) => makeLink({ db: tx, env, now }, user.id))
  const link = env.urls.password(secret)
  const end = `The link works once, within ${linkHours} hours.`
  if (!organization)
    return {
      to: user.email,
      subject: 'Set a new password',
      text: `Somebody, probably you, asked for a new password at ${env.urls.app}.\n\nChoose it here:\n\n${link}\n\n${end} If you did not ask for it, do nothing: your password stays as it is.\n`,
    }
  const title = organization.title.replace(/\s+/g, ' ')
  return {
    to: user.email,
    subject: `You were invited to ${title}`,
    text: `You were invited to ${title} at ${env.urls.app}.\n\nChoose a password here, and you are in:\n\n${link}\n\n${end} Later, ask for another at ${env.urls.app}/signin/reset.\n`,
  }
}
