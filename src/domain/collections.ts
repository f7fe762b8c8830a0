import type { collections } from '../contract/collections.ts'
import { permissionsOf } from '../core/permissions.ts'
import { linksAreBroken, linksAreRight } from '../store/content/outside-links.ts'
import {
  type CollectionRow,
  countSpaces,
  deleteCollection,
  giveCollections,
  giveSpaces,
  insertCollection,
  listSpacesByRank,
  updateCollection,
} from '../store/content/spaces.ts'
import { collectionsOf } from '../store/people/access.ts'
import { deleteRightsOn } from '../store/people/grants.ts'
import { contentAccess } from './access.ts'
import { changesIn, noteThing } from './events/note.ts'
import { forgetCredentials } from './git/forget.ts'
import { grantHandlers, keepCharge } from './grants.ts'
import type { Base, HandlersOf } from './handler.ts'
import { listOf, listOfArray } from './lists.ts'
import {
  type Contents,
  contentsOf,
  mayPlaceUnder,
  refuseBound,
  refuseCollectionMove,
  refuseDepth,
  refuseTransfer,
  transferBetween,
} from './moving.ts'
import { named } from './named.ts'
import { raiseContents, rankFor } from './placing.ts'
import { presentCollection } from './present.ts'
import { withPublishedAddresses } from './sites/published-address.ts'
import { presentSpace } from './spaces/present.ts'

