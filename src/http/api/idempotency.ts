/**
 * Retried POSTs: a key that comes again with the same request gets the same answer, and the effect happens once.
 *
 * The answer is stored in the transaction of the effect, so there is no moment at which one exists without the other. Two
 * requests with one key at the same time: the second waits for the first at the unique key, then finds its answer.
 *
 * An answer may hold a secret that is shown only once (a new API token), so it is stored locked, with a key made of the
 * Idempotency-Key: of that the database holds only a hash.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { fail, invalid } from '../../core/errors.ts'
import type { Connection } from '../../store/database.ts'
import { claimKey, completeKey, findKey } from '../../store/idempotency.ts'
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
    body: known.body === null ? undefined : JSON.parse(unlocked(known.body, request, key)),
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
    body: reply.body === undefined ? null : locked(JSON.stringify(reply.body), request, key),
    location: reply.headers.location ?? null,
  })

/** Keys are the caller's own: two accounts may use the same one. */
const keyOf = (request: Request, key: string): string => hash(`${request.actor?.user.id}\n${key}`)

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url')

const cipher = 'aes-256-gcm'

const secretOf = (request: Request, key: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key, request.actor?.user.id ?? '', 'lectern idempotency answer', 32))

function locked(text: string, request: Request, key: string): string {
  const nonce = randomBytes(12)
  const lock = createCipheriv(cipher, secretOf(request, key), nonce)
  const bytes = Buffer.concat([lock.update(text, 'utf8'), lock.final()])
  return Buffer.concat([nonce, lock.getAuthTag(), bytes]).toString('base64')
}

function unlocked(text: string, request: Request, key: string): string {
  const bytes = Buffer.from(text, 'base64')
  const lock = createDecipheriv(cipher, secretOf(request, key), bytes.subarray(0, 12))
  lock.setAuthTag(bytes.subarray(12, 28))
  return lock.update(bytes.subarray(28), undefined, 'utf8') + lock.final('utf8')
}
