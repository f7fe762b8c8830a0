/**
 * Requests that arrive in the same turn of the event loop, and what they share: the commit version of the database, which takes as
 * long to ask for as a row takes to read.
 *
 * All of them were sent before that turn began to read sockets, and it is asked for after that: no commit that they can know of is
 * missed. One that was asked for by anybody else is not shared, since a turn may wait for sockets after it was.
 */
import { performance } from 'node:perf_hooks'

export interface Arrival {
  /** Which turn of the event loop it was. */
  loopCount: number
  commitVersion: number | undefined
}

type Timing = typeof performance.nodeTiming

export class Arrivals {
  #last: Arrival | undefined

  /** Of a request that arrives now. */
  join(): Arrival {
    // Node 21 and the first of 22 do not tell: there nobody shares, since this equals nothing.
    const loopCount = (performance.nodeTiming as Partial<Timing>).uvMetricsInfo?.loopCount ?? Number.NaN
    if (this.#last?.loopCount !== loopCount) this.#last = { loopCount, commitVersion: undefined }
    return this.#last
  }
}
