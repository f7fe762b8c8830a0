/** Commands on the database work for a person, with their rights: whom they are told, or whose it would be anyway. */
import { fail } from '../core/errors.ts'
import { findSpace } from '../store/content/spaces.ts'
import type { Database } from '../store/database.ts'
import { anyOrganization } from '../store/people/organizations.ts'
import { findUser, findUserByEmail, firstAdmin, type UserRow } from '../store/people/users.ts'
import { CommandError } from './plain-errors.ts'

export const asArg = {
  as: {
    type: 'string',
    description: 'E-mail address of whose work it is, on the database (default: who made the space).',
  },
} as const

/** The one with this e-mail address, or who made the space. */
export async function personForSpace(
  db: Database,
  { space, email }: { space: string; email: string | undefined },
): Promise<UserRow> {
  if (email !== undefined) return personNamed(db, email)
  const row = await findSpace(db, { id: space })
  if (!row || row.deletedAt !== null) throw fail('not_found', `There is no space with the id ${space}.`)
  const user = await findUser(db, { id: row.createdBy })
  if (!user) throw new CommandError('Who made the space is gone. Say with --as whose work it is.')
  return user
}

/** The one with this e-mail address, or the first admin of the organization. */
export async function personForOrganization(
  db: Database,
  { organization, email }: { organization: string | undefined; email: string | undefined },
): Promise<UserRow> {
  if (email !== undefined) return personNamed(db, email)
  const id = organization ?? (await anyOrganization(db))?.id
  const admin = id === undefined ? undefined : await firstAdmin(db, { organizationId: id })
  if (!admin) throw new CommandError('There is nobody to do it for. Say with --as whose work it is.')
  return admin
}

async function personNamed(db: Database, email: string): Promise<UserRow> {
  const user = await findUserByEmail(db, email)
  if (!user) throw fail('not_found', `There is no account with the e-mail address ${email}.`)
  return user
}
