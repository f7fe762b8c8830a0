/**
 * What a search asks of an engine, and what it gets. The rules, which both engines keep:
 *
 * 1. A page belongs to the first class that lists it. A class lists its pages with most matching entries first, and no
 *    more of them than the answer can need; none at all once a class before it has listed that many, because the classes
 *    behind could add nothing. So a word of every page costs little more than one of few.
 * 2. What is counted and what is shown are of one moment.
 * 3. Of an expression, the first 20,000 entries are looked at.
 */
import type { Expression } from '../../core/search/plan.ts'
import type { Candidate } from '../../core/search/rank.ts'
import type { Connection } from '../database.ts'
import { unpackShort } from '../packed/short-texts.ts'
import { joined, literal, type Piece, ask as put, sql } from '../sql-text.ts'
import type { TimeSlices } from '../time-slices.ts'

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
  sections: FoundSection[]
}

type FoundSection = Candidate['sections'][number] & {
  /** The body where it is stored packed: `body` is empty until `unpackSections` has been there. */
  packed: Uint8Array | null
}

export interface Found {
  pages: FoundPage[]
  count: number
  spaces: number
}

/** How many sections of a page are looked at: those with a term in the heading, then the first. */
export const sectionsOfPage = 5
export const entriesOfClass = 20_000
const longerWords = 64

/** A section that was found, with its page. */
export interface SectionRow {
  page: number
  class: number
  spaceId: string
  pageId: string
  pageTitle: string
  anchor: string
  title: string
  body: string
  packed: Uint8Array | null
}

/** Rows of one page stand together. */
export function pagesOf(rows: readonly SectionRow[]): FoundPage[] {
  const pages: FoundPage[] = []
  for (const row of rows) {
    const section = { anchor: row.anchor, title: row.title, body: row.body, packed: row.packed }
    const last = pages.at(-1)
    if (last?.page === row.page) last.sections.push(section)
    else {
      const { page, spaceId, pageId, pageTitle: title } = row
      pages.push({ page, class: row.class, spaceId, pageId, title, sections: [section] })
    }
  }
  return pages
}

/** About a millisecond's worth. */
const unpackedAtOnce = 32 * 1024

/** Gives the sections of pages their bodies. */
export async function unpackSections(pages: readonly FoundPage[], slices: TimeSlices | undefined): Promise<void> {
  let group: Unpackable[] = []
  let bytes = 0
  for (const section of pages.flatMap((page) => page.sections)) {
    if (section.packed === null) continue
    group.push({ section, packed: section.packed })
    bytes += section.packed.length
    if (bytes < unpackedAtOnce) continue
    unpackGroup(group)
    group = []
    bytes = 0
    await slices?.next()
  }
  unpackGroup(group)
}

interface Unpackable {
  section: FoundSection
  packed: Uint8Array
}

function unpackGroup(group: readonly Unpackable[]): void {
  const bodies = unpackShort(group.map(({ packed }) => packed))
  for (const [i, { section }] of group.entries()) {
    section.body = bodies[i] ?? ''
    section.packed = null
  }
}

/** The shortest words of the spaces that hold each part. All words are gone through, once for all parts. */
export async function wordsWith(
  db: Connection,
  spaces: readonly string[],
  parts: readonly { term: number; part: string }[],
): Promise<{ term: number; word: string }[]> {
  const position = db.engine === 'sqlite' ? sql`instr` : sql`strpos`
  const holds = (part: string) => sql`${position}("word", ${part}) > 0`
  const branch = ({ term, part }: { term: number; part: string }) => sql`
    select * from (
      select ${literal(term)} as "term", "word" from "holding" where ${holds(part)}
      order by length("word"), "word" limit ${literal(longerWords)}
    ) as "longer"`
  const rows = await put(
    db,
    sql`with ${within(db, spaces)}, "holding" as materialized (
      select distinct "word" from "searchWord" where "space" in (select "number" from "within")
      and (${joined(
        parts.map(({ part }) => holds(part)),
        ' or ',
      )})
    ) ${joined(parts.map(branch), ' union all ')}`,
  )
  return rows as unknown as { term: number; word: string }[]
}

/** The numbers of the spaces searched. */
export const within = (db: Connection, spaces: readonly string[]): Piece => sql`"within" as materialized (
  select "number" from "searchSpace" where "spaceId" in (${
    db.engine === 'sqlite'
      ? sql`select value from json_each(${JSON.stringify(spaces)})`
      : sql`select jsonb_array_elements_text(${JSON.stringify(spaces)}::jsonb)`
  }))`
