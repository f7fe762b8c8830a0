import { z } from 'zod'
import { DELETE, GET, PATCH, PUT } from '../operation.ts'
import { Id, List, O, optionalBody, P, TeamRole } from '../shapes.ts'
import { Team, TeamMember } from './people.ts'

const T = `${O}/teams/{teamId}` as const
const Title = z.string().min(1).max(64)
const Person = z.string().min(1).max(254).describe('A user id or an e-mail address.')
const People = z.array(Person).max(1000)

const TeamsQuery = {
  ...P,
  owner: Id.optional().describe('Only teams that this member can manage.'),
  title: z.string().max(256).optional().describe('Only teams whose title contains this, whatever the case.'),
}

const MembersBody = optionalBody({
  add: People.optional(),
  remove: People.optional(),
  memberships: z
    .record(Person, z.object({ role: TeamRole }))
    .refine((people) => Object.keys(people).length <= 1000, 'must name at most 1000 people')
    .optional(),
})

// biome-ignore format: held side by side with the specification, it matches line for line.
export const teams = {
  listTeamsInOrganizationById:          GET   (`${O}/teams`,            'organization.listTeams', { query: TeamsQuery, ok: List(Team) }),
  createOrganizationTeam:               PUT   (`${O}/teams`,            'organization.admin',     { body: z.object({ title: Title, members: z.array(Id).max(1000).optional() }), created: Team }),
  getTeamInOrganizationById:            GET   (T,                       'team.view',              { ok: Team }),
  removeTeamFromOrganizationById:       DELETE(T,                       'organization.admin'),
  updateTeamInOrganizationById:         PATCH (T,                       'team.admin',             { body: z.object({ title: Title }), ok: Team }),
  listTeamMembersInOrganizationById:    GET   (`${T}/members`,          'team.view',              { query: P, ok: List(TeamMember) }),
  updateMembersInOrganizationTeam:      PUT   (`${T}/members`,          'team.admin',             { body: MembersBody }),
  addMemberToOrganizationTeamById:      PUT   (`${T}/members/{userId}`, 'team.admin',             { body: optionalBody({ role: TeamRole.optional() }) }),
  deleteMemberFromOrganizationTeamById: DELETE(`${T}/members/{userId}`, 'team.admin'),
}
