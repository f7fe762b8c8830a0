/**
 * Answers to searches, kept for as long as the index of the spaces searched stays as it is: everyone who looks for
 * something types the same few beginnings of words. Each change of an index gives the space a new stamp, in the
 * transaction that makes it; the stamps are read anew for each search, so what was kept is never behind.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Connection } from '../database.ts'
import { all, oneOf, run } from '../query.ts'
import type { SearchAnswer, SearchRequest } from './search.ts'

const mostBytes = 16 * 1024 * 1024
/** For each database, by what was asked and the stamps it was asked at; with those that are being looked for. */
const kept = new WeakMap<Connection, Answers>()

interface Answers {
  known: LRUCache<string, SearchAnswer>
  underWay: Map<string, Promise<SearchAnswer>>
}

export async function keptOr(
  db: Connection,
  request: SearchRequest,
  search: () => Promise<SearchAnswer>,
): Promise<SearchAnswer> {
  const stamps = await stampsOf(db, { spaces: JSON.stringify(request.spaces) })
  const key = JSON.stringify([stamps.map(({ number, stamp }) => [number, stamp]), { ...request, spaces: [] }])
  const { known, underWay } = answersOf(db)
  const ready = known.get(key) ?? underWay.get(key)
  if (ready) return ready
  const asked = search()
  underWay.set(key, asked)
  try {
    const answer = await asked
    known.set(key, answer)
    return answer
  } finally {
    underWay.delete(key)
  }
}

function answersOf(db: Connection): Answers {
  const answers = kept.get(db) ?? {
    known: new LRUCache<string, SearchAnswer>({ maxSize: mostBytes, sizeCalculation: sizeOf }),
    underWay: new Map(),
  }
  kept.set(db, answers)
  return answers
}

/** About what an answer takes; its key may name thousands of spaces. */
function sizeOf(answer: SearchAnswer, key: string): number {
  let size = 200 + key.length
  for (const page of answer.pages) {
    size += 300
    for (const { title, text } of page.sections) size += 400 + 2 * (title.length + text.length)
  }
  return size
}

const stampsOf = all((b, p: { spaces: string }, engine) =>
  b
    .selectFrom('searchSpace')
    .select(['number', 'stamp'])
    .where(oneOf(sql.ref('spaceId'), p.spaces, engine))
    .orderBy('number'),
)

const setStamp = run((b, p: { spaceId: string; stamp: string }) =>
  b.updateTable('searchSpace').set({ stamp: p.stamp }).where('spaceId', '=', p.spaceId),
)

/** To be called by whoever changes the index of a space. */
export const stampSpace = (tx: Connection, spaceId: string): Promise<number> =>
  setStamp(tx, { spaceId, stamp: randomBytes(12).toString('base64url') })
