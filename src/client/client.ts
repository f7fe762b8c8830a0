/**
 * The typed client: a method for each row of the contract, whatever carries the call.
 *
 * A transport takes a row with its input and brings back a status and a body; `http.ts` sends it over the network,
 * `in-process.ts` hands it to the dispatcher. Method names, inputs and results are read off the rows, so a client never
 * lags behind the contract.
 */
import { type Contract, type OperationName, operations } from '../contract/index.ts'
import type { BodyInput, CallInput, Fields, Operation, ParamsOf, QueryInput, ResultOf } from '../contract/operation.ts'
import type { Detail, ErrorCode } from '../core/errors.ts'

/** One call, as a transport receives it. */
export interface Call extends CallInput {
  name: string
  operation: Operation
  signal?: AbortSignal | undefined
}

export interface Answered {
  status: number
  body: unknown
  headers: AnswerHeaders
}

/** The headers of an answer that say more than its body does. */
export interface AnswerHeaders {
  /** The version of what was answered with; `ifMatch` takes it. */
  etag?: string | undefined
  /** Where what was created is found. */
  location?: string | undefined
  requestId?: string | undefined
}

/** A body with its headers, from a method's `withHeaders`. */
export interface Answer<Body> {
  status: number
  body: Body
  headers: AnswerHeaders
}

/** Carries a call out. Answers with a success; throws `CallFailed` otherwise. */
export type Transport = (call: Call) => Promise<Answered>

/** A refusal, as the server words it. */
export class CallFailed extends Error {
  override name = 'CallFailed'
  readonly status: number
  readonly type: ErrorCode
  readonly details: readonly Detail[]
  readonly requestId: string | undefined

  constructor(failure: {
    status: number
    type: ErrorCode
    message: string
    details?: readonly Detail[] | undefined
    requestId?: string | undefined
  }) {
    super(failure.message)
    this.status = failure.status
    this.type = failure.type
    this.details = failure.details ?? []
    this.requestId = failure.requestId
  }
}

/** What rides along with any call. */
interface Extras {
  /** Refuses the write (412) unless the resource still has this ETag. */
  ifMatch?: string
  /** Makes a POST safe to repeat. Over HTTP each call has one of its own unless another is given here. */
  idempotencyKey?: string
  /** Gives the call up. */
  signal?: AbortSignal
}

type Given<Name extends string, T> = undefined extends T
  ? { [N in Name]?: T }
  : Record<never, never> extends T
    ? { [N in Name]?: T }
    : { [N in Name]: T }

type QueryPart<F extends Fields> = F extends { query: object } ? Given<'query', QueryInput<F>> : unknown
type BodyPart<F extends Fields> = F extends { upload: true }
  ? { body: FormData }
  : F extends { body: object }
    ? Given<'body', BodyInput<F>>
    : unknown

/** The input of a row: the names in its path, its query, its body. */
export type InputOf<Row> =
  Row extends Operation<infer Path, infer F>
    ? { [P in ParamsOf<Path>]: string } & QueryPart<F> & BodyPart<F> & Extras
    : never

type OutputOf<Row> = Row extends Operation<string, infer F> ? ResultOf<F> : never

/** A method may be called without any argument when nothing of its input is required. */
type ArgumentsOf<Row> = Record<never, never> extends InputOf<Row> ? [input?: InputOf<Row>] : [input: InputOf<Row>]

interface MethodOf<Row> {
  (...input: ArgumentsOf<Row>): Promise<OutputOf<Row>>
  /** The same call, answered with status and headers beside the body. */
  withHeaders(...input: ArgumentsOf<Row>): Promise<Answer<OutputOf<Row>>>
}

export type Client = { readonly [Name in OperationName]: MethodOf<Contract[Name]> }

export function makeClient(transport: Transport): Client {
  // The table of methods is made from the same rows that the type is read from.
  return new Methods(transport) as unknown as Client
}

/** Makes a method when it is first asked for: a server has a client for each of its visitors' requests, which calls a few. */
class Methods {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  static {
    for (const [name, operation] of operations)
      Object.defineProperty(Methods.prototype, name, {
        get(this: Methods) {
          const method = this.#method(name, operation)
          Object.defineProperty(this, name, { value: method, enumerable: true })
          return method
        },
      })
  }

  #method(name: string, operation: Operation) {
    const withHeaders = async (input: Record<string, unknown> = {}) => this.#transport(callOf(name, operation, input))
    const method = async (input?: Record<string, unknown>) => (await withHeaders(input)).body
    return Object.assign(method, { withHeaders })
  }
}

function callOf(name: string, operation: Operation, input: Record<string, unknown>): Call {
  const { query = {}, body, ifMatch, idempotencyKey, signal, ...params } = input
  return {
    name,
    operation,
    params: params as Record<string, string>,
    query: query as Record<string, unknown>,
    body,
    ifMatch: ifMatch as string | undefined,
    idempotencyKey: idempotencyKey as string | undefined,
    signal: signal as AbortSignal | undefined,
  }
}
