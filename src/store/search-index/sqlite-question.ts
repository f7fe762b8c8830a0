/**
 * A search in several small statements: they run in one thread with the engine, where a statement costs microseconds and
 * sorting a few numbers in SQL costs more than finding them.
 */
import type { Expression } from '../../core/search/plan.ts'
import { either } from '../../core/sorted-numbers.ts'
import type { Connection, Statement } from '../database.ts'
import { pageShift, spaceShift } from './numbers.ts'
import { type Found, type FoundPage, pagesOf, type Question, type SectionRow, sectionsOfPage } from './question.ts'
import { type ExpressionPrinter, type Numbers, numbersIn } from './sqlite-numbers.ts'

export async function askSqlite(db: Connection, question: Question, print: ExpressionPrinter): Promise<Found> {
  const known = await db.all(numbersOfSpaces, [JSON.stringify(question.spaces)])
  const spaceIds = new Map(known.map((row) => [Number(row.number), String(row.spaceId)]))
  const spaces = [...spaceIds.keys()]
  if (spaces.length === 0) return { pages: [], count: 0, spaces: 0 }
  const numbers = await numbersIn(db, spaces, { question, print })
  const spread = await spreadOf(question.spread, numbers)
  const matching = await numbers(question.all)
  const all = either(matching, spread)
  const sources = [
    ...question.classes.map((expression) => async () => (expression === question.all ? all : numbers(expression))),
    ...(question.spread.length > 0 ? [async () => spread] : []),
  ]
  const chosen = await choose(sources, question)
  const sections = sectionsOf(chosen, all, await numbers(question.headings))
  const pages = new Set(all.map(pageOf))
  const spacesFound = new Set([...pages].map((page) => Math.floor(page / pagesOfSpace)))
  return { pages: await readTexts(db, sections, spaceIds), count: pages.size, spaces: spacesFound.size }
}

/** An entry to be read, with what is known of it before. */
interface Chosen {
  number: number
  page: number
  class: number
}

/**
 * What is text comes as one, which takes a third of the time that rows do; what is packed comes beside it,
 * since JSON holds no bytes.
 */
async function readTexts(
  db: Connection,
  chosen: readonly Chosen[],
  spaceIds: ReadonlyMap<number, string>,
): Promise<FoundPage[]> {
  const numbers = JSON.stringify(chosen.map(({ number }) => number))
  const [row] = await db.all(texts, [numbers])
  const packed = new Map((await db.all(packedTexts, [numbers])).map((row) => [row.key, row.packed]))
  const read: TextRow[] = JSON.parse(String(row?.texts))
  const rows = read.map(([key, pageId, pageTitle, anchor, title, body]): SectionRow => {
    const { page = 0, class: index = 0 } = chosen[key] ?? {}
    const bytes = packed.get(key)
    return {
      page,
      class: index,
      spaceId: spaceIds.get(Math.floor(page / pagesOfSpace)) ?? '',
      pageId,
      pageTitle,
      anchor,
      title,
      body: body ?? '',
      packed: bytes instanceof Uint8Array ? bytes : null,
    }
  })
  return pagesOf(rows)
}

type TextRow = [key: number, pageId: string, pageTitle: string, anchor: string, title: string, body: string | null]

const entriesOfPage = 2 ** pageShift
const pagesOfSpace = 2 ** (spaceShift - pageShift)
const pageOf = (number: number): number => Math.floor(number / entriesOfPage)

/** The pages asked for, in order, each in the first class that lists it. */
async function choose(
  sources: readonly (() => Promise<readonly number[]>)[],
  { from, length }: Question,
): Promise<ChosenPage[]> {
  const most = from + length
  const chosen: ChosenPage[] = []
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

type ChosenPage = Pick<Chosen, 'page' | 'class'>

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
function sectionsOf(chosen: readonly ChosenPage[], all: readonly number[], headings: readonly number[]): Chosen[] {
  const entries = new Map(chosen.map(({ page }) => [page, [] as number[]]))
  for (const number of all) entries.get(pageOf(number))?.push(number)
  const first = new Set(headings)
  return chosen.flatMap(({ page, class: index }) => {
    const found = entries.get(page) ?? []
    const read = found.length <= sectionsOfPage ? found : bestOf(found, first)
    return read.map((number) => ({ number, page, class: index }))
  })
}

const bestOf = (entries: readonly number[], first: ReadonlySet<number>): number[] =>
  entries
    .toSorted((a, b) => Number(first.has(b)) - Number(first.has(a)) || a - b)
    .slice(0, sectionsOfPage)
    .sort((a, b) => a - b)

/** Entries of pages that have every term, wherever. */
async function spreadOf(terms: readonly Expression[], numbers: Numbers): Promise<number[]> {
  const lists: (readonly number[])[] = []
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

/** Entries in the order given. */
const given = `(select key, value as "number" from json_each(?) order by key) as "given"
  join "searchText" on "searchText"."number" = "given"."number"`

const texts: Statement = {
  name: 'search_texts',
  sql: `select json_group_array(json_array("given"."key", "searchPage"."pageId", "searchPage"."title", "searchText"."anchor",
      "searchText"."title", case when "searchText"."packed" is null then "searchText"."body" end)) as "texts"
    from ${given} join "searchPage" on "searchPage"."number" = "given"."number" >> ${pageShift}`,
}

const packedTexts: Statement = {
  name: 'search_packed_texts',
  sql: `select "given"."key", "searchText"."packed" from ${given} where "searchText"."packed" is not null`,
}
