/**
 * Single sign-on by OpenID Connect: to the provider, and back at `/sso/{provider}/callback`.
 *
 * The answer comes by a link that the browser follows, so the cookie of whoever set out comes with it and is asked for
 * before anything is fetched. The code in the address is worth nothing without the verifier that never left the server.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../core/errors.ts'
import { SsoRefused } from '../../core/sso-refused.ts'
import { oidcClientOf } from '../../domain/sso/providers.ts'
import { acceptAnswer, beginSignOn, openOwnRequest } from '../../domain/sso/sign-on.ts'
import type { OidcClient } from '../../platform/oidc.ts'
import { type SsoProviderRow, updateProvider } from '../../store/people/sso.ts'
import { mountOf } from '../mount.ts'
import { readCookie, ssoCookieName } from './cookies.ts'
import type { SignInParts } from './parts.ts'
import { queryOf } from './signin-pages.ts'
import { activeProvider, refuse } from './sso-parts.ts'

export async function startOidc(
  parts: SignInParts,
  request: FastifyRequest,
  reply: FastifyReply,
  provider: SsoProviderRow,
  setOut: { providerId: string; browser: string; next: string },
): Promise<FastifyReply> {
  const { db, env, clock } = parts
  const client = await clientOf(parts, provider)
  const verifier = env.newSecret()
  try {
    const state = await beginSignOn({ db, env, now: clock().toISOString() }, { ...setOut, verifier })
    return reply.redirect(await env.oidc.requestUrl(client, { state, verifier }), 303)
  } catch (error) {
    if (!(error instanceof SsoRefused)) throw error
    return refuse(parts, request, reply, provider, error)
  }
}

export function addOidcCallback(app: FastifyInstance, parts: SignInParts): void {
  const { db, env, clock } = parts
  const mount = mountOf(env.urls)
  const cookie = ssoCookieName(env.urls)

  app.get('/sso/:provider/callback', async (request, reply) => {
    const provider = await activeProvider(parts, request)
    const client = await clientOf(parts, provider)
    const base = () => ({ db, env, now: clock().toISOString() })
    try {
      const { state = '' } = queryOf(request)
      if (!/^_[\w-]{43}$/.test(state)) throw new SsoRefused('an answer to no request of ours')
      const browser = readCookie(request.headers.cookie, cookie)
      const { verifier } = await openOwnRequest(base(), { id: state, providerId: provider.id, browser })
      const identity = await env.oidc.read(client, { state, verifier }, new URL(request.url, env.urls.app))
      const code = await acceptAnswer(base(), { provider, requestId: state, identity })
      return reply.header('cache-control', 'no-store').redirect(`${mount}/sso/finish?code=${code}`, 303)
    } catch (error) {
      if (!(error instanceof SsoRefused)) throw error
      return refuse(parts, request, reply, provider, error)
    }
  })
}

async function clientOf({ db, env }: SignInParts, provider: SsoProviderRow): Promise<OidcClient> {
  const found = oidcClientOf({ env }, provider)
  if (!found) throw fail('not_found')
  if (found.renewed !== undefined) await updateProvider(db, provider.id, { clientSecret: found.renewed })
  return found.client
}
