/**
 * Single sign-on in the browser: `/sso/{provider}` sets out, the provider answers at `/sso/{provider}/acs`, and
 * `/sso/finish` begins the session.
 *
 * The provider's answer is a form sent by a page of another site, so our cookies do not come with it. It is checked and
 * exchanged for a code; the browser then shows the code together with the cookie it was given when it set out. An answer
 * that somebody slips into another browser therefore signs nobody in there. Where to go on is remembered here, and never
 * taken from what comes back.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../core/errors.ts'
import { SamlRefused } from '../../core/saml/response.ts'
import { domainOf } from '../../domain/sso/domains.ts'
import { noteRefusal } from '../../domain/sso/notes.ts'
import { isActive, partiesOf } from '../../domain/sso/providers.ts'
import { acceptAnswer, beginSignOn, finishSignOn, later, openRequest } from '../../domain/sso/sign-on.ts'
import { findProvider, providersForDomain, type SsoProviderRow } from '../../store/sso.ts'
import type { Parts } from '../dispatch.ts'
import { mountOf } from '../mount.ts'
import { clearCookie, readCookie, ssoCookieName, writeCookie } from './cookies.ts'
import { acceptUrlEncoded, fieldOf } from './forms.ts'
import { nextPath } from './next.ts'
import { html, sendPage } from './page.ts'
import type { SignInParts } from './parts.ts'
import { queryOf, signIn } from './signin-pages.ts'

const responseBytes = 1024 * 1024

export function addSsoPages(app: FastifyInstance, parts: SignInParts): void {
  const { db, env, clock } = parts
  const { urls } = env
  const mount = mountOf(urls)
  const cookie = ssoCookieName(urls)
  const base = () => ({ db, env, now: clock().toISOString() })

  app.get('/sso/:provider', async (request, reply) => {
    const provider = await activeProvider(parts, request)
    const next = nextPath(queryOf(request).next, urls)
    // One browser may set out several times, in several tabs: one secret for all.
    const browser = readCookie(request.headers.cookie, cookie) ?? env.newSecret()
    const { now } = base()
    reply.header('set-cookie', writeCookie(urls, { name: cookie, value: browser, expires: later(now, 30) }))
    reply.header('cache-control', 'no-store')
    const parties = partiesOf(provider, urls)
    if (!parties) throw fail('not_found')
    const id = await beginSignOn(base(), { providerId: provider.id, browser, next })
    return reply.redirect(await env.saml.requestUrl(parties, id), 303)
  })

  app.get('/sso/:provider/metadata', async (request, reply) => {
    const provider = await providerIn(parts, request)
    if (provider?.kind !== 'saml') throw fail('not_found')
    const start = `${urls.app}/sso/${provider.id}`
    return reply
      .header('content-type', 'application/samlmetadata+xml')
      .send(env.saml.metadata({ ownEntityId: `${start}/metadata`, acsUrl: `${start}/acs` }))
  })

  app.register(async (answers) => {
    acceptUrlEncoded(answers, { bytes: responseBytes })
    answers.post('/sso/:provider/acs', async (request, reply) => {
      const provider = await activeProvider(parts, request)
      const parties = partiesOf(provider, urls)
      if (!parties) throw fail('not_found')
      try {
        const claims = await env.saml.read(parties, fieldOf(request, 'SAMLResponse'), clock())
        await openRequest(base(), { id: claims.requestId, providerId: provider.id })
        const { nameId, attributes } = claims
        const code = await acceptAnswer(base(), {
          provider,
          requestId: claims.requestId,
          identity: {
            subject: nameId,
            email: nameId.includes('@') ? nameId : (attributes.email ?? ''),
            firstName: attributes.first_name,
            lastName: attributes.last_name,
          },
          assertion: { id: claims.assertionId, expiresAt: claims.expiresAt },
        })
        return reply.header('cache-control', 'no-store').redirect(`${mount}/sso/finish?code=${code}`, 303)
      } catch (error) {
        if (!(error instanceof SamlRefused)) throw error
        return refuse(parts, request, reply, provider, error)
      }
    })
  })

  app.get('/sso/finish', async (request, reply) => {
    const { code = '' } = queryOf(request)
    const browser = readCookie(request.headers.cookie, cookie)
    const done = browser === undefined ? undefined : await finishSignOn(base(), { code, browser })
    if (!done) return sendPage(reply, { ...refusedPage(mount), status: 403 })
    const { provider, userId, next } = done
    reply.header('set-cookie', clearCookie(urls, cookie))
    return signIn(parts, request, reply, { userId, method: provider.kind, provider, next })
  })
}

/** On to the one provider of an address, or to a choice of them. */
export async function sendToProvider(
  { db, mount }: Parts & { mount: string },
  reply: FastifyReply,
  { email, next, again }: Parameters<SignInParts['sendToProvider']>[1],
): Promise<FastifyReply> {
  const providers = (await providersForDomain(db, { domain: domainOf(email) })).filter(isActive)
  const addressOf = ({ id }: SsoProviderRow) => `${mount}/sso/${id}?next=${encodeURIComponent(next)}`
  const [only] = providers
  if (!only) return again('No single sign-on is set up for this address. Sign in with your password.', 400)
  return sendPage(reply, {
    title: 'Single sign-on',
    ...(providers.length === 1 ? { goOn: addressOf(only) } : {}),
    body: html`<h1>Single sign-on</h1>
<p class="soft">Continue as <strong>${email}</strong> with:</p>
<div class="whole">${providers.map((one) => html`<p><a class="button" href="${addressOf(one)}">${one.label}</a></p>`)}</div>`,
  })
}

/** Whoever is refused learns nothing of the reason; the organization's admins find it in the audit log. */
async function refuse(
  { db, env, clock, log, ...parts }: SignInParts,
  request: FastifyRequest,
  reply: FastifyReply,
  provider: SsoProviderRow,
  error: SamlRefused,
): Promise<FastifyReply> {
  log.warn({ provider: provider.id, reason: error.message }, 'single sign-on refused')
  const { address } = parts.clientOf(request)
  await db.transaction((tx) =>
    noteRefusal({ db: tx, env, now: clock().toISOString() }, provider, { reason: error.message, address }),
  )
  return sendPage(reply, { ...refusedPage(mountOf(env.urls)), status: 403 })
}

const refusedPage = (mount: string) => ({
  title: 'Sign-in refused',
  body: html`<h1>You were not signed in</h1>
<p>The answer of your identity provider was not accepted. Begin again, or ask an admin of your organization: the audit log has the reason.</p>
<p><a href="${mount}/signin">Back to sign-in</a></p>`,
})

async function providerIn({ db }: SignInParts, request: FastifyRequest): Promise<SsoProviderRow | undefined> {
  const { provider = '' } = request.params as { provider?: string }
  return /^\w{1,64}$/.test(provider) ? findProvider(db, { id: provider }) : undefined
}

async function activeProvider(parts: SignInParts, request: FastifyRequest): Promise<SsoProviderRow> {
  const provider = await providerIn(parts, request)
  if (!provider || !isActive(provider)) throw fail('not_found')
  return provider
}
