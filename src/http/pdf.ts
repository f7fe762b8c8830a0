/**
 * `/pdf/{token}/{name}`: a book, for whoever holds an address that the API gave out. It is made when it is first fetched,
 * and kept; who asks for the same meanwhile waits for the one that is being made.
 */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { fail } from '../core/errors.ts'
import { gatherBook } from '../domain/pdf/gather.ts'
import { keyOf, openTicket, type PdfTicket } from '../domain/pdf/ticket.ts'
import type { Log } from '../platform/log.ts'
import { TypesetError } from '../platform/typeset/typeset.ts'
import type { Parts } from './api/dispatch.ts'
import { dispositionOf } from './disposition.ts'

export function addPdf(app: FastifyInstance, { db, env, clock, log }: Parts & { log: Log }): void {
  const making = new Map<string, Promise<string>>()

  const make = async (ticket: PdfTicket, key: string): Promise<string> => {
    const { book, images } = await gatherBook({ db, env, now: clock().toISOString() }, ticket)
    try {
      return await env.books.cached.put(key, await env.books.typeset(book, images))
    } catch (error) {
      if (!(error instanceof TypesetError)) throw error
      log.warn({ err: error, space: ticket.space, revision: ticket.revision }, 'a book could not be made')
      if (error.code === 'busy') throw fail('overloaded', `${error.message} Try again in a minute.`)
      throw fail(
        'pdf_failed',
        error.code === 'failed' ? undefined : `${error.message} Print a part of it: name a page.`,
      )
    }
  }

  app.get<{ Params: { token: string; name: string } }>('/pdf/:token/:name', async (request, reply) => {
    const ticket = openTicket(env, request.params.token)
    if (!ticket) throw fail('not_found')
    const secondsLeft = Math.floor((ticket.until - clock().getTime()) / 1000)
    if (secondsLeft <= 0) throw fail('not_found', 'This address has expired. Ask for the PDF again.')
    const key = keyOf(env, ticket)
    let path = await env.books.cached.find(key)
    if (path === undefined) {
      const made = making.get(key) ?? make(ticket, key).finally(() => making.delete(key))
      making.set(key, made)
      path = await made
    }
    const { size } = await stat(path)
    return reply
      .header('content-type', 'application/pdf')
      .header('content-length', size)
      .header('content-disposition', dispositionOf(request.params.name, { inline: true }))
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
      .header('referrer-policy', 'no-referrer')
      .header('x-robots-tag', 'noindex')
      .header('cache-control', `private, max-age=${secondsLeft}`)
      .send(createReadStream(path))
  })
}
