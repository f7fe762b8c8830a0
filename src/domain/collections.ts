import type { collections } from '../contract/collections.ts'
import { fail } from '../core/errors.ts'
import { permissionsOf } from '../core/permissions.ts'
import {
  type CollectionRow,
  countSpaces,
  deleteCollection,
  insertCollection,
  listSpacesByRank,
  raiseCollections,
  raiseSpaces,
  spacesUnder,
  updateCollection,
  updateSpace,
} from '../store/content/spaces.ts'
import { collectionsOf } from '../store/people/access.ts'
import { deleteGrantsOn } from '../store/people/grants.ts'
import { siteShowing } from '../store/sites/sites.ts'
import { contentAccess } from './access.ts'
import { changesIn, noteThing } from './events/note.ts'
import { forgetCredentials } from './git/forget.ts'
import { grantHandlers, keepCharge } from './grants.ts'
import type { Base, HandlersOf } from './handler.ts'
import { listOf, listOfArray } from './lists.ts'
import { named } from './named.ts'
import { rankFor } from './placing.ts'
import { presentCollection } from './present.ts'
import { withPublishedAddresses } from './sites/published-address.ts'
import { mayPlaceUnder, transferTarget } from './spaces/handlers.ts'
import { presentSpace } from './spaces/present.ts'

/** How deep collections may be nested. */
const maxDepth = 16

export const collectionHandlers: HandlersOf<typeof collections> = {
  async getCollectionById({ collection, env }) {
    return presentCollection(collection, collection.permissions, env.urls)
  },

  async deleteCollectionById({ collection, ...base }) {
    const { db } = base
    const move = { from: collection.id, to: collection.parentId }
    await raiseSpaces(db, move)
    await raiseCollections(db, move)
    await deleteGrantsOn(db, { thingId: collection.id })
    await deleteCollection(db, { id: collection.id })
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
    await refuseCycle(base, collection, parent)
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
    const target = await transferTarget(base, collection, body.organization)
    const all = await collectionsOf(base.db, { organizationId: collection.organizationId })
    const subtree = below(all, collection.id)
    await refuseShown(base, subtree)
    for (const id of subtree) {
      for (const space of await spacesUnder(base.db, { parent: id })) {
        await deleteGrantsOn(base.db, { thingId: space.id })
        await forgetCredentials(base.db, space.id)
        await updateSpace(base.db, space.id, { organizationId: target.id })
      }
      await deleteGrantsOn(base.db, { thingId: id })
      await updateCollection(base.db, id, { organizationId: target.id })
    }
    const rank = await rankFor(base, { organizationId: target.id, parent: null, self: collection.id })
    const change = { organizationId: target.id, parentId: null, rank }
    await updateCollection(base.db, collection.id, change)
    await keepCharge(base, 'collection', { ...collection, ...change }, target.role)
    const transfer = { from: collection.organizationId, to: target.id }
    await noteThing(base, 'collection', collection, 'collection_transferred', transfer)
    await noteThing(base, 'collection', { ...collection, ...change }, 'collection_transferred', transfer)
    return presentCollection(
      { ...collection, ...change },
      permissionsOf('collection', { level: 'admin' }),
      base.env.urls,
    )
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
    await mayPlaceUnder(base, { organizationId: organization.id, memberRole: organization.role }, parent)
    await refuseDepth(base, organization.id, parent)
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

/** A collection and all collections inside it. */
function below(all: readonly CollectionRow[], id: string): string[] {
  const found = [id]
  for (let i = 0; i < found.length; i++) {
    found.push(...all.filter((row) => row.parentId === found[i]).map((row) => row.id))
  }
  return found
}

async function refuseShown({ db }: Base, collections: readonly string[]): Promise<void> {
  const spaces: string[] = []
  for (const parent of collections) spaces.push(...(await spacesUnder(db, { parent })).map((space) => space.id))
  if (await siteShowing(db, spaces)) throw fail('shown_on_site')
}

async function refuseCycle(base: Base, collection: CollectionRow, parent: string | null): Promise<void> {
  if (parent === null) return
  const all = await collectionsOf(base.db, { organizationId: collection.organizationId })
  if (below(all, collection.id).includes(parent)) throw fail('cycle')
  await refuseDepth(base, collection.organizationId, parent)
}

async function refuseDepth({ db }: Base, organizationId: string, parent: string | null): Promise<void> {
  const all = new Map((await collectionsOf(db, { organizationId })).map((row) => [row.id, row]))
  let depth = 0
  for (let id = parent; id !== null; id = all.get(id)?.parentId ?? null) depth++
  if (depth >= maxDepth) throw fail('invalid_input', `Collections can be nested ${maxDepth} deep.`)
}
