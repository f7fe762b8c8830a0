/** The first start: an organization, its admin, and the admin's token. Also how the command line adds people. */
import { fail } from '../core/errors.ts'
import type { Role } from '../core/permissions.ts'
import type { Connection, Database } from '../store/database.ts'
import { insertMember, updateMember } from '../store/people/members.ts'
import {
  anyOrganization,
  findOrganization,
  insertOrganization,
  replaceDomains,
  updateOrganization,
} from '../store/people/organizations.ts'
import { findUserByEmail, insertToken, insertUser, type UserRow } from '../store/people/users.ts'
import type { Environment } from './environment.ts'
import { newOrganization } from './organizations.ts'
import { noteSample } from './sample-note.ts'
import { makeLink } from './sessions/credentials.ts'
import { claimDomain } from './sso/domains.ts'

type Makers = Pick<Environment, 'newId' | 'newToken' | 'newSecret' | 'hashSecret'>

export interface FirstStart {
  organization: string
  user: string
  token: string
  /** The secret with which the admin sets a password, once. */
  link: string
}

/** Sets up an empty database; undefined when it is not empty. Processes that start at once set it up once. */
export async function setUp(
  db: Database,
  makers: Makers,
  { sample, ...admin }: { email: string; token?: string | undefined; sample?: boolean | undefined },
): Promise<FirstStart | undefined> {
  if (await anyOrganization(db)) return undefined
  return db.transaction(
    async (tx) => {
      if (await anyOrganization(tx)) return undefined
      const now = new Date().toISOString()
      const organization = newOrganization({ id: makers.newId(), title: 'My organization', now })
      await insertOrganization(tx, organization)
      const user = await accountFor(tx, makers, { email: admin.email, name: 'Admin', now })
      await insertMember(tx, { organizationId: organization.id, userId: user.id, role: 'admin', joinedAt: now })
      const token = await makeToken(tx, makers, { userId: user.id, label: 'First start', token: admin.token, now })
      const link = await makeLink({ db: tx, env: makers, now }, user.id)
      if (sample) await noteSample(tx, { organization: organization.id, user: user.id })
      return { organization: organization.id, user: user.id, token, link }
    },
    { lock: 'first-start' },
  )
}

/** Makes (or finds) an account and makes it a member with a role; the new token of the account. */
export async function addUser(
  db: Database,
  makers: Makers,
  person: { email: string; name?: string | undefined; organization?: string | undefined; role: Role | null },
): Promise<{ user: UserRow; organization: string; token: string }> {
  return db.transaction(
    async (tx) => {
      const organization = await organizationNamed(tx, person.organization)
      const now = new Date().toISOString()
      const name = person.name ?? person.email.slice(0, person.email.indexOf('@'))
      const user = await accountFor(tx, makers, { email: person.email, name, now })
      const key = { organizationId: organization.id, userId: user.id }
      const joined = await insertMember(tx, { ...key, role: person.role, joinedAt: now })
      if (!joined) await updateMember(tx, key, { role: person.role })
      const token = await makeToken(tx, makers, { userId: user.id, label: 'Command line', now })
      return { user, organization: organization.id, token }
    },
    { lock: 'people' },
  )
}

/** Adds a domain to an organization, proven by the word of the operator; the organization's id. */
export const addDomain = (
  db: Database,
  { domain, organization: id }: { domain: string; organization?: string | undefined },
) =>
  db.transaction(
    async (tx) => {
      const organization = await organizationNamed(tx, id)
      const domains = [...new Set([...(JSON.parse(organization.emailDomains) as string[]), domain])]
      await updateOrganization(tx, organization.id, { emailDomains: JSON.stringify(domains) })
      await replaceDomains(tx, organization.id, domains)
      const verifiedAt = new Date().toISOString()
      await claimDomain(tx, { domain, organizationId: organization.id, proof: 'operator', verifiedAt })
      return organization.id
    },
    { lock: 'people' },
  )

export async function makeToken(
  tx: Connection,
  makers: Makers,
  options: { userId: string; label: string; token?: string | undefined; now: string },
): Promise<string> {
  const token = options.token ?? makers.newToken()
  await insertToken(tx, {
    id: makers.newId(),
    userId: options.userId,
    label: options.label,
    hash: makers.hashSecret(token),
    createdAt: options.now,
  })
  return token
}

async function organizationNamed(tx: Connection, id: string | undefined) {
  const organization = id === undefined ? await anyOrganization(tx) : await findOrganization(tx, { id })
  if (!organization)
    throw fail(
      'not_found',
      id === undefined
        ? 'There is no organization yet: start the server once.'
        : `There is no organization with the id ${id}.`,
    )
  return organization
}

const accountFor = async (
  tx: Connection,
  makers: Makers,
  person: { email: string; name: string; now: string },
): Promise<UserRow> =>
  (await findUserByEmail(tx, person.email)) ??
  insertUser(tx, { id: makers.newId(), displayName: person.name, email: person.email, createdAt: person.now })
