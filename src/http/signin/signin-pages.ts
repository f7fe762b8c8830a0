/** `/signin` and `/signout`: with an e-mail address and a password, or on to the identity provider of its domain. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../core/errors.ts'
import { checkPassword } from '../../domain/sessions/credentials.ts'
import { startSession } from '../../domain/sessions/session.ts'
import { deleteSession } from '../../store/people/sessions.ts'
import { findReachableProvider } from '../../store/people/sso.ts'
import { mountOf } from '../mount.ts'
import { sessionCookie } from './cookies.ts'
import { checkOwnForm, fieldOf } from './forms.ts'
import { nextPath } from './next.ts'
import { html, notice, sendPage } from './page.ts'
import type { SignInParts } from './parts.ts'
import { type Texts, textsFor } from './texts/index.ts'

export function addSignInPages(app: FastifyInstance, parts: SignInParts): void {
  const { db, env, clock } = parts
  const { urls } = env
  const mount = mountOf(urls)
  const { origin } = new URL(urls.app)

  app.get('/signin', async (request, reply) => {
    const next = nextPath(queryOf(request).next, urls)
    if (await parts.findActor(request)) return reply.redirect(next, 303)
    const t = textsFor(request)
    const message = messageIn(t, queryOf(request).message)
    return sendPage(reply, signInPage(t, { mount, next, message, hasSso: await hasSso(parts) }))
  })

  app.post('/signin', async (request, reply) => {
    checkOwnForm(request, origin)
    const next = nextPath(fieldOf(request, 'next'), urls)
    const email = fieldOf(request, 'email').trim().slice(0, 254)
    const password = fieldOf(request, 'password')
    const t = textsFor(request)
    const isSso = await hasSso(parts)
    const again = (problem: string, status: number) =>
      sendPage(reply, { ...signInPage(t, { mount, next, email, problem, hasSso: isSso }), status })
    if (email === '') return again(t.enterEmail, 400)
    if (fieldOf(request, 'with') === 'sso') return parts.sendToProvider(reply, { t, email, next, again })
    if (password === '') return again(t.enterPassword, 400)
    try {
      const client = parts.clientOf(request)
      const now = clock().toISOString()
      const user = await checkPassword({ db, env, now }, { email, password, address: client.address })
      return await signIn(parts, request, reply, { userId: user.id, method: 'password', next })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
      return again(refusalIn(t, error), error.status)
    }
  })

  app.get('/signout', async (request, reply) => {
    const t = textsFor(request)
    return sendPage(reply, {
      language: t.language,
      title: t.signOut,
      body: html`<h1>${t.signOut}</h1>
<p class="soft">${t.signOutHint}</p>
<form method="post" action="${mount}/signout" class="whole"><button>${t.signOut}</button></form>`,
    })
  })

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
function messageIn(t: Texts, name: string | undefined): string | undefined {
  if (name === 'out') return t.signedOut
  return name === 'sent' ? t.linkSent : undefined
}

function refusalIn(t: Texts, error: ApiError): string {
  if (error.code === 'wrong_credentials') return t.wrongCredentials
  return error.status === 429 ? t.tooMany(Math.ceil((error.retryAfter ?? 60) / 60)) : error.message
}

/**
 * Whether single sign-on could work for anybody here. That is all that somebody who is not signed in learns of it: which
 * organizations there are, and which addresses have a provider, is found by those who enter such an address.
 */
const hasSso = async ({ db }: SignInParts): Promise<boolean> => (await findReachableProvider(db)) !== undefined

interface SignInPage {
  mount: string
  next: string
  hasSso: boolean
  email?: string
  problem?: string
  message?: string | undefined
}

const signInPage = (t: Texts, { mount, next, hasSso: isSso, email = '', problem, message }: SignInPage) => ({
  language: t.language,
  title: t.signIn,
  body: html`<h1>${t.signIn}</h1>
${problem === undefined ? notice(message, 'good') : notice(problem)}
<form method="post" action="${mount}/signin" class="whole">
<input type="hidden" name="next" value="${next}">
<div class="field"><label for="email">${t.email}</label>
<input id="email" name="email" type="email" autocomplete="username" required autofocus value="${email}"></div>
<div class="field"><label for="password">${t.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password"></div>
<button>${t.signIn}</button>
<p class="hint"><a href="${mount}/signin/reset">${t.forgotten}</a></p>
${
  isSso &&
  html`<p class="or">${t.or}</p>
<button class="plain" name="with" value="sso">${t.withSso}</button>`
}
</form>`,
})

export const queryOf = (request: FastifyRequest): Record<string, string | undefined> => {
  const query = request.query as Record<string, unknown>
  return Object.fromEntries(Object.entries(query).filter(([, value]) => typeof value === 'string')) as Record<
    string,
    string
  >
}
