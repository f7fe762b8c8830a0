/**
 * Links as they are stored: a row names its page and its target by number, and the texts of both stand once for a space.
 * Those of a page or target that nothing refers to any more stay until the space goes, and lead nowhere: a reader comes to
 * them by rows only. Whoever writes the links of a space has its lock.
 *
 * A version before numbered links wrote whole texts into "link"; what is left of those is changed beside the others, and
 * moved by a job (`moveNextLinks`). Readers see both in the view "everyLink".
 */
import { sql } from 'kysely'
import type { Connection, Database } from '../database.ts'
import { all, elementsOf, first, oneOf, run } from '../query.ts'
import type { LinkTable } from '../tables.ts'
import { shortRef } from './link-refs.ts'

type Status = LinkTable['status']

/** Puts in links of a space at positions that have none: many rows a statement, whichever pages they are of. */
export async function insertLinkRows(tx: Connection, spaceId: string, rows: readonly LinkTable[]): Promise<void> {
  if (rows.length === 0) return
  const space = await numberOfSpace(tx, spaceId)
  for (let i = 0; i < rows.length; i += 500) await insertSome(tx, space, rows.slice(i, i + 500))
}

async function insertSome(tx: Connection, space: number, links: readonly LinkTable[]): Promise<void> {
  const rows = links.map((row) => {
    // Inside JSON, PostgreSQL refuses half a character.
    const target = row.target.toWellFormed()
    return [row.pageId, row.position, row.nodeKey, row.kind, target, shortRef({ ...row, target }), row.status] as const
  })
  const pages = [...new Set(rows.map(([pageId]) => pageId))]
  const targets = new Map(rows.map(([, , , kind, target]) => [`${kind} ${target}`, [kind, target]]))
  await putPages(tx, { space, pages: JSON.stringify(pages) })
  await putTargets(tx, { space, targets: JSON.stringify([...targets.values()]) })
  await putRows(tx, { space, rows: JSON.stringify(rows) })
}

const findSpace = first((b, p: { spaceId: string }) =>
  b.selectFrom('linkSpace').select('number').where('spaceId', '=', p.spaceId),
)
const insertSpace = run((b, p: { spaceId: string }) =>
  b
    .insertInto('linkSpace')
    .values({ spaceId: p.spaceId })
    .onConflict((oc) => oc.doNothing()),
)

async function numberOfSpace(tx: Connection, spaceId: string): Promise<number> {
  let found = await findSpace(tx, { spaceId })
  if (!found) {
    await insertSpace(tx, { spaceId })
    found = await findSpace(tx, { spaceId })
  }
  if (!found) throw new Error('A space has no number for its links.')
  return found.number
}

// A number is taken even where a row is there already: so only what is not there is put in. SQLite needs the `where`, too,
// to tell a conflict clause from a join.
const putPages = run((b, p: { space: number; pages: string }, engine) =>
  b
    .insertInto('linkPage')
    .columns(['space', 'pageId'])
    .expression(
      sql`select cast(${p.space} as integer), "pageId" from (
            select ${textOf(engine)} as "pageId" from ${elementsOf(p.pages, engine)}) as "given"
          where not exists (select 1 from "linkPage" where "space" = ${p.space} and "linkPage"."pageId" = "given"."pageId")`,
    )
    .onConflict((oc) => oc.doNothing()),
)
const putTargets = run((b, p: { space: number; targets: string }, engine) =>
  b
    .insertInto('linkTarget')
    .columns(['space', 'kind', 'target'])
    .expression(
      sql`select cast(${p.space} as integer), "kind", "target" from (
            select value ->> 0 as "kind", value ->> 1 as "target" from ${elementsOf(p.targets, engine)}) as "given"
          where not exists (select 1 from "linkTarget" where "space" = ${p.space}
            and "linkTarget"."kind" = "given"."kind" and "linkTarget"."target" = "given"."target")`,
    )
    .onConflict((oc) => oc.doNothing()),
)

/** An element that is a text. */
const textOf = (engine: Connection['engine']) => (engine === 'sqlite' ? sql`value` : sql`value #>> '{}'`)

/** One statement whatever the number of rows: compiled and planned once. */
const putRows = run((b, p: { space: number; rows: string }, engine) =>
  b
    .insertInto('linkRow')
    .columns(['page', 'position', 'space', 'target', 'nodeKey', 'ref', 'status'])
    .expression(
      sql`select "linkPage"."number", cast(value ->> 1 as integer), cast(${p.space} as integer), "linkTarget"."number",
            value ->> 2, value ->> 5, value ->> 6
          from ${elementsOf(p.rows, engine)}
          join "linkPage" on "linkPage"."space" = ${p.space} and "linkPage"."pageId" = value ->> 0
          join "linkTarget" on "linkTarget"."space" = ${p.space}
            and "linkTarget"."kind" = value ->> 3 and "linkTarget"."target" = value ->> 4`,
    ),
)

