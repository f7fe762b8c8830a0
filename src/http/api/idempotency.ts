/**
 * Retried POSTs: a key that comes again with the same request gets the same answer, and the effect happens once.
 *
 * 1. The answer is stored in the transaction of the effect, so there is no moment at which one exists without the other. Two
 *    requests with one key at the same time: the second waits for the first at the unique key, then finds its answer.
 * 2. What a job carries out is begun in the transaction that takes the key, which then names it. Whoever comes before there is
 *    an answer waits for the same job, and the first who has an answer stores it for all.
 * 3. A refusal is not stored, nor the failure of such a job: the key is free again.
 *
 * An answer may hold a secret that is shown only once (a new API token), so it is stored locked, with a key made of the
 * Idempotency-Key: of that the database holds only a hash.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { fail, invalid } from '../../core/errors.ts'
import { keyOfCredential } from '../../domain/actor.ts'
import { Begun } from '../../domain/handler.ts'
import type { Connection } from '../../store/database.ts'
import { beginKey, claimKey, completeKey, findKey, releaseKey, settleKey } from '../../store/idempotency.ts'
import type { Reply, Request } from './dispatch.ts'

const keepMilliseconds = 24 * 60 * 60 * 1000

type Row = NonNullable<Awaited<ReturnType<typeof findKey>>>

/** What is stored under the key of one request, which it has from now on or finds there. */
export class Keyed {
  readonly #request: Request
  readonly #operation: string
  readonly #given: string
  readonly #key: string
  readonly #now: Date

  constructor(request: Request, { operation, key, now }: { operation: string; key: string; now: Date }) {
    if (key === '' || key.length > 255) throw invalid('Idempotency-Key', 'must have 1 to 255 characters')
    this.#request = request
    this.#operation = operation
    this.#given = key
    this.#key = hash(`${callerOf(request)}\n${key}`)
    this.#now = now
  }

  find(db: Connection): Promise<Row | undefined> {
    return findKey(db, { key: this.#key, oldest: this.#oldest })
  }

  /** What is there already; nothing when the key was free, and then it is this request's. The body has been read by now. */
  async take(tx: Connection): Promise<Row | undefined> {
    const requestHash = this.#requestHash()
    const row = { key: this.#key, requestHash, createdAt: this.#now.toISOString(), oldest: this.#oldest }
    if (await claimKey(tx, row)) return undefined
    const known = await this.find(tx)
    if (!known) throw fail('conflict')
    return known
  }

  /** The answer that is stored, or what was begun, unless it is another request's. The body has been read by now. */
  read({ requestHash, status, body, location }: Row): Reply | Begun {
    if (requestHash !== this.#requestHash()) throw fail('idempotency_mismatch')
    if (status === 0 && location !== null) return new Begun(location)
    return {
      status,
      body: body === null ? undefined : JSON.parse(this.#unlock(body)),
      headers: location === null ? {} : { location },
    }
  }

  /** In the transaction that has taken the key. */
  async keep(tx: Connection, outcome: Reply | Begun): Promise<void> {
    if (outcome instanceof Begun) await beginKey(tx, { key: this.#key, begun: outcome.id })
    else await completeKey(tx, this.#stored(outcome))
  }

  /** Stores the answer to what was begun; another's, if that came first. */
  async settle(db: Connection, { id }: Begun, reply: Reply): Promise<Reply> {
    if ((await settleKey(db, { ...this.#stored(reply), begun: id })) > 0) return reply
    const row = await this.find(db)
    const known = row && this.read(row)
    return known === undefined || known instanceof Begun ? reply : known
  }

  /** What was begun has failed. */
  async release(db: Connection, { id }: Begun): Promise<void> {
    await releaseKey(db, { key: this.#key, begun: id })
  }

  get #oldest(): string {
    return new Date(this.#now.getTime() - keepMilliseconds).toISOString()
  }

  #requestHash(): string {
    const { params, query, body } = this.#request
    return hash(JSON.stringify([this.#operation, params, query, body]))
  }

  #stored({ status, body, headers }: Reply) {
    const text = body === undefined ? null : this.#lock(JSON.stringify(body))
    return { key: this.#key, status, body: text, location: headers.location ?? null }
  }

  get #secret(): Uint8Array {
    return new Uint8Array(
      hkdfSync('sha256', this.#given, callerOf(this.#request) ?? '', 'lectern idempotency answer', 32),
    )
  }

  #lock(text: string): string {
    const nonce = randomBytes(12)
    const lock = createCipheriv(cipher, this.#secret, nonce)
    const bytes = Buffer.concat([lock.update(text, 'utf8'), lock.final()])
    return Buffer.concat([nonce, lock.getAuthTag(), bytes]).toString('base64')
  }

  #unlock(text: string): string {
    const bytes = Buffer.from(text, 'base64')
    const lock = createDecipheriv(cipher, this.#secret, bytes.subarray(0, 12))
    lock.setAuthTag(bytes.subarray(12, 28))
    return lock.update(bytes.subarray(28), undefined, 'utf8') + lock.final('utf8')
  }
}

/** Keys are the caller's own: an account has the same ones by whatever it is known; visitors have none but what let them in. */
const callerOf = ({ actor }: Request): string | undefined =>
  actor?.visitor ? keyOfCredential(actor.credential) : actor?.user.id

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url')

const cipher = 'aes-256-gcm'
