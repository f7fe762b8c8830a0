/** What parts of published pages were rendered as; derived, and removed when it was not used for a month. */
import { sql } from 'kysely'
import type { Database, Value } from '../database.ts'
import { all, formed, oneOf, run } from '../query.ts'

export const findRenderedParts = all((b, p: { hashes: string }, engine) =>
  b
    .selectFrom('renderedPart')
    .selectAll()
    .where(oneOf(sql.ref('hash'), p.hashes, engine)),
)

/** In the order of their hashes, so that two who store the same do not lock crosswise, and some at a time. */
export async function storeRenderedParts(
  db: Database,
  usedAt: string,
  parts: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const rows = [...parts].sort(([a], [b]) => (a < b ? -1 : 1))
  for (let at = 0; at < rows.length; ) {
    const count = 2 ** Math.min(mostAtOnce, Math.floor(Math.log2(rows.length - at)))
    const values: Record<string, Value> = { usedAt }
    for (const [i, [hash, bytes]] of rows.slice(at, at + count).entries()) {
      values[`hash${i}`] = hash
      values[`bytes${i}`] = bytes
    }
    await db.transaction((tx) => insert(tx, { count }, values), { unhurried: true, derived: true })
    at += count
  }
}

/** As a power of two: sixteen. */
const mostAtOnce = 4

const insert = formed((b, p: Record<string, Value>, _, { count }: { count: number }) =>
  b
    .insertInto('renderedPart')
    .values(
      Array.from({ length: count }, (_, i) => ({
        hash: p[`hash${i}`] as string,
        bytes: p[`bytes${i}`] as Uint8Array,
        usedAt: p.usedAt as string,
      })),
    )
    .onConflict((oc) => oc.doNothing())
    .returning('hash'),
)

const touch = run((b, p: { hashes: string; usedAt: string }, engine) =>
  b
    .updateTable('renderedPart')
    .set({ usedAt: p.usedAt })
    .where(oneOf(sql.ref('hash'), p.hashes, engine))
    .where('usedAt', '<', p.usedAt),
)

/** Notes that these are still used. */
export async function touchRenderedParts(db: Database, hashes: readonly string[], usedAt: string): Promise<void> {
  const sorted = JSON.stringify([...hashes].sort())
  if (hashes.length > 0)
    await db.transaction((tx) => touch(tx, { hashes: sorted, usedAt }), { unhurried: true, derived: true })
}

/** How many were removed, which nobody used since a day. */
export const deleteRenderedPartsBefore = run((b, p: { oldest: string }) =>
  b.deleteFrom('renderedPart').where('usedAt', '<', p.oldest),
)
