/**
 * The index on PostgreSQL: a GIN index of the words and tags in the row of each section, which an expression turns into a
 * tsvector (never to_tsvector, whose words depend on the server). No vector is stored: it would take nearly twice as much as
 * the words themselves. The index knows no order, so phrases are looked for in the words of what it finds.
 */
import type { Expression } from '../../core/search/plan.ts'
import type { Statement } from '../database.ts'
import { joined, type Piece, sql } from '../sql-text.ts'
import { gap, hiddenTag, type IndexEngine, type IndexedEntry, type SearchedSpaces } from './engine.ts'
import { askPostgres, type Matching } from './postgres-question.ts'

/** With few spaces, the index itself tells their entries apart; with many, their numbers do. */
const fewSpaces = 16

export const postgresIndex: IndexEngine = {
  async insert(tx, entries) {
    const rows = entries.map((entry) => {
      const { number, anchor, title, body, packed } = entry
      const text = packed === undefined ? [body, null] : ['', packed]
      return [number, anchor, title, ...text, wordsText(entry), tagsText(entry)]
    })
    await tx.run(insertEntries, [JSON.stringify(rows)])
  },

  async remove(tx, numbers) {
    await tx.run(removeEntries, [JSON.stringify(numbers)])
  },

  // An edit now and then puts in place what the few before it left; a step of many pages its own.
  settleLength: 24_000,
  settlesWhole: true,
  async settle(tx) {
    await tx.run(emptyList, [])
  },

  ask: (db, question) => askPostgres(db, question, matching),
}

const matching: Matching = (expression, searched, most) => {
  const isOrdered = hasPhrase(expression)
  const found = sql`"searchFound"(
    ${queryText(expression, searched, { order: false })}::tsquery,
    ${isOrdered ? sql`${queryText(expression, searched, { order: true })}::tsquery` : sql`null`},
    ${searched.spaces.length <= fewSpaces ? sql`null` : sql`(select array_agg("number") from "within")`},
    ${most}
  ) as "found"`
  if (!isOrdered) return sql`select "found" as "number" from ${found}`
  // Entries that an older version wrote have no words here, and were held against the order where they were found.
  return sql`
    select "found" as "number" from ${found} left join lateral (
      select ' ' || "words" || ' ' as "words", ' ' || "tags" || ' ' as "tags" from "searchText"
      where "searchText"."number" = "found" limit 1
    ) as "entry" on true where "entry"."words" is null or ${holds(expression)}`
}

/** The words in order, with a sign for each gap. There are always some, or gaps. */
const wordsText = ({ words }: IndexedEntry): string => words.map((word) => word || gap).join(' ')

const tagsText = ({ spaceId, hidden, tags }: IndexedEntry): string =>
  [...tags, spaceTag(spaceId), ...(hidden ? [hiddenTag] : [])].join(' ')

/** Whether the words and tags of an entry, with a space before and behind, are as an expression wants them. */
function holds(expression: Expression): Piece {
  if ('word' in expression) {
    const word = ` ${expression.word}${expression.prefix ? '' : ' '}`
    return sql`(strpos("entry"."words", ${word}) > 0 or strpos("entry"."tags", ${word}) > 0)`
  }
  if ('phrase' in expression)
    return sql`strpos("entry"."words", ${` ${expression.phrase.join(' ')}${expression.prefix ? '' : ' '}`}) > 0`
  if ('and' in expression) return sql`(${joined(expression.and.map(holds), ' and ')})`
  return sql`(${joined(expression.or.map(holds), ' or ')})`
}

/** An expression in the language of tsquery; without `order`, the words of phrases may stand anywhere. */
function queryText(expression: Expression, searched: SearchedSpaces, options: { order: boolean }): string {
  const { spaces, includeHidden } = searched
  const parts = [printExpression(expression, options.order)]
  if (spaces.length <= fewSpaces) parts.push(`(${spaces.map((space) => quoted(spaceTag(space))).join(' | ')})`)
  if (!includeHidden) parts.push(`!${quoted(hiddenTag)}`)
  return parts.join(' & ')
}

function printExpression(expression: Expression, order: boolean): string {
  if ('word' in expression) return quoted(expression.word) + (expression.prefix ? ':*' : '')
  if ('phrase' in expression) {
    const last = expression.phrase.length - 1
    const words = expression.phrase.map((word, i) => quoted(word) + (expression.prefix && i === last ? ':*' : ''))
    return `(${words.join(order ? ' <-> ' : ' & ')})`
  }
  if ('and' in expression) return `(${expression.and.map((part) => printExpression(part, order)).join(' & ')})`
  return `(${expression.or.map((part) => printExpression(part, order)).join(' | ')})`
}

function hasPhrase(expression: Expression): boolean {
  if ('phrase' in expression) return true
  if ('word' in expression) return false
  return ('and' in expression ? expression.and : expression.or).some(hasPhrase)
}

const spaceTag = (spaceId: string): string => `@${spaceId}`

const quoted = (word: string): string => `'${word.replace(/['\\]/g, '$&$&')}'`

const insertEntries: Statement = {
  name: 'search_insert_entries',
  sql: `insert into "searchText" ("number", "anchor", "title", "body", "packed", "words", "tags")
    select (value ->> 0)::bigint, value ->> 1, value ->> 2, value ->> 3, decode(value ->> 4, 'hex'), value ->> 5, value ->> 6
    from jsonb_array_elements($1::jsonb)`,
}

/** Those of an older version; all others go with their texts. */
const removeEntries: Statement = {
  name: 'search_remove_entries',
  sql: `delete from "searchIndex" where "number" = any(array(select value::bigint from jsonb_array_elements_text($1::jsonb)))`,
}

/** Only its owner may; where the tables are somebody else's, the list is emptied when it is full. */
const emptyList: Statement = {
  name: 'search_empty_list',
  sql: `select gin_clean_pending_list("oid") from "pg_class"
    where "oid" = to_regclass('"searchText_words"') and pg_has_role("relowner", 'USAGE')`,
}
