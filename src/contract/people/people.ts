/** Members and teams, apart from their tables because each table shows the other's things. */
import { z } from 'zod'
import { Flag, Id, RoleOrGuest, TeamRole, Timestamp, User } from '../shapes.ts'

export const Member = z
  .object({
    object: z.literal('member'),
    id: Id,
    role: RoleOrGuest,
    user: User,
    disabled: Flag,
    joinedAt: Timestamp,
    lastSeenAt: Timestamp.optional(),
    sso: Flag,
    spaces: z.number().int().describe('Spaces shared with the member directly.'),
    teams: z.number().int(),
  })
  .meta({ id: 'Member' })

export const Team = z
  .object({
    object: z.literal('team'),
    id: Id,
    title: z.string(),
    members: z.number().int(),
    spaces: z.number().int().describe('Spaces shared with the team directly.'),
    createdAt: Timestamp,
    permissions: z.object({ admin: Flag, view: Flag }),
  })
  .meta({ id: 'Team' })

export const TeamMember = z
  .object({
    organization: Member,
    team: z.object({ role: TeamRole }),
    permissions: z.object({ view: Flag }),
  })
  .meta({ id: 'TeamMember' })
