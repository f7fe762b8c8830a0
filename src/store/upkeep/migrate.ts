/**
 * Brings the database's tables up to this version of the code.
 *
 * Migrations are numbered and only go forward. Each runs in one transaction together with the note that it ran, behind a
 * lock, so that several processes may start at once and an interrupted start is repeated from where it stopped.
 */
import { ApiError } from '../../core/errors.ts'
import type { Connection, Database, EngineName } from '../database.ts'
import people from '../migrations/0001-0049/0001-people.ts'
import content from '../migrations/0001-0049/0002-content.ts'
import search from '../migrations/0001-0049/0003-search.ts'
import changeRequests from '../migrations/0001-0049/0004-change-requests.ts'
import sites from '../migrations/0001-0049/0005-sites.ts'
import conflicts from '../migrations/0001-0049/0006-conflicts.ts'
import adaptiveContent from '../migrations/0001-0049/0007-adaptive-content.ts'
import sweep from '../migrations/0001-0049/0008-sweep.ts'
import searchStamp from '../migrations/0001-0049/0009-search-stamp.ts'
import amending from '../migrations/0001-0049/0010-amending.ts'
import events from '../migrations/0001-0049/0011-events.ts'
import hostnameClaims from '../migrations/0001-0049/0013-hostname-claims.ts'
import signIn from '../migrations/0001-0049/0014-sign-in.ts'
import openapi from '../migrations/0001-0049/0015-openapi.ts'
import translations from '../migrations/0001-0049/0016-translations.ts'
import imports from '../migrations/0001-0049/0017-imports.ts'
import translationWishes from '../migrations/0001-0049/0020-translation-wishes.ts'
import indexing from '../migrations/0060-indexing.ts'
import tableCells from '../migrations/0065-table-cells.ts'
import storedForm from '../migrations/0068-stored-form.ts'
import leanLinks from '../migrations/0069-lean-links.ts'
import git from '../migrations/0071-git.ts'
import presencePosition from '../migrations/0073-presence-position.ts'
import readTexts from '../migrations/0080-read-texts.ts'
import packedSearch from '../migrations/0081-packed-search.ts'
import searchList from '../migrations/0083-search-list.ts'
import renderedParts from '../migrations/0085-rendered-parts.ts'
import numberedLinks from '../migrations/0088-numbered-links.ts'
import searchWritten from '../migrations/0092-search-written.ts'
import wordsInOrder from '../migrations/0093-words-in-order.ts'
import renderedSpaces from '../migrations/0094-rendered-spaces.ts'
import rowVersions from '../migrations/0095-row-versions.ts'
import linksNotOk from '../migrations/0096-links-not-ok.ts'
import strayRights from '../migrations/0097-stray-rights.ts'
import outsideLinks from '../migrations/0098-outside-links.ts'

export interface Migration {
  number: number
  name: string
  /** SQL for both engines, in which {text} and {bytes} stand for the engine's types. */
  both?: string
  /** SQL for one engine only. */
  sqlite?: string
  postgres?: string
}

export const migrations: readonly Migration[] = [
  people,
  content,
  search,
  changeRequests,
  sites,
  conflicts,
  adaptiveContent,
  sweep,
  searchStamp,
  amending,
  events,
  hostnameClaims,
  signIn,
  openapi,
  translations,
  imports,
  translationWishes,
  indexing,
  tableCells,
  storedForm,
  leanLinks,
  git,
  presencePosition,
  readTexts,
  packedSearch,
  searchList,
  renderedParts,
  numberedLinks,
  searchWritten,
  wordsInOrder,
  renderedSpaces,
  rowVersions,
  linksNotOk,
  strayRights,
  outsideLinks,
]

const types: Record<EngineName, Record<string, string>> = {
  sqlite: { '{text}': 'text', '{bytes}': 'blob' },
  postgres: { '{text}': 'text collate "C"', '{bytes}': 'bytea' },
}

export class DatabaseTooNew extends Error {
  override name = 'DatabaseTooNew'
}

/** The step that this version of the code brings tables to. */
export const newestStep = (): number => migrations.at(-1)?.number ?? 0

/** The step that the database's tables are at; 0 when it has none. */
export async function stepOf(db: Connection): Promise<number> {
  try {
    return Math.max(0, ...(await applied(db)))
  } catch (error) {
    // There is no note of any migration: the engine says so in words of its own.
    if (error instanceof ApiError) throw error
    return 0
  }
}

/** Runs what has not run yet (only up to a step, for the rows of an old backup); the names of what it ran. */
export async function migrate(db: Database, { upTo = newestStep() }: { upTo?: number } = {}): Promise<string[]> {
  const ran: string[] = []
  await db
    .script(
      `create table if not exists "migration" ("number" integer primary key, "name" text not null, "ranAt" text not null)`,
    )
    .catch(async () => {
      // Two processes that create the same table at once: the loser's error means that it is there.
    })
  // At nearly every start all have run: that is one question, and not a transaction for each.
  const known = refuseNewer(await applied(db))
  for (const migration of migrations.filter(({ number }) => number <= upTo && !known.includes(number))) {
    if (await apply(db, migration)) ran.push(`${migration.number} ${migration.name}`)
  }
  return ran
}

function refuseNewer(done: readonly number[]): readonly number[] {
  const [last, newest] = [Math.max(0, ...done), newestStep()]
  if (last <= newest) return done
  throw new DatabaseTooNew(
    `The database was last used by a newer Lectern (its tables are at step ${last}, this version knows ${newest}). Run that version, or a newer one.`,
  )
}

async function apply(db: Database, migration: Migration): Promise<boolean> {
  return db.transaction(
    async (tx) => {
      if (refuseNewer(await applied(tx)).includes(migration.number)) return false
      for (const statement of statementsOf(migration, db.engine)) await tx.run({ sql: statement, name: '' }, [])
      await tx.run(
        {
          sql: `insert into "migration" ("number", "name", "ranAt") values (${migration.number}, '${migration.name}', '${new Date().toISOString()}')`,
          name: '',
        },
        [],
      )
      return true
    },
    { lock: 'migrate', unhurried: true },
  )
}

async function applied(tx: Connection): Promise<number[]> {
  return (await tx.all({ sql: 'select "number" from "migration"', name: '' }, [])).map((row) => Number(row.number))
}

/** Statements end with a semicolon at the end of a line; none of ours has one elsewhere. */
function statementsOf(migration: Migration, engine: EngineName): string[] {
  const sql = `${migration.both ?? ''}\n${migration[engine] ?? ''}`
  return Object.entries(types[engine])
    .reduce((text, [name, type]) => text.replaceAll(name, type), sql)
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}
