/**
 * What a handler receives: everything its path names, loaded, visible and permitted, beside its parsed input.
 *
 * A loader turns a path parameter into the thing it names, as the caller meets it. A thing carries the caller's
 * permissions on it; one without `view` does not exist for them.
 */
import type { BodyOf, Fields, KindOf, Operation, ParamsOf, QueryOf, ResultOf } from '../contract/operation.ts'
import type { Bytes } from '../core/blobs.ts'
import type { ApiError } from '../core/errors.ts'
import type { CommitVersion, Connection } from '../store/database.ts'
import type { Threads } from '../threads/supervisor.ts'
import type { Actor } from './actor.ts'
import type { Environment } from './environment.ts'
import type { Client } from './sessions/session.ts'
import type { Things } from './things.ts'

export interface Base {
  /** Aborted when nobody waits for the answer any more; only streams have it. */
  signal?: AbortSignal | undefined
  /** The open transaction of a write; the database itself for a GET. */
  db: Connection
  /** The database's when the request came: what was in memory and held then holds for all that it reads. */
  commitVersion?: CommitVersion | undefined
  /** For reads that may take long. */
  slow: Connection
  env: Environment
  actor: Actor
  /** The network address the request came from; a job has none. */
  address?: string | undefined
  /** The browser or program it came from; a job has none. */
  client?: Client | undefined
  /** The time of the request: one moment for everything it writes. */
  now: string
}

/** The kinds of things that are loaded for a row: all that its path names, but one that the handler looks for itself. */
type Loaded<Kind, F extends Fields> = Exclude<
  Extract<Kind, keyof Things>,
  F['unloaded'] extends string ? F['unloaded'] : never
>

type ThingsIn<Path extends string, F extends Fields> = {
  [K in Loaded<KindOf<ParamsOf<Path>, Path>, F>]: Things[K]
}

/** Parameters that are no thing but plain text. */
type TextIn<Path extends string, F extends Fields> = {
  [P in ParamsOf<Path> as [Loaded<KindOf<P, Path>, F>] extends [never] ? P : never]: string
}

export type Call<Path extends string, F extends Fields> = Base &
  ThingsIn<Path, F> & { params: TextIn<Path, F>; query: QueryOf<F>; body: BodyOf<F> }

/** A body that is stored as JSON and sent as it is, some at a time: it is never in memory as a whole. */
export class StoredJson {
  readonly bytes: number
  /** Equal for equal JSON. */
  readonly hash: string
  readonly open: () => Promise<Bytes>

  constructor({ bytes, hash, open }: Pick<StoredJson, 'bytes' | 'hash' | 'open'>) {
    this.bytes = bytes
    this.hash = hash
    this.open = open
  }
}

/** A body that is there as JSON already: what is large and was stored as text is not read and written again. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

export interface NewSession {
  secret: string
  expiresAt: string
}

/** A result with a status or headers of its own, where the row's success is not the whole story. */
export class Answer<T> {
  readonly body: T
  readonly status: number | undefined
  readonly headers: Record<string, string>
  /** The session that the browser has from now on; null ends the one it had. */
  readonly session: NewSession | null | undefined

  constructor(
    body: T,
    options: { status?: number; headers?: Record<string, string>; session?: NewSession | null } = {},
  ) {
    this.body = body
    this.status = options.status
    this.headers = options.headers ?? {}
    this.session = options.session
  }
}

export type Handler<Row> =
  Row extends Operation<infer Path, infer F>
    ? (call: Call<Path, F>) => Promise<F['stored'] extends true ? StoredJson : Body<F> | Answer<Body<F>>>
    : never

type Body<F extends Fields> = ResultOf<F> | (F['stored'] extends 'mostly' ? JsonText : never)

/**
 * Thrown by the second step of a write when what the first found does not count any more, because the content has moved on
 * between the two. The first step is then done again, outside of any transaction, and told what it had found.
 */
export class StalePreparation extends Error {
  override name = 'StalePreparation'
}

/**
 * A write in two steps: `prepare` does what may take long (parsing, fetching, storing bytes) with no transaction open, and
 * `commit` does the rest inside one. What the path names is loaded and checked before each.
 */
export function phased<Path extends string, F extends Fields, Prepared>(
  _row: Operation<Path, F>,
  steps: {
    prepare: (call: Call<Path, F>, stale?: Prepared) => Promise<Prepared>
    commit: (call: Call<Path, F>, prepared: Prepared) => Promise<ResultOf<F> | Answer<ResultOf<F>>>
  },
): (call: Call<Path, F>) => Promise<ResultOf<F> | Answer<ResultOf<F>>> {
  const whole = async (call: Call<Path, F>) => steps.commit(call, await steps.prepare(call))
  return Object.assign(whole, { steps })
}

/**
 * A write whose body takes long to read (Markdown, a template): `read` does that with no transaction open and, since it sees
 * nothing but the body, before anything is loaded, as the shape of a body is checked. What the path names is loaded once, by `commit`.
 */
export function readFirst<Path extends string, F extends Fields, Read>(
  _row: Operation<Path, F>,
  steps: {
    read: (body: BodyOf<F>, threads: Threads) => Promise<Read>
    commit: (call: Call<Path, F>, read: Read) => Promise<ResultOf<F> | Answer<ResultOf<F>>>
  },
): (call: Call<Path, F>) => Promise<ResultOf<F> | Answer<ResultOf<F>>> {
  const whole = async (call: Call<Path, F>) => steps.commit(call, await steps.read(call.body, call.db.threads))
  return Object.assign(whole, { steps })
}

/** What a job carries out, by the id that `begin` gave it; its answer is still to come. */
export class Begun {
  readonly id: string

  constructor(id: string) {
    this.id = id
  }
}

/**
 * A write that a job carries out while the request waits for it: `begin` writes the job, inside a transaction, and gives the
 * id by which it is found (none when there is nothing to do); `wait` waits for its end with no transaction open; `answer` says how it
 * went, or what stopped it. A request that comes again is answered by the last two alone, so they know the job by its id.
 */
export function awaited<Path extends string, F extends Fields, Prepared>(
  _row: Operation<Path, F>,
  steps: {
    prepare?: (call: Call<Path, F>) => Promise<Prepared>
    begin: (call: Call<Path, F>, prepared: Prepared) => Promise<string | undefined>
    wait: (call: Call<Path, F>, id: string) => Promise<void>
    answer: (call: Call<Path, F>, id: string) => Promise<ResultOf<F> | Answer<ResultOf<F>> | ApiError>
  },
): (call: Call<Path, F>) => Promise<ResultOf<F> | Answer<ResultOf<F>>> {
  const whole = () =>
    Promise.reject(new Error('What a job carries out is begun in one transaction and answered after it.'))
  return Object.assign(whole, { steps })
}

/** The handlers of a table; rows that repeat another at a second path share its handler. */
export type HandlersOf<Table> = {
  [Name in keyof Table as Table[Name] extends { twinOf: Operation } ? never : Name]: Handler<Table[Name]>
}
