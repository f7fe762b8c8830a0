/** The pages on which people sign in and out. They work without a script. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ApiError } from '../../core/errors.ts'
import type { Urls } from '../../core/urls.ts'
import type { Client } from '../../domain/sessions/session.ts'
import type { Log } from '../../platform/log.ts'
import type { Authenticator } from '../authenticate.ts'
import type { Parts } from '../dispatch.ts'
import { mountOf } from '../mount.ts'
import { readCookie, sessionCookieName } from './cookies.ts'
import { acceptUrlEncoded, sendErrorPage } from './forms.ts'
import { isFromOwnOrigin } from './own-origin.ts'
import type { SignInParts } from './parts.ts'
import { addPasswordPages } from './password-pages.ts'
import { addSignInPages } from './signin-pages.ts'
import { addSsoPages, sendToProvider } from './sso-pages.ts'

export function addSignIn(
  app: FastifyInstance,
  given: Parts & { log: Log; authenticate: Authenticator; errorOf: (error: unknown) => ApiError },
): void {
  const { urls } = given.env
  const name = sessionCookieName(urls)
  const parts: SignInParts = {
    ...given,
    findActor: (request) => given.authenticate({ session: readCookie(request.headers.cookie, name) }, given.db.mark()),
    clientOf: (request) => clientOf(request, urls),
    sendToProvider: (reply, wanted) => sendToProvider({ ...given, mount: mountOf(urls) }, reply, wanted),
  }
  app.register(async (pages) => {
    acceptUrlEncoded(pages)
    pages.setErrorHandler((error, request, reply) => {
      const known = given.errorOf(error)
      if (known.status >= 500 && known.code !== 'overloaded')
        request.log.error({ err: error, req: request }, 'page failed')
      return sendErrorPage(reply, known)
    })
    addSignInPages(pages, parts)
    addPasswordPages(pages, parts)
    addSsoPages(pages, parts)
  })
}

export const clientOf = (request: FastifyRequest, urls: Pick<Urls, 'app'>): Client => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
  isOwnOrigin: isFromOwnOrigin(request.headers, new URL(urls.app).origin) && request.headers['x-lectern-app'] === '1',
})
