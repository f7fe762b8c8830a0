/**
 * Limits guessing: so many tries in a quarter of an hour for one account from one address, for one account from
 * anywhere, and from one address for any account. The narrow limit comes first, so that a stranger who guesses does not
 * lock the owner out. Known and unknown accounts are counted alike.
 */
import { ApiError } from '../../core/errors.ts'
import type { Connection } from '../../store/database.ts'
import { addGuess, deleteGuesses, findGuesses, takeGuessBack } from '../../store/people/guesses.ts'
import type { Environment } from '../environment.ts'

const windowMilliseconds = 15 * 60_000

interface Parts {
  db: Connection
  env: Pick<Environment, 'hashSecret'>
  now: string
}

/** What is guessed (an account, a kind of link), and from where. */
export interface Guess {
  account: string
  address: string
}

const limitsFor = ({ account, address }: Guess) => [
  { key: `pair ${account} ${network(address)}`, most: 10 },
  { key: `account ${account}`, most: 100 },
  { key: `address ${network(address)}`, most: 100 },
]

/** Counts a try before it is made, so that many at once do not slip through; refuses it with 429 when there were too many. */
export async function countGuess({ db, env, now }: Parts, guess: Guess): Promise<void> {
  const oldest = new Date(Date.parse(now) - windowMilliseconds).toISOString()
  const limits = limitsFor(guess).map(({ key, most }) => ({ key: env.hashSecret(key), most }))
  // Looking first: whoever is refused already costs no write.
  for (const { key, most } of limits) refuseAbove(most - 1, await findGuesses(db, { key, oldest }), now)
  for (const { key, most } of limits) refuseAbove(most, await addGuess(db, { key, now, oldest }), now)
}

/** A try that was right was no guess. */
export async function forgetGuess({ db, env }: Parts, guess: Guess): Promise<void> {
  const [pair, ...others] = limitsFor(guess).map(({ key }) => env.hashSecret(key))
  if (pair !== undefined) await deleteGuesses(db, { key: pair })
  for (const key of others) await takeGuessBack(db, { key })
}

function refuseAbove(most: number, known: { count: number; startedAt: string } | undefined, now: string): void {
  if (!known || known.count <= most) return
  const milliseconds = Date.parse(known.startedAt) + windowMilliseconds - Date.parse(now)
  throw new ApiError('rate_limited', {
    message: 'Too many attempts. Wait for the seconds named in Retry-After.',
    retryAfter: Math.max(1, Math.ceil(milliseconds / 1000)),
  })
}

/** Who has one address of IPv6 has all that share its first half. */
const network = (address: string): string =>
  address.includes(':') && !address.includes('.') ? address.split(':').slice(0, 4).join(':') : address
