import type { organizations } from '../contract/people/organizations.ts'
import { fail, invalid } from '../core/errors.ts'
import { organizationLevel, permissionsOf } from '../core/permissions.ts'
import { anyAdministered, insertMember } from '../store/people/members.ts'
import {
  countInvites,
  countOrganizationsFor,
  deleteInvite,
  findInvite,
  findOrganizationByHostname,
  findOrganizationFor,
  insertInvite,
  insertOrganization,
  listInvites,
  listOrganizationsFor,
  type OrganizationRow,
  organizationsForDomain,
  replaceDomains,
  updateInvite,
  updateOrganization,
} from '../store/people/organizations.ts'
import { dropUnnamedDomains } from '../store/people/sso.ts'
import { findUserByEmail, insertUser, type UserRow } from '../store/people/users.ts'
import { organizationPermissions } from './cached-things.ts'
import { searchSpaces } from './content/search.ts'
import { changesIn, noteAccess } from './events/note.ts'
import type { Base, HandlersOf } from './handler.ts'
import { giveInvited, invitedThing, isOutdated } from './invites.ts'
import { listOf } from './lists.ts'
import { named } from './named.ts'
import { presentInvite, presentOrganization, presentUser } from './present.ts'
import { sendLetter } from './sessions/letters.ts'
import { checkSignOn } from './sessions/sign-on.ts'

/** The operator decides; by default it takes somebody whom another admin has trusted already. */
async function checkMayCreate({ db, env, actor }: Base): Promise<void> {
  const who = env.organizationCreators
  if (who === 'anyone') return
  if (who === 'nobody') throw fail('forbidden', 'Organizations are created by the operator of this installation only.')
  if (!(await anyAdministered(db, { userId: actor.user.id })))
    throw fail('forbidden', 'Only an admin of an organization may create another one.')
}

const lower = (domains: readonly string[]): string[] => [...new Set(domains.map((domain) => domain.toLowerCase()))]

