/** `/signin` and `/signout`: with an e-mail address and a password, or on to the identity provider of its domain. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../core/errors.ts'
import { checkPassword } from '../../domain/sessions/credentials.ts'
import { startSession } from '../../domain/sessions/session.ts'
import { deleteSession } from '../../store/people/sessions.ts'
import { mountOf } from '../mount.ts'
import { sessionCookie } from './cookies.ts'
import { checkOwnForm, fieldOf } from './forms.ts'
import { nextPath } from './next.ts'
import { html, notice, sendPage } from './page.ts'
import type { SignInParts } from './parts.ts'

export function addSignInPages(app: FastifyInstance, parts: SignInParts): void {
  const { db, env, clock } = parts
  const { urls } = env
  const mount = mountOf(urls)
  const { origin } = new URL(urls.app)

  app.get('/signin', async (request, reply) => {
    const next = nextPath(queryOf(request).next, urls)
    if (await parts.findActor(request)) return reply.redirect(next, 303)
    return sendPage(reply, signInPage({ mount, next, message: messages[queryOf(request).message ?? ''] }))
  })

  app.post('/signin', async (request, reply) => {
    checkOwnForm(request, origin)
    const next = nextPath(fieldOf(request, 'next'), urls)
    const email = fieldOf(request, 'email').trim().slice(0, 254)
    const password = fieldOf(request, 'password')
    const again = (problem: string, status: number) =>
      sendPage(reply, { ...signInPage({ mount, next, email, problem }), status })
    if (email === '') return again('Enter your e-mail address.', 400)
    if (fieldOf(request, 'with') === 'sso') return parts.sendToProvider(reply, { email, next, again })
    if (password === '') return again('Enter your password.', 400)
    try {
      const client = parts.clientOf(request)
      const now = clock().toISOString()
      const user = await checkPassword({ db, env, now }, { email, password, address: client.address })
      return await signIn(parts, request, reply, { userId: user.id, method: 'password', next })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
      return again(error.status === 429 ? tooMany(error) : error.message, error.status)
    }
  })

  app.get('/signout', async (_request, reply) =>
    sendPage(reply, {
      title: 'Sign out',
      body: html`<h1>Sign out</h1>
<p class="soft">You will have to sign in again in this browser.</p>
<form method="post" action="${mount}/signout" class="whole"><button>Sign out</button></form>`,
    }),
  )

  app.post('/signout', async (request, reply) => {
    checkOwnForm(request, origin)
    const actor = await parts.findActor(request)
    if (actor) await deleteSession(db, { id: actor.credential.id, userId: actor.user.id })
    return reply.header('set-cookie', sessionCookie(urls, null)).redirect(`${mount}/signin?message=out`, 303)
  })
}

/** Begins a session in the browser that sent this request, in place of the one it had, and goes on. */
export async function signIn(
  { db, env, clock, findActor, clientOf }: SignInParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { next, ...session }: { next: string } & Omit<Parameters<typeof startSession>[1], 'client'>,
): Promise<FastifyReply> {
  const before = await findActor(request)
  const { row, secret } = await db.transaction(async (tx) => {
    if (before) await deleteSession(tx, { id: before.credential.id, userId: before.user.id })
    return startSession({ db: tx, env, now: clock().toISOString() }, { ...session, client: clientOf(request) })
  })
  return reply
    .header('set-cookie', sessionCookie(env.urls, { secret, expiresAt: row.expiresAt }))
    .header('cache-control', 'no-store')
    .redirect(next, 303)
}

/** What the sign-in page can say; addresses name it by a word, so that nobody makes our page say something else. */
const messages: Record<string, string> = {
  out: 'You are signed out.',
  sent: 'If there is an account with that address, a link is on its way to it.',
}

const tooMany = (error: ApiError): string =>
  `Too many attempts. Try again in ${Math.ceil((error.retryAfter ?? 60) / 60)} minutes.`

interface SignInPage {
  mount: string
  next: string
  email?: string
  problem?: string
  message?: string | undefined
}

const signInPage = ({ mount, next, email = '', problem, message }: SignInPage) => ({
  title: 'Sign in',
  body: html`<h1>Sign in</h1>
${problem === undefined ? notice(message, 'good') : notice(problem)}
<form method="post" action="${mount}/signin" class="whole">
<input type="hidden" name="next" value="${next}">
<div class="field"><label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" required autofocus value="${email}"></div>
<div class="field"><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password"></div>
<button>Sign in</button>
<p class="hint"><a href="${mount}/signin/reset">Forgotten your password?</a></p>
<p class="or">or</p>
<button class="plain" name="with" value="sso">Continue with single sign-on</button>
</form>`,
})

export const queryOf = (request: FastifyRequest): Record<string, string | undefined> => {
  const query = request.query as Record<string, unknown>
  return Object.fromEntries(Object.entries(query).filter(([, value]) => typeof value === 'string')) as Record<
    string,
    string
  >
}
