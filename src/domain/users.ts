import type { users } from '../contract/users.ts'
import { countTokens, deleteToken, insertToken, listTokens } from '../store/users.ts'
import { listOf } from './lists.ts'
import { presentUser } from './present.ts'
import type { HandlersOf } from './scope.ts'

export const userHandlers: HandlersOf<typeof users> = {
  async getAuthenticatedUser({ actor, env }) {
    return presentUser(actor.user, env.urls)
  },

  async getUserById({ user, env }) {
    return presentUser(user, env.urls)
  },

  async createApiToken({ db, actor, env, now, body }) {
    const id = env.newId()
    const token = env.newToken()
    await insertToken(db, { id, userId: actor.user.id, label: body.label, hash: env.hashSecret(token), createdAt: now })
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

  async deleteApiToken({ db, actor, params }) {
    await deleteToken(db, { id: params.tokenId, userId: actor.user.id })
    return undefined
  },
}
