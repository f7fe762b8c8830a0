/**
 * Whether a password or a one-time link is right. Nobody learns whether an account exists: an unknown address takes as long
 * and is answered like a wrong password.
 */
import { fail, invalid } from '../../core/errors.ts'
import type { Connection } from '../../store/database.ts'
import {
  deleteLinksOf,
  deleteSessionsOf,
  findLinkOwner,
  findPassword,
  insertLink,
  putPassword,
  takeLink,
} from '../../store/people/sessions.ts'
import { findUserByEmail, type UserRow } from '../../store/people/users.ts'
import type { Environment } from '../environment.ts'
import { countGuess, forgetGuess } from './guesses.ts'
import { noteRefusedSignIn } from './notes.ts'

export interface Parts {
  db: Connection
  env: Environment
  now: string
}

/** Hours that a link works. */
export const linkHours = 24

/** Never inside a transaction: hashing takes its time. */
export async function checkPassword(
  parts: Parts,
  given: { email: string; password: string; address: string },
): Promise<UserRow> {
  const email = given.email.trim().toLowerCase()
  const guess = { account: email, address: given.address }
  await countGuess(parts, guess)
  const user = isStorable(email) ? await findUserByEmail(parts.db, email) : undefined
  // Asked for in any case, so that both ways read as much.
  const known = await findPassword(parts.db, { userId: user?.id ?? '' })
  const isRight = await parts.env.passwords.matches(given.password, known?.hash)
  if (!user || !isRight) {
    if (isStorable(email)) await noteRefusedSignIn(parts.db, { email, address: given.address, at: parts.now })
    throw fail('wrong_credentials')
  }
  await forgetGuess(parts, guess)
  return user
}

/** A secret that sets the password of an account once, within a day. */
export async function makeLink(
  { db, env, now }: { db: Connection; env: Pick<Environment, 'newSecret' | 'hashSecret'>; now: string },
  userId: string,
): Promise<string> {
  const secret = env.newSecret()
  const expiresAt = new Date(Date.parse(now) + linkHours * 60 * 60_000).toISOString()
  await insertLink(db, { hash: env.hashSecret(secret), userId, createdAt: now, expiresAt })
  return secret
}

export const findLink = ({ db, env, now }: Parts, secret: string): Promise<UserRow | undefined> =>
  findLinkOwner(db, { hash: env.hashSecret(secret), now })

/** Uses the link up and sets the password, in a transaction; undefined when the link works no more. */
export async function usePasswordLink(
  parts: Parts,
  { secret, passwordHash }: { secret: string; passwordHash: string },
): Promise<UserRow | undefined> {
  const { db, env, now } = parts
  const user = await findLink(parts, secret)
  if (!user || !(await takeLink(db, { hash: env.hashSecret(secret), now }))) return undefined
  await setPassword(parts, { userId: user.id, passwordHash })
  return user
}

/** Whoever knew the password before, or holds another link, is out. */
export async function setPassword(
  { db, now }: Pick<Parts, 'db' | 'now'>,
  { userId, passwordHash, keep = '' }: { userId: string; passwordHash: string; keep?: string },
): Promise<void> {
  await putPassword(db, { userId, hash: passwordHash, setAt: now })
  await deleteLinksOf(db, { userId })
  await deleteSessionsOf(db, { userId, except: keep })
}

/** Refuses what is guessed first. */
export function checkNewPassword(password: string, { email }: { email: string }): void {
  const weakness = weaknessOf(password, { email })
  if (weakness === 'address') throw invalid('password', 'must not be your e-mail address')
  if (weakness === 'uniform') throw invalid('password', 'must have at least four different characters')
}

/** Why a password would be guessed early; nothing when it would not. */
export function weaknessOf(password: string, { email }: { email: string }): 'address' | 'uniform' | undefined {
  const plain = password.toLowerCase()
  const [name = ''] = email.split('@')
  if (plain === email || (name.length > 3 && plain.replace(name, '').length < 4)) return 'address'
  return new Set(plain).size < 4 ? 'uniform' : undefined
}

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
