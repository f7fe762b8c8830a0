/**
 * Retried POSTs: a key that comes again with the same request gets the same answer, and the effect happens once.
 *
 * The answer is stored in the transaction of the effect, so there is no moment at which one exists without the other. Two
 * requests with one key at the same time: the second waits for the first at the unique key, then finds its answer.
 */
import { createHash } from 'node:crypto'
import { fail, invalid } from '../core/errors.ts'
import type { Connection } from '../store/database.ts'
import { claimKey, completeKey, findKey } from '../store/idempotency.ts'
import type { Reply, Request } from './dispatch.ts'

const keepMilliseconds = 24 * 60 * 60 * 1000

/** The stored answer, or undefined when the key is new, and then it is ours. */
export async function replayed(
  tx: Connection,
  request: Request,
  name: string,
  key: string,
  now: Date,
): Promise<Reply | undefined> {
  if (key === '' || key.length > 255) throw invalid('Idempotency-Key', 'must have 1 to 255 characters')
  const id = keyOf(request, key)
  const requestHash = hash(JSON.stringify([name, request.params, request.query, request.body]))
  const oldest = new Date(now.getTime() - keepMilliseconds).toISOString()
  if (await claimKey(tx, { key: id, requestHash, createdAt: now.toISOString(), oldest })) return undefined
  const known = await findKey(tx, { key: id })
  if (!known) throw fail('conflict')
  if (known.requestHash !== requestHash) throw fail('idempotency_mismatch')
  return {
    status: known.status,
    body: known.body === null ? undefined : JSON.parse(known.body),
    headers: known.location === null ? {} : { location: known.location },
  }
}

export const remembered = (
  tx: Connection,
  request: Request,
  _name: string,
  key: string,
  reply: Reply,
): Promise<number> =>
  completeKey(tx, {
    key: keyOf(request, key),
    status: reply.status,
    body: reply.body === undefined ? null : JSON.stringify(reply.body),
    location: reply.headers.location ?? null,
  })

/** Keys are the caller's own: two accounts may use the same one. */
const keyOf = (request: Request, key: string): string => hash(`${request.actor?.user.id}\n${key}`)

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url')
