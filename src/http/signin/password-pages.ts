/** `/signin/password/{secret}`: sets a password with a link that works once. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Password } from '../../contract/people/sessions.ts'
import { findLink, linkHours, usePasswordLink, weaknessOf } from '../../domain/sessions/credentials.ts'
import { mountOf } from '../mount.ts'
import { checkOwnForm, fieldOf } from './forms.ts'
import { type Html, html, notice, type Page, sendPage } from './page.ts'
import type { SignInParts } from './parts.ts'
import { signIn } from './signin-pages.ts'
import { type Texts, textsFor } from './texts/index.ts'

const path = '/signin/password/:secret'

export function addPasswordPages(app: FastifyInstance, parts: SignInParts): void {
  const { db, env, clock } = parts
  const mount = mountOf(env.urls)
  const { origin } = new URL(env.urls.app)
  const base = () => ({ db, env, now: clock().toISOString() })

  app.get(path, async (request, reply) => {
    const t = textsFor(request)
    const secret = secretIn(request)
    const user = secret && (await findLink(base(), secret))
    return sendPage(reply, user ? passwordPage(t, { mount, secret, email: user.email }) : endedPage(t, mount))
  })

  app.post(path, async (request, reply) => {
    checkOwnForm(request, origin)
    const t = textsFor(request)
    const secret = secretIn(request)
    const user = secret && (await findLink(base(), secret))
    if (!user) return sendPage(reply, endedPage(t, mount))
    const password = fieldOf(request, 'password')
    const problem = problemWith(t, password, { email: user.email, repeated: fieldOf(request, 'repeated') })
    if (problem !== undefined)
      return sendPage(reply, { ...passwordPage(t, { mount, secret, email: user.email, problem }), status: 400 })
    const passwordHash = await env.passwords.hash(password)
    const changed = await db.transaction((tx) => usePasswordLink({ ...base(), db: tx }, { secret, passwordHash }))
    if (!changed) return sendPage(reply, endedPage(t, mount))
    return signIn(parts, request, reply, { userId: changed.id, method: 'link', next: `${mount}/app` })
  })
}

/** Empty where the link was cut off on its way, as letters do: no such link is kept. */
function secretIn(request: FastifyRequest): string {
  const { secret = '' } = request.params as { secret?: string }
  return /^[\w-]{43}$/.test(secret) ? secret : ''
}

export function problemWith(
  { passwordProblem: problems }: Texts,
  password: string,
  { email, repeated }: { email: string; repeated: string },
): string | undefined {
  const checked = Password.safeParse(password)
  if (!checked.success) return checked.error.issues[0]?.code === 'too_big' ? problems.long : problems.short
  if (password !== repeated) return problems.unequal
  const weakness = weaknessOf(password, { email })
  return weakness && problems[weakness]
}

const passwordPage = (t: Texts, page: { mount: string; secret: string; email: string; problem?: string }): Page => ({
  language: t.language,
  title: t.choosePassword,
  body: html`<h1>${t.choosePassword}</h1>
<p class="soft">${t.choosePasswordFor(html`<strong>${page.email}</strong>`)}</p>
${notice(page.problem)}
<form method="post" action="${page.mount}/signin/password/${page.secret}" class="whole">
<input type="hidden" name="email" autocomplete="username" value="${page.email}">
${newPasswordFields(t)}
<button>${t.setPassword}</button>
</form>`,
})

export const newPasswordFields = (
  t: Texts,
): Html => html`<div class="field"><label for="new-password">${t.newPassword}</label>
<input id="new-password" name="password" type="password" autocomplete="new-password" required minlength="10" maxlength="256" aria-describedby="password-hint">
<p class="hint" id="password-hint">${t.newPasswordHint}</p></div>
<div class="field"><label for="repeated">${t.repeatPassword}</label>
<input id="repeated" name="repeated" type="password" autocomplete="new-password" required minlength="10" maxlength="256"></div>`

const endedPage = (t: Texts, mount: string): Page => ({
  language: t.language,
  title: t.linkEnded,
  status: 410,
  body: html`<h1>${t.linkEnded}</h1>
<p>${t.linkEndedHint(linkHours)}</p>
<p class="whole"><a class="button" href="${mount}/signin/reset">${t.askForLink}</a></p>
<p class="hint"><a href="${mount}/signin">${t.backToSignIn}</a></p>`,
})
