/** Answers 503 while the process cannot keep up, instead of letting everyone wait. */
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { fail } from '../core/errors.ts'

export function addOverloadGuard(app: FastifyInstance): void {
  app.register(underPressure, {
    maxEventLoopDelay: 1500,
    sampleInterval: 500,
    retryAfter: 1,
    pressureHandler: (request) => {
      // Whoever watches the process must be able to see that it is busy.
      if (/^\/(healthz|metrics)/.test(request.url)) return
      throw fail('overloaded')
    },
  })
}
