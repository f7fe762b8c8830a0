/** `/join/{invite}`: where the link of an invitation leads. Whoever is signed in joins with one button. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, fail } from '../../core/errors.ts'
import type { Actor } from '../../domain/actor.ts'
import { findInvite, findOrganization } from '../../store/people/organizations.ts'
import { findUser } from '../../store/people/users.ts'
import type { Runner } from '../api/dispatch.ts'
import { mountOf } from '../mount.ts'
import { checkOwnForm } from './forms.ts'
import { html, notice, sendPage } from './page.ts'
import type { SignInParts } from './parts.ts'
import { queryOf } from './signin-pages.ts'
import { addSignUpPages, endedInvitePage, inviteIn } from './signup-pages.ts'
import { type Texts, textsFor } from './texts/index.ts'

export function addJoinPages(
  app: FastifyInstance,
  parts: SignInParts & { runners: ReadonlyMap<string, Runner> },
): void {
  const { db, env } = parts
  const mount = mountOf(env.urls)
  const { origin } = new URL(env.urls.app)

  /** Whoever holds the link learns the name of the organization, and nothing else. */
  const invitedTo = async (id: string): Promise<{ title: string } | undefined> => {
    const invite = await findInvite(db, { id })
    const organization = invite && (await findOrganization(db, { id: invite.organizationId }))
    return organization?.inviteLinks === 0 ? undefined : organization
  }

  const join = async (request: FastifyRequest, invite: string, actor: Actor): Promise<void> => {
    const runner = parts.runners.get('joinOrganizationWithInvite')
    if (!runner) throw new Error('Joining is an operation of the API.')
    const client = parts.clientOf(request)
    await runner.run({ actor, client, address: client.address, params: { invite }, query: {}, body: undefined })
  }

  app.get('/join/:invite', async (request, reply) => {
    const id = inviteIn(request)
    const t = textsFor(request)
    const invited = await invitedTo(id)
    if (!invited) return sendPage(reply, endedInvitePage(t, mount))
    const { title } = invited
    const actor = await parts.findActor(request)
    const here = `${mount}/join/${id}`
    const isSent = queryOf(request).message === 'sent'
    return sendPage(reply, {
      language: t.language,
      title: t.join(title),
      body: actor
        ? html`<h1>${t.join(title)}</h1>
<p class="soft">${t.signedInAs(html`<strong>${actor.user.email}</strong>`)}</p>
<form method="post" action="${here}" class="whole"><button>${t.joinButton}</button></form>`
        : html`<h1>${t.join(title)}</h1>
${notice(isSent ? t.letterSent : undefined, 'good')}
<p class="whole"><a class="button" href="${mount}/signin?next=${encodeURIComponent(here)}">${t.signIn}</a></p>
${env.mail ? signUpForm(t, here) : html`<p class="hint">${t.noAccountAsk}</p>`}`,
    })
  })

  app.post('/join/:invite', async (request, reply) => {
    checkOwnForm(request, origin)
    const id = inviteIn(request)
    const t = textsFor(request)
    const invited = await invitedTo(id)
    if (!invited) return sendPage(reply, endedInvitePage(t, mount))
    const { title } = invited
    const actor = await parts.findActor(request)
    if (!actor) return reply.redirect(`${mount}/signin?next=${encodeURIComponent(`${mount}/join/${id}`)}`, 303)
    try {
      await join(request, id, actor)
    } catch (error) {
      // Who belongs to it already is where they wanted to be.
      if (!(error instanceof ApiError) || error.code !== 'invite_used') {
        if (!(error instanceof ApiError) || error.status >= 500) throw error
        return sendPage(reply, {
          language: t.language,
          title: t.join(title),
          status: error.status,
          body: html`<h1>${t.join(title)}</h1>${notice(t.joinRefused)}`,
        })
      }
    }
    return reply.redirect(`${mount}/app`, 303)
  })

  addSignUpPages(app, {
    ...parts,
    invitedTo,
    async join(request, invite, userId) {
      const user = await findUser(db, { id: userId })
      if (!user) throw fail('not_found')
      await join(request, invite, { user, credential: { kind: 'session', id: userId } })
    },
  })
}

const signUpForm = (t: Texts, here: string) => html`<p class="or">${t.or}</p>
<form method="post" action="${here}/signup" class="whole">
<div class="field"><label for="email">${t.email}</label>
<input id="email" name="email" type="email" autocomplete="email" required aria-describedby="email-hint">
<p class="hint" id="email-hint">${t.noAccountLetter}</p></div>
<button class="plain">${t.sendLink}</button>
</form>`
