/** Answers to writes that carried an Idempotency-Key. */
import type { Connection } from './database.ts'
import { first, run } from './query.ts'

const forget = run((b, p: { key: string; oldest: string }) =>
  b.deleteFrom('idempotency').where('key', '=', p.key).where('createdAt', '<', p.oldest),
)

const claim = run((b, p: { key: string; requestHash: string; createdAt: string }) =>
  b
    .insertInto('idempotency')
    .values({ key: p.key, requestHash: p.requestHash, status: 0, location: null, body: null, createdAt: p.createdAt })
    .onConflict((oc) => oc.doNothing()),
)

/** True when the key is new, or older than `oldest`: then it now belongs to this transaction. */
export async function claimKey(
  tx: Connection,
  { oldest, ...row }: { key: string; requestHash: string; createdAt: string; oldest: string },
): Promise<boolean> {
  await forget(tx, { key: row.key, oldest })
  return (await claim(tx, row)) > 0
}

export interface StoredAnswer {
  key: string
  status: number
  body: string | null
  location: string | null
}

export const completeKey = run((b, p: StoredAnswer) =>
  b.updateTable('idempotency').set({ status: p.status, body: p.body, location: p.location }).where('key', '=', p.key),
)

/** Until there is an answer, the key of what a job carries out has 0 for its status, and what was begun for its location. */
export const beginKey = run((b, p: { key: string; begun: string }) =>
  b.updateTable('idempotency').set({ location: p.begun }).where('key', '=', p.key),
)

/** Stores the answer to what was begun; of several who waited for it, the first does. */
export const settleKey = run((b, p: StoredAnswer & { begun: string }) =>
  b
    .updateTable('idempotency')
    .set({ status: p.status, body: p.body, location: p.location })
    .where('key', '=', p.key)
    .where('status', '=', 0)
    .where('location', '=', p.begun),
)

/** Gives a key back whose job has failed, unless it was taken again since. */
export const releaseKey = run((b, p: { key: string; begun: string }) =>
  b.deleteFrom('idempotency').where('key', '=', p.key).where('status', '=', 0).where('location', '=', p.begun),
)

export const findKey = first((b, p: { key: string; oldest: string }) =>
  b.selectFrom('idempotency').selectAll().where('key', '=', p.key).where('createdAt', '>=', p.oldest),
)

export const deleteKeysBefore = run((b, p: { oldest: string }) =>
  b.deleteFrom('idempotency').where('createdAt', '<', p.oldest),
)
