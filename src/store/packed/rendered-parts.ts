/** What parts of published pages were rendered as; derived, and removed when it was not used for a month. */
import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { all, elementsOf, fromHex, oneOf, run } from '../query.ts'

export const findRenderedParts = all((b, p: { hashes: string }, engine) =>
  b
    .selectFrom('renderedPart')
    .selectAll()
    .where(oneOf(sql.ref('hash'), p.hashes, engine)),
)

/** Which of these are stored, and when each was last used, without what they hold. */
export const findPartDays = all((b, p: { hashes: string }, engine) =>
  b
    .selectFrom('renderedPart')
    .select(['hash', 'usedAt'])
    .where(oneOf(sql.ref('hash'), p.hashes, engine)),
)

/** In the order of their hashes, so that two who store the same do not lock crosswise, and some at a time. */
export async function storeRenderedParts(
  db: Database,
  usedAt: string,
  parts: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const sorted = [...parts].sort(([a], [b]) => (a < b ? -1 : 1))
  for (let at = 0; at < sorted.length; at += mostAtOnce) {
    const some = sorted.slice(at, at + mostAtOnce)
    const rows = JSON.stringify(some.map(([hash, bytes]) => [hash, Buffer.from(bytes).toString('hex')]))
    await db.transaction((tx) => insert(tx, { rows, usedAt }), { unhurried: true, derived: true })
  }
}

const mostAtOnce = 16

// SQLite needs the `where` to tell a conflict clause from a join.
const insert = run((b, p: { rows: string; usedAt: string }, engine) =>
  b
    .insertInto('renderedPart')
    .columns(['hash', 'bytes', 'usedAt'])
    .expression(
      sql`select value ->> 0, ${fromHex(sql`value ->> 1`, engine)}, cast(${p.usedAt} as text)
          from ${elementsOf(p.rows, engine)} where true`,
    )
    .onConflict((oc) => oc.doNothing()),
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
