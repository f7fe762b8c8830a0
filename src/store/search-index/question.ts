/**
 * The statement a search asks: one, so that what is counted and what is shown are of one moment.
 *
 * Each class lists its best pages: those with most matching entries. No more of them than the answer can need are listed,
 * and none at all once a class before it has listed that many: the classes behind could add nothing. So a word of every
 * page costs little more than one of few: what is left to do for all that match is to count.
 */
import type { Expression } from '../../core/search/plan.ts'
import type { Candidate } from '../../core/search/rank.ts'
import type { Connection } from '../database.ts'
import { joined, literal, named, type Piece, ask as put, sql } from '../sql-text.ts'
import type { Scope } from './engine.ts'
import { engineOf } from './engines.ts'
import { pageShift, spaceShift } from './numbers.ts'

export interface Question {
  spaces: readonly string[]
  includeHidden: boolean
  /** Best first. */
  classes: readonly Expression[]
  /** All that matches, but for pages that only have each of `spread`. */
  all: Expression
  /** Entries that are shown first. */
  headings: Expression
  /** Terms that must all be on a page, in whatever entries: the class behind all others. Empty for no such class. */
  spread: readonly Expression[]
  /** Which pages, in the order of classes, are wanted with their texts. */
  from: number
  length: number
}

export interface FoundPage extends Candidate {
  spaceId: string
  pageId: string
}

export interface Found {
  pages: FoundPage[]
  count: number
  spaces: number
}

const sectionsOfPage = 5
const entriesOfClass = 20_000
const longerWords = 64

export async function ask(db: Connection, question: Question): Promise<Found> {
  const rows = (await put(db, questionSql(db, question))) as unknown as HitRow[]
  const pages: FoundPage[] = []
  for (const row of rows) {
    if (row.spaceId === null) continue
    const section = { anchor: row.anchor, title: row.title, body: row.body }
    const last = pages.at(-1)
    if (last?.page === row.page) last.sections.push(section)
    else {
      const { page, spaceId, pageId, pageTitle: title } = row
      pages.push({ page, class: row.class, spaceId, pageId, title, sections: [section] })
    }
  }
  return { pages, count: rows[0]?.count ?? 0, spaces: rows[0]?.spaces ?? 0 }
}

/** The shortest words of the spaces that hold each part. */
export async function wordsWith(
  db: Connection,
  spaces: readonly string[],
  parts: readonly { term: number; part: string }[],
): Promise<{ term: number; word: string }[]> {
  const position = db.engine === 'sqlite' ? sql`instr` : sql`strpos`
  const branch = ({ term, part }: { term: number; part: string }) => sql`
    select * from (
      select ${literal(term)} as "term", "word" from "searchWord" where "space" in (select "number" from "within")
      and ${position}("word", ${part}) > 0 group by "word" order by length("word"), "word" limit ${literal(longerWords)}
    ) as "longer"`
  const rows = await put(db, sql`with ${within(db, spaces)} ${joined(parts.map(branch), ' union all ')}`)
  return rows as unknown as { term: number; word: string }[]
}

/** The row of a section; of the counts alone when no page is in the range. */
interface HitRow {
  count: number
  spaces: number
  page: number
  class: number
  spaceId: string | null
  pageId: string
  pageTitle: string
  anchor: string
  title: string
  body: string
}

const shift = literal(pageShift)

/** The numbers of the spaces searched. */
const within = (db: Connection, spaces: readonly string[]): Piece => sql`"within" as materialized (
  select "number" from "searchSpace" where "spaceId" in (${
    db.engine === 'sqlite'
      ? sql`select value from json_each(${JSON.stringify(spaces)})`
      : sql`select jsonb_array_elements_text(${JSON.stringify(spaces)}::jsonb)`
  }))`

