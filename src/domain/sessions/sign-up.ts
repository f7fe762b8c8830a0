/**
 * An account for who holds the link of an invitation and has none yet. There is one only once they have shown, by a link in
 * a letter, that the address is theirs: nobody takes a place that others would later be invited into.
 */
import { fail } from '../../core/errors.ts'
import { findUserByEmail, insertUser, type UserRow } from '../../store/people/users.ts'
import { linkHours, type Parts, setPassword } from './credentials.ts'

const purpose = 'sign-up'

/** What stands behind `/join/{invite}/` in the letter; it is stored nowhere. */
export const makeSignUp = (
  { env, now }: Pick<Parts, 'env' | 'now'>,
  { invite, email }: { invite: string; email: string },
): string =>
  env.signer.seal(purpose, [invite, new Date(Date.parse(now) + linkHours * 60 * 60_000).toISOString(), email].join(' '))

/** The address that it proves, for this invitation and while it lasts. */
export function readSignUp(
  { env, now }: Pick<Parts, 'env' | 'now'>,
  { invite, secret }: { invite: string; secret: string },
): string | undefined {
  const [of, until = '', email] = env.signer.open(purpose, secret)?.split(' ') ?? []
  return of === invite && until > now ? email : undefined
}

/** In a transaction. Whoever has an account by now signs in with it instead. */
export async function signUp(
  { db, env, now }: Parts,
  { email, name, passwordHash }: { email: string; name: string; passwordHash: string },
): Promise<UserRow> {
  if (await findUserByEmail(db, email)) throw fail('already_exists', 'There is an account with this address: sign in.')
  const user = await insertUser(db, { id: env.newId(), displayName: name, email, createdAt: now })
  await setPassword({ db, now }, { userId: user.id, passwordHash })
  return user
}
