/**
 * The connections of this process to PostgreSQL, and whether the server at their other end still answers.
 *
 * 1. A connection that breaks, wherever it is used, fails the statements on it and nothing else.
 * 2. A statement that takes long is either work or silence. Once one has waited for a second and a half, the server is asked something
 *    trivial on a connection of its own. If that is not answered either, the server is away: every connection is cut, so
 *    that nobody waits for it, and whoever asks next is refused at once.
 * 3. While it is away a new connection is tried several times a second; the first that works ends it.
 */
import { Socket } from 'node:net'
import { setTimeout as sleep, setImmediate as yieldLoop } from 'node:timers/promises'
import pg from 'pg'
import { fail } from '../../core/errors.ts'

/** How long a statement waits before the server is asked whether it is there at all. */
const silenceMilliseconds = 1500
/** How long that answer may take. */
const probeMilliseconds = 4000
/** How often a server that is away is tried again. */
const returnMilliseconds = 200
/** How long a request waits for a free connection, or for the server to take a new one. */
const connectMilliseconds = 5000
/** No statement of a request takes this long; the server ends those that do. Commands and migrations lift it. */
const statementMilliseconds = 30_000

export interface PoolOptions {
  location: string
  poolSize: number
  types: pg.CustomTypesConfig
  patient: boolean
}

/**
 * A newer version has added a column while this one runs: a statement that was prepared before cannot be run again on the
 * same connection. On a new one it can.
 */
export const isPlanOutdated = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: string }).code === '0A000' && /cached plan/.test(error.message)

export class PostgresPool {
  readonly #pool: pg.Pool
  readonly #config: pg.ClientConfig
  readonly #sockets = new Set<Socket>()
  /** When each statement that has no answer yet was sent, oldest first. */
  readonly #waiting = new Map<symbol, number>()
  #timer: NodeJS.Timeout | undefined
  #probe: pg.Client | undefined
  #probeSocket: Socket | undefined
  #isProbing = false
  #isAway = false
  #isClosed = false

  constructor({ location, poolSize, types, patient }: PoolOptions) {
    const limit = patient ? 0 : statementMilliseconds
    this.#config = {
      connectionString: location,
      application_name: 'lectern',
      // To compile a statement takes longer than to run any of ours. An address with `options` of its own has the last word.
      options: '-c jit=off',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    }
    this.#pool = new pg.Pool({
      ...this.#config,
      max: poolSize,
      connectionTimeoutMillis: connectMilliseconds,
      idleTimeoutMillis: 30_000,
      statement_timeout: limit,
      // For one connection whose packets are lost on the way while the server itself is well.
      ...(patient ? {} : { query_timeout: limit + 5000 }),
      // A process that stopped in the middle of a transaction must not keep its locks.
      idle_in_transaction_session_timeout: limit,
      stream: () => this.#openSocket(),
      types,
    })
    // Whoever uses the connection learns of its end by the statement that fails; an `error` event nobody listens to would
    // end the process.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => client.on('error', () => {}))
  }

  /** A statement by itself, on any connection. */
  query<R extends unknown[]>(config: pg.QueryArrayConfig): Promise<pg.QueryArrayResult<R>> {
    return this.watch(() => this.#query<R>(config))
  }

  async #query<R extends unknown[]>(config: pg.QueryArrayConfig): Promise<pg.QueryArrayResult<R>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#pool.query<R>(config)
      } catch (error) {
        // The pool has thrown the connection away; each of the others may have an old plan as well.
        if (!isPlanOutdated(error) || attempt > this.#pool.options.max) throw error
      }
    }
  }

  connect(): Promise<pg.PoolClient> {
    return this.watch(() => this.#pool.connect())
  }

  /** Waits for the server, but not for one that has gone. */
  async watch<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#isAway) throw fail('storage_unavailable')
    const id = Symbol()
    this.#waiting.set(id, performance.now())
    this.#timer ??= setInterval(() => this.#checkSilence(), silenceMilliseconds / 2).unref()
    try {
      return await ask()
    } finally {
      this.#waiting.delete(id)
    }
  }

  async end(): Promise<void> {
    this.#isClosed = true
    this.#stopTimer()
    this.#dropProbe()
    await this.#pool.end()
  }

  #openSocket(): Socket {
    const socket = new Socket()
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    // Those who were waiting for a connection when the server went away are not sent to wait for it once more.
    if (this.#isAway) setImmediate(() => socket.destroy(new Error('Connection terminated: the server is away.')))
    return socket
  }

  #stopTimer(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #checkSilence(): void {
    const [oldest] = this.#waiting.values()
    // Not at the end of each statement: the next one mostly follows at once, and would start it again.
    if (oldest === undefined) this.#stopTimer()
    if (oldest === undefined || performance.now() - oldest < silenceMilliseconds) return
    if (this.#isProbing || this.#isAway || this.#isClosed) return
    this.#isProbing = true
    this.#answers()
      .then((answers) => (answers ? undefined : this.#beAway()))
      .finally(() => {
        this.#isProbing = false
      })
  }

  async #beAway(): Promise<void> {
    this.#isAway = true
    this.#dropProbe()
    for (const socket of this.#sockets) socket.destroy()
    while (!this.#isClosed && !(await this.#answers())) await sleep(returnMilliseconds, undefined, { ref: false })
    this.#isAway = false
  }

  /** Whether the server says anything, on a connection that is kept for this question. */
  async #answers(): Promise<boolean> {
    const late = sleep(probeMilliseconds, false, { ref: false })
    // An answer that arrived while this process itself was busy counts: it is read before the clock is believed.
    const patient = late.then(() => yieldLoop()).then(() => yieldLoop(false))
    const answered = await Promise.race([this.#ask(), patient])
    if (!answered) this.#dropProbe()
    return answered
  }

  async #ask(): Promise<boolean> {
    const isNew = this.#probe === undefined
    const socket = new Socket()
    const client = this.#probe ?? new pg.Client({ ...this.#config, stream: () => socket })
    try {
      if (isNew) {
        client.on('error', () => this.#dropProbe())
        client.on('end', () => this.#dropProbe())
        this.#probe = client
        this.#probeSocket = socket
        await client.connect()
        socket.unref()
      }
      await client.query('select 1')
      return true
    } catch (error) {
      // A server without room for one more connection is there.
      return (error as { code?: string }).code === '53300'
    }
  }

  #dropProbe(): void {
    this.#probeSocket?.destroy()
    this.#probeSocket = undefined
    this.#probe = undefined
  }
}