function questionSql(db: Connection, question: Question) {
  const { spaces, includeHidden, classes, spread, from, length } = question
  const scope: Scope = { spaces, includeHidden }
  const matching = (expression: Expression, most = sql`${literal(entriesOfClass)}`): Piece =>
    engineOf(db).matching(expression, scope, most)
  const most = from + length
  const sources = [
    ...classes.map((expression, i) =>
      expression === question.all ? sql`select "number" from "all"` : matching(expression, unlessListed(i, most)),
    ),
    ...(spread.length > 0 ? [sql`select "number" from "spread"`] : []),
  ]
  const names = sources.map((_, i) => className(i))
  const tables = [
    within(db, spaces),
    ...spread.map((expression, i) => sql`${named(`term${i}`)} as materialized (${matching(expression)})`),
    ...(spread.length > 0 ? [spreadSql(spread.length)] : []),
    sql`"all" as materialized (select "number" from (${matching(question.all)}) as "matching"
      ${spread.length > 0 ? sql`union select "number" from "spread"` : sql``})`,
    sql`"heading" as materialized (${matching(question.headings)})`,
    ...sources.map((source, i) => classSql(source, { place: i, most })),
    sql`"listed" as (${joined(
      names.map((name) => sql`select * from ${name}`),
      ' union all ',
    )})`,
    // A page belongs to its first class, and stands there by what it has in that one.
    sql`"first" as (
      select "page", "class", "weight", row_number() over (partition by "page" order by "class") as "turn" from "listed"
    )`,
    sql`"chosen" as materialized (
      select "page", "class", "weight" from "first" where "turn" = 1 order by "class", "weight" desc, "page"
      limit ${literal(length)} offset ${literal(from)}
    )`,
    sql`"section" as materialized (
      select "chosen"."page", "chosen"."class", "chosen"."weight", "all"."number", row_number() over (
        partition by "chosen"."page"
        order by case when "all"."number" in (select "number" from "heading") then 0 else 1 end, "all"."number"
      ) as "place"
      from "all" join "chosen" on "chosen"."page" = "all"."number" >> ${shift}
    )`,
    sql`"total" as (
      select count(*) as "count", count(distinct "page" >> ${literal(spaceShift - pageShift)}) as "spaces"
      from (select distinct "number" >> ${shift} as "page" from "all") as "page"
    )`,
  ]
  return sql`
    with ${joined(tables, ', ')}
    select "total"."count", "total"."spaces", "section"."page", "section"."class", "searchPage"."spaceId",
      "searchPage"."pageId", "searchPage"."title" as "pageTitle", "searchText"."anchor", "searchText"."title",
      "searchText"."body"
    from "total" left join "section" on "section"."place" <= ${literal(sectionsOfPage)}
    left join "searchPage" on "searchPage"."number" = "section"."page"
    left join "searchText" on "searchText"."number" = "section"."number"
    order by "section"."class", "section"."weight" desc, "section"."page", "section"."number"`
}

/** The best pages of a class. */
const classSql = (source: Piece, { place, most }: { place: number; most: number }): Piece => sql`
  ${className(place)} as materialized (
    select "number" >> ${shift} as "page", ${literal(place)} as "class", count(*) as "weight"
    from (${source}) as "matching" group by 1 order by 3 desc, 1 limit ${literal(most)}
  )`

const className = (place: number): Piece => named(`class${place}`)

/** How many entries of a class are looked at: none, when a class before it has listed enough pages. */
function unlessListed(place: number, most: number) {
  const open = Array.from({ length: place }, (_, i) => sql`(select count(*) from ${className(i)}) < ${literal(most)}`)
  if (open.length === 0) return sql`${literal(entriesOfClass)}`
  return sql`(case when ${joined(open, ' and ')} then ${literal(entriesOfClass)} else 0 end)`
}

/** Entries of pages that have every term, wherever. */
function spreadSql(count: number): Piece {
  const names = Array.from({ length: count }, (_, i) => named(`term${i}`))
  const pages = names.map((name) => sql`select "number" >> ${shift} from ${name}`)
  const entries = names.map((name) => sql`select "number" from ${name}`)
  return sql`"spread" as materialized (
    select "number" from (${joined(entries, ' union ')}) as "either"
    where "number" >> ${shift} in (${joined(pages, ' intersect ')})
  )`
}
