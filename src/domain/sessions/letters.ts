/** Messages with a link that sets a password: asked for by whoever has forgotten theirs, or sent to who was invited. */
import { z } from 'zod'
import type { Connection, Database } from '../../store/database.ts'
import { enqueue } from '../../store/jobs.ts'
import { findInvite, findOrganization } from '../../store/people/organizations.ts'
import { findUserByEmail } from '../../store/people/users.ts'
import type { Environment } from '../environment.ts'
import { linkHours, makeLink } from './credentials.ts'
import { makeSignUp } from './sign-up.ts'

const letterJob = 'letter'

export const Letter = z.object({
  email: z.string(),
  /** With the organization that they were invited to; without, they asked for it. */
  organizationId: z.string().optional(),
  /** They came by the link of this invitation, with or without an account. */
  invite: z.string().optional(),
})

export type Letter = z.output<typeof Letter>

/** Written in the transaction that causes it. Whether there is such an account is looked up later, by the job. */
export const sendLetter = (tx: Connection, letter: Letter): Promise<boolean> =>
  enqueue(tx, { kind: letterJob, payload: letter })

/** What the job sends; undefined when nobody has the address. */
export async function writeLetter(
  { db, env, now }: { db: Database; env: Environment; now: string },
  { email, organizationId, invite }: Letter,
): Promise<{ to: string; subject: string; text: string } | undefined> {
  const user = await findUserByEmail(db, email)
  if (invite !== undefined) return writeJoinLetter({ db, env, now }, { email, invite, hasAccount: user !== undefined })
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

async function writeJoinLetter(
  { db, env, now }: { db: Database; env: Environment; now: string },
  { email, invite, hasAccount }: { email: string; invite: string; hasAccount: boolean },
): Promise<{ to: string; subject: string; text: string } | undefined> {
  const known = await findInvite(db, { id: invite })
  const organization = known && (await findOrganization(db, { id: known.organizationId }))
  if (!organization || organization.inviteLinks === 0) return undefined
  const title = organization.title.replace(/\s+/g, ' ')
  const address = `${env.urls.app}/join/${invite}`
  return {
    to: email,
    subject: `Join ${title}`,
    text: hasAccount
      ? `You have an account at ${env.urls.app} already. Sign in with it, and join ${title} here:\n\n${address}\n`
      : `Somebody, probably you, wants to join ${title} at ${env.urls.app}.\n\nMake your account here:\n\n${address}/${makeSignUp({ env, now }, { invite, email })}\n\nThe link works within ${linkHours} hours. If you did not ask for it, do nothing: there is no account.\n`,
  }
}
