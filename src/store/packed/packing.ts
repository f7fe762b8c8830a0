/** Rows that an older version or a restore wrote as plain text, packed a few at a time. */
import type { Database } from '../database.ts'
import { all, run } from '../query.ts'
import { pack, packAside } from './pack.ts'

export type PackedTable = 'treeNode' | 'document'
export const packedTables: readonly PackedTable[] = ['treeNode', 'document']

const plainRows = (table: PackedTable) =>
  all((b, p: { after: string; limit: number }) =>
    b
      .selectFrom(table)
      .select(['hash', 'value'])
      .where('packed', 'is', null)
      .where('hash', '>', p.after)
      .orderBy('hash')
      .limit(p.limit),
  )

// Whoever packed it meanwhile packed the same text.
const setPacked = (table: PackedTable) =>
  run((b, p: { hash: string; packed: Uint8Array }) =>
    b.updateTable(table).set({ value: '', packed: p.packed }).where('hash', '=', p.hash).where('packed', 'is', null),
  )

const statements = {
  treeNode: { plain: plainRows('treeNode'), set: setPacked('treeNode') },
  document: { plain: plainRows('document'), set: setPacked('document') },
}

const aStep = 50
const large = 64 * 1024

/** Packs the next rows after a hash; the last of them, or nothing when there are none left. */
export async function packNext(db: Database, table: PackedTable, after: string): Promise<string | undefined> {
  const { plain, set } = statements[table]
  const rows = await plain(db.slow, { after, limit: aStep })
  const packed: { hash: string; packed: Uint8Array }[] = []
  for (const { hash, value } of rows)
    packed.push({ hash, packed: value.length < large ? pack(value) : await packAside(value) })
  if (packed.length === 0) return undefined
  await db.transaction(
    async (tx) => {
      for (const row of packed) await set(tx, row)
    },
    { unhurried: true },
  )
  return packed.at(-1)?.hash
}
