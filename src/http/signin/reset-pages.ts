/** `/signin/reset`: asks for a link that sets a new password. The answer is the same whoever asks, and for whom. */
import type { FastifyInstance } from 'fastify'
import { countGuess } from '../../domain/sessions/guesses.ts'
import { sendLetter } from '../../domain/sessions/letters.ts'
import { mountOf } from '../mount.ts'
import { checkOwnForm, fieldOf } from './forms.ts'
import { html, notice, type Page, sendPage } from './page.ts'
import type { SignInParts } from './parts.ts'
import { type Texts, textsFor } from './texts/index.ts'

export function addResetPages(app: FastifyInstance, parts: SignInParts): void {
  const { db, env, clock } = parts
  const mount = mountOf(env.urls)
  const { origin } = new URL(env.urls.app)

  app.get('/signin/reset', async (request, reply) => {
    const t = textsFor(request)
    return sendPage(reply, env.mail ? resetPage(t, { mount }) : noMailPage(t, mount))
  })

  app.post('/signin/reset', async (request, reply) => {
    checkOwnForm(request, origin)
    const t = textsFor(request)
    if (!env.mail) return sendPage(reply, noMailPage(t, mount))
    const email = fieldOf(request, 'email').trim().toLowerCase().slice(0, 254)
    if (!/^[^\s@]+@[^\s@]+$/.test(email))
      return sendPage(reply, { ...resetPage(t, { mount, problem: t.enterEmail }), status: 400 })
    const { address } = parts.clientOf(request)
    await countGuess(
      { db, env, now: clock().toISOString() },
      { account: `reset ${email}`, address: `reset ${address}` },
    )
    await db.transaction((tx) => sendLetter(tx, { email, language: t.language }))
    return reply.redirect(`${mount}/signin?message=sent`, 303)
  })
}

const resetPage = (t: Texts, { mount, problem }: { mount: string; problem?: string }): Page => ({
  language: t.language,
  title: t.forgottenTitle,
  body: html`<h1>${t.forgottenTitle}</h1>
<p class="soft">${t.forgottenHint}</p>
${notice(problem)}
<form method="post" action="${mount}/signin/reset" class="whole">
<div class="field"><label for="email">${t.email}</label>
<input id="email" name="email" type="email" autocomplete="username" required></div>
<button>${t.sendLink}</button>
</form>
<p class="hint"><a href="${mount}/signin">${t.backToSignIn}</a></p>`,
})

const noMailPage = (t: Texts, mount: string): Page => ({
  language: t.language,
  title: t.forgottenTitle,
  body: html`<h1>${t.forgottenTitle}</h1>
<p>${t.noMail(html`<code>lectern user link --email &hellip;</code>`)}</p>
<p class="hint"><a href="${mount}/signin">${t.backToSignIn}</a></p>`,
})
