import { z } from 'zod'
import { emojiCode } from '../../core/document/syntax/emoji.ts'
import { DELETE, GET, PATCH, POST } from '../operation.ts'
import { Team } from '../people/people.ts'
import { DefaultLevel, Flag, Id, List, O, optionalBody, P, PositionOf, Role, S, User } from '../shapes.ts'
import { LinkList, LinksQuery } from './links.ts'
import { Space } from './space.ts'

/** A place among the spaces and collections of one parent. */
export const SpaceOrCollection = z.union([
  z.object({ type: z.literal('space'), space: Id }),
  z.object({ type: z.literal('collection'), collection: Id }),
])

export const UserPermission = z.object({ permission: Role, user: User }).meta({ id: 'UserPermission' })
export const TeamPermission = z.object({ permission: Role, team: Team }).meta({ id: 'TeamPermission' })
export const PermissionGrant = z
  .object({ role: Role, users: z.array(Id).min(1).max(100).optional(), teams: z.array(Id).min(1).max(100).optional() })
  .refine((body) => body.users !== undefined || body.teams !== undefined, { message: 'needs `users` or `teams`' })

const Title = z.string().max(50)
/** Answers say that a space has none with the empty text, which can be sent back. */
const SpaceEmoji = z
  .string()
  .max(50)
  .refine((text) => text === '' || emojiCode(text) !== undefined, 'must be an emoji')
const EditMode = z.enum(['live', 'locked'])
const Language = z.string().regex(/^[a-z]{2,3}(-[a-z]{2,4})?$/, 'must be a language code such as en or pt-br')

const NewSpace = optionalBody({
  title: Title.optional(),
  emoji: SpaceEmoji.optional(),
  parent: Id.optional(),
  language: Language.optional(),
  editMode: EditMode.optional(),
  template: z.object({ id: z.string().min(1).max(64) }).optional(),
  empty: Flag.optional(),
}).refine((body) => !(body.template && body.empty), {
  message: 'takes `template` or `empty`, not both',
  path: ['empty'],
})

const SpacePatch = optionalBody({
  title: Title.min(1).regex(/\S/, 'must have a visible character').optional(),
  emoji: SpaceEmoji.nullable().optional().describe('null takes it away, as the empty text does'),
  editMode: EditMode.optional(),
  defaultLevel: DefaultLevel.optional(),
  language: Language.optional(),
})

const Move = optionalBody({ parent: Id.nullable().optional(), position: PositionOf(SpaceOrCollection).optional() })
const ShareKey = {
  shareKey: z.string().max(512).optional().describe('Resolves published addresses of sites behind a share link.'),
}
export const NewRole = z.object({ role: Role })

// biome-ignore format: held side by side with the specification, it matches line for line.
export const spaces = {
  getSpaceById:      GET   (S,                'space.view',   { query: ShareKey, ok: Space, evenDeleted: true, visitors: true }),
  deleteSpaceById:   DELETE(S,                'space.admin',  { evenDeleted: true }),
  updateSpaceById:   PATCH (S,                'space.admin',  { body: SpacePatch, ok: Space }),
  duplicateSpace:    POST  (`${S}/duplicate`, 'space.view',   { created: Space, lock: 'tree' }),
  restoreSpace:      POST  (`${S}/restore`,   'space.admin',  { ok: Space, fails: ['conflict', 'restore_expired'], evenDeleted: true, lock: 'tree' }),
  moveSpace:         POST  (`${S}/move`,      'space.manage', { body: Move, ok: Space, lock: 'tree' }),
  transferSpace:     POST  (`${S}/transfer`,  'space.manage', { body: z.object({ organization: Id }), ok: Space, fails: ['same_organization', 'shown_on_site', 'conflict'], lock: 'tree' }),
  listSpaceLinks:    GET   (`${S}/links`,     'space.view',   { query: LinksQuery, ok: LinkList }),

  // Beyond the specification: making, listing and sharing spaces.
  createSpace:                 POST  (`${O}/spaces`,                     'organization.createContent', { body: NewSpace, created: Space, lock: 'tree' }),
  listSpacesInOrganizationById: GET  (`${O}/spaces`,                     'organization.view',          { query: { ...P, deleted: z.boolean().default(false).describe('true lists what is in the trash instead.') }, ok: List(Space) }),
  inviteToSpace:               POST  (`${S}/permissions`,                'space.admin',                { body: PermissionGrant, placed: true }),
  listUserPermissionsInSpace:  GET   (`${S}/permissions/users`,          'space.view',                 { query: { ...P, role: Role.optional() }, ok: List(UserPermission) }),
  updateUserPermissionInSpace: PATCH (`${S}/permissions/users/{userId}`, 'space.admin',                { body: NewRole, placed: true }),
  removeUserFromSpace:         DELETE(`${S}/permissions/users/{userId}`, 'space.admin'),
  listTeamPermissionsInSpace:  GET   (`${S}/permissions/teams`,          'space.view',                 { query: P, ok: List(TeamPermission) }),
  updateTeamPermissionInSpace: PATCH (`${S}/permissions/teams/{team}`,   'space.admin',                { body: NewRole, placed: true }),
  removeTeamFromSpace:         DELETE(`${S}/permissions/teams/{team}`,   'space.admin'),
}
