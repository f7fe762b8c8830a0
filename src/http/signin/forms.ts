/** Forms of the sign-in pages: how they are read, and how what goes wrong is shown. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ApiError, fail } from '../../core/errors.ts'
import { isFromOwnOrigin } from './own-origin.ts'
import { html, sendPage } from './page.ts'

const formBytes = 64 * 1024

/** Takes urlencoded bodies, and shows errors as pages, for the routes of this part of the server only. */
export function acceptUrlEncoded(app: FastifyInstance, { bytes = formBytes }: { bytes?: number } = {}): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: bytes },
    (_request, text, done) => done(null, new URLSearchParams(text as string)),
  )
}

/** One field of the form that was sent; empty when there is none. */
export function fieldOf(request: FastifyRequest, name: string): string {
  const { body } = request
  if (!(body instanceof URLSearchParams)) return ''
  const values = body.getAll(name)
  const [value = ''] = values
  // A field that comes twice, and what no text can hold, is nobody's honest form.
  if (values.length > 1 || value.includes('\0') || !value.isWellFormed()) throw fail('invalid_input')
  return value
}

/** A form of ours is sent by a page of ours. */
export function checkOwnForm(request: FastifyRequest, origin: string): void {
  if (!isFromOwnOrigin(request.headers, origin)) throw fail('not_own_origin')
}

const titles: Partial<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Not found',
  429: 'Too many attempts',
  503: 'Busy',
}

export function sendErrorPage(reply: FastifyReply, error: ApiError): FastifyReply {
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
  const title = titles[error.status] ?? (error.status < 500 ? 'That did not work' : 'Something went wrong')
  return sendPage(reply, {
    title,
    status: error.status,
    body: html`<h1>${title}</h1><p>${error.message}</p>`,
  })
}
