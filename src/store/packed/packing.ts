/** Rows that an older version or a restore wrote as plain text, packed a few at a time. */

import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { all, run } from '../query.ts'
import { pack, packAside } from './pack.ts'
import { packShort, shortestPacked } from './short-texts.ts'

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

const plainSections = all((b, p: { after: number; limit: number }) =>
  b
    .selectFrom('searchText')
    .select(['number', 'body'])
    .where('packed', 'is', null)
    .where('number', '>', p.after)
    .where(sql<number>`length("body")`, '>=', shortestPacked)
    .orderBy('number')
    .limit(p.limit),
)

// A number stays with its place on the page: whoever wrote there meanwhile wrote another text.
const setPackedSection = run((b, p: { number: number; body: string; packed: Uint8Array }) =>
  b
    .updateTable('searchText')
    .set({ body: '', packed: p.packed })
    .where('number', '=', p.number)
    .where('packed', 'is', null)
    .where('body', '=', p.body),
)

/** Packs the next sections of the search index after a number; the last of them, or nothing when there are none left. */
export async function packNextSections(db: Database, after: number): Promise<number | undefined> {
  const rows = await plainSections(db.slow, { after, limit: aStep })
  const packed = rows.flatMap(({ number, body }) => {
    const bytes = packShort(body)
    return bytes === undefined ? [] : [{ number, body, packed: bytes }]
  })
  if (packed.length > 0)
    await db.transaction(
      async (tx) => {
        for (const row of packed) await setPackedSection(tx, row)
      },
      { unhurried: true },
    )
  return rows.at(-1)?.number
}
