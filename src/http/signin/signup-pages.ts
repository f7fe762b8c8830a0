/**
 * `/join/{invite}/signup` sends a letter to who has no account yet; the link in it leads to `/join/{invite}/{secret}`, where
 * they choose a name and a password, and are in. The answer is the same whether there is an account or not.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from '../../core/errors.ts'
import { countGuess } from '../../domain/sessions/guesses.ts'
import { sendLetter } from '../../domain/sessions/letters.ts'
import { readSignUp, signUp } from '../../domain/sessions/sign-up.ts'
import { findUserByEmail } from '../../store/people/users.ts'
import { mountOf } from '../mount.ts'
import { checkOwnForm, fieldOf } from './forms.ts'
import { html, notice, type Page, sendPage } from './page.ts'
import type { SignInParts } from './parts.ts'
import { newPasswordFields, problemWith } from './password-pages.ts'
import { signIn } from './signin-pages.ts'
import { type Texts, textsFor } from './texts/index.ts'

export interface JoinParts extends SignInParts {
  /** What the invitation is to, unless it has ended. */
  invitedTo: (invite: string) => Promise<{ title: string } | undefined>
  join: (request: FastifyRequest, invite: string, userId: string) => Promise<void>
}

export function addSignUpPages(app: FastifyInstance, parts: JoinParts): void {
  const { db, env, clock } = parts
  const mount = mountOf(env.urls)
  const { origin } = new URL(env.urls.app)
  const base = () => ({ db, env, now: clock().toISOString() })

  app.post('/join/:invite/signup', async (request, reply) => {
    checkOwnForm(request, origin)
    const invite = inviteIn(request)
    const t = textsFor(request)
    const invited = await parts.invitedTo(invite)
    if (!invited) return sendPage(reply, endedInvitePage(t, mount))
    if (!env.mail) throw fail('not_found')
    const email = fieldOf(request, 'email').trim().toLowerCase()
    if (email.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(email))
      return sendPage(reply, {
        language: t.language,
        title: t.join(invited.title),
        status: 400,
        body: html`<h1>${t.join(invited.title)}</h1>${notice(t.enterEmail)}
<p><a href="${mount}/join/${invite}">${t.back}</a></p>`,
      })
    const { address } = parts.clientOf(request)
    await countGuess(base(), { account: `sign-up ${email}`, address: `sign-up ${address}` })
    await db.transaction((tx) => sendLetter(tx, { email, invite, language: t.language }))
    return reply.redirect(`${mount}/join/${invite}?message=sent`, 303)
  })

  app.get('/join/:invite/:secret', async (request, reply) => {
    const opened = await openLetter(request)
    if (!opened) return sendPage(reply, endedInvitePage(textsFor(request), mount))
    const { email, title, here } = opened
    if (await findUserByEmail(db, email)) return reply.redirect(`${mount}/join/${inviteIn(request)}`, 303)
    return sendPage(reply, signUpPage(textsFor(request), { here, email, title }))
  })

  app.post('/join/:invite/:secret', async (request, reply) => {
    checkOwnForm(request, origin)
    const t = textsFor(request)
    const opened = await openLetter(request)
    if (!opened) return sendPage(reply, endedInvitePage(t, mount))
    const { email, title, here } = opened
    const name = fieldOf(request, 'name').trim()
    const password = fieldOf(request, 'password')
    const problem =
      name === '' || name.length > 128
        ? t.enterName
        : problemWith(t, password, { email, repeated: fieldOf(request, 'repeated') })
    if (problem !== undefined)
      return sendPage(reply, { ...signUpPage(t, { here, email, title, name, problem }), status: 400 })
    const passwordHash = await env.passwords.hash(password)
    const user = await db.transaction((tx) => signUp({ ...base(), db: tx }, { email, name, passwordHash }), {
      lock: `sign-up ${email}`,
    })
    await parts.join(request, inviteIn(request), user.id)
    return signIn(parts, request, reply, { userId: user.id, method: 'link', next: `${mount}/app` })
  })

  async function openLetter(request: FastifyRequest) {
    const invite = inviteIn(request)
    const { secret = '' } = request.params as { secret?: string }
    const email = readSignUp(base(), { invite, secret })
    const invited = email === undefined ? undefined : await parts.invitedTo(invite)
    if (email === undefined || !invited) return undefined
    return { email, title: invited.title, here: `${mount}/join/${invite}/${secret}` }
  }
}

/** Empty where the link was altered on its way: there is no such invitation. */
export function inviteIn(request: FastifyRequest): string {
  const { invite = '' } = request.params as { invite?: string }
  return /^[\w-]{1,64}$/.test(invite) ? invite : ''
}

export const endedInvitePage = (t: Texts, mount: string): Page => ({
  language: t.language,
  title: t.linkEnded,
  status: 404,
  body: html`<h1>${t.linkEnded}</h1>
<p>${t.inviteEndedHint}</p>
<p class="hint"><a href="${mount}/signin">${t.backToSignIn}</a></p>`,
})

const signUpPage = (
  t: Texts,
  page: { here: string; email: string; title: string; name?: string; problem?: string },
): Page => ({
  language: t.language,
  title: t.join(page.title),
  body: html`<h1>${t.join(page.title)}</h1>
<p class="soft">${t.newAccountFor(html`<strong>${page.email}</strong>`)}</p>
${notice(page.problem)}
<form method="post" action="${page.here}" class="whole">
<input type="hidden" name="email" autocomplete="username" value="${page.email}">
<div class="field"><label for="name">${t.name}</label>
<input id="name" name="name" autocomplete="name" required maxlength="128" value="${page.name ?? ''}"></div>
${newPasswordFields(t)}
<button>${t.joinButton}</button>
</form>`,
})
