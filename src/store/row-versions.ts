/**
 * Which version the rows of a topic are at: another number once any of them was changed, by whomever.
 *
 * A topic is the id of a space (its own row and the sites that show it), of an organization (who may do what in it, and its
 * specs), of a site (it and its structure), or one of `peopleOf`. Which rows belong to which, the triggers of migration 95 say.
 */
import { setImmediate as yieldLoop } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { CommitVersion, Connection } from './database.ts'
import { all, oneOf } from './query.ts'

/** The version of a topic at which something was read; null where no row was changed since versions are kept. */
export interface TopicVersion {
  topic: string
  version: number | null
}

/** What is shown of the members of an organization. */
export const peopleOf = (organizationId: string): string => `people ${organizationId}`

/** The version of a topic as a column beside others: what the same statement reads was at it. */
export const versionColumn = (topic: RawBuilder<unknown>) =>
  sql<number | null>`(select "version" from "rowVersion" where "topic" = ${topic})`

const versionsIn = all((b, p: { topics: string }, engine) =>
  b
    .selectFrom('rowVersion')
    .select(['topic', 'version'])
    .where(oneOf(sql.ref('topic'), p.topics, engine)),
)

type Found = ReadonlyMap<string, number>

/** Those that will be asked for when this turn of the event loop ends, by connection. */
const waiting = new WeakMap<Connection, { topics: Set<string>; reading: Promise<Found> }>()

/** What was found at the last commit version that somebody named, by connection. */
const known = new WeakMap<Connection, { commitVersion: CommitVersion; found: Map<string, number | null> }>()

/**
 * The versions of topics now; with a commit version, which was asked for before, at that one or later. Whoever asks in the same
 * turn of the event loop shares a statement, which is sent after they asked; at the same commit version nothing is asked twice.
 */
export async function readVersions(
  db: Connection,
  topics: readonly string[],
  commitVersion?: CommitVersion,
): Promise<TopicVersion[]> {
  const last = known.get(db)
  if (last && last.commitVersion === commitVersion && topics.every((topic) => last.found.has(topic)))
    return versionsOf(topics, last.found)
  const versions = versionsOf(topics, await ask(db, topics))
  if (commitVersion === undefined) return versions
  const now = known.get(db)
  const same = now?.commitVersion === commitVersion ? now : { commitVersion, found: new Map() }
  for (const { topic, version } of versions) same.found.set(topic, version)
  known.set(db, same)
  return versions
}

const versionsOf = (topics: readonly string[], found: ReadonlyMap<string, number | null>): TopicVersion[] =>
  topics.map((topic) => ({ topic, version: found.get(topic) ?? null }))

function ask(db: Connection, topics: readonly string[]): Promise<Found> {
  let batch = waiting.get(db)
  if (!batch) {
    const asked = new Set<string>()
    const begin = async (): Promise<Found> => {
      await yieldLoop()
      waiting.delete(db)
      const rows = await versionsIn(db, { topics: JSON.stringify([...asked]) })
      return new Map(rows.map(({ topic, version }) => [topic, version]))
    }
    batch = { topics: asked, reading: begin() }
    waiting.set(db, batch)
  }
  for (const topic of topics) batch.topics.add(topic)
  return batch.reading
}
