/** The index in a tsvector of our own making (never to_tsvector, whose words depend on the server), with a GIN index. */
import type { Expression } from '../../core/search/plan.ts'
import type { Statement } from '../database.ts'
import { sql } from '../sql-text.ts'
import { TimeSlices } from '../time-slices.ts'
import { hiddenTag, type IndexEngine, type IndexedEntry, type SearchedSpaces } from './engine.ts'
import { askPostgres, type Matching } from './postgres-question.ts'

/** With few spaces, the index itself tells their entries apart; with many, their numbers do. */
const fewSpaces = 16

export const postgresIndex: IndexEngine = {
  async insert(tx, entries) {
    const slices = new TimeSlices(2)
    const rows: [number, string][] = []
    for (const entry of entries) {
      rows.push([entry.number, vectorText(entry)])
      if (slices.isOver) await slices.next()
    }
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

const matching: Matching = (expression, searched, most) => sql`
  select "searchMatches" as "number" from "searchMatches"(
    ${queryText(expression, searched, { order: false })}::tsquery,
    ${hasPhrase(expression) ? sql`${queryText(expression, searched, { order: true })}::tsquery` : sql`null`},
    ${searched.spaces.length <= fewSpaces ? sql`null` : sql`(select array_agg("number") from "within")`},
    ${most}
  )`

/** The words with their positions, the tags without. */
function vectorText({ spaceId, hidden, words, tags }: Omit<IndexedEntry, 'number'>): string {
  const positions = new Map<string, number[]>()
  for (const [i, word] of words.entries()) {
    if (word === '') continue
    const known = positions.get(word)
    if (known) known.push(i + 1)
    else positions.set(word, [i + 1])
  }
  const placed = [...positions].map(([word, at]) => `${quoted(word)}:${at.join(',')}`)
  const others = [...tags, spaceTag(spaceId), ...(hidden ? [hiddenTag] : [])]
  return [...placed, ...others.filter((tag) => !positions.has(tag)).map(quoted)].join(' ')
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
  sql: `insert into "searchIndex" ("number", "vector")
    select (value ->> 0)::bigint, (value ->> 1)::tsvector from jsonb_array_elements($1::jsonb)`,
}

const removeEntries: Statement = {
  name: 'search_remove_entries',
  sql: `delete from "searchIndex" where "number" = any(array(select value::bigint from jsonb_array_elements_text($1::jsonb)))`,
}

/** Only its owner may; where the tables are somebody else's, the list is emptied when it is full. */
const emptyList: Statement = {
  name: 'search_empty_list',
  sql: `select gin_clean_pending_list("oid") from "pg_class"
    where "oid" = to_regclass('"searchIndex_vector"') and pg_has_role("relowner", 'USAGE')`,
}
