/** Translations of spaces, the texts they are made of, and the glossary. */
import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { listedBy } from '../listed.ts'

import { all, dynamic, dynamicRun, first, inserter, oneOf, run, updater } from '../query.ts'
import type { GlossaryEntryTable, TranslationTable } from '../tables.ts'

export type TranslationRow = TranslationTable
export type GlossaryEntryRow = GlossaryEntryTable

export const findTranslation = first((b, p: { id: string }) =>
  b.selectFrom('translation').selectAll().where('id', '=', p.id),
)
export const findTranslationInto = first((b, p: { sourceSpaceId: string; language: TranslationRow['language'] }) =>
  b
    .selectFrom('translation')
    .selectAll()
    .where('sourceSpaceId', '=', p.sourceSpaceId)
    .where('language', '=', p.language),
)
/** The translation that a space holds the result of. */
export const findTranslationHeldBy = first((b, p: { spaceId: string }) =>
  b.selectFrom('translation').select('id').where('resultSpaceId', '=', p.spaceId),
)
const heldByAny = first((b, p: { spaces: string }, engine) =>
  b
    .selectFrom('translation')
    .select('id')
    .where(oneOf(sql.ref('resultSpaceId'), p.spaces, engine))
    .limit(1),
)
/** Whether one of these spaces holds the result of a translation. */
export const holdTranslation = async (db: Connection, spaces: readonly string[]): Promise<boolean> =>
  (await heldByAny(db, { spaces: JSON.stringify(spaces) })) !== undefined

export const translationsFrom = all((b, p: { spaceId: string }) =>
  b.selectFrom('translation').select('id').where('sourceSpaceId', '=', p.spaceId),
)
/** The spaces that hold the same pages in other languages: the source and all that was translated from it. */
export const spacesTranslatedWith = all((b, p: { spaceId: string }) =>
  b
    .selectFrom('translation')
    .select(['sourceSpaceId', 'resultSpaceId'])
    .where((e) =>
      e.or([
        e('sourceSpaceId', '=', p.spaceId),
        e(
          'sourceSpaceId',
          'in',
          b.selectFrom('translation').select('sourceSpaceId').where('resultSpaceId', '=', p.spaceId),
        ),
      ]),
    ),
)
export const insertTranslation = inserter('translation')
export const updateTranslation = updater('translation')
export const deleteTranslation = run((b, p: { id: string }) => b.deleteFrom('translation').where('id', '=', p.id))

/** Counted when they are sent, so that a run which fails or is killed has not sent them for nothing. */
export const addSentWords = run((b, p: { id: string; words: number }) =>
  b
    .updateTable('translation')
    .set({ totalWords: sql<number>`"totalWords" + ${p.words}` })
    .where('id', '=', p.id),
)

const restless = sql<TranslationRow['status']>`case when "status" = 'running' then 'running' else 'pending' end`

/** The next run looks at every page; one that is under way is followed by another. */
export const wishWholeRun = run((b, p: { id: string; now: string }) =>
  b
    .updateTable('translation')
    .set({ status: restless, wishes: sql<number>`"wishes" + 1`, updatedAt: p.now })
    .where('id', '=', p.id),
)
export const translationsIn = all((b, p: { organizationId: string }) =>
  b.selectFrom('translation').select('id').where('organizationId', '=', p.organizationId),
)
/** One after the other, by id. */
export const nextCompleted = first((b, p: { after: string }) =>
  b
    .selectFrom('translation')
    .selectAll()
    .where('id', '>', p.after)
    .where('status', '=', 'completed')
    .orderBy('id')
    .limit(1),
)

/** Those that are at rest wait for a run from now on. */
export const markPending = run((b, p: { spaceId: string }) =>
  b
    .updateTable('translation')
    .set({ status: 'pending' })
    .where('sourceSpaceId', '=', p.spaceId)
    .where('status', 'in', ['completed', 'failed']),
)

const translations = listedBy('translation', 'organizationId')
export const listTranslations = translations.list
export const countTranslations = translations.count

/** Of these texts, those that were translated before, by hash. */
export async function findTexts(
  db: Connection,
  translationId: string,
  hashes: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let from = 0; from < hashes.length; from += 500) {
    const list = JSON.stringify(hashes.slice(from, from + 500))
    const rows = await dynamic(db, (b) =>
      b
        .selectFrom('translatedText')
        .select(['hash', 'text'])
        .where('translationId', '=', translationId)
        .where(oneOf(sql.ref('hash'), list, db.engine)),
    )
    for (const { hash, text } of rows) found.set(hash, text)
  }
  return found
}

export async function insertTexts(
  db: Connection,
  translationId: string,
  texts: ReadonlyMap<string, string>,
): Promise<void> {
  const rows = [...texts].map(([hash, text]) => ({ translationId, hash, text }))
  for (let from = 0; from < rows.length; from += 100) {
    const some = rows.slice(from, from + 100)
    await dynamicRun(db, (b) =>
      b
        .insertInto('translatedText')
        .values(some)
        .onConflict((oc) => oc.doNothing()),
    )
  }
}

/** The hashes of stored texts, in order, from one on. */
export const storedHashes = all((b, p: { translationId: string; after: string }) =>
  b
    .selectFrom('translatedText')
    .select('hash')
    .where('translationId', '=', p.translationId)
    .where('hash', '>', p.after)
    .orderBy('hash')
    .limit(500),
)
export const deleteTexts = (tx: Connection, translationId: string, hashes: readonly string[]): Promise<number> =>
  dynamicRun(tx, (b) =>
    b
      .deleteFrom('translatedText')
      .where('translationId', '=', translationId)
      .where(oneOf(sql.ref('hash'), JSON.stringify(hashes), tx.engine)),
  )

export const listGlossary = all((b, p: { organizationId: string }) =>
  b.selectFrom('glossaryEntry').selectAll().where('organizationId', '=', p.organizationId).orderBy('term'),
)
export const findGlossaryEntry = first((b, p: { organizationId: string; id: string }) =>
  b.selectFrom('glossaryEntry').selectAll().where('organizationId', '=', p.organizationId).where('id', '=', p.id),
)
export const insertGlossaryEntry = inserter('glossaryEntry')
export const updateGlossaryEntry = updater('glossaryEntry')
export const deleteGlossaryEntry = run((b, p: { id: string }) => b.deleteFrom('glossaryEntry').where('id', '=', p.id))
