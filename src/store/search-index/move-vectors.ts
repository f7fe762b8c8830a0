/**
 * On PostgreSQL, entries that an older version stored as vectors become words in the row of their section, some at a time, each
 * out of the one table and into the other in one transaction. Whoever runs it again goes on with what is left.
 */
import type { Database, Statement } from '../database.ts'
import { first } from '../query.ts'
import { gap } from './engine.ts'
import { entryNumber, pageRange, spaceOf } from './numbers.ts'

const movedAtOnce = 100

/** Whether there may be more. */
export async function moveNextVectors(db: Database): Promise<boolean> {
  if (db.engine !== 'postgres') return false
  const [next] = await db.slow.all(firstVector, [])
  if (!next) {
    await giveBackRoom(db)
    return false
  }
  const space = spaceOf(Number(next.number))
  const { from, to } = pageRange(space)
  const found = await spaceNumbered(db, { number: space })
  await db.transaction((tx) => tx.run(moveVectors, [entryNumber(from, 0), entryNumber(to + 1, 0)]), {
    unhurried: true,
    // Whoever writes pages of the space has its lock, so that no section changes on its way.
    ...(found ? { lock: found.spaceId } : {}),
  })
  return true
}

/** What was deleted row by row stays in the files of a table and its index; a table that is empty gives it back at once. */
async function giveBackRoom(db: Database): Promise<void> {
  const [row] = await db.all(mayGiveBack, [])
  if (Number(row?.may) !== 1) return
  await db.transaction(
    async (tx) => {
      await tx.run({ name: 'search_lock_vectors', sql: 'lock table "searchIndex" in access exclusive mode' }, [])
      if ((await tx.all(firstVector, [])).length > 0) return
      await tx.run({ name: 'search_empty_vectors', sql: 'truncate "searchIndex"' }, [])
    },
    { unhurried: true },
  )
}

const spaceNumbered = first((b, p: { number: number }) =>
  b.selectFrom('searchSpace').select('spaceId').where('number', '=', p.number),
)

const firstVector: Statement = {
  name: 'search_first_vector',
  sql: 'select "number" from "searchIndex" order by "number" limit 1',
}

/** Where autovacuum was first, the table is short and its two indexes are as long as they were; two pages each are next to nothing. */
const mayGiveBack: Statement = {
  name: 'search_may_give_back',
  sql: `select ((pg_relation_size('"searchIndex"') > 0
      or pg_indexes_size('"searchIndex"') > 4 * current_setting('block_size')::integer)
    and has_table_privilege('"searchIndex"', 'TRUNCATE'))::integer as "may"`,
}

/** A position that no word has is a gap; what has no position is a tag. */
const moveVectors: Statement = {
  name: 'search_move_vectors',
  sql: `
    with "moved" as (
      delete from "searchIndex" where "number" in (
        select "number" from "searchIndex" where "number" >= $1 and "number" < $2 order by "number" limit ${movedAtOnce}
      ) returning "number", "vector"
    )
    update "searchText" set
      "words" = coalesce((
        select string_agg(case when "position" > "before" + 1 then '${gap} ' || "lexeme" else "lexeme" end, ' ' order by "position")
        from (
          select "lexeme", "position", lag("position", 1, 0::smallint) over (order by "position") as "before"
          from unnest("vector") as "word", unnest("word"."positions") as "position"
        ) as "placed"
      ), '${gap}'),
      "tags" = (select string_agg("lexeme", ' ') from unnest("vector") where "positions" is null)
    from "moved" where "searchText"."number" = "moved"."number"`,
}
