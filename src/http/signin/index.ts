/** The pages on which people sign in and out. They work without a script. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Urls } from '../../core/urls.ts'
import type { Client } from '../../domain/sessions/session.ts'
import type { Log } from '../../platform/log.ts'
import type { Authenticator } from '../api/authenticate.ts'
import type { Parts, Runner } from '../api/dispatch.ts'
import { mountOf } from '../mount.ts'
import { addAccountPages } from './account-pages.ts'
import { readCookie, sessionCookieName } from './cookies.ts'
import { acceptUrlEncoded } from './forms.ts'
import { addJoinPages } from './join-pages.ts'
import { isFromOwnOrigin } from './own-origin.ts'
import type { SignInParts } from './parts.ts'
import { addPasswordPages } from './password-pages.ts'
import { addResetPages } from './reset-pages.ts'
import { addSignInPages } from './signin-pages.ts'
import { addSsoPages, sendToProvider } from './sso-pages.ts'

export function addSignIn(
  app: FastifyInstance,
  given: Parts & {
    log: Log
    authenticate: Authenticator
    runners: ReadonlyMap<string, Runner>
  },
): void {
  const { urls } = given.env
  const name = sessionCookieName(urls)
  const parts: SignInParts = {
    ...given,
    findActor: async (request) =>
      given.authenticate({ session: readCookie(request.headers.cookie, name) }, given.db.commitVersion()),
    clientOf: (request) => clientOf(request, urls),
    sendToProvider: (reply, wanted) => sendToProvider({ ...given, mount: mountOf(urls) }, reply, wanted),
  }
  app.register(async (pages) => {
    acceptUrlEncoded(pages)
    addSignInPages(pages, parts)
    addPasswordPages(pages, parts)
    addSsoPages(pages, parts)
    addResetPages(pages, parts)
    addJoinPages(pages, { ...parts, runners: given.runners })
    addAccountPages(pages, { ...parts, runners: given.runners })
  })
}

export const clientOf = (request: Pick<FastifyRequest, 'ip' | 'headers'>, urls: Pick<Urls, 'app'>): Client => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
  isOwnOrigin: request.headers['x-lectern-app'] === '1' && isFromOwnOrigin(request.headers, new URL(urls.app).origin),
})
