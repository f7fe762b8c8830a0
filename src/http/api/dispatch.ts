/**
 * Carries out one operation: parse → load what the path names (404) → permission (403) → handler → answer.
 *
 * The order is the same for every row, and no handler repeats any of it. Writes run in one transaction from the first
 * load to the last statement, so that what was decided is what is written. It knows nothing of sockets: the HTTP server
 * and the in-process client both call it.
 */
import { type CallInput, honoursKeys, isRead, type Operation, paramsOf, successOf } from '../../contract/operation.ts'
import { ApiError, fail } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Environment } from '../../domain/environment.ts'
import { Answer, Begun, type NewSession, StalePreparation } from '../../domain/handler.ts'
import type { Client } from '../../domain/sessions/session.ts'
import type { Things } from '../../domain/things.ts'
import type { CommitVersion, Connection, Database, TransactionOptions } from '../../store/database.ts'
import type { Threads } from '../../threads/supervisor.ts'
import type { WriteQueue } from '../edge/overload.ts'
import { etagOf } from '../etag.ts'
import { type Call, makeEnter, type Parsed } from './enter.ts'
import { Keyed } from './idempotency.ts'
import { bodyReader, queryReader } from './input.ts'
import { makeQueues } from './one-at-a-time.ts'
import { openUpload, readToEnd } from './upload.ts'

export interface Request extends CallInput {
  actor?: Actor | undefined
  /** The network address it came from. */
  address?: string | undefined
  /** The database's, asked for after it came. A stream has none: it goes on for long after that, and must see what changes. */
  commitVersion?: CommitVersion | undefined
  /** Ends a stream. */
  signal?: AbortSignal | undefined
  client?: Client | undefined
}

export interface Reply {
  status: number
  body: unknown
  headers: Record<string, string>
  /** The session that the browser has from now on; null ends the one it had. */
  session?: NewSession | null | undefined
}

type AnyHandler = ((call: unknown) => Promise<unknown>) & {
  steps?: {
    read?: (body: unknown, threads: Threads) => Promise<unknown>
    prepare?: (call: unknown, stale?: unknown) => Promise<unknown>
    commit?: (call: unknown, prepared: unknown) => Promise<unknown>
    begin?: (call: unknown, prepared: unknown) => Promise<string | undefined>
    wait?: (call: unknown, id: string) => Promise<void>
    answer?: (call: unknown, id: string) => Promise<unknown>
  }
}

/** What the first step of a write in two steps found. */
interface Prepared {
  value: unknown
}

interface Found {
  prepared: Prepared | undefined
  keyed: Keyed | undefined
}

/** Runs an operation: what can be worked out once is worked out once. */
export interface Runner {
  name: string
  operation: Operation
  run: (request: Request) => Promise<Reply>
}

/** What other rows say of the path of one. */
export interface OtherRows {
  /** The row that reads it. */
  reader: () => Runner | undefined
  /** Whether a row names, by its id, one of those that stand there. */
  nameOne: boolean
}

export interface Parts {
  db: Database
  env: Environment
  clock: () => Date
  /** Where writes wait for their transaction. */
  writes: WriteQueue
}

