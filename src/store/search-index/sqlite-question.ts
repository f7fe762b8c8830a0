/**
 * A search in several small statements: they run in one thread with the engine, where a statement costs microseconds and
 * sorting a few numbers in SQL costs more than finding them.
 */
import { isTag, wholeTitle } from '../../core/search/entries.ts'
import { type Expression, leavesOf } from '../../core/search/plan.ts'
import type { Connection, Row, Statement } from '../database.ts'
import { pageShift, spaceShift } from './numbers.ts'
import { entriesOfClass, type Found, pagesOf, type Question, type SectionRow, sectionsOfPage } from './question.ts'

/** How an expression is said. */
export type ExpressionPrinter = (expression: Expression, includeHidden: boolean) => string

export async function askSqlite(
  db: Connection,
  question: Question,
  printExpression: ExpressionPrinter,
): Promise<Found> {
  const known = await db.all(numbersOfSpaces, [JSON.stringify(question.spaces)])
  const ids = new Map(known.map((row) => [Number(row.number), String(row.spaceId)]))
  const spaces = [...ids.keys()]
  if (spaces.length === 0) return { pages: [], count: 0, spaces: 0 }
  const where: Where = { spaces, printExpression: printExpression, includeHidden: question.includeHidden }
  const numbers = numbersFor(db, where, await absentTags(db, question, where))
  const spread = await spreadOf(question.spread, numbers)
  const matching = await numbers(question.all)
  const all = spread.length === 0 ? matching : [...new Set([...matching, ...spread])].sort((a, b) => a - b)
  const sources = [
    ...question.classes.map((expression) => async () => (expression === question.all ? all : numbers(expression))),
    ...(question.spread.length > 0 ? [async () => spread] : []),
  ]
  const chosen = await choose(sources, question)
  const sections = sectionsOf(chosen, all, await numbers(question.headings))
  const rows = (await db.all(texts, [JSON.stringify(sections)])).map((row) => sectionRow(row, sections, ids))
  const pages = new Set(all.map(pageOf))
  const spacesFound = new Set([...pages].map((page) => Math.floor(page / pagesOfSpace)))
  return { pages: pagesOf(rows), count: pages.size, spaces: spacesFound.size }
}

/** A section that was found, joined with what was known before it was read. */
function sectionRow(row: Row, sections: readonly number[][], spaceIds: ReadonlyMap<number, string>): SectionRow {
  const [, page = 0, index = 0] = sections[Number(row.key)] ?? []
  const { pageId, pageTitle, anchor, title, body } = row
  return {
    page,
    class: index,
    spaceId: spaceIds.get(Math.floor(page / pagesOfSpace)) ?? '',
    pageId: String(pageId),
    pageTitle: String(pageTitle),
    anchor: String(anchor),
    title: String(title),
    body: typeof body === 'string' ? body : '',
    packed: body instanceof Uint8Array ? body : null,
  }
}

type Numbers = (expression: Expression) => Promise<number[]>

const entriesOfPage = 2 ** pageShift
const pagesOfSpace = 2 ** (spaceShift - pageShift)
const pageOf = (number: number): number => Math.floor(number / entriesOfPage)

interface Where {
  /** In order, and there may be more of them than a call takes arguments. */
  spaces: readonly number[]
  includeHidden: boolean
  printExpression: ExpressionPrinter
}

/** The numbers of a space are a range, which the index is read by. */
const rangeOf = ({ spaces }: Where): [from: number, to: number] => [
  (spaces[0] ?? 0) * 2 ** spaceShift,
  ((spaces.at(-1) ?? 0) + 1) * 2 ** spaceShift,
]

function numbersFor(db: Connection, where: Where, absent: ReadonlySet<string>): Numbers {
  const { spaces, includeHidden, printExpression } = where
  const range = rangeOf(where)
  return async (expression) => {
    const asked = without(absent, expression)
    if (asked === undefined) return []
    const given = [printExpression(asked, includeHidden), ...range]
    const rows = await (spaces.length === 1
      ? db.all(matchingOne, given)
      : db.all(matchingSome, [...given, JSON.stringify(spaces)]))
    return listOf(rows)
  }
}

/** A list travels as one text: twenty thousand rows would take longer to make than to find. */
function listOf([row]: readonly Row[]): number[] {
  const list = row?.numbers
  return typeof list === 'string' ? list.split(',').map(Number) : []
}

/**
 * Most words are in no title and no heading, and few are often in one text: to find that out takes less than to ask each
 * of the classes that would find nothing. Where no word begins so, none is so;
 * and a whole title is never asked for without its words.
 */
