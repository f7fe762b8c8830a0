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

export const completeKey = run((b, p: { key: string; status: number; body: string | null; location: string | null }) =>
  b.updateTable('idempotency').set({ status: p.status, body: p.body, location: p.location }).where('key', '=', p.key),
)

export const findKey = first((b, p: { key: string }) =>
  b.selectFrom('idempotency').selectAll().where('key', '=', p.key),
)

export const deleteKeysBefore = run((b, p: { oldest: string }) =>
  b.deleteFrom('idempotency').where('createdAt', '<', p.oldest),
)
