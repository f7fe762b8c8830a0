/** The caller's own account and tokens, and other people. None of it is in the specification; every client starts here. */
import { z } from 'zod'
import { DELETE, GET, PATCH, POST } from '../operation.ts'
import { Id, List, P, Timestamp, User } from '../shapes.ts'

export const ApiToken = z
  .object({
    object: z.literal('api-token'),
    id: Id,
    label: z.string(),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.optional(),
  })
  .meta({ id: 'ApiToken' })

const NewToken = ApiToken.extend({ token: z.string().describe('Shown once.') })

// biome-ignore format: a table reads best as one.
export const users = {
  getAuthenticatedUser: GET   ('/v1/user',                    'account',   { ok: User }),
  updateAuthenticatedUser: PATCH('/v1/user',                  'account',   { body: z.object({ displayName: z.string().trim().min(1).max(100) }), ok: User, lock: false, summary: 'Change the name of the caller.' }),
  getUserById:          GET   ('/v1/users/{userId}',          'user.view', { ok: User }),
  createApiToken:       POST  ('/v1/user/tokens',             'account',   { body: z.object({ label: z.string().min(1).max(50) }), created: NewToken }),
  listApiTokens:        GET   ('/v1/user/tokens',             'account',   { query: P, ok: List(ApiToken) }),
  deleteApiToken:       DELETE('/v1/user/tokens/{tokenId}',   'account'),
}
