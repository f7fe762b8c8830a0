/** A search in one statement: it takes one trip to the server, and no list of entries travels. */
import type { Expression } from '../../core/search/plan.ts'
import type { Connection } from '../database.ts'
import { joined, literal, named, type Piece, ask as put, sql } from '../sql-text.ts'
import type { SearchedSpaces } from './engine.ts'
import { pageShift, spaceShift } from './numbers.ts'
import {
  entriesOfClass,
  type Found,
  pagesOf,
  type Question,
  type SectionRow,
  sectionsOfPage,
  within,
} from './question.ts'

/**
 * A query of one column "number": entries that match, no more than `most` of them, and no look at any when that is 0.
 * It may read the CTE "within": the column "number" of the spaces searched.
 */
export type Matching = (expression: Expression, searched: SearchedSpaces, most: Piece) => Piece

/** The row of a section; of the counts alone when no page is in the range. */
interface HitRow extends Omit<SectionRow, 'spaceId'> {
  count: number
  spaces: number
  spaceId: string | null
}

export async function askPostgres(db: Connection, question: Question, matching: Matching): Promise<Found> {
  const rows = (await put(db, questionSql(db, question, matching))) as unknown as HitRow[]
  const found = rows.filter((row): row is HitRow & SectionRow => row.spaceId !== null)
  return { pages: pagesOf(found), count: rows[0]?.count ?? 0, spaces: rows[0]?.spaces ?? 0 }
}

const shift = literal(pageShift)

function questionSql(db: Connection, question: Question, match: Matching) {
  const { spaces, includeHidden, classes, spread, from, length } = question
  const matching = (expression: Expression, most = sql`${literal(entriesOfClass)}`): Piece =>
    match(expression, { spaces, includeHidden }, most)
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
    ...sources.map((source, i) => classSql(source, { index: i, most })),
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
      "searchText"."body", "searchText"."packed"
    from "total" left join "section" on "section"."place" <= ${literal(sectionsOfPage)}
    left join "searchPage" on "searchPage"."number" = "section"."page"
    left join "searchText" on "searchText"."number" = "section"."number"
    order by "section"."class", "section"."weight" desc, "section"."page", "section"."number"`
}

/** The best pages of a class. */
const classSql = (source: Piece, { index, most }: { index: number; most: number }): Piece => sql`
  ${className(index)} as materialized (
    select "number" >> ${shift} as "page", ${literal(index)} as "class", count(*) as "weight"
    from (${source}) as "matching" group by 1 order by 3 desc, 1 limit ${literal(most)}
  )`

const className = (index: number): Piece => named(`class${index}`)

/** How many entries of a class are looked at: none, when a class before it has listed enough pages. */
function unlessListed(index: number, most: number) {
  const open = Array.from({ length: index }, (_, i) => sql`(select count(*) from ${className(i)}) < ${literal(most)}`)
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
