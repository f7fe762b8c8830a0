/** Answers whatever happens: what is thrown while an answer is made becomes an error of the API. */
import type { Log } from '../../platform/log.ts'
import { apiHeaders } from '../edge/cors.ts'
import { errorOf, isWorthLogging } from '../edge/errors.ts'
import type { Exchange } from '../edge/exchange.ts'
import type { Edge } from '../edge/index.ts'

/** `work` adds to the headers that it is given; an error is told with those that are there by then. */
export type Guarded = (exchange: Exchange, work: (headers: string[]) => Promise<void>) => Promise<void>

export const makeGuarded =
  ({ edge, log }: { edge: Edge; log: Log }): Guarded =>
  async (exchange, work) => {
    const headers: string[] = [...apiHeaders]
    try {
      await work(headers)
    } catch (error) {
      const known = errorOf(error)
      if (isWorthLogging(known)) log.error({ err: error, req: exchange.request, reqId: exchange.id }, 'request failed')
      if (!exchange.response.headersSent) edge.sendError(exchange, known, headers)
    }
  }
