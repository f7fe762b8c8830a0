/**
 * Stopping without cutting anyone off.
 *
 * Callers keep their connections open and may send the next request at the very moment we stop. So first every answer
 * asks them to close theirs, and whoever watches is told that we are no longer ready; a moment later the door closes, what
 * was accepted is finished, and connections on which nothing happens are ended.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

const noticeMilliseconds = 300
const sweepMilliseconds = 50

export interface Drain {
  readonly isDraining: boolean
  /** Called when the server begins to stop: for what would go on for as long as its reader likes. */
  onStop(work: () => void): void
  /** Resolves when the last accepted request is answered. */
  stop(): Promise<void>
}

export function addDrain(app: FastifyInstance): Drain {
  let isDraining = false
  const onStop: (() => void)[] = []
  app.addHook('onRequest', (_request, reply, done) => {
    if (isDraining) reply.header('connection', 'close')
    done()
  })
  return {
    get isDraining() {
      return isDraining
    },
    onStop: (work) => void onStop.push(work),
    stop: async () => {
      isDraining = true
      for (const work of onStop) work()
      await sleep(noticeMilliseconds)
      // Answers that were under way at the notice leave their connections open, and Node waits for those for a long time.
      const sweep = setInterval(() => app.server.closeIdleConnections(), sweepMilliseconds)
      try {
        await app.close()
      } finally {
        clearInterval(sweep)
      }
    },
  }
}