export function makeRunner(
  name: string,
  operation: Operation,
  handler: AnyHandler,
  parts: Parts,
  others: OtherRows,
): Runner {
  const enter = makeEnter(operation, parts)
  const readQuery = queryReader(operation.fields.query)
  const readBody = bodyReader(operation.fields.body)
  const { status } = successOf(operation.fields)
  const reads = isRead(operation)
  const { steps } = handler
  const transactionFor = transactionsOf(operation)

  const answerWith = (request: Request, result: unknown): Reply =>
    replyOf(result, status, (id) => {
      const collection = addressOf(operation.path, request.params, parts.env.urls)
      return others.nameOne ? `${collection}/${id}` : collection
    })

  const read = async (request: Request, db: Connection, input: Parsed): Promise<Reply> =>
    answerWith(request, await handler(await enter(request, db, input)))

  const carryOut = async (request: Request, db: Connection, input: Parsed, prepared?: Prepared) => {
    const call = await enter(request, db, input)
    if (!call) return { status: 204, body: undefined, headers: {} }
    if (request.ifMatch !== undefined) await checkMatch(request, db, call)
    if (steps?.begin) {
      const id = await steps.begin(call, prepared?.value)
      return id === undefined ? answerWith(request, undefined) : new Begun(id)
    }
    return answerWith(request, await (prepared && steps?.commit ? steps.commit(call, prepared.value) : handler(call)))
  }

  const prepare = async (request: Request, input: Parsed, stale?: Prepared): Promise<Prepared | undefined> => {
    if (steps?.read) return { value: await steps.read(input.body, parts.db.threads) }
    if (!steps?.prepare) return undefined
    const call = await enter(request, parts.db, input)
    if (call && request.ifMatch !== undefined) await checkMatch(request, parts.db, call)
    return call && { value: await steps.prepare(call, stale?.value) }
  }

  /** Once, if it comes with a key: what has been carried out under it is answered, and not prepared again. */
  const write = async (request: Request, input: Parsed): Promise<Reply> => {
    const keyed = keyOf(request)
    const outcome =
      keyed && steps?.prepare ? await writeOnce(request, input, keyed) : await writeNew(request, input, keyed)
    return outcome instanceof Begun ? finish(request, input, { begun: outcome, keyed }) : outcome
  }

  const writeOnce = async (request: Request, input: Parsed, keyed: Keyed): Promise<Reply | Begun> => {
    const known = await repeated(request, input, keyed)
    if (known) return known
    try {
      return await writeNew(request, input, keyed)
    } catch (error) {
      // The same request may have been carried out in the meantime, and what it changed be what stopped this one.
      const late = await repeated(request, input, keyed).catch(() => undefined)
      if (late) return late
      throw error
    }
  }

  const keyOf = (request: Request): Keyed | undefined => {
    const key = request.idempotencyKey
    if (key === undefined || !honoursKeys(operation)) return undefined
    return new Keyed(request, { operation: name, key, now: parts.clock() })
  }

  /** What came of a request with this key, for a caller who may still do with the things in its path what it did with them. */
  const repeated = async (request: Request, input: Parsed, keyed: Keyed): Promise<Reply | Begun | undefined> => {
    const row = await keyed.find(parts.db)
    if (!row) return undefined
    await enter(request, parts.db, input)
    if (operation.fields.upload) await readToEnd(input.body)
    return keyed.read(row)
  }

  /**
   * Both steps, the first again while what it found does not count any more when the second comes to it. Those that were
   * overtaken go one after the other, so that they do not overtake each other again and again.
   */
  const writeNew = async (request: Request, input: Parsed, keyed: Keyed | undefined): Promise<Reply | Begun> => {
    const prepared = await prepare(request, input)
    const outcome = await commitFresh(request, input, { prepared, keyed })
    if (outcome) return outcome
    return overtaken(transactionFor(request.params).lock ?? name, async () => {
      let again = await prepare(request, input, prepared)
      for (let attempt = 1; attempt < mostPreparations; attempt++) {
        const late = await commitFresh(request, input, { prepared: again, keyed })
        if (late) return late
        again = await prepare(request, input, again)
      }
      throw fail('overloaded', 'Others change the same content all the time. Try again in a moment.')
    })
  }

  /** Nothing, when what was prepared does not count any more. */
  const commitFresh = async (request: Request, input: Parsed, found: Found) => {
    try {
      return await commit(request, input, found)
    } catch (error) {
      if (error instanceof StalePreparation) return undefined
      throw error
    }
  }

  const commit = (request: Request, input: Parsed, { prepared, keyed }: Found): Promise<Reply | Begun> => {
    const write = async (tx: Connection): Promise<Reply | Begun> => {
      if (!keyed) return carryOut(request, tx, input, prepared)
      const known = await keyed.take(tx)
      if (known) {
        await enter(request, tx, input)
        return keyed.read(known)
      }
      const outcome = await carryOut(request, tx, input, prepared)
      await keyed.keep(tx, outcome)
      return outcome
    }
    return parts.writes.wait((begun) =>
      parts.db.transaction((tx) => {
        begun()
        return write(tx)
      }, transactionFor(request.params)),
    )
  }

  /** Waits for what a job carries out. The request may have been here for long by then, so what it found in memory is old. */
  const finish = async (
    request: Request,
    input: Parsed,
    { begun, keyed }: { begun: Begun; keyed: Keyed | undefined },
  ): Promise<Reply> => {
    const asked = { ...request, commitVersion: undefined }
    await steps?.wait?.(await enter(asked, parts.db, input), begun.id)
    const result = await steps?.answer?.(await enter(asked, parts.db, input), begun.id)
    if (result instanceof ApiError) {
      await keyed?.release(parts.db, begun)
      throw result
    }
    const reply = answerWith(request, result)
    return keyed ? keyed.settle(parts.db, begun, reply) : reply
  }

  /** The content is compared by its revision, anything else with what a GET of the path would answer at this moment. */
  const checkMatch = async (request: Request, db: Connection, call: Call): Promise<void> => {
    if (operation.fields.match === 'revision') return checkRevision(request.ifMatch, call)
    const runner = others.reader()
    if (!runner) throw fail('precondition_failed', 'This resource has no version to compare with.')
    const present = await (runner as InnerRunner).within(request, db)
    const wanted = tagsIn(request.ifMatch)
    if (!wanted.includes('*') && !wanted.includes(etagOf(JSON.stringify(present.body))))
      throw fail('precondition_failed')
  }

  const runner: InnerRunner = {
    name,
    operation,
    within: (request, db) => read(request, db, { query: readQuery({}), body: undefined }),
    run: async (given) => {
      if (operation.needs !== 'anyone' && !given.actor) throw fail('unauthenticated')
      if (given.actor?.visitor && !isForVisitors(operation)) throw fail('not_found')
      const upload = operation.fields.upload && openUpload(given)
      const request = upload ? { ...given, body: upload } : given
      const input = { query: readQuery(request.query), body: upload ?? readBody(request.body) }
      if (reads) return read(request, parts.db, input)
      const reply = await write(request, input)
      const revision = operation.fields.match === 'revision' ? revisionIn(reply.body) : undefined
      return revision === undefined ? reply : { ...reply, headers: { ...reply.headers, etag: `"${revision}"` } }
    },
  }
  return runner
}

