import { z } from 'zod'
import { Space } from './content/space.ts'
import { PermissionGrant, SpaceOrCollection, TeamPermission, UserPermission } from './content/spaces.ts'
import { DELETE, GET, PATCH, POST } from './operation.ts'
import { C, DefaultLevel, Flag, Id, List, O, optionalBody, P, PositionOf, Role, Url } from './shapes.ts'

export const Collection = z
  .object({
    object: z.literal('collection'),
    id: Id,
    title: z.string(),
    description: z.string().optional(),
    organization: Id,
    parent: Id.optional(),
    defaultLevel: DefaultLevel,
    urls: z.object({ location: Url, app: Url }),
    permissions: z.object({ view: Flag, admin: Flag, viewInviteLinks: Flag, create: Flag }),
  })
  .meta({ id: 'Collection' })

const Title = z.string().min(1).max(50)
const Description = z.string().max(100)

const Move = optionalBody({ parent: Id.nullable().optional(), position: PositionOf(SpaceOrCollection).optional() })

const Nested = z.boolean().default(true).describe('Lists collections inside collections too.')
const Transfer = z.object({ organization: Id })

// biome-ignore format: held side by side with the specification, it matches line for line.
export const collections = {
  getCollectionById:                 GET   (C,                  'collection.view',              { ok: Collection }),
  deleteCollectionById:              DELETE(C,                  'collection.admin',             { lock: 'tree' }),
  updateCollectionById:              PATCH (C,                  'collection.admin',             { body: optionalBody({ title: Title.optional(), description: Description.nullable().optional(), defaultLevel: DefaultLevel.optional() }), ok: Collection }),
  listSpacesInCollectionById:        GET   (`${C}/spaces`,      'collection.view',              { query: P, ok: List(Space) }),
  moveCollection:                    POST  (`${C}/move`,        'collection.create',            { body: Move, ok: Collection, fails: ['cycle'], lock: 'tree' }),
  transferCollection:                POST  (`${C}/transfer`,    'collection.create',            { body: Transfer, ok: Collection, fails: ['same_organization', 'shown_on_site', 'conflict'], lock: 'tree' }),
  listCollectionsInOrganizationById: GET   (`${O}/collections`, 'organization.view',            { query: { ...P, nested: Nested }, ok: List(Collection) }),
  createCollection:                  POST  (`${O}/collections`, 'organization.createContent',   { body: optionalBody({ title: Title.optional(), parent: Id.optional() }), created: Collection, lock: 'tree' }),

  // Beyond the specification: who may see a collection.
  inviteToCollection:                POST  (`${C}/permissions`,                'collection.admin', { body: PermissionGrant, placed: true }),
  listUserPermissionsInCollection:   GET   (`${C}/permissions/users`,          'collection.view',  { query: { ...P, role: Role.optional() }, ok: List(UserPermission) }),
  updateUserPermissionInCollection:  PATCH (`${C}/permissions/users/{userId}`, 'collection.admin', { body: z.object({ role: Role }), placed: true }),
  removeUserFromCollection:          DELETE(`${C}/permissions/users/{userId}`, 'collection.admin'),
  listTeamPermissionsInCollection:   GET   (`${C}/permissions/teams`,          'collection.view',  { query: P, ok: List(TeamPermission) }),
  updateTeamPermissionInCollection:  PATCH (`${C}/permissions/teams/{team}`,   'collection.admin', { body: z.object({ role: Role }), placed: true }),
  removeTeamFromCollection:          DELETE(`${C}/permissions/teams/{team}`,   'collection.admin'),
}
