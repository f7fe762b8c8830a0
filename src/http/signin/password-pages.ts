/** `/signin/password/{secret}`: sets a password with a link that works once. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Password } from '../../contract/people/sessions.ts'
import { ApiError, fail } from '../../core/errors.ts'
import { checkNewPassword, findLink, linkHours, usePasswordLink } from '../../domain/sessions/credentials.ts'
import { mountOf } from '../mount.ts'
import { checkOwnForm, fieldOf } from './forms.ts'
import { html, notice, type Page, sendPage } from './page.ts'
import type { SignInParts } from './parts.ts'
import { signIn } from './signin-pages.ts'

const path = '/signin/password/:secret'

export function addPasswordPages(app: FastifyInstance, parts: SignInParts): void {
  const { db, env, clock } = parts
  const mount = mountOf(env.urls)
  const { origin } = new URL(env.urls.app)
  const base = () => ({ db, env, now: clock().toISOString() })

  app.get(path, async (request, reply) => {
    const user = await findLink(base(), secretIn(request))
    return sendPage(reply, user ? passwordPage({ mount, secret: secretIn(request), email: user.email }) : endedPage)
  })

  app.post(path, async (request, reply) => {
    checkOwnForm(request, origin)
    const secret = secretIn(request)
    const user = await findLink(base(), secret)
    if (!user) return sendPage(reply, endedPage)
    const password = fieldOf(request, 'password')
    const problem = problemWith(password, { email: user.email, repeated: fieldOf(request, 'repeated') })
    if (problem !== undefined)
      return sendPage(reply, { ...passwordPage({ mount, secret, email: user.email, problem }), status: 400 })
    const passwordHash = await env.passwords.hash(password)
    const changed = await db.transaction((tx) => usePasswordLink({ ...base(), db: tx }, { secret, passwordHash }))
    if (!changed) return sendPage(reply, endedPage)
    return signIn(parts, request, reply, { userId: changed.id, method: 'link', next: `${mount}/app` })
  })
}

function secretIn(request: FastifyRequest): string {
  const { secret = '' } = request.params as { secret?: string }
  if (!/^[\w-]{43}$/.test(secret)) throw fail('not_found')
  return secret
}

export function problemWith(
  password: string,
  { email, repeated }: { email: string; repeated: string },
): string | undefined {
  const checked = Password.safeParse(password)
  if (!checked.success) return `The password ${checked.error.issues[0]?.message ?? 'does not fit'}.`
  if (password !== repeated) return 'The two passwords are not the same.'
  try {
    checkNewPassword(password, { email })
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return `The password ${error.details[0]?.message}.`
    throw error
  }
}

const passwordPage = (page: { mount: string; secret: string; email: string; problem?: string }): Page => ({
  title: 'Choose a password',
  body: html`<h1>Choose a password</h1>
<p class="soft">For <strong>${page.email}</strong>. Other browsers that are signed in will be signed out.</p>
${notice(page.problem)}
<form method="post" action="${page.mount}/signin/password/${page.secret}" class="whole">
<input type="hidden" name="email" autocomplete="username" value="${page.email}">
${newPasswordFields}
<button>Set password</button>
</form>`,
})

export const newPasswordFields = html`<div class="field"><label for="new-password">New password</label>
<input id="new-password" name="password" type="password" autocomplete="new-password" required minlength="10" maxlength="256" aria-describedby="password-hint">
<p class="hint" id="password-hint">At least 10 characters. A few words in a row are easy to remember and hard to guess.</p></div>
<div class="field"><label for="repeated">Repeat password</label>
<input id="repeated" name="repeated" type="password" autocomplete="new-password" required minlength="10" maxlength="256"></div>`

const endedPage: Page = {
  title: 'This link has ended',
  status: 410,
  body: html`<h1>This link has ended</h1>
<p>It works once, within ${linkHours} hours, and only the newest one counts. Ask for another.</p>`,
}