async function absentTags(db: Connection, { classes, headings }: Question, where: Where): Promise<Set<string>> {
  const leaves = [...classes, headings]
    .flatMap(leavesOf)
    .filter(({ word }) => isTag(word) && !word.startsWith(wholeTitle))
  const beginnings = leaves.filter(({ prefix }) => prefix).map(({ word }) => word)
  const beginningOf = ({ word }: { word: string }) => beginnings.find((beginning) => word.startsWith(beginning))
  const asked = new Map(
    leaves
      .filter((leaf) => leaf.prefix || beginningOf(leaf) === undefined)
      .map((leaf) => [nameOf(leaf), where.printExpression(leaf, true)]),
  )
  const absent = await db.all(absentOf, [JSON.stringify([...asked]), ...rangeOf(where)])
  const names = new Set(absent.map((row) => String(row.name)))
  for (const leaf of leaves) if (names.has(`${beginningOf(leaf)}*`)) names.add(nameOf(leaf))
  return names
}

const nameOf = ({ word, prefix }: { word: string; prefix?: boolean }): string => (prefix ? `${word}*` : word)

/** The expression without tags that are nowhere; nothing where it can find nothing. */
function without(absent: ReadonlySet<string>, expression: Expression): Expression | undefined {
  if ('word' in expression) return absent.has(nameOf(expression)) ? undefined : expression
  if ('phrase' in expression) return expression
  const parts = ('and' in expression ? expression.and : expression.or).map((part) => without(absent, part))
  const found = parts.filter((part) => part !== undefined)
  if ('and' in expression) return found.length < parts.length ? undefined : { and: found }
  return found.length === 0 ? undefined : { or: found }
}

/** The pages asked for, in order, each in the first class that lists it. */
async function choose(sources: readonly (() => Promise<number[]>)[], { from, length }: Question): Promise<Chosen[]> {
  const most = from + length
  const chosen: Chosen[] = []
  const known = new Set<number>()
  for (const [index, source] of sources.entries()) {
    const listed = heaviest(await source(), most)
    const fresh = listed.filter(({ page }) => !known.has(page))
    for (const { page } of fresh) known.add(page)
    chosen.push(...fresh.map(({ page }) => ({ page, class: index })))
    if (listed.length >= most) break
  }
  return chosen.slice(from, most)
}

interface Chosen {
  page: number
  class: number
}

/** The pages with most entries among these, which are in order. */
function heaviest(numbers: readonly number[], most: number): { page: number; weight: number }[] {
  const pages: { page: number; weight: number }[] = []
  for (const number of numbers) {
    const page = pageOf(number)
    const last = pages.at(-1)
    if (last?.page === page) last.weight++
    else pages.push({ page, weight: 1 })
  }
  return pages.sort((a, b) => b.weight - a.weight || a.page - b.page).slice(0, most)
}

/** Of each page the entries to be read: those with a term in the heading, then the first; in document order. */
function sectionsOf(chosen: readonly Chosen[], all: readonly number[], headings: readonly number[]): number[][] {
  const entries = new Map(chosen.map(({ page }) => [page, [] as number[]]))
  for (const number of all) entries.get(pageOf(number))?.push(number)
  const first = new Set(headings)
  return chosen.flatMap(({ page, class: index }) => {
    const found = entries.get(page) ?? []
    const best = found.toSorted((a, b) => Number(first.has(b)) - Number(first.has(a)) || a - b)
    const read = best.slice(0, sectionsOfPage).sort((a, b) => a - b)
    return read.map((number) => [number, page, index])
  })
}

/** Entries of pages that have every term, wherever. */
async function spreadOf(terms: readonly Expression[], numbers: Numbers): Promise<number[]> {
  const lists: number[][] = []
  for (const term of terms) lists.push(await numbers(term))
  const pages = lists.map((list) => new Set(list.map(pageOf)))
  return [...new Set(lists.flat())]
    .filter((number) => pages.every((set) => set.has(pageOf(number))))
    .sort((a, b) => a - b)
}

const numbersOfSpaces: Statement = {
  name: 'search_spaces',
  sql: `select "number", "spaceId" from "searchSpace" where "spaceId" in (select value from json_each(?)) order by "number"`,
}

const absentOf: Statement = {
  name: 'search_absent',
  sql: `select value ->> 0 as "name" from json_each(?) where not exists (
    select 1 from "searchIndex" where "searchIndex" match value ->> 1 and rowid >= ? and rowid < ?)`,
}

const matching = (name: string, condition: string): Statement => ({
  name,
  sql: `select group_concat("number") as "numbers" from (
    select rowid as "number" from "searchIndex" where "searchIndex" match ? and rowid >= ? and rowid < ? ${condition}
    order by rowid limit ${entriesOfClass})`,
})
const matchingOne = matching('search_matching_one', '')
const matchingSome = matching('search_matching_some', `and rowid >> ${spaceShift} in (select value from json_each(?))`)

/** As few columns as tell it: each costs as much as the rest of a row. */
const texts: Statement = {
  name: 'search_texts',
  sql: `select key, "searchPage"."pageId", "searchPage"."title" as "pageTitle", "searchText"."anchor", "searchText"."title",
      coalesce("searchText"."packed", "searchText"."body") as "body"
    from json_each(?) join "searchPage" on "searchPage"."number" = value ->> 1
    join "searchText" on "searchText"."number" = value ->> 0 order by key`,
}
