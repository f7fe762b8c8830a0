/** Sessions of browsers, passwords, and links that work once. Secrets are kept only as hashes. */
import type { Connection } from '../database.ts'
import { beyond, countAll, type Page } from '../paging.ts'
import { all, dynamic, first, inserter, run } from '../query.ts'
import type { SessionTable } from '../tables.ts'

export type SessionRow = SessionTable

export const insertSession = inserter('session')

/** The session with this secret, or with the one it had before the last rotation, and its account. */
export const findSessionOwner = first((b, p: { hash: string }) =>
  b
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.userId')
    .selectAll('user')
    .select([
      'session.id as sessionId',
      'session.hash as sessionHash',
      'session.organizationId as ssoOrganizationId',
      'session.rotatedAt',
      'session.lastUsedAt',
      'session.expiresAt',
    ])
    .where((eb) => eb.or([eb('session.hash', '=', p.hash), eb('session.previousHash', '=', p.hash)])),
)

/** Organizations that let this account in only after a single sign-on. */
export const organizationsBehindSso = all((b, p: { userId: string }) =>
  b
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .select('organization.id')
    .where('member.userId', '=', p.userId)
    .where((eb) => eb.or([eb('organization.sso', '=', 1), eb('member.sso', '=', 1)])),
)

/** Gives a session another secret; false when another request was faster. */
export const rotateSession = async (
  db: Connection,
  session: { id: string; hash: string; newHash: string; now: string },
): Promise<boolean> => (await rotate(db, session)) > 0

const rotate = run((b, p: { id: string; hash: string; newHash: string; now: string }) =>
  b
    .updateTable('session')
    .set({ hash: p.newHash, previousHash: p.hash, rotatedAt: p.now })
    .where('id', '=', p.id)
    .where('hash', '=', p.hash),
)

export const touchSession = run((b, p: { id: string; now: string }) =>
  b.updateTable('session').set({ lastUsedAt: p.now }).where('id', '=', p.id),
)

export const deleteSession = run((b, p: { id: string; userId: string }) =>
  b.deleteFrom('session').where('id', '=', p.id).where('userId', '=', p.userId),
)

/** All of an account but one; pass '' to keep none. */
export const deleteSessionsOf = run((b, p: { userId: string; except: string }) =>
  b.deleteFrom('session').where('userId', '=', p.userId).where('id', '!=', p.except),
)

export const listSessions = (
  db: Connection,
  { userId, now, idleSince }: { userId: string; now: string; idleSince: string },
  page: Page,
): Promise<SessionRow[]> =>
  dynamic(db, (b) =>
    b
      .selectFrom('session')
      .selectAll()
      .where('userId', '=', userId)
      .where('expiresAt', '>', now)
      .where('lastUsedAt', '>', idleSince)
      .where(beyond({ key: 'createdAt', id: 'id' }, page))
      .orderBy('createdAt', page.order)
      .orderBy('id', page.order)
      .limit(page.limit),
  )

const sessionCount = all((b, p: { userId: string; now: string; idleSince: string }) =>
  b
    .selectFrom('session')
    .select(countAll)
    .where('userId', '=', p.userId)
    .where('expiresAt', '>', p.now)
    .where('lastUsedAt', '>', p.idleSince),
)

export const countSessions = async (
  db: Connection,
  of: { userId: string; now: string; idleSince: string },
): Promise<number> => (await sessionCount(db, of))[0]?.count ?? 0

export const deleteEndedSessions = run((b, p: { now: string; idleSince: string }) =>
  b.deleteFrom('session').where((eb) => eb.or([eb('expiresAt', '<=', p.now), eb('lastUsedAt', '<=', p.idleSince)])),
)

export const findPassword = first((b, p: { userId: string }) =>
  b.selectFrom('password').selectAll().where('userId', '=', p.userId),
)

export const putPassword = run((b, p: { userId: string; hash: string; setAt: string }) =>
  b
    .insertInto('password')
    .values({ userId: p.userId, hash: p.hash, setAt: p.setAt })
    .onConflict((oc) => oc.column('userId').doUpdateSet({ hash: p.hash, setAt: p.setAt })),
)

export const insertLink = inserter('signinLink')

/** The account that a link is for, while it works. */
export const findLinkOwner = first((b, p: { hash: string; now: string }) =>
  b
    .selectFrom('signinLink')
    .innerJoin('user', 'user.id', 'signinLink.userId')
    .selectAll('user')
    .where('signinLink.hash', '=', p.hash)
    .where('signinLink.expiresAt', '>', p.now),
)

/** Whoever uses a link of an account ends the others: the newest password was set by the last of them. */
export const deleteLinksOf = run((b, p: { userId: string }) =>
  b.deleteFrom('signinLink').where('userId', '=', p.userId),
)

/** True for the one who used it up. */
export const takeLink = async (tx: Connection, link: { hash: string; now: string }): Promise<boolean> =>
  (await take(tx, link)) > 0

const take = run((b, p: { hash: string; now: string }) =>
  b.deleteFrom('signinLink').where('hash', '=', p.hash).where('expiresAt', '>', p.now),
)

export const deleteEndedLinks = run((b, p: { now: string }) =>
  b.deleteFrom('signinLink').where('expiresAt', '<=', p.now),
)
