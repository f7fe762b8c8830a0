/** Messages with a link that sets a password: asked for by whoever has forgotten theirs, or sent to who was invited. */
import { z } from 'zod'
import type { Connection, Database } from '../../store/database.ts'
import { enqueue } from '../../store/jobs.ts'
import { findInvite, findOrganization } from '../../store/people/organizations.ts'
import { findUserByEmail } from '../../store/people/users.ts'
import type { Environment } from '../environment.ts'
import { linkHours, makeLink } from './credentials.ts'
import { letterTexts } from './letter-texts.ts'
import { makeSignUp } from './sign-up.ts'

const letterJob = 'letter'

export const Letter = z.object({
  email: z.string(),
  /** With the organization that they were invited to; without, they asked for it. */
  organizationId: z.string().optional(),
  /** They came by the link of this invitation, with or without an account. */
  invite: z.string().optional(),
  /** Of whoever asked for it; English where that is not known. */
  language: z.enum(['en', 'de']).optional(),
})

export type Letter = z.output<typeof Letter>

/** Written in the transaction that causes it. Whether there is such an account is looked up later, by the job. */
export const sendLetter = (tx: Connection, letter: Letter): Promise<boolean> =>
  enqueue(tx, { kind: letterJob, payload: letter })

/** What the job sends; undefined when nobody has the address. */
export async function writeLetter(
  { db, env, now }: { db: Database; env: Environment; now: string },
  { email, organizationId, invite, language = 'en' }: Letter,
): Promise<{ to: string; subject: string; text: string } | undefined> {
  const user = await findUserByEmail(db, email)
  const texts = letterTexts[language]
  if (invite !== undefined)
    return writeJoinLetter({ db, env, now }, { email, invite, texts, hasAccount: user !== undefined })
  if (!user) return undefined
  const organization = organizationId === undefined ? undefined : await findOrganization(db, { id: organizationId })
  const secret = await db.transaction((tx) => makeLink({ db: tx, env, now }, user.id))
  const link = env.urls.password(secret)
  const { app } = env.urls
  if (!organization)
    return { to: user.email, subject: texts.resetSubject, text: texts.reset({ app, link, hours: linkHours }) }
  const title = organization.title.replace(/\s+/g, ' ')
  return {
    to: user.email,
    subject: texts.inviteSubject(title),
    text: texts.invite({ organization: title, app, link, hours: linkHours }),
  }
}

async function writeJoinLetter(
  { db, env, now }: { db: Database; env: Environment; now: string },
  {
    email,
    invite,
    texts,
    hasAccount,
  }: { email: string; invite: string; texts: (typeof letterTexts)['en']; hasAccount: boolean },
): Promise<{ to: string; subject: string; text: string } | undefined> {
  const known = await findInvite(db, { id: invite })
  const organization = known && (await findOrganization(db, { id: known.organizationId }))
  if (!organization || organization.inviteLinks === 0) return undefined
  const title = organization.title.replace(/\s+/g, ' ')
  const { app } = env.urls
  const address = `${app}/join/${invite}`
  const secret = makeSignUp({ env, now }, { invite, email })
  return {
    to: email,
    subject: texts.joinSubject(title),
    text: hasAccount
      ? texts.joinWithAccount({ organization: title, app, link: address })
      : texts.joinWithoutAccount({ organization: title, app, link: `${address}/${secret}`, hours: linkHours }),
  }
}
