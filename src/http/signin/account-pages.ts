/** `/account`: where somebody is signed in, their API tokens, and their password. Each button is an operation of the API. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Session } from '../../contract/people/sessions.ts'
import type { ApiToken } from '../../contract/people/users.ts'
import { ApiError } from '../../core/errors.ts'
import type { Actor } from '../../domain/actor.ts'
import { findPassword } from '../../store/people/sessions.ts'
import type { Runner } from '../api/dispatch.ts'
import { mountOf } from '../mount.ts'
import { sessionCookie } from './cookies.ts'
import { checkOwnForm, fieldOf } from './forms.ts'
import { type Html, html, notice, sendPage } from './page.ts'
import type { SignInParts } from './parts.ts'
import { newPasswordFields, problemWith } from './password-pages.ts'
import { queryOf } from './signin-pages.ts'
import { type Texts, textsFor } from './texts/index.ts'

interface Shown {
  sessions: z.output<typeof Session>[]
  tokens: z.output<typeof ApiToken>[]
  hasPassword: boolean
}

export function addAccountPages(
  app: FastifyInstance,
  parts: SignInParts & { runners: ReadonlyMap<string, Runner> },
): void {
  const { db, env } = parts
  const mount = mountOf(env.urls)
  const { origin } = new URL(env.urls.app)

  const run = (
    request: FastifyRequest,
    actor: Actor,
    name: string,
    given: { params?: Record<string, string>; body?: unknown } = {},
  ) => {
    const runner = parts.runners.get(name)
    if (!runner) throw new Error(`There is no operation ${name}.`)
    const client = parts.clientOf(request)
    return runner.run({
      actor,
      client,
      address: client.address,
      params: given.params ?? {},
      query: {},
      body: given.body,
    })
  }

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    actor: Actor,
    message: { problem?: string | undefined; done?: string | undefined } = {},
  ) => {
    const sessions = (await run(request, actor, 'listSessions')).body as { items: Shown['sessions'] }
    const tokens = (await run(request, actor, 'listApiTokens')).body as { items: Shown['tokens'] }
    const hasPassword = (await findPassword(db, { userId: actor.user.id })) !== undefined
    const t = textsFor(request)
    return sendPage(reply, {
      language: t.language,
      title: t.account.title,
      wide: true,
      ...(message.problem === undefined ? {} : { status: 400 }),
      body: accountBody({ t, mount, actor, sessions: sessions.items, tokens: tokens.items, hasPassword, ...message }),
    })
  }

  const toSignIn = (reply: FastifyReply) =>
    reply.redirect(`${mount}/signin?next=${encodeURIComponent(`${mount}/account`)}`, 303)

  app.get('/account', async (request, reply) => {
    const actor = await parts.findActor(request)
    if (!actor) return toSignIn(reply)
    return show(request, reply, actor, {
      done: queryOf(request).message === 'password' ? textsFor(request).account.passwordChanged : undefined,
    })
  })

  app.post('/account', async (request, reply) => {
    checkOwnForm(request, origin)
    const actor = await parts.findActor(request)
    if (!actor) return toSignIn(reply)
    const [what = '', id = ''] = fieldOf(request, 'end').split(' ')
    if (what === 'session') await run(request, actor, 'deleteSession', { params: { sessionId: id } })
    else if (what === 'token') await run(request, actor, 'deleteApiToken', { params: { tokenId: id } })
    else if (what === 'everywhere') {
      await run(request, actor, 'deleteAllSessions')
      return reply.header('set-cookie', sessionCookie(env.urls, null)).redirect(`${mount}/signin?message=out`, 303)
    } else return changePassword(request, reply, actor)
    return reply.redirect(`${mount}/account`, 303)
  })

  const changePassword = async (request: FastifyRequest, reply: FastifyReply, actor: Actor) => {
    const password = fieldOf(request, 'password')
    const t = textsFor(request)
    const problem = problemWith(t, password, { email: actor.user.email, repeated: fieldOf(request, 'repeated') })
    if (problem !== undefined) return show(request, reply, actor, { problem })
    try {
      await run(request, actor, 'updatePassword', { body: { password, current: fieldOf(request, 'current') } })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      return show(request, reply, actor, {
        problem: error.status === 401 ? t.account.wrongPassword : t.account.notChanged,
      })
    }
    return reply.redirect(`${mount}/account?message=password`, 303)
  }
}

interface Body extends Shown {
  t: Texts
  mount: string
  actor: Actor
  problem?: string | undefined
  done?: string | undefined
}

const accountBody = ({
  t,
  mount,
  actor,
  sessions,
  tokens,
  hasPassword,
  problem,
  done,
}: Body): Html => html`<h1>${t.account.title}</h1>
<p class="soft">${actor.user.displayName} · ${actor.user.email} · <a href="${mount}/app">${t.account.back}</a></p>
${notice(problem)}${notice(done, 'good')}
<section aria-labelledby="sessions"><h2 id="sessions">${t.account.sessions}</h2>
<form method="post" action="${mount}/account">
<ul class="rows">${sessions.map(
  (one) => html`<li><div><strong>${browserIn(t, one.userAgent)}${one.current && ` · ${t.account.thisBrowser}`}</strong>
<span class="soft">${t.account.session({ address: one.address, since: dayOf(t, one.createdAt), used: dayOf(t, one.lastUsedAt) })}</span></div>
<button class="plain small" name="end" value="session ${one.id}" aria-label="${t.account.signOutOf({ browser: browserIn(t, one.userAgent), since: dayOf(t, one.createdAt) })}">${t.signOut}</button></li>`,
)}</ul>
<p><button class="plain" name="end" value="everywhere">${t.account.signOutEverywhere}</button></p>
</form></section>
<section aria-labelledby="tokens"><h2 id="tokens">${t.account.tokens}</h2>
${
  tokens.length === 0
    ? html`<p class="soft">${t.account.noTokens}</p>`
    : html`<form method="post" action="${mount}/account"><ul class="rows">${tokens.map(
        (one) => html`<li><div><strong>${one.label}</strong>
<span class="soft">${tokenUse(t, one)}</span></div>
<button class="plain small" name="end" value="token ${one.id}" aria-label="${t.account.revokeOf(one.label)}">${t.account.revoke}</button></li>`,
      )}</ul></form>`
}</section>
<section aria-labelledby="password-title"><h2 id="password-title">${t.password}</h2>
<form method="post" action="${mount}/account">
<input type="hidden" name="email" autocomplete="username" value="${actor.user.email}">
${
  hasPassword &&
  html`<div class="field"><label for="current">${t.account.presentPassword}</label>
<input id="current" name="current" type="password" autocomplete="current-password" required></div>`
}
${newPasswordFields(t)}
<button>${hasPassword ? t.account.changePassword : t.setPassword}</button>
</form></section>`

function tokenUse(t: Texts, { createdAt, lastUsedAt }: Shown['tokens'][number]): string {
  const made = dayOf(t, createdAt)
  return lastUsedAt === undefined
    ? t.account.tokenUnused(made)
    : t.account.tokenUsed({ made, used: dayOf(t, lastUsedAt) })
}

/** Enough to tell one's browsers apart. */
function browserIn({ account }: Texts, userAgent: string): string {
  const browser = ['Edg', 'Firefox', 'Chrome', 'Safari'].find((name) => userAgent.includes(`${name}/`))
  const system = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS', 'Linux'].find((name) => userAgent.includes(name))
  const name = browser === 'Edg' ? 'Edge' : browser
  if (name === undefined) return userAgent.slice(0, 60) || account.unknownBrowser
  return system === undefined ? name : account.browserOn({ browser: name, system })
}

const dayOf = ({ language }: Texts, time: string): string =>
  new Date(time).toLocaleDateString(language === 'en' ? 'en-GB' : language, { dateStyle: 'medium', timeZone: 'UTC' })
