/** The text of a stored document, which may be stored as what it changed in another (docs/decisions/0060-stored-form.md). */
import type { Connection } from '../database.ts'
import { all, first } from '../query.ts'
import { type StoredText, unpack, unpackOn } from './pack.ts'

export const storedDocument = first((b, p: { hash: string }) =>
  b.selectFrom('document').select(['value', 'packed', 'base']).where('hash', '=', p.hash),
)

export interface StoredDocument extends StoredText {
  base: string | null
}

/** Undefined when there is none. */
export async function documentText(db: Connection, hash: string): Promise<string | undefined> {
  const row = await storedDocument(db, { hash })
  return row && textOfDocument(db, row)
}

export async function textOfDocument(db: Connection, row: StoredDocument): Promise<string> {
  if (row.packed === null) return row.value
  if (row.base === null) return unpack(row.packed)
  const below = new Map((await documentsBelow(db, { hash: row.base })).map((other) => [other.hash, other]))
  const steps: Uint8Array[] = []
  let whole: StoredDocument = row
  while (whole.packed !== null && whole.base !== null) {
    steps.push(whole.packed)
    const base = below.get(whole.base)
    if (!base) throw new Error(`The content lacks the document ${whole.base}, on which another is stored.`)
    whole = base
  }
  const text = whole.packed === null ? whole.value : unpack(whole.packed)
  return steps.reduceRight((base, packed) => unpackOn(packed, base), text)
}

/** A document, the one it is stored on, and so on down to one that is stored whole: all with one question. */
const documentsBelow = all((b, p: { hash: string }) =>
  b
    .withRecursive('below(hash, value, packed, base)', (db) =>
      db
        .selectFrom('document')
        .select(['hash', 'value', 'packed', 'base'])
        .where('hash', '=', p.hash)
        .unionAll(
          db
            .selectFrom('document')
            .innerJoin('below', 'below.base', 'document.hash')
            .select(['document.hash', 'document.value', 'document.packed', 'document.base']),
        ),
    )
    .selectFrom('below')
    .selectAll(),
)
