/** Forms of the sign-in pages: how they are read. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from '../../core/errors.ts'
import { isFromOwnOrigin } from './own-origin.ts'

const formBytes = 64 * 1024

/** Takes urlencoded bodies, for the routes of this part of the server only. */
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
