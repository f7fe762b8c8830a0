/** Signing in and out by the API, and the password of the caller. */
import type { sessions } from '../../contract/people/sessions.ts'
import { sessions as rows } from '../../contract/people/sessions.ts'
import { fail } from '../../core/errors.ts'
import {
  countSessions,
  deleteSession,
  deleteSessionsOf,
  findPassword,
  listSessions,
  type SessionRow,
} from '../../store/people/sessions.ts'
import { findTokenOwner } from '../../store/people/users.ts'
import type { Actor } from '../actor.ts'
import { Answer, type Base, type HandlersOf, phased } from '../handler.ts'
import { listOf } from '../lists.ts'
import { presentUser } from '../present.ts'
import { checkNewPassword, checkPassword, setPassword } from './credentials.ts'
import { countGuess, forgetGuess } from './guesses.ts'
import { idleSince, startSession } from './session.ts'

export const sessionHandlers: HandlersOf<typeof sessions> = {
  createSession: phased(rows.createSession, {
    async prepare({ body, ...base }) {
      const client = base.client
      if (!client?.isOwnOrigin) throw fail('not_own_origin')
      const { address } = client
      if ('token' in body)
        return { user: await tokenOwner(base, { token: body.token, address }), method: 'token' as const }
      return { user: await checkPassword(base, { ...body, address }), method: 'password' as const }
    },
    async commit({ db, env, now, actor, client }, { user, method }) {
      if (!client) throw fail('not_own_origin')
      await endSessionOf({ db, actor })
      const { row, secret } = await startSession({ db, env, now }, { userId: user.id, method, client })
      return new Answer(
        { ...presentSession(row, row.id), user: presentUser(user, env.urls) },
        {
          session: { secret, expiresAt: row.expiresAt },
          headers: { location: env.urls.api(`/user/sessions/${row.id}`) },
        },
      )
    },
  }),

  async deleteCurrentSession({ db, actor }) {
    await endSessionOf({ db, actor })
    return new Answer(undefined, { session: null })
  },

  async listSessions({ query, ...base }) {
    const { db, now, actor } = base
    const filter = { userId: actor.user.id, now, idleSince: idleSince(now) }
    return listOf({
      base,
      name: `sessions:${actor.user.id}`,
      query,
      rows: (page) => listSessions(db, filter, page),
      count: () => countSessions(db, filter),
      keyOf: (row) => ({ key: row.createdAt, id: row.id }),
      present: (row) => presentSession(row, sessionIdOf(actor)),
    })
  },

  async deleteSession({ db, actor, params }) {
    await deleteSession(db, { id: params.sessionId, userId: actor.user.id })
    return params.sessionId === sessionIdOf(actor) ? new Answer(undefined, { session: null }) : undefined
  },

  async deleteAllSessions({ db, actor }) {
    await deleteSessionsOf(db, { userId: actor.user.id, except: '' })
    return new Answer(undefined, { session: null })
  },

  updatePassword: phased(rows.updatePassword, {
    async prepare({ body, ...base }) {
      const { actor, env, db } = base
      checkNewPassword(body.password, actor.user)
      const known = await findPassword(db, { userId: actor.user.id })
      const guess = { account: actor.user.email, address: base.client?.address ?? 'unknown' }
      if (known) {
        await countGuess(base, guess)
        if (!(await env.passwords.matches(body.current ?? '', known.hash))) throw fail('wrong_credentials')
        await forgetGuess(base, guess)
      }
      return env.passwords.hash(body.password)
    },
    async commit({ db, now, actor }, passwordHash) {
      await setPassword({ db, now }, { userId: actor.user.id, passwordHash, keep: sessionIdOf(actor) ?? '' })
      return undefined
    },
  }),
}

async function tokenOwner(base: Base, { token, address }: { token: string; address: string }) {
  const guess = { account: `token from ${address}`, address }
  await countGuess(base, guess)
  const row = await findTokenOwner(base.db, { hash: base.env.hashSecret(token) })
  if (!row) throw fail('wrong_credentials')
  await forgetGuess(base, guess)
  return row
}

const sessionIdOf = (actor: Actor | undefined): string | undefined =>
  actor?.credential.kind === 'session' ? actor.credential.id : undefined

/** Signing in ends the session that the browser had, so that no two are left behind. */
async function endSessionOf({ db, actor }: { db: Base['db']; actor: Actor | undefined }): Promise<void> {
  const id = sessionIdOf(actor)
  if (actor && id !== undefined) await deleteSession(db, { id, userId: actor.user.id })
}

const presentSession = (row: SessionRow, current: string | undefined) => ({
  object: 'session' as const,
  id: row.id,
  method: row.method,
  userAgent: row.userAgent,
  address: row.address,
  createdAt: row.createdAt,
  lastUsedAt: row.lastUsedAt,
  expiresAt: row.expiresAt,
  current: row.id === current,
})
