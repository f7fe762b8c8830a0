/** Carries calls to the dispatcher of this process: the same order of checks, without sockets, bytes or tokens. */
import type { CallInput, UploadedFile } from '../contract/operation.ts'
import { ApiError } from '../core/errors.ts'
import { CallFailed, type Transport } from './client.ts'

/** What the dispatcher offers for each row; the caller has been identified already. */
interface Runnable<Actor> {
  run(
    request: CallInput & {
      actor?: Actor | undefined
      address?: string | undefined
      signal?: AbortSignal | undefined
    },
  ): Promise<{ status: number; body: unknown; headers: Readonly<Record<string, string>> }>
}

export const inProcessTransport =
  <Actor>(runners: ReadonlyMap<string, Runnable<Actor>>, actor?: Actor, address?: string): Transport =>
  async ({ name, params, query, body, ifMatch, idempotencyKey, signal }) => {
    const runner = runners.get(name)
    if (!runner) throw new Error(`The operation ${name} has no runner.`)
    try {
      const given = body instanceof FormData ? filesIn(body) : body
      const {
        status,
        body: answer,
        headers,
      } = await runner.run({ actor, address, params, query, body: given, ifMatch, idempotencyKey, signal })
      return {
        status,
        body: isText(answer) ? answer.toJSON() : answer,
        headers: { etag: headers.etag, location: headers.location },
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { status, code: type, message, details } = error
      throw new CallFailed({ status, type, message, details })
    }
  }

/** An answer that is there as JSON text already, and is read here as it would be behind a socket. */
const isText = (body: unknown): body is { toJSON(): unknown } =>
  typeof body === 'object' && body !== null && 'toJSON' in body && typeof body.toJSON === 'function'

/** The files of a form, as they would arrive over the network. */
async function* filesIn(form: FormData): AsyncGenerator<UploadedFile> {
  for (const [, value] of form) {
    if (typeof value !== 'string') yield { name: value.name, contentType: value.type, bytes: value.stream() }
  }
}
