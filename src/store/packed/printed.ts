/** What documents print as, under their hash; derived, and of one printer: what another printed is as good as nothing. */
import { sql } from 'kysely'
import type { Connection, Database, Value } from '../database.ts'
import { dynamic, first, formed, oneOf } from '../query.ts'
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
  const rows = [...texts].sort(([a], [b]) => (a < b ? -1 : 1))
  for (let at = 0; at < rows.length; ) {
    const count = 2 ** Math.min(mostAtOnce, Math.floor(Math.log2(rows.length - at)))
    const values: Record<string, Value> = { printer }
    for (const [i, [hash, text]] of rows.slice(at, at + count).entries()) {
      values[`hash${i}`] = hash
      values[`packed${i}`] = typeof text === 'string' ? await packAside(text) : text
    }
    await db.transaction((tx) => insert(tx, { count }, values), { unhurried: true, derived: true })
    at += count
  }
}

/** As a power of two: eight. */
const mostAtOnce = 3

const insert = formed((b, p: Record<string, Value>, _, { count }: { count: number }) =>
  b
    .insertInto('printed')
    .values(
      Array.from({ length: count }, (_, i) => ({
        hash: p[`hash${i}`] as string,
        printer: p.printer as string,
        packed: p[`packed${i}`] as Uint8Array,
      })),
    )
    .onConflict((oc) =>
      oc
        .column('hash')
        .doUpdateSet((eb) => ({ printer: eb.ref('excluded.printer'), packed: eb.ref('excluded.packed') })),
    )
    .returning('hash'),
)
