/**
 * Single sign-on in the browser: `/sso/{provider}` sets out, the provider answers at `/sso/{provider}/acs` (OpenID Connect:
 * `/callback`, see oidc-pages.ts), and `/sso/finish` begins the session.
 *
 * The provider's answer is a form sent by a page of another site, so our cookies do not come with it. It is checked and
 * exchanged for a code; the browser then shows the code together with the cookie it was given when it set out. An answer
 * that somebody slips into another browser therefore signs nobody in there. Where to go on is remembered here, and never
 * taken from what comes back.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { fail } from '../../core/errors.ts'
import { SsoRefused } from '../../core/sso-refused.ts'
import { domainOf } from '../../domain/sso/domains.ts'
import { isActive, partiesOf } from '../../domain/sso/providers.ts'
import { acceptAnswer, beginSignOn, finishSignOn, later, openRequest } from '../../domain/sso/sign-on.ts'
import { providersForDomain, type SsoProviderRow } from '../../store/people/sso.ts'
import type { Parts } from '../api/dispatch.ts'
import { mountOf } from '../mount.ts'
import { clearCookie, readCookie, ssoCookieName, writeCookie } from './cookies.ts'
import { acceptUrlEncoded, fieldOf } from './forms.ts'
import { nextPath } from './next.ts'
import { addOidcCallback, startOidc } from './oidc-pages.ts'
import { html, sendPage } from './page.ts'
import type { SignInParts } from './parts.ts'
import { queryOf, signIn } from './signin-pages.ts'
import { activeProvider, providerIn, refuse, refusedPage } from './sso-parts.ts'
import { textsFor } from './texts/index.ts'

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
    const setOut = { providerId: provider.id, browser, next }
    if (provider.kind === 'oidc') return startOidc(parts, request, reply, provider, setOut)
    const parties = partiesOf(provider, urls)
    if (!parties) throw fail('not_found')
    const id = await beginSignOn(base(), setOut)
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

  addOidcCallback(app, parts)

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
        if (!(error instanceof SsoRefused)) throw error
        return refuse(parts, request, reply, provider, error)
      }
    })
  })

  app.get('/sso/finish', async (request, reply) => {
    const { code = '' } = queryOf(request)
    const browser = readCookie(request.headers.cookie, cookie)
    const done = browser === undefined ? undefined : await finishSignOn(base(), { code, browser })
    if (!done) return sendPage(reply, { ...refusedPage(textsFor(request), mount), status: 403 })
    const { provider, userId, next } = done
    reply.header('set-cookie', clearCookie(urls, cookie))
    return signIn(parts, request, reply, { userId, method: provider.kind, provider, next })
  })
}

/** On to the one provider of an address, or to a choice of them. */
export async function sendToProvider(
  { db, mount }: Parts & { mount: string },
  reply: FastifyReply,
  { t, email, next, again }: Parameters<SignInParts['sendToProvider']>[1],
): Promise<FastifyReply> {
  const providers = (await providersForDomain(db, { domain: domainOf(email) })).filter(isActive)
  const addressOf = ({ id }: SsoProviderRow) => `${mount}/sso/${id}?next=${encodeURIComponent(next)}`
  const [only] = providers
  if (!only) return again(t.noSso, 400)
  return sendPage(reply, {
    language: t.language,
    title: t.sso,
    ...(providers.length === 1 ? { goOn: addressOf(only) } : {}),
    body: html`<h1>${t.sso}</h1>
<p class="soft">${t.continueAs(html`<strong>${email}</strong>`)}</p>
<div class="whole">${providers.map((one) => html`<p><a class="button" href="${addressOf(one)}">${one.label}</a></p>`)}</div>`,
  })
}