export const collectionHandlers: HandlersOf<typeof collections> = {
  async getCollectionById({ collection, env }) {
    return presentCollection(collection, collection.permissions, env.urls)
  },

  async deleteCollectionById({ collection, ...base }) {
    await raiseContents(base, collection)
    await deleteRightsOn(base.db, [collection.id])
    await deleteCollection(base.db, { id: collection.id })
    await linksAreBroken(base.db, {
      kind: 'collection',
      thing: collection.id,
      organizationId: collection.organizationId,
    })
    await noteThing(base, 'collection', collection, 'collection_deleted', { title: collection.title })
    return undefined
  },

  async updateCollectionById({ collection, body, ...base }) {
    const { db, env } = base
    const change: Partial<CollectionRow> = {
      ...(body.title === undefined ? {} : { title: body.title }),
      ...(body.description === undefined ? {} : { description: body.description || null }),
      ...(body.defaultLevel === undefined ? {} : { defaultLevel: body.defaultLevel }),
    }
    if (Object.keys(change).length > 0) {
      await updateCollection(db, collection.id, change)
      const changes = changesIn<CollectionRow>(collection, change)
      await noteThing(base, 'collection', collection, 'collection_updated', changes)
    }
    return presentCollection({ ...collection, ...change }, collection.permissions, env.urls)
  },

  async listSpacesInCollectionById({ collection, query, ...base }) {
    const organization = await named(base, 'organization', collection.organizationId)
    const access = await contentAccess(base, organization)
    const filter = { organizationId: organization.id, parent: collection.id, visible: access.visible }
    const shown = withPublishedAddresses(base)
    return listOf({
      base,
      name: `collection-spaces:${collection.id}`,
      query,
      order: 'asc',
      rows: (page) => shown.load(listSpacesByRank(base.db, filter, page)),
      count: () => countSpaces(base.db, filter),
      keyOf: (row) => ({ key: row.rank, id: row.id }),
      present: (row) => presentSpace(row, access.spacePermissions(row), base.env.urls, shown.of(row.id)),
    })
  },

  async moveCollection({ collection, body, ...base }) {
    const parent = body.parent === undefined ? collection.parentId : body.parent
    await mayPlaceUnder(base, collection, parent)
    if (parent !== collection.parentId) await refuseCollectionMove(base, collection, parent)
    const rank = await rankFor(base, {
      organizationId: collection.organizationId,
      parent,
      self: collection.id,
      position: body.position,
    })
    await updateCollection(base.db, collection.id, { parentId: parent, rank })
    const changes = changesIn<CollectionRow>(collection, { parentId: parent })
    await noteThing(base, 'collection', collection, 'collection_moved', changes)
    return presentCollection({ ...collection, parentId: parent, rank }, collection.permissions, base.env.urls)
  },

  async transferCollection({ collection, body, ...base }) {
    const { source, target } = await transferBetween(base, collection, body.organization)
    const access = await contentAccess(base, source)
    const contents = await contentsOf(base, access, collection)
    const { charge, level } = refuseTransfer(access, target, contents)
    const spaces = contents.spaces.map(({ id }) => id)
    const collections = contents.collections.map(({ id }) => id)
    await refuseBound(base, spaces)
    await deleteRightsOn(base.db, [...spaces, ...collections])
    for (const id of spaces) await forgetCredentials(base.db, id)
    await giveSpaces(base.db, { ids: spaces, organizationId: target.id })
    await giveCollections(base.db, { ids: collections, organizationId: target.id })
    await moveLinks(base, contents, target.id)
    const rank = await rankFor(base, { organizationId: target.id, parent: null, self: collection.id })
    const change = { organizationId: target.id, parentId: null, rank }
    await updateCollection(base.db, collection.id, change)
    await keepCharge(base, 'collection', { ...collection, ...change }, target.role, charge)
    const transfer = { from: collection.organizationId, to: target.id }
    await noteThing(base, 'collection', collection, 'collection_transferred', transfer)
    await noteThing(base, 'collection', { ...collection, ...change }, 'collection_transferred', transfer)
    return presentCollection({ ...collection, ...change }, permissionsOf('collection', { level }), base.env.urls)
  },

  async listCollectionsInOrganizationById({ organization, query, ...base }) {
    const access = await contentAccess(base, organization)
    const rows = access.collections.filter(
      (row) => (query.nested || row.parentId === null) && access.collectionPermissions(row).view,
    )
    return listOfArray({
      base,
      name: `collections:${organization.id}:${query.nested}`,
      query,
      rows,
      keyOf: (row) => [row.rank, row.id],
      present: (row) => presentCollection(row, access.collectionPermissions(row), base.env.urls),
    })
  },

  async createCollection({ organization, body, ...base }) {
    const parent = body.parent ?? null
    await mayPlaceUnder(base, { organizationId: organization.id }, parent)
    refuseDepth(await collectionsOf(base.db, { organizationId: organization.id }), parent)
    const row: CollectionRow = {
      id: base.env.newId(),
      organizationId: organization.id,
      parentId: parent,
      rank: await rankFor(base, { organizationId: organization.id, parent }),
      title: body.title ?? 'Untitled collection',
      description: null,
      defaultLevel: 'inherit',
      createdAt: base.now,
    }
    await insertCollection(base.db, row)
    await keepCharge(base, 'collection', row, organization.role)
    await noteThing(base, 'collection', row, 'collection_created', { title: row.title })
    return presentCollection(row, permissionsOf('collection', { level: 'admin' }), base.env.urls)
  },

  inviteToCollection: ({ collection, body, ...base }) =>
    grantHandlers.invite(base, { ...collection, kind: 'collection' }, body),
  listUserPermissionsInCollection: ({ collection, query, ...base }) => grantHandlers.listUsers(base, collection, query),
  updateUserPermissionInCollection: ({ collection, user, body, ...base }) =>
    grantHandlers.putUser(base, { ...collection, kind: 'collection' }, user.id, body.role),
  removeUserFromCollection: ({ collection, user, ...base }) =>
    grantHandlers.remove(base, { ...collection, kind: 'collection' }, 'user', user.id),
  listTeamPermissionsInCollection: ({ collection, query, ...base }) => grantHandlers.listTeams(base, collection, query),
  updateTeamPermissionInCollection: ({ collection, params, body, ...base }) =>
    grantHandlers.putTeam(base, { ...collection, kind: 'collection' }, params.team, body.role),
  removeTeamFromCollection: ({ collection, params, ...base }) =>
    grantHandlers.remove(base, { ...collection, kind: 'collection' }, 'team', params.team),
}

/** When all are there, so that their links to each other stay in order. */
async function moveLinks({ db }: Base, { top, collections, spaces }: Contents, to: string): Promise<void> {
  const present = spaces.filter(({ deletedAt }) => deletedAt === null)
  const moved = [
    ...collections.map(({ id }) => ({ kind: 'collection' as const, thing: id })),
    ...present.map(({ id }) => ({ kind: 'space' as const, thing: id })),
  ]
  for (const one of moved) {
    await linksAreBroken(db, { ...one, organizationId: top.organizationId })
    await linksAreRight(db, { ...one, organizationId: to })
  }
}
