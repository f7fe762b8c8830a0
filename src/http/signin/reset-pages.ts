/** `/signin/reset`: asks for a link that sets a new password. The answer is the same whoever asks, and for whom. */
import type { FastifyInstance } from 'fastify'
import { countGuess } from '../../domain/sessions/guesses.ts'
import { sendLetter } from '../../domain/sessions/letters.ts'
import { mountOf } from '../mount.ts'
import { checkOwnForm, fieldOf } from './forms.ts'
import { html, notice, type Page, sendPage } from './page.ts'
import type { SignInParts } from './parts.ts'

export function addResetPages(app: FastifyInstance, parts: SignInParts): void {
  const { db, env, clock } = parts
  const mount = mountOf(env.urls)
  const { origin } = new URL(env.urls.app)

  app.get('/signin/reset', async (_request, reply) => sendPage(reply, env.mail ? resetPage({ mount }) : noMailPage))

  app.post('/signin/reset', async (request, reply) => {
    checkOwnForm(request, origin)
    if (!env.mail) return sendPage(reply, noMailPage)
    const email = fieldOf(request, 'email').trim().toLowerCase().slice(0, 254)
    if (!/^[^\s@]+@[^\s@]+$/.test(email))
      return sendPage(reply, { ...resetPage({ mount, problem: 'Enter your e-mail address.' }), status: 400 })
    const { address } = parts.clientOf(request)
    await countGuess(
      { db, env, now: clock().toISOString() },
      { account: `reset ${email}`, address: `reset ${address}` },
    )
    await db.transaction((tx) => sendLetter(tx, { email }))
    return reply.redirect(`${mount}/signin?message=sent`, 303)
  })
}

const resetPage = ({ mount, problem }: { mount: string; problem?: string }): Page => ({
  title: 'Forgotten password',
  body: html`<h1>Forgotten password</h1>
<p class="soft">We send a link with which you choose a new one.</p>
${notice(problem)}
<form method="post" action="${mount}/signin/reset" class="whole">
<div class="field"><label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" required></div>
<button>Send the link</button>
</form>
<p class="hint"><a href="${mount}/signin">Back to sign-in</a></p>`,
})

const noMailPage: Page = {
  title: 'Forgotten password',
  body: html`<h1>Forgotten password</h1>
<p>This installation sends no e-mail. Ask whoever runs it for a link: <code>lectern user link --email …</code> prints one.</p>`,
}
