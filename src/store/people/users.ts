/** Accounts and their API tokens. Only the SHA-256 of a token is kept. */

import { sql } from 'kysely'
import { fold } from '../../core/text.ts'
import type { Connection } from '../database.ts'
import { listedBy } from '../listed.ts'

import { all, first, oneOf, run } from '../query.ts'
import type { ApiTokenTable, UserTable } from '../tables.ts'

export type UserRow = UserTable
export type ApiTokenRow = ApiTokenTable

export const findUser = first((b, p: { id: string }) => b.selectFrom('user').selectAll().where('id', '=', p.id))

const findByEmail = first((b, p: { email: string }) => b.selectFrom('user').selectAll().where('email', '=', p.email))

/** E-mail addresses are one whatever their case. */
/** The admin of an organization who has been in it the longest. */
export const firstAdmin = first((b, p: { organizationId: string }) =>
  b
    .selectFrom('user')
    .innerJoin('member', 'member.userId', 'user.id')
    .selectAll('user')
    .where('member.organizationId', '=', p.organizationId)
    .where('member.role', '=', 'admin')
    .where('member.disabled', '=', 0)
    .orderBy('member.joinedAt')
    .limit(1),
)

export const findUserByEmail = (db: Connection, email: string) => findByEmail(db, { email: email.toLowerCase() })

/** True when both belong to one organization, so that they may know of each other. */
export const shareOrganization = first((b, p: { one: string; other: string }) =>
  b
    .selectFrom('member as m')
    .innerJoin('member as n', 'n.organizationId', 'm.organizationId')
    .select('m.organizationId')
    .where('m.userId', '=', p.one)
    .where('n.userId', '=', p.other)
    .where('m.disabled', '=', 0)
    .limit(1),
)

const usersIn = all((b, p: { ids: string }, engine) =>
  b
    .selectFrom('user')
    .selectAll()
    .where(oneOf(sql.ref('id'), p.ids, engine)),
)

export const findUsers = (db: Connection, ids: readonly string[]): Promise<UserRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : usersIn(db, { ids: JSON.stringify([...new Set(ids)]) })

const insert = run((b, p: UserTable) =>
  b.insertInto('user').values({
    id: p.id,
    displayName: p.displayName,
    email: p.email,
    folded: p.folded,
    photoURL: p.photoURL,
    createdAt: p.createdAt,
  }),
)

export async function insertUser(
  tx: Connection,
  user: { id: string; displayName: string; email: string; createdAt: string },
): Promise<UserRow> {
  const email = user.email.toLowerCase()
  const row = { ...user, email, folded: fold(`${user.displayName}\n${email}`), photoURL: null }
  await insert(tx, row)
  return row
}

const rename = run((b, p: { id: string; displayName: string; folded: string }) =>
  b.updateTable('user').set({ displayName: p.displayName, folded: p.folded }).where('id', '=', p.id),
)

export async function renameUser(tx: Connection, user: UserRow, displayName: string): Promise<UserRow> {
  const renamed = { ...user, displayName, folded: fold(`${displayName}\n${user.email}`) }
  await rename(tx, renamed)
  return renamed
}

/** The account behind a token. */
export const findTokenOwner = first((b, p: { hash: string }) =>
  b
    .selectFrom('apiToken')
    .innerJoin('user', 'user.id', 'apiToken.userId')
    .select(['apiToken.id as tokenId', 'apiToken.lastUsedAt'])
    .selectAll('user')
    .where('apiToken.hash', '=', p.hash),
)

export const insertToken = run((b, p: { id: string; userId: string; label: string; hash: string; createdAt: string }) =>
  b.insertInto('apiToken').values({
    id: p.id,
    userId: p.userId,
    label: p.label,
    hash: p.hash,
    createdAt: p.createdAt,
    lastUsedAt: null,
  }),
)

export const touchToken = run((b, p: { id: string; now: string }) =>
  b.updateTable('apiToken').set({ lastUsedAt: p.now }).where('id', '=', p.id),
)

export const deleteToken = run((b, p: { id: string; userId: string }) =>
  b.deleteFrom('apiToken').where('id', '=', p.id).where('userId', '=', p.userId),
)

const tokens = listedBy('apiToken', 'userId')
export const listTokens = tokens.list
export const countTokens = tokens.count
