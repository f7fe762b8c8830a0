/** What both kinds of single sign-on need of the pages. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../core/errors.ts'
import type { SsoRefused } from '../../core/sso-refused.ts'
import { countGuess } from '../../domain/sessions/guesses.ts'
import { noteRefusal } from '../../domain/sso/notes.ts'
import { isActive } from '../../domain/sso/providers.ts'
import { findProvider, type SsoProviderRow } from '../../store/people/sso.ts'
import { mountOf } from '../mount.ts'
import { html, sendPage } from './page.ts'
import type { SignInParts } from './parts.ts'
import { type Texts, textsFor } from './texts/index.ts'

/** Whoever is refused learns nothing of the reason; the organization's admins find it in the audit log. */
export async function refuse(
  { db, env, clock, log, ...parts }: SignInParts,
  request: FastifyRequest,
  reply: FastifyReply,
  provider: SsoProviderRow,
  error: SsoRefused,
): Promise<FastifyReply> {
  log.warn({ provider: provider.id, reason: error.message }, 'single sign-on refused')
  const { address } = parts.clientOf(request)
  const now = clock().toISOString()
  // Anybody can send nonsense here: it must not fill the audit log.
  await countGuess({ db, env, now }, { account: `sso ${provider.id}`, address })
  await db.transaction((tx) => noteRefusal({ db: tx, env, now }, provider, { reason: error.message, address }))
  return sendPage(reply, { ...refusedPage(textsFor(request), mountOf(env.urls)), status: 403 })
}

export const refusedPage = (t: Texts, mount: string) => ({
  language: t.language,
  title: t.refusedTitle,
  body: html`<h1>${t.refused}</h1>
<p>${t.refusedHint}</p>
<p><a href="${mount}/signin">${t.backToSignIn}</a></p>`,
})

export async function providerIn({ db }: SignInParts, request: FastifyRequest): Promise<SsoProviderRow | undefined> {
  const { provider = '' } = request.params as { provider?: string }
  return /^\w{1,64}$/.test(provider) ? findProvider(db, { id: provider }) : undefined
}

export async function activeProvider(parts: SignInParts, request: FastifyRequest): Promise<SsoProviderRow> {
  const provider = await providerIn(parts, request)
  if (!provider || !isActive(provider)) throw fail('not_found')
  return provider
}
