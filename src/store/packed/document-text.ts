/** The text of a stored document, which may be stored as what it changed in another (docs/decisions/0060-stored-form.md). */
import type { Connection } from '../database.ts'
import { first } from '../query.ts'
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

export async function textOfDocument(db: Connection, { value, packed, base }: StoredDocument): Promise<string> {
  if (packed === null) return value
  if (base === null) return unpack(packed)
  const text = await documentText(db, base)
  if (text === undefined) throw new Error(`The content lacks the document ${base}, on which another is stored.`)
  return unpackOn(packed, text)
}
