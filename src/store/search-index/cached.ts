/**
 * Answers to searches, kept for as long as the index of the spaces searched stays as it is: everyone who looks for
 * something types the same few beginnings of words. Each change of an index gives the space a new stamp, in the
 * transaction that makes it; the stamps are read anew for each search, so what was kept is never behind.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Caches, defineCache } from '../../core/caches.ts'
import type { Connection } from '../database.ts'
import { all, oneOf, run } from '../query.ts'
import type { SearchAnswer, SearchRequest } from './search.ts'

/** By what was asked and the stamps it was asked at. */
const answersIn = defineCache<SearchAnswer>('searches', { share: 0.04 })
/** Those that are being looked for. */
const underWayIn = new WeakMap<Caches, Map<string, Promise<SearchAnswer>>>()

export async function cachedOr(
  db: Connection,
  request: SearchRequest,
  search: () => Promise<SearchAnswer>,
): Promise<SearchAnswer> {
  const stamps = await stampsOf(db, { spaces: JSON.stringify(request.spaces) })
  const key = JSON.stringify([stamps.map(({ number, stamp }) => [number, stamp]), { ...request, spaces: [] }])
  const known = answersIn(db.caches)
  const underWay = underWayIn.get(db.caches) ?? new Map<string, Promise<SearchAnswer>>()
  underWayIn.set(db.caches, underWay)
  const ready = known.get(key) ?? underWay.get(key)
  if (ready) return ready
  const asked = search()
  underWay.set(key, asked)
  try {
    const answer = await asked
    known.set(key, answer, sizeOf(answer))
    return answer
  } finally {
    underWay.delete(key)
  }
}

/** About what an answer takes. */
function sizeOf(answer: SearchAnswer): number {
  let size = 200
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

const setStamp = run((b, p: { spaceId: string; stamp: string; written: number }) =>
  b
    .updateTable('searchSpace')
    .set({ stamp: p.stamp, written: sql`"written" + ${p.written}` })
    .where('spaceId', '=', p.spaceId),
)

/** To be called by whoever changes the index of a space, with how many sections were written. */
export const stampSpace = (tx: Connection, spaceId: string, written: number): Promise<number> =>
  setStamp(tx, { spaceId, stamp: randomBytes(12).toString('base64url'), written })
