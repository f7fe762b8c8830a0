import type { users } from '../contract/people/users.ts'
import { organizationIdsOf } from '../store/people/members.ts'
import { countTokens, deleteToken, findUser, insertToken, listTokens, renameUser } from '../store/people/users.ts'
import { noteAccess } from './events/note.ts'
import type { Base, HandlersOf } from './handler.ts'
import { listOf } from './lists.ts'
import { presentUser } from './present.ts'

export const userHandlers: HandlersOf<typeof users> = {
  async getAuthenticatedUser({ actor, env }) {
    return presentUser(actor.user, env.urls)
  },

  async updateAuthenticatedUser({ body, ...base }) {
    const { db, actor, env } = base
    const user = (await findUser(db, { id: actor.user.id })) ?? actor.user
    if (user.displayName === body.displayName) return presentUser(user, env.urls)
    const change = { before: { displayName: user.displayName }, after: body }
    for (const { organizationId } of await organizationIdsOf(db, { userId: user.id }))
      await noteAccess(base, organizationId, 'member_updated', user.id, change)
    return presentUser(await renameUser(db, user, body.displayName), env.urls)
  },

  async getUserById({ user, env }) {
    return presentUser(user, env.urls)
  },

  async createApiToken({ body, ...base }) {
    const { db, actor, env, now } = base
    const id = env.newId()
    const token = env.newToken()
    await insertToken(db, { id, userId: actor.user.id, label: body.label, hash: env.hashSecret(token), createdAt: now })
    await noteToken(base, 'token_created', id, { label: body.label })
    return { object: 'api-token', id, label: body.label, createdAt: now, token }
  },

  async listApiTokens({ query, ...base }) {
    const userId = base.actor.user.id
    return listOf({
      base,
      name: `tokens:${userId}`,
      query,
      rows: (page) => listTokens(base.db, userId, page),
      count: () => countTokens(base.db, userId),
      keyOf: (row) => ({ key: row.createdAt, id: row.id }),
      present: (row) => ({
        object: 'api-token' as const,
        id: row.id,
        label: row.label,
        createdAt: row.createdAt,
        ...(row.lastUsedAt === null ? {} : { lastUsedAt: row.lastUsedAt }),
      }),
    })
  },

  async deleteApiToken({ params, ...base }) {
    const deleted = await deleteToken(base.db, { id: params.tokenId, userId: base.actor.user.id })
    if (deleted > 0) await noteToken(base, 'token_deleted', params.tokenId)
    return undefined
  },
}

/** A token opens every organization of its owner, so each of them is told. */
async function noteToken(
  base: Base,
  action: 'token_created' | 'token_deleted',
  id: string,
  data: Record<string, unknown> = {},
): Promise<void> {
  const { id: userId } = base.actor.user
  for (const { organizationId } of await organizationIdsOf(base.db, { userId }))
    await noteAccess(base, organizationId, action, id, { user: userId, ...data })
}
