/** `lectern user add`, `lectern user link` and `lectern token create`: people, from the command line, also while the server runs. */
import { defineCommand } from 'citty'
import { fail } from '../core/errors.ts'
import { type Role, roles } from '../core/permissions.ts'
import { makeLink } from '../domain/sessions/credentials.ts'
import { addDomain, addUser, makeToken } from '../domain/setup.ts'
import type { Connection } from '../store/database.ts'
import { findUserByEmail, type UserRow } from '../store/people/users.ts'
import { withStore } from './with-store.ts'

/** What concerns an account or an organization that must be there: no database is made for it. */
const withExisting = (work: Parameters<typeof withStore>[0]) => withStore(work, { mustExist: true })

const add = defineCommand({
  meta: { name: 'add', description: 'Add a person to an organization, and make them an API token.' },
  args: {
    email: { type: 'string', required: true, description: 'Their e-mail address.' },
    name: { type: 'string', description: 'Their name, as others see it.' },
    org: { type: 'string', description: 'Id of the organization (default: the first one).' },
    role: { type: 'string', default: 'read', description: `One of ${roles.join(', ')} or guest.` },
    json: { type: 'boolean', description: 'Print JSON.' },
  },
  async run({ args }) {
    const role = roleNamed(args.role)
    if (!/^[^\s@]+@[^\s@]+$/.test(args.email))
      throw fail('invalid_input', `--email must be an e-mail address, and is ${args.email}.`)
    await withStore(async ({ db, env }) => {
      const { user, organization, token } = await addUser(db, env, {
        email: args.email,
        name: args.name,
        organization: args.org,
        role,
      })
      const result = { id: user.id, email: user.email, organization, role, token }
      console.log(
        args.json
          ? JSON.stringify(result)
          : `${user.displayName} (${user.id}) is ${role ?? 'guest'} of ${organization}.\nToken, shown only now: ${token}`,
      )
    })
  },
})

const link = defineCommand({
  meta: { name: 'link', description: 'Make a link with which a person sets their password, once, within a day.' },
  args: {
    email: { type: 'string', required: true, description: 'E-mail address of the account.' },
    json: { type: 'boolean', description: 'Print JSON.' },
  },
  async run({ args }) {
    await withExisting(async ({ db, env }) => {
      const user = await accountOf(db, args.email)
      const now = new Date().toISOString()
      const secret = await db.transaction((tx) => makeLink({ db: tx, env, now }, user.id))
      const url = env.urls.password(secret)
      console.log(
        args.json
          ? JSON.stringify({ id: user.id, email: user.email, link: url })
          : `Give this link to ${user.email}: ${url}`,
      )
    })
  },
})

const create = defineCommand({
  meta: { name: 'create', description: 'Make another API token for an account.' },
  args: {
    email: { type: 'string', required: true, description: 'E-mail address of the account.' },
    label: { type: 'string', default: 'Command line', description: 'What the token is for.' },
    json: { type: 'boolean', description: 'Print JSON.' },
  },
  async run({ args }) {
    await withExisting(async ({ db, env }) => {
      const user = await accountOf(db, args.email)
      const now = new Date().toISOString()
      const token = await db.transaction((tx) => makeToken(tx, env, { userId: user.id, label: args.label, now }))
      console.log(
        args.json ? JSON.stringify({ id: user.id, email: user.email, token }) : `Token, shown only now: ${token}`,
      )
    })
  },
})

async function accountOf(db: Connection, email: string): Promise<UserRow> {
  const user = await findUserByEmail(db, email)
  if (!user) throw fail('not_found', `There is no account with the e-mail address ${email}.`)
  return user
}

const verify = defineCommand({
  meta: {
    name: 'verify',
    description:
      'Say, as the operator, that a domain of e-mail addresses belongs to an organization: its single sign-on then reaches them.',
  },
  args: {
    domain: { type: 'string', required: true, description: 'The domain, such as example.org.' },
    org: { type: 'string', description: 'Id of the organization (default: the first one).' },
  },
  async run({ args }) {
    const name = args.domain.toLowerCase()
    await withExisting(async ({ db }) => {
      const organization = await addDomain(db, { domain: name, organization: args.org })
      console.log(`${name} belongs to ${organization}.`)
    })
  },
})

function roleNamed(text: string): Role | null {
  if (text === 'guest') return null
  const role = roles.find((known) => known === text)
  if (!role) throw fail('invalid_input', `--role must be one of ${roles.join(', ')} or guest, and is ${text}.`)
  return role
}

export const user = defineCommand({ meta: { name: 'user', description: 'People.' }, subCommands: { add, link } })
export const domain = defineCommand({
  meta: { name: 'domain', description: 'Domains of e-mail addresses.' },
  subCommands: { verify },
})
export const token = defineCommand({ meta: { name: 'token', description: 'API tokens.' }, subCommands: { create } })