/** Pages of a space by their numbers. */
const numbersOf = (spaceId: string, pageIds: ReturnType<typeof sql<boolean>>) => sql`
  select "linkPage"."number" from "linkPage" join "linkSpace" on "linkSpace"."number" = "linkPage"."space"
  where "linkSpace"."spaceId" = ${spaceId} and ${pageIds}`

const removeRows = run((b, p: { spaceId: string; pageIds: string }, engine) =>
  b
    .deleteFrom('linkRow')
    .where(sql<boolean>`"page" in (${numbersOf(p.spaceId, oneOf(sql.ref('linkPage.pageId'), p.pageIds, engine))})`),
)
const removeOldRows = run((b, p: { spaceId: string; pageIds: string }, engine) =>
  b
    .deleteFrom('link')
    .where('spaceId', '=', p.spaceId)
    .where(oneOf(sql.ref('pageId'), p.pageIds, engine)),
)

/** Takes the links of pages away. */
export async function removeLinkRows(tx: Connection, spaceId: string, pageIds: readonly string[]): Promise<void> {
  const p = { spaceId, pageIds: JSON.stringify(pageIds) }
  await removeRows(tx, p)
  await removeOldRows(tx, p)
}

const removePositions = run((b, p: { spaceId: string; positions: string }, engine) =>
  b.deleteFrom('linkRow').where(
    sql<boolean>`("page", "position") in (
        select "linkPage"."number", cast(value ->> 1 as integer) from ${elementsOf(p.positions, engine)}
        join "linkSpace" on "linkSpace"."spaceId" = ${p.spaceId}
        join "linkPage" on "linkPage"."space" = "linkSpace"."number" and "linkPage"."pageId" = value ->> 0)`,
  ),
)
const removeOldPositions = run((b, p: { spaceId: string; positions: string }, engine) =>
  b
    .deleteFrom('link')
    .where('spaceId', '=', p.spaceId)
    .where(
      sql<boolean>`("pageId", "position") in
        (select value ->> 0, cast(value ->> 1 as integer) from ${elementsOf(p.positions, engine)})`,
    ),
)

/** Takes some links of pages away. */
export async function removeLinksAt(tx: Connection, spaceId: string, links: readonly LinkTable[]): Promise<void> {
  const p = { spaceId, positions: positionsOf(links) }
  await removePositions(tx, p)
  await removeOldPositions(tx, p)
}

const positionsOf = (links: readonly LinkTable[]): string =>
  JSON.stringify(links.map(({ pageId, position }) => [pageId, position]))

interface LinkPosition {
  spaceId: string
  pageId: string
  position: number
}

const setStatus = run((b, p: LinkPosition & { status: Status }) =>
  b
    .updateTable('linkRow')
    .set({ status: p.status })
    .where(sql<boolean>`"page" in (${numbersOf(p.spaceId, sql<boolean>`"linkPage"."pageId" = ${p.pageId}`)})`)
    .where('position', '=', p.position),
)
const setOldStatus = run((b, p: LinkPosition & { status: Status }) =>
  b
    .updateTable('link')
    .set({ status: p.status })
    .where('spaceId', '=', p.spaceId)
    .where('pageId', '=', p.pageId)
    .where('position', '=', p.position),
)

export async function setLinkStatus(tx: Connection, change: LinkPosition & { status: Status }): Promise<void> {
  if ((await setStatus(tx, change)) === 0) await setOldStatus(tx, change)
}

// Its pages, targets and rows go with it.
const removeSpace = run((b, p: { spaceId: string }) => b.deleteFrom('linkSpace').where('spaceId', '=', p.spaceId))
const removeOldSpace = run((b, p: { spaceId: string }) => b.deleteFrom('link').where('spaceId', '=', p.spaceId))

export async function forgetSpaceLinks(tx: Connection, space: { spaceId: string }): Promise<void> {
  await removeSpace(tx, space)
  await removeOldSpace(tx, space)
}

const firstOld = first((b) => b.selectFrom('link').select('spaceId').limit(1))
const someOld = all((b, p: { spaceId: string; limit: number }) =>
  b
    .selectFrom('link')
    .selectAll()
    .where('spaceId', '=', p.spaceId)
    .orderBy('pageId')
    .orderBy('position')
    .limit(p.limit),
)

const movedAtOnce = 200

/** Moves some links that an older version wrote; false when there are none left. */
export async function moveNextLinks(db: Database): Promise<boolean> {
  const found = await firstOld(db.slow)
  if (!found) return false
  const { spaceId } = found
  await db.transaction(
    async (tx) => {
      const rows = await someOld(tx, { spaceId, limit: movedAtOnce })
      if (rows.length === 0) return
      // What a process of the older version wrote beside this one stands at positions that may have been moved before.
      await removeLinksAt(tx, spaceId, rows)
      await insertLinkRows(tx, spaceId, rows)
    },
    { lock: spaceId, unhurried: true },
  )
  return true
}
