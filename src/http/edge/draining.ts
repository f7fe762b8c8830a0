/**
 * Stopping without cutting anyone off.
 *
 * Callers keep their connections open and may send the next request at the very moment we stop. So we stop listening, and
 * go on answering what arrives on open connections, each answer with `Connection: close`. A connection on which nothing
 * was asked for a while is ended: from then on its client sees that before it sends. Whoever is still served after that is
 * waited for; how long is up to the caller of `stop`.
 */
import type { ServerResponse } from 'node:http'
import { type Server, type Socket, Server as TcpServer } from 'node:net'
import { setTimeout as sleep, setImmediate as yieldLoop } from 'node:timers/promises'

/** How long a connection may be quiet before it counts as unused. */
const quietMilliseconds = 1_500
const sweepMilliseconds = 25

export class Draining {
  readonly #inProgress = new Set<ServerResponse>()
  /** Open connections, and when each was last used since the stop began. */
  readonly #connections = new Map<Socket, number>()
  readonly #onStop: (() => void)[] = []
  #isDraining = false

  get isDraining(): boolean {
    return this.#isDraining
  }

  get inProgress(): number {
    return this.#inProgress.size
  }

  /** Those of them that somebody waits for: a stream of events only waits itself. */
  countWork(): number {
    return [...this.#inProgress].filter(({ req }) => req.exchange?.surface !== 'stream').length
  }

  /** Knows the connections of a server from here on. */
  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.#connections.set(socket, 0)
      socket.once('close', () => this.#connections.delete(socket))
    })
  }

  begin(response: ServerResponse): void {
    this.#inProgress.add(response)
    if (this.#isDraining) response.shouldKeepAlive = false
  }

  end(response: ServerResponse): void {
    this.#inProgress.delete(response)
    const { socket } = response.req
    if (this.#isDraining && this.#connections.has(socket)) this.#connections.set(socket, performance.now())
  }

  /** Called when the server begins to stop: for what would go on for as long as its reader likes. */
  onStop(work: () => void): void {
    this.#onStop.push(work)
  }

  /** Resolves when the last connection is gone. */
  async stop(server: Server): Promise<void> {
    this.#isDraining = true
    for (const response of this.#inProgress) if (!response.headersSent) response.shouldKeepAlive = false
    for (const work of this.#onStop) work()
    // Connections that wait in the system's queue are taken first: closing the port would reset them.
    await yieldLoop()
    await yieldLoop()
    // Of the HTTP server `close` would also end idle connections, on which a request may be on its way.
    if (server.listening) TcpServer.prototype.close.call(server)
    await this.#connectionsGone(performance.now())
  }

  async #connectionsGone(began: number): Promise<void> {
    while (this.#connections.size > 0) {
      await sleep(sweepMilliseconds)
      // Behind the reading of what has arrived, so that none of it is thrown away.
      await yieldLoop()
      const inUse = new Set([...this.#inProgress].map((response) => response.req.socket))
      const quietSince = performance.now() - quietMilliseconds
      for (const [socket, used] of this.#connections)
        if (!inUse.has(socket) && Math.max(used, began) < quietSince) socket.destroy()
    }
  }
}
