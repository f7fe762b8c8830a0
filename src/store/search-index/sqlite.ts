/** The index in FTS5, without a copy of the text: two columns of words that we cut ourselves. */
import type { Expression } from '../../core/search/plan.ts'
import type { Connection, Statement } from '../database.ts'
import { gap, hiddenTag, type IndexEngine } from './engine.ts'
import { insertTexts } from './rows.ts'
import { askSqlite } from './sqlite-question.ts'

export const sqliteIndex: IndexEngine = {
  async insert(tx, entries) {
    await insertTexts(tx, entries)
    const rows = entries.map(({ number, hidden, words, tags }) => [
      number,
      words.map((word) => word || gap).join(' '),
      (hidden ? [...tags, hiddenTag] : tags).join(' '),
    ])
    await tx.run(insertEntries, [JSON.stringify(rows)])
  },

  async remove(tx, numbers) {
    await tx.run(removeEntries, [JSON.stringify(numbers)])
  },

  // Left to itself, FTS5 merges its segments in steps that now and then hold the loop for a tenth of a second.
  settleLength: 6000,
  settlesWhole: false,
  async settle(tx) {
    await tx.run(mergeSome, [])
  },

  // By what FTS5's own page says of merging in steps: one that did no work counts less than two changes.
  async mergeStep(tx, { isFirst }) {
    const before = await changesOf(tx)
    await tx.run(isFirst ? beginMerge : mergeSome, [])
    return (await changesOf(tx)) - before >= 2
  },

  ask: (db, question) => askSqlite(db, question, matchText),
}

/** An expression in the language of FTS5. Words hold no quotes: see core/search/words.ts. */
function matchText(expression: Expression, includeHidden: boolean): string {
  return includeHidden ? printExpression(expression) : `(${printExpression(expression)}) NOT "${hiddenTag}"`
}

function printExpression(expression: Expression): string {
  if ('word' in expression) return quoted([expression.word], expression.prefix ?? false)
  if ('phrase' in expression) return `words : ${quoted(expression.phrase, expression.prefix)}`
  if ('and' in expression) return `(${expression.and.map(printExpression).join(' AND ')})`
  return `(${expression.or.map(printExpression).join(' OR ')})`
}

const quoted = (words: readonly string[], prefix: boolean): string =>
  `"${words.join(' ').replaceAll('"', '""')}"${prefix ? ' *' : ''}`

const insertEntries: Statement = {
  name: 'search_insert_entries',
  sql: `insert into "searchIndex" (rowid, "words", "marks")
    select value ->> 0, value ->> 1, value ->> 2 from json_each(?)`,
}

const removeEntries: Statement = {
  name: 'search_remove_entries',
  sql: `delete from "searchIndex" where rowid in (select value from json_each(?))`,
}

const changesOf = async (tx: Connection): Promise<number> => Number((await tx.all(totalChanges, []))[0]?.changes)

const totalChanges: Statement = { name: 'search_changes', sql: 'select total_changes() as "changes"' }

/** Puts all parts on one level, from which steps that follow make one of them; a merge that is under way goes on. */
const beginMerge: Statement = {
  name: 'search_begin_merge',
  sql: `insert into "searchIndex" ("searchIndex", "rank") values ('merge', -16)`,
}

/** Sixteen pages of the index: a millisecond or two. */
const mergeSome: Statement = {
  name: 'search_merge',
  sql: `insert into "searchIndex" ("searchIndex", "rank") values ('merge', 16)`,
}
