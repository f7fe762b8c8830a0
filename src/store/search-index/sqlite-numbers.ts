/**
 * Which entries match an expression, on SQLite. Tags are in few entries, and the classes of a question ask for the same ones in
 * many ways: so all of them are listed at once, and what is made of them alone is worked out here. FTS5 is asked for the rest, which
 * the classes share as well: to go through the entries of a word of every page takes longer than all else.
 */
import { isTag, wholeTitle } from '../../core/search/entries.ts'
import { type Expression, leavesOf } from '../../core/search/plan.ts'
import { both, either } from '../../core/sorted-numbers.ts'
import type { Connection, Row, Statement } from '../database.ts'
import { hiddenTag } from './engine.ts'
import { spaceOf, spaceShift } from './numbers.ts'
import { entriesOfClass, type Question } from './question.ts'

/** How an expression is said. */
export type ExpressionPrinter = (expression: Expression, includeHidden: boolean) => string

/** Entries that match, in order. */
export type Numbers = (expression: Expression) => Promise<readonly number[]>

/** A tag of more entries than this is left to FTS5. */
const tagEntries = 2_000

/** `spaces` in order. */
export async function numbersIn(
  db: Connection,
  spaces: readonly number[],
  { question, print }: { question: Question; print: ExpressionPrinter },
): Promise<Numbers> {
  const searched = { db, spaces, print }
  const { lists, includeHidden } = await listTags(searched, question)
  const asked = new Map<string, Promise<readonly number[]>>()
  const ask = (expression: Expression): Promise<readonly number[]> => {
    const text = print(expression, includeHidden)
    const known = asked.get(text) ?? matchingIn(searched, text)
    asked.set(text, known)
    return known
  }
  return async (expression) => {
    const listed = fromLists(lists, expression)
    if (listed) return listed
    if (!('and' in expression)) return ask(expression)
    const { known, others } = parted(lists, expression.and)
    if (known?.length === 0) return []
    const rest = await ask(others.length === 1 && others[0] ? others[0] : { and: others })
    if (known === undefined) return rest
    return rest.length < entriesOfClass ? both(known, rest) : ask(expression)
  }
}

interface Searched {
  db: Connection
  /** In order, and there may be more of them than a call takes arguments. */
  spaces: readonly number[]
  print: ExpressionPrinter
}

/** The entries of tags, by the names of these. */
type Lists = ReadonlyMap<string, readonly number[]>

type Leaf = ReturnType<typeof leavesOf>[number]

const nameOf = ({ word, prefix }: Leaf): string => (prefix ? `${word}*` : word)

/** A whole title is never asked for without its words, of which hardly any is in a title. */
const tagsOf = ({ classes, headings }: Question): Leaf[] =>
  [...classes, headings].flatMap(leavesOf).filter(({ word }) => isTag(word) && !word.startsWith(wholeTitle))

/** Where nothing is hidden, which is asked with the tags, nobody need be told to leave it out. */
async function listTags(searched: Searched, question: Question): Promise<{ lists: Lists; includeHidden: boolean }> {
  const tags = tagsOf(question)
  if (question.includeHidden) return { lists: await listsOf(searched, tags, true), includeHidden: true }
  const lists = await listsOf(searched, [...tags, { word: hiddenTag }], true)
  const hidesNothing = lists.get(hiddenTag)?.length === 0
  return hidesNothing
    ? { lists, includeHidden: true }
    : { lists: await listsOf(searched, tags, false), includeHidden: false }
}

/** Of tags that few entries have. */
async function listsOf(
  { db, spaces, print }: Searched,
  leaves: readonly Leaf[],
  includeHidden: boolean,
): Promise<Lists> {
  const asked = new Map(leaves.map((leaf) => [nameOf(leaf), print(leaf, includeHidden)]))
  const isSearched = spaces.length === 1 ? undefined : isIn(spaces)
  const lists = new Map<string, readonly number[]>()
  for (const row of await db.all(entriesOfTags, [JSON.stringify([...asked]), ...rangeOf(spaces)])) {
    const list = listOf(row)
    if (list.length <= tagEntries) lists.set(String(row.name), isSearched ? list.filter(isSearched) : list)
  }
  return lists
}

function isIn(spaces: readonly number[]): (number: number) => boolean {
  const known = new Set(spaces)
  return (number) => known.has(spaceOf(number))
}

/** What lists alone can tell. */
function fromLists(lists: Lists, expression: Expression): readonly number[] | undefined {
  if ('word' in expression) return lists.get(nameOf(expression))
  if ('phrase' in expression) return undefined
  const parts: (readonly number[])[] = []
  for (const part of 'and' in expression ? expression.and : expression.or) {
    const list = fromLists(lists, part)
    if (list === undefined) return undefined
    parts.push(list)
  }
  return 'and' in expression ? parts.reduce(both) : parts.reduce(either)
}

/** Of parts that must all match: what lists tell of them together, and those of which they tell nothing. */
function parted(lists: Lists, parts: readonly Expression[]) {
  let known: readonly number[] | undefined
  const others: Expression[] = []
  for (const part of parts) {
    const list = fromLists(lists, part)
    if (list === undefined) others.push(part)
    else known = known === undefined ? list : both(known, list)
  }
  return { known, others }
}

async function matchingIn({ db, spaces }: Searched, text: string): Promise<readonly number[]> {
  const given = [text, ...rangeOf(spaces)]
  const [row] = await (spaces.length === 1
    ? db.all(matchingOne, given)
    : db.all(matchingSome, [...given, JSON.stringify(spaces)]))
  return listOf(row)
}

/** A list travels as one text: twenty thousand rows would take longer to make than to find. */
function listOf(row: Row | undefined): number[] {
  const text = row?.numbers
  const list: number[] = []
  if (typeof text !== 'string') return list
  // Digit by digit, which takes a fifth of the time of cutting it and reading the parts.
  let number = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === comma) {
      list.push(number)
      number = 0
    } else number = number * 10 + code - zero
  }
  list.push(number)
  return list
}

const comma = ','.charCodeAt(0)
const zero = '0'.charCodeAt(0)

const entriesOfSpace = 2 ** spaceShift

/** The numbers of a space are a range, which the index is read by. */
const rangeOf = (spaces: readonly number[]): [from: number, to: number] => [
  (spaces[0] ?? 0) * entriesOfSpace,
  ((spaces.at(-1) ?? 0) + 1) * entriesOfSpace,
]

const entriesOfTags: Statement = {
  name: 'search_tags',
  sql: `select value ->> 0 as "name", (select group_concat("number") from (
      select rowid as "number" from "searchIndex" where "searchIndex" match value ->> 1 and rowid >= ?2 and rowid < ?3
      order by rowid limit ${tagEntries + 1})) as "numbers" from json_each(?1)`,
}

const matching = (name: string, condition: string): Statement => ({
  name,
  sql: `select group_concat("number") as "numbers" from (
    select rowid as "number" from "searchIndex" where "searchIndex" match ? and rowid >= ? and rowid < ? ${condition}
    order by rowid limit ${entriesOfClass})`,
})
const matchingOne = matching('search_matching_one', '')
const matchingSome = matching('search_matching_some', `and rowid >> ${spaceShift} in (select value from json_each(?))`)