export const organizationHandlers: HandlersOf<typeof organizations> = {
  async listOrganizationsForAuthenticatedUser({ query, ...base }) {
    const userId = base.actor.user.id
    return listOf({
      base,
      name: `organizations:${userId}`,
      query,
      rows: (page) => listOrganizationsFor(base.db, userId, page),
      count: () => countOrganizationsFor(base.db, userId),
      keyOf: (row) => ({ key: row.createdAt, id: row.id }),
      present: (row) => presentOrganization(row, organizationPermissions(row), base.env.urls),
    })
  },

  async getOrganizationById({ organization, env }) {
    return presentOrganization(organization, organization.permissions, env.urls)
  },

  async updateOrganizationById({ organization, body, ...base }) {
    const { db, env } = base
    const change: Partial<OrganizationRow> = {}
    if (body.title !== undefined) change.title = body.title
    if (body.emailDomains !== undefined) change.emailDomains = JSON.stringify(lower(body.emailDomains))
    if (body.hostname !== undefined) change.hostname = body.hostname
    if (body.defaultRole !== undefined) change.defaultRole = body.defaultRole
    if (body.logo !== undefined) change.logo = body.logo
    if (body.sso !== undefined) change.sso = body.sso ? 1 : 0
    if (body.ai !== undefined) change.ai = body.ai ? 1 : 0
    if (body.inviteLinks !== undefined) change.inviteLinks = body.inviteLinks ? 1 : 0
    if (body.defaultContent !== undefined) {
      if (body.defaultContent !== null)
        await named(base, 'site', body.defaultContent.site, { within: { organization } })
      change.defaultContent = body.defaultContent === null ? null : JSON.stringify(body.defaultContent)
    }
    if (body.emailDomains !== undefined) {
      await replaceDomains(db, organization.id, lower(body.emailDomains))
      await dropUnnamedDomains(db, { organizationId: organization.id })
    }
    if (Object.keys(change).length > 0) {
      await updateOrganization(db, organization.id, change)
      await noteAccess(base, organization.id, 'organization_updated', organization.id, {
        ...changesIn<OrganizationRow>(organization, change),
      })
    }
    return presentOrganization({ ...organization, ...change }, organization.permissions, env.urls)
  },

  async searchOrganizationContent({ organization, query, ...base }) {
    return searchSpaces(base, organization, query)
  },

  async createOrganization({ body, ...base }) {
    const { db, env, actor, now } = base
    await checkMayCreate(base)
    const row: OrganizationRow = newOrganization({ id: env.newId(), title: body.title, now })
    const domains = lower(body.emailDomains ?? [])
    row.emailDomains = JSON.stringify(domains)
    await insertOrganization(db, row)
    await replaceDomains(db, row.id, domains)
    await insertMember(db, { organizationId: row.id, userId: actor.user.id, role: 'admin', joinedAt: now })
    await noteAccess(base, row.id, 'organization_created', row.id, { title: row.title })
    return presentOrganization(row, permissionsOf('organization', { level: 'admin' }), env.urls)
  },

  async getOrganizationsForEmailDomain({ db, actor, env, params }) {
    const domain = params.emailDomain.toLowerCase()
    const ownDomain = actor.user.email.endsWith(`@${domain}`)
    const rows = await organizationsForDomain(db, { domain, userId: actor.user.id })
    return {
      organizations: rows
        .filter((row) => ownDomain || (row.memberId !== null && row.disabled === 0))
        .map((row) => presentOrganization(row, organizationPermissions(row), env.urls)),
    }
  },

  async getSubdomain({ db, params }) {
    const row = await findOrganizationByHostname(db, { hostname: params.subdomain })
    if (!row) throw fail('not_found')
    return {
      object: 'subdomain',
      subdomain: params.subdomain,
      target: { type: 'organization', organization: row.id },
      isActive: true,
    }
  },

  async inviteUsersToOrganization({ organization, body, ...base }) {
    const role = body.role === undefined ? organization.defaultRole : body.role
    const users: UserRow[] = []
    let invited = 0
    for (const email of new Set(body.emails.map((address) => address.toLowerCase()))) {
      const known = await findUserByEmail(base.db, email)
      const user = known ?? (await makeAccount(base, email))
      if (known) users.push(known)
      const joined = await insertMember(base.db, {
        organizationId: organization.id,
        userId: user.id,
        role,
        sso: body.sso ?? false,
        joinedAt: base.now,
      })
      if (!joined) continue
      if (!known && base.env.mail) await sendLetter(base.db, { email, organizationId: organization.id })
      invited++
      await noteAccess(base, organization.id, 'member_added', user.id, { before: null, after: { role } })
    }
    return { users: users.map((user) => presentUser(user, base.env.urls)), invited }
  },

  async createOrganizationInvite({ organization, body, ...base }) {
    if (organization.inviteLinks === 0) throw fail('conflict', 'Invite links are switched off for this organization.')
    const thing = await invitedThing(base, organization.id, body)
    const row = {
      id: base.env.newId(),
      organizationId: organization.id,
      role: body.role ?? null,
      level: body.level ?? null,
      thingKind: thing?.kind ?? null,
      thingId: thing?.id ?? null,
      createdAt: base.now,
    }
    await insertInvite(base.db, row)
    await noteAccess(base, organization.id, 'invite_created', row.id, {
      after: { role: row.role, level: row.level, [row.thingKind ?? 'organization']: row.thingId ?? organization.id },
    })
    return presentInvite(row, organization.defaultRole, base.env.urls)
  },

  async listOrganizationInviteLinks({ organization, query, ...base }) {
    return listOf({
      base,
      name: `invites:${organization.id}`,
      query,
      rows: (page) => listInvites(base.db, organization.id, page),
      count: () => countInvites(base.db, organization.id),
      keyOf: (row) => ({ key: row.createdAt, id: row.id }),
      present: (row) => presentInvite(row, organization.defaultRole, base.env.urls),
    })
  },

  async getOrganizationInviteById({ organization, invite, env }) {
    return presentInvite(invite, organization.defaultRole, env.urls)
  },

  async updateOrganizationInviteById({ organization, invite, body, ...base }) {
    const { db, env } = base
    if (await isOutdated(base, invite)) throw fail('not_found')
    if (invite.thingId === null && body.level !== undefined)
      throw invalid('level', 'belongs to invites to a space or collection')
    if (invite.thingId !== null && body.role !== undefined)
      throw invalid('role', 'belongs to invites to the organization')
    const change = {
      ...(body.role === undefined ? {} : { role: body.role }),
      ...(body.level === undefined ? {} : { level: body.level }),
    }
    if (Object.keys(change).length > 0) {
      await updateInvite(db, invite.id, change)
      await noteAccess(base, organization.id, 'invite_updated', invite.id, { ...changesIn(invite, change) })
    }
    return presentInvite({ ...invite, ...change }, organization.defaultRole, env.urls)
  },

  async deleteOrganizationInviteById({ organization, invite, ...base }) {
    await deleteInvite(base.db, { id: invite.id, organizationId: organization.id })
    await noteAccess(base, organization.id, 'invite_deleted', invite.id, {
      before: { role: invite.role, level: invite.level },
    })
    return undefined
  },

  async joinOrganizationWithInvite({ params, ...base }) {
    const { db, env, actor, now } = base
    const invite = await findInvite(db, { id: params.invite })
    const userId = actor.user.id
    const organization = invite && (await findOrganizationFor(db, { id: invite.organizationId, userId }))
    if (!invite || !organization || organization.inviteLinks === 0) throw fail('not_found')
    if (organization.disabled === 1 || (await isOutdated(base, invite))) throw fail('not_found')
    checkSignOn(actor, 'organization', organization)
    const joined = await insertMember(db, { organizationId: organization.id, userId, role: invite.role, joinedAt: now })
    const given = await giveInvited(base, invite)
    if (!joined && !given) throw fail('invite_used')
    const role = joined ? invite.role : organization.role
    await noteAccess(base, organization.id, joined ? 'member_added' : 'member_updated', userId, {
      invite: invite.id,
      before: joined ? null : { role },
      after: {
        role,
        ...(invite.thingId === null ? {} : { [invite.thingKind ?? 'thing']: invite.thingId, level: invite.level }),
      },
    })
    const permissions = permissionsOf('organization', {
      level: organizationLevel(role),
      ownsTeam: organization.ownedTeam !== null,
    })
    return presentOrganization(organization, permissions, env.urls)
  },
}

/** An organization as it is when new: every feature on, members may comment, invites by link allowed. */
export const newOrganization = ({ id, title, now }: { id: string; title: string; now: string }): OrganizationRow => ({
  id,
  title,
  emailDomains: '[]',
  hostname: null,
  type: 'business',
  useCase: null,
  communityType: null,
  defaultRole: 'read',
  defaultContent: null,
  logo: null,
  sso: 0,
  ai: 0,
  inviteLinks: 1,
  createdAt: now,
})

/**
 * An account without a token. Whoever invites must never hold a key to the account of the invited: it may later be given
 * rights in other organizations. The operator's `lectern token create`, or single sign-on, lets the person in.
 */
const makeAccount = ({ db, env, now }: Base, email: string): Promise<UserRow> =>
  insertUser(db, { id: env.newId(), displayName: email.slice(0, email.indexOf('@')), email, createdAt: now })
