/** Sessions of browsers and the password of an account. None of it is in the specification; the app begins here. */
import { z } from 'zod'
import { signInMethods } from '../../core/enumerations.ts'
import { DELETE, GET, POST, PUT } from '../operation.ts'
import { Flag, Id, List, P, Timestamp, User } from '../shapes.ts'

export const Session = z
  .object({
    object: z.literal('session'),
    id: Id,
    method: z.enum(signInMethods).describe('How the person signed in.'),
    userAgent: z.string(),
    address: z.string(),
    createdAt: Timestamp,
    lastUsedAt: Timestamp,
    expiresAt: Timestamp,
    current: Flag.describe('The session of this request.'),
  })
  .meta({ id: 'Session' })

/** Long enough to resist guessing, short enough to hash. */
export const Password = z.string().min(10, 'must have at least 10 characters').max(256)

const Credentials = z.union([
  z.object({ email: z.string().max(254), password: z.string().max(256) }),
  z.object({ token: z.string().max(512).describe('An API token.') }),
])

const NewSession = Session.extend({ user: User })

// biome-ignore format: a table reads best as one.
export const sessions = {
  createSession:        POST  ('/v1/sessions',                  'anyone',  { body: Credentials, created: NewSession, fails: ['wrong_credentials', 'not_own_origin', 'rate_limited', 'sso_required'], lock: false, setsCookie: true, summary: 'Sign in. The answer sets the cookie of the session; send the header `X-Lectern-App: 1`.' }),
  deleteCurrentSession: DELETE('/v1/sessions/current',          'anyone',  { summary: 'Sign out.' }),
  listSessions:         GET   ('/v1/user/sessions',             'account', { query: P, ok: List(Session) }),
  deleteSession:        DELETE('/v1/user/sessions/{sessionId}', 'account'),
  deleteAllSessions:    DELETE('/v1/user/sessions',             'account', { summary: 'Sign out everywhere.' }),
  updatePassword:       PUT   ('/v1/user/password',             'account', { body: z.object({ password: Password, current: z.string().max(256).optional().describe('Needed where there is one.') }), fails: ['wrong_credentials', 'rate_limited'], lock: false, summary: 'Set the password of the caller; every other session ends.' }),
}
