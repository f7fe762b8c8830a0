/**
 * The rows of a sweep: marks of what is in use, and the removal of what is not. docs/decisions/0016-sweep.md has the
 * reasons; jobs/sweep.ts the order of things.
 *
 * The note of the sweep that is under way is a row among its marks, so that the two are never told apart by a backup, which
 * carries neither.
 */
import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { textIn } from '../packed/pack.ts'
import { all, dynamic, first, oneOf, run } from '../query.ts'

/** No hash begins with this. */
const noteHash = '~note'

const findNote = first((b) => b.selectFrom('sweepMark').select('note').where('hash', '=', noteHash))
const putNote = run((b, p: { note: string }) =>
  b
    .insertInto('sweepMark')
    .values({ hash: noteHash, note: p.note })
    .onConflict((oc) => oc.column('hash').doUpdateSet({ note: p.note })),
)
const removeNote = run((b) => b.deleteFrom('sweepMark').where('hash', '=', noteHash))

export const readNote = async (db: Connection): Promise<string | undefined> => (await findNote(db))?.note ?? undefined
export const writeNote = (tx: Connection, note: string): Promise<number> => putNote(tx, { note })
export const dropNote = (tx: Connection): Promise<number> => removeNote(tx)

/** Removes some of the marks; how many. */
export const removeMarks = run((b, p: { limit: number }) =>
  b
    .deleteFrom('sweepMark')
    .where('hash', 'in', (eb) =>
      eb.selectFrom('sweepMark as some').select('some.hash').where('some.hash', '<>', noteHash).limit(p.limit),
    ),
)

/** Which of these are marked. */
export async function findMarked(db: Connection, hashes: readonly string[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set()
  const rows = await dynamic(db, (b) =>
    b
      .selectFrom('sweepMark')
      .select('hash')
      .where(oneOf(sql.ref('hash'), JSON.stringify(hashes), db.engine)),
  )
  return new Set(rows.map(({ hash }) => hash))
}

export const addMarks = run((b, p: { hashes: string }, engine) =>
  b
    .insertInto('sweepMark')
    .columns(['hash'])
    .expression(
      engine === 'sqlite'
        ? sql`select value from json_each(${p.hashes}) where true`
        : sql`select jsonb_array_elements_text(cast(${p.hashes} as jsonb)) where true`,
    )
    .onConflict((oc) => oc.doNothing()),
)

/** Every revision of every space, whatever their state, in the order of ids. */
export const listRevisions = all((b, p: { after: string; limit: number }) =>
  b.selectFrom('revision').select(['id', 'content']).where('id', '>', p.after).orderBy('id').limit(p.limit),
)

export async function findNodes(db: Connection, hashes: readonly string[]): Promise<{ hash: string; value: string }[]> {
  const rows = await dynamic(db, (b) =>
    b
      .selectFrom('treeNode')
      .select(['hash', 'value', 'packed'])
      .where(oneOf(sql.ref('hash'), JSON.stringify(hashes), db.engine)),
  )
  return rows.map((row) => ({ hash: row.hash, value: textIn(row) }))
}

export type SweptTable = 'treeNode' | 'document'

/** Where a stretch of so many rows ends; nothing when there are none left. */
export const endOfStretch = {
  treeNode: stretchOf('treeNode'),
  document: stretchOf('document'),
} as const

function stretchOf(table: SweptTable) {
  const hashes = all((b, p: { after: string; limit: number }) =>
    b.selectFrom(table).select('hash').where('hash', '>', p.after).orderBy('hash').limit(p.limit),
  )
  return async (db: Connection, p: { after: string; limit: number }): Promise<string | undefined> =>
    (await hashes(db, p)).at(-1)?.hash
}

interface Stretch {
  after: string
  upTo: string
  /** What was written since then is never removed. */
  writtenBefore: string
}

/** Rows of the stretch that are old enough and that nothing was found to refer to. */
const unmarkedIn = (p: Stretch, table: 'treeNode' | 'document') => {
  const hash = sql.ref(`${table}.hash`)
  return sql<boolean>`${hash} > ${p.after} and ${hash} <= ${p.upTo} and coalesce("writtenAt", '') < ${p.writtenBefore}
    and not exists (select 1 from "sweepMark" where "sweepMark"."hash" = ${hash})`
}

const lengthStored = sql<number>`coalesce(length("packed"), length("value"))`.as('length')

/** Removes from a stretch what nothing refers to; the lengths of what it removed. */
export const removeUnmarked = {
  treeNode: all((b, p: Stretch) => b.deleteFrom('treeNode').where(unmarkedIn(p, 'treeNode')).returning(lengthStored)),
  document: all((b, p: Stretch) =>
    b
      .deleteFrom('document')
      .where(unmarkedIn(p, 'document'))
      // A space may read every document that it has ever held.
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('spaceDocument')
              .select('spaceDocument.hash')
              .whereRef('spaceDocument.hash', '=', 'document.hash'),
          ),
        ),
      )
      // Others may be stored as what they changed in it.
      .where((eb) =>
        eb.not(
          eb.exists(
            eb.selectFrom('document as other').select('other.hash').whereRef('other.base', '=', 'document.hash'),
          ),
        ),
      )
      .returning(lengthStored),
  ),
} as const

/** What documents of the stretch printed as that are there no more. */
export const removePrinted = run((b, p: { after: string; upTo: string }) =>
  b
    .deleteFrom('printed')
    .where('hash', '>', p.after)
    .where('hash', '<=', p.upTo)
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom('document').select('document.hash').whereRef('document.hash', '=', 'printed.hash')),
      ),
    ),
)

/**
 * Removes revisions whose place others took before a time, some of them; how many. What a comment, a review, a change
 * request or a space refers to stays, however it came to be referred to.
 */
export const removeSuperseded = run((b, p: { before: string; limit: number }) =>
  b.deleteFrom('revision').where('id', 'in', (eb) =>
    eb
      .selectFrom('revision as old')
      .select('old.id')
      .where('old.supersededAt', '<', p.before)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('comment')
              .select('comment.id')
              .whereRef('comment.spaceId', '=', 'old.spaceId')
              .whereRef('comment.revisionId', '=', 'old.id'),
          ),
        ),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('changeRequest')
              .leftJoin('review', 'review.changeRequestId', 'changeRequest.id')
              .select('changeRequest.id')
              .whereRef('changeRequest.spaceId', '=', 'old.spaceId')
              .where(
                sql<boolean>`old.id in ("changeRequest"."revisionId", "changeRequest"."revisionInitial", "changeRequest"."revisionMergedAncestor", "changeRequest"."revisionMerged", "review"."revisionId")`,
              ),
          ),
        ),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('space')
              .select('space.id')
              .whereRef('space.revisionId', '=', 'old.id')
              .whereRef('space.id', '=', 'old.spaceId'),
          ),
        ),
      )
      .limit(p.limit),
  ),
)
