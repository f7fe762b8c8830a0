/**
 * A sign-in by way of a provider: begun in a browser of ours, answered by the provider, finished in that same browser.
 *
 * Who a provider names is an account of ours only if its address is of a domain that the provider's organization has
 * proven, now. A provider can so never reach an account of others, nor make one that others would later take for theirs.
 */

import { SsoRefused } from '../../core/sso-refused.ts'
import { cutTo } from '../../core/text.ts'
import type { Connection, Database } from '../../store/database.ts'
import { findMember, insertMember, updateMember } from '../../store/people/members.ts'
import {
  answerSsoRequest,
  findAnsweredRequest,
  findIdentity,
  findProvider,
  findSsoRequest,
  insertIdentity,
  insertSsoRequest,
  type SsoProviderRow,
  takeAssertion,
  takeSsoRequest,
} from '../../store/people/sso.ts'
import { addTeamMember } from '../../store/people/teams.ts'
import { findUserByEmail, insertUser, type UserRow } from '../../store/people/users.ts'
import type { Environment } from '../environment.ts'
import { isVerifiedFor } from './domains.ts'
import { noteJoined } from './notes.ts'

const requestMinutes = 10
const codeMinutes = 2

interface Parts {
  db: Database
  env: Environment
  now: string
}

/** What a provider says of somebody. */
export interface Identity {
  /** By what the provider knows them for good. */
  subject: string
  email: string
  firstName?: string | undefined
  lastName?: string | undefined
}

export const later = (now: string, minutes: number): string =>
  new Date(Date.parse(now) + minutes * 60_000).toISOString()

/** Notes that this browser has set out; the id of the request goes to the provider. */
export async function beginSignOn(
  { db, env, now }: Parts,
  {
    providerId,
    browser,
    next,
    verifier = null,
  }: { providerId: string; browser: string; next: string; verifier?: string | null },
): Promise<string> {
  // Ids of XML begin with a letter or an underscore.
  const id = `_${env.newSecret()}`
  await insertSsoRequest(db, {
    id,
    providerId,
    browserHash: env.hashSecret(browser),
    verifier,
    next,
    codeHash: null,
    userId: null,
    createdAt: now,
    expiresAt: later(now, requestMinutes),
  })
  return id
}

/** The request that an answer belongs to, while it waits for one. */
export async function openRequest({ db, now }: Parts, { id, providerId }: { id: string; providerId: string }) {
  const request = await findSsoRequest(db, { id, now })
  if (!request || request.providerId !== providerId || request.codeHash !== null)
    throw new SsoRefused('an answer to no request of ours')
  return request
}

/** The same for a request of OpenID Connect, whose answer comes by way of the browser that set out, with its cookie. */
export async function openOwnRequest(
  parts: Parts,
  { browser, ...of }: { id: string; providerId: string; browser: string | undefined },
) {
  const request = await openRequest(parts, of)
  if (browser === undefined || request.browserHash !== parts.env.hashSecret(browser))
    throw new SsoRefused('an answer in a browser that did not set out')
  if (request.verifier === null) throw new SsoRefused('an answer of another kind')
  return { ...request, verifier: request.verifier }
}

/** Takes an answer that was checked, once; a code that only the browser which began can use. */
export async function acceptAnswer(
  parts: Parts,
  answer: {
    provider: SsoProviderRow
    requestId: string
    identity: Identity
    assertion?: { id: string; expiresAt: string } | undefined
  },
): Promise<string> {
  const { db, env, now } = parts
  const { provider, requestId, identity, assertion } = answer
  return db.transaction(
    async (tx) => {
      if (assertion) {
        const key = { providerId: provider.id, assertionId: assertion.id, expiresAt: assertion.expiresAt }
        if (!(await takeAssertion(tx, key))) throw new SsoRefused('an assertion that was used before')
      }
      const user = await accountFor({ ...parts, db: tx }, provider, identity)
      const code = env.newSecret()
      const noted = {
        id: requestId,
        codeHash: env.hashSecret(code),
        userId: user.id,
        expiresAt: later(now, codeMinutes),
      }
      if (!(await answerSsoRequest(tx, noted))) throw new SsoRefused('a request that was answered before')
      return code
    },
    { lock: provider.organizationId },
  )
}

/** Who signs in with a code, and where to go; undefined when it is not this browser's, or has ended. */
export async function finishSignOn(
  { db, env, now }: Parts,
  { code, browser }: { code: string; browser: string },
): Promise<{ userId: string; provider: SsoProviderRow; next: string } | undefined> {
  const request = await findAnsweredRequest(db, { codeHash: env.hashSecret(code), now })
  if (!request || request.userId === null || request.browserHash !== env.hashSecret(browser)) return undefined
  const provider = await findProvider(db, { id: request.providerId })
  if (!provider || !(await takeSsoRequest(db, { id: request.id }))) return undefined
  return { userId: request.userId, provider, next: request.next }
}

/** The account, made if need be, as a member of the provider's organization. */
async function accountFor(
  { db, env, now }: { db: Connection; env: Environment; now: string },
  provider: SsoProviderRow,
  identity: Identity,
): Promise<UserRow> {
  const email = identity.email.trim().toLowerCase()
  if (!/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email)) throw new SsoRefused('no e-mail address')
  const { id: providerId, organizationId } = provider
  if (!(await isVerifiedFor(db, organizationId, email))) throw new SsoRefused('an address outside the proven domains')
  const known = await findIdentity(db, { providerId, subject: identity.subject })
  if (known && known.email !== email && !(await isVerifiedFor(db, organizationId, known.email)))
    throw new SsoRefused('an account outside the proven domains')
  const user =
    known ??
    (await findUserByEmail(db, email)) ??
    (await insertUser(db, { id: env.newId(), displayName: nameOf(identity, email), email, createdAt: now }))
  if (!known) await insertIdentity(db, { providerId, subject: identity.subject, userId: user.id, createdAt: now })
  await join({ db, env, now }, provider, user)
  return user
}

async function join(
  { db, env, now }: { db: Connection; env: Environment; now: string },
  provider: SsoProviderRow,
  user: UserRow,
): Promise<void> {
  const userId = user.id
  const key = { organizationId: provider.organizationId, userId }
  const member = await findMember(db, key)
  if (member?.disabled === 1) throw new SsoRefused('a member who is disabled')
  if (member) {
    if (member.sso === 0) await updateMember(db, key, { sso: 1 })
    return
  }
  await insertMember(db, { ...key, role: provider.defaultRole, sso: true, joinedAt: now })
  if (provider.defaultTeam !== null) await addTeamMember(db, { teamId: provider.defaultTeam, userId, addedAt: now })
  await noteJoined({ db, env, now }, provider, user)
}

const nameOf = ({ firstName = '', lastName = '' }: Identity, email: string): string => {
  const name = cutTo(`${firstName.trim()} ${lastName.trim()}`.trim(), 128)
  return name === '' ? email.slice(0, email.indexOf('@')) : name
}
