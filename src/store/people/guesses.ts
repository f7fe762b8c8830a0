/** How often somebody was let try a secret, counted for all processes. */
import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { first, run } from '../query.ts'

export const findGuesses = first((b, p: { key: string; oldest: string }) =>
  b.selectFrom('signinGuess').select(['count', 'startedAt']).where('key', '=', p.key).where('startedAt', '>', p.oldest),
)

const add = run((b, p: { key: string; now: string; oldest: string }) =>
  b
    .insertInto('signinGuess')
    .values({ key: p.key, count: 1, startedAt: p.now })
    .onConflict((oc) =>
      oc.column('key').doUpdateSet({
        count: sql<number>`case when "signinGuess"."startedAt" <= ${p.oldest} then 1 else "signinGuess"."count" + 1 end`,
        startedAt: sql<string>`case when "signinGuess"."startedAt" <= ${p.oldest} then ${p.now} else "signinGuess"."startedAt" end`,
      }),
    ),
)

/** Counts one more; those since `oldest`, with this one. */
export async function addGuess(db: Connection, guess: { key: string; now: string; oldest: string }) {
  await add(db, guess)
  return findGuesses(db, guess)
}

export const deleteGuesses = run((b, p: { key: string }) => b.deleteFrom('signinGuess').where('key', '=', p.key))

export const deleteGuessesBefore = run((b, p: { oldest: string }) =>
  b.deleteFrom('signinGuess').where('startedAt', '<=', p.oldest),
)

export const takeGuessBack = run((b, p: { key: string }) =>
  b.updateTable('signinGuess').set({ count: sql<number>`"count" - 1` }).where('key', '=', p.key).where('count', '>', 0),
)
