/** What documents print as, under their hash; derived, and of one printer: what another printed is as good as nothing. */
import { sql } from 'kysely'
import type { Connection, Database } from '../database.ts'
import { dynamic, elementsOf, first, fromHex, oneOf, run } from '../query.ts'
import { packAside, unpack } from './pack.ts'

const byHash = first((b, p: { hash: string; printer: string }) =>
  b.selectFrom('printed').select('packed').where('hash', '=', p.hash).where('printer', '=', p.printer),
)

export async function findPrinted(db: Connection, key: { hash: string; printer: string }): Promise<string | undefined> {
  const row = await byHash(db, key)
  return row && unpack(row.packed)
}

/** Which of these documents are printed already. */
export async function printedAmong(
  db: Connection,
  { hashes, printer }: { hashes: readonly string[]; printer: string },
): Promise<Set<string>> {
  const rows = await dynamic(db, (b) =>
    b
      .selectFrom('printed')
      .select('hash')
      .where('printer', '=', printer)
      .where(oneOf(sql.ref('hash'), JSON.stringify(hashes), db.engine)),
  )
  return new Set(rows.map(({ hash }) => hash))
}

/**
 * Stores what some documents print as, in the order of their hashes, so that two who store the same do not lock crosswise.
 * Packed before, and a few at a time: nobody waits for it, and others would for its transaction.
 */
export async function storePrinted(
  db: Database,
  printer: string,
  texts: ReadonlyMap<string, string | Uint8Array>,
): Promise<void> {
  const sorted = [...texts].sort(([a], [b]) => (a < b ? -1 : 1))
  for (let at = 0; at < sorted.length; at += mostAtOnce) {
    const rows: [string, string][] = []
    for (const [hash, text] of sorted.slice(at, at + mostAtOnce)) {
      const packed = typeof text === 'string' ? await packAside(text) : text
      rows.push([hash, Buffer.from(packed).toString('hex')])
    }
    await db.transaction((tx) => insert(tx, { printer, rows: JSON.stringify(rows) }), {
      unhurried: true,
      derived: true,
    })
  }
}

const mostAtOnce = 24

// SQLite needs the `where` to tell a conflict clause from a join.
const insert = run((b, p: { printer: string; rows: string }, engine) =>
  b
    .insertInto('printed')
    .columns(['hash', 'printer', 'packed'])
    .expression(
      sql`select value ->> 0, cast(${p.printer} as text), ${fromHex(sql`value ->> 1`, engine)}
          from ${elementsOf(p.rows, engine)} where true`,
    )
    .onConflict((oc) =>
      oc
        .column('hash')
        .doUpdateSet((eb) => ({ printer: eb.ref('excluded.printer'), packed: eb.ref('excluded.packed') })),
    ),
)
