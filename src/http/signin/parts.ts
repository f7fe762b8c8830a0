/** What the sign-in pages share. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../domain/actor.ts'
import type { Client } from '../../domain/sessions/session.ts'
import type { Log } from '../../platform/log.ts'
import type { Parts } from '../api/dispatch.ts'
import type { Texts } from './texts/index.ts'

export interface SignInParts extends Parts {
  log: Log
  /** Whose session the browser has. Only for pages: what they show cannot be read by others, and their forms are checked. */
  findActor: (request: FastifyRequest) => Promise<Actor | undefined>
  clientOf: (request: FastifyRequest) => Client
  /** On to the identity provider for an e-mail address, or `again` to the page when it has none. */
  sendToProvider: (
    reply: FastifyReply,
    wanted: { t: Texts; email: string; next: string; again: (problem: string, status: number) => FastifyReply },
  ) => Promise<FastifyReply>
}
