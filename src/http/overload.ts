/**
 * Answers 503 while the process cannot keep up, instead of letting everyone wait. Readers of sites do not pass this guard:
 * they ask `isOverloaded`, when what they want is not at hand.
 */
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { fail } from '../core/errors.ts'

/** How far behind the event loop may be, in milliseconds. */
const delayLimit = 1500

/** `limit` of 0 is no limit, for tests on a machine that is busy with other things. */
export function addOverloadGuard(app: FastifyInstance, limit: number = delayLimit): () => boolean {
  if (limit === 0) return () => false
  app.register(underPressure, {
    maxEventLoopDelay: limit,
    sampleInterval: 500,
    retryAfter: 1,
    pressureHandler: (request) => {
      // Whoever watches the process must be able to see that it is busy.
      if (/^\/(healthz|metrics)/.test(request.url)) return
      // A browser asks for a part of the app once: refused, it takes the part for gone.
      if (request.url.startsWith('/app')) return
      throw fail('overloaded')
    },
  })
  // The plugin is there once the server is ready.
  return () => app.isUnderPressure?.() ?? false
}
