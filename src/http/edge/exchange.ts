/** One request and its answer, from when it arrives until the answer is out: what every step of the edge knows of it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Arrival } from './arrivals.ts'
import { headersOf, type RequestHeaders } from './request-headers.ts'
import { requestIdOf } from './request-id.ts'

/** For whom an answer is: who reads the metrics and in which form errors are shown depends on it. */
export type Surface = 'api' | 'stream' | 'site' | 'app' | 'signin' | 'files' | 'reference' | 'operations' | 'other'

export class Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly headers: RequestHeaders
  readonly id: string
  readonly started = performance.now()
  surface: Surface = 'other'
  /** Which of the few routes of its surface it took; never the address itself, of which there are too many. */
  route = 'none'
  /** Since when it is here, with others. */
  readonly arrival: Arrival
  /** Under which an answer to it may be kept, once that was worked out; null where none may. */
  answerKey: string | null | undefined = undefined

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { arrival, id }: { arrival: Arrival; id?: string | undefined },
  ) {
    this.request = request
    this.response = response
    this.arrival = arrival
    this.headers = headersOf(request)
    this.id = id ?? requestIdOf(this.headers['x-request-id'])
  }
}

declare module 'node:http' {
  interface IncomingMessage {
    exchange?: Exchange
  }
}