/** How often a write prepares before others (of other processes, by then) are too fast for it. */
const mostPreparations = 12

const overtaken = makeQueues()

const tagsIn = (header: string | undefined): string[] =>
  header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []

/** The content is compared by the id of its revision: nothing is rendered to find out that it has moved. */
function checkRevision(ifMatch: string | undefined, things: Partial<Things>): void {
  const revision = things.changeRequest?.revisionId ?? things.space?.revisionId
  const wanted = tagsIn(ifMatch)
  if (!wanted.includes('*') && !wanted.includes(`"${revision}"`))
    throw fail(
      'precondition_failed',
      `The content is at revision ${revision} now. Read it again and repeat the request.`,
    )
}

/** The revision that a write of content answers with. */
function revisionIn(body: unknown): string | undefined {
  const { revision, changeRequest } = (body ?? {}) as { revision?: string; changeRequest?: { revision?: string } }
  return revision ?? changeRequest?.revision
}

/**
 * What anyone may ask; a row for visitors, and what repeats it for a revision, of which they meet only the one that is
 * published. What repeats it for a change request shows what was not published.
 */
const isForVisitors = ({ needs, fields, path }: Operation): boolean =>
  needs === 'anyone' || (fields.visitors === true && !path.includes('/{changeRequestId}'))

interface InnerRunner extends Runner {
  /** The same inside a transaction that is open already. */
  within: (request: Request, db: Connection) => Promise<Reply>
}

/**
 * Writes under one root take turns: its site, space, collection or organization, whichever stands deepest in the path. Those
 * without a lock may share a transaction with others under it.
 */
function transactionsOf({
  path,
  fields: { lock, placed },
}: Operation): (params: Record<string, string>) => TransactionOptions {
  if (typeof lock === 'string') return () => ({ lock })
  const params = paramsOf(path)
  const name = ['siteId', 'spaceId', 'collectionId', 'organizationId'].find((param) => params.includes(param))
  return (given) => {
    const root = name === undefined ? undefined : given[name]
    // What is no id names nothing, so there is nothing to wait for; the loaders answer.
    if (root === undefined || !isId(root)) return {}
    if (lock === false) return { together: root }
    return placed ? { lock: root, beside: 'tree' } : { lock: root }
  }
}

/** The address of a collection. What is made by writing to it stands below, if it has an address, and else in its list. */
const addressOf = (path: string, params: Record<string, string>, urls: Environment['urls']): string =>
  urls.api(path.replace(/^\/v1/, '').replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? '')))

function replyOf(result: unknown, status: number, madeAt: (id: string) => string): Reply {
  const answer = result instanceof Answer ? result : undefined
  const body = answer ? answer.body : result
  const reply: Reply = { status: answer?.status ?? status, body, headers: { ...answer?.headers } }
  if (answer?.session !== undefined) reply.session = answer.session
  if (reply.status === 201 && body !== undefined) {
    const made = body as { id?: string; urls?: { location?: string }; items?: { id?: string }[] }
    const id = made.id ?? made.items?.[0]?.id
    const location = made.urls?.location ?? (id === undefined ? undefined : madeAt(id))
    if (location !== undefined) reply.headers.location ??= location
  }
  return reply
}
