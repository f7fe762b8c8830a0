import { z } from 'zod'
import { Space } from '../content/space.ts'
import { DELETE, GET, PATCH, POST } from '../operation.ts'
import { List, O, Order, optionalBody, P, Role, RoleOrGuest, TeamRole } from '../shapes.ts'
import { Member, Team } from './people.ts'

const MembersQuery = {
  ...P,
  order: Order,
  role: z.enum([...Role.options, 'guest']).optional(),
  search: z.string().max(256).optional().describe('Matches display name and e-mail.'),
  sort: z
    .enum(['joinedAt', 'lastSeenAt', 'name'])
    .default('joinedAt')
    .describe('`lastSeenAt` lists only members seen at least once.'),
}

const MemberTeam = z.object({ team: Team, member: z.object({ role: TeamRole }) })
const MemberSpace = z.object({ permission: Role, space: Space })

// biome-ignore format: held side by side with the specification, it matches line for line.
export const members = {
  listMembersInOrganizationById:      GET   (`${O}/members`,                 'organization.listMembers', { query: MembersQuery, ok: List(Member) }),
  getMemberInOrganizationById:        GET   (`${O}/members/{userId}`,        'member.view',              { ok: Member }),
  removeMemberFromOrganizationById:   DELETE(`${O}/members/{userId}`,        'member.leave',             { fails: ['last_admin'] }),
  updateMemberInOrganizationById:     PATCH (`${O}/members/{userId}`,        'member.admin',             { body: optionalBody({ role: RoleOrGuest.optional() }), ok: Member, fails: ['last_admin'] }),
  updateOrganizationMemberLastSeenAt: POST  (`${O}/ping`,                    'organization.view',        { ok: z.object({ serviceVisitorClaims: z.string().optional() }), lock: false }),
  setUserAsSSOMemberForOrganization:  POST  (`${O}/members/{userId}/sso`,    'member.admin',             { ok: Member }),
  listSpacesForOrganizationMember:    GET   (`${O}/members/{userId}/spaces`, 'member.view',              { query: { ...P, order: Order }, ok: List(MemberSpace) }),
  listTeamsForOrganizationMember:     GET   (`${O}/members/{userId}/teams`,  'member.view',              { query: { ...P, title: z.string().max(256).optional() }, ok: List(MemberTeam) }),
}
