/** What a member may do with each space and collection of an organization, from two statements, for lists and searches. */
import {
  atLeast,
  contentLevel,
  type DefaultLevel,
  type Level,
  type Permissions,
  permissionsOf,
  type Role,
} from '../core/permissions.ts'
import type { SpaceFilter } from '../store/content/spaces.ts'
import { collectionsOf, grantsOf } from '../store/people/access.ts'
import type { CollectionTable } from '../store/tables.ts'
import type { Base } from './handler.ts'

export interface ContentAccess {
  collections: readonly CollectionTable[]
  spaceLevel(space: Placed): Level
  collectionLevel(collection: Placed): Level
  spacePermissions(space: Placed): Permissions<'space'>
  collectionPermissions(collection: Placed): Permissions<'collection'>
  /** What a list of spaces is narrowed to; undefined when the caller sees all. */
  visible: SpaceFilter['visible']
}

interface Placed {
  id: string
  parentId: string | null
  defaultLevel: DefaultLevel
}

export async function contentAccess(
  { db, actor }: Base,
  organization: { id: string; role: Role | null; memberId: string | null; disabled: number | null },
): Promise<ContentAccess> {
  const collections = await collectionsOf(db, { organizationId: organization.id })
  const outside = organization.memberId === null || organization.disabled === 1
  const grants = new Map<string, Role[]>()
  if (!outside && organization.role !== 'admin') {
    for (const grant of await grantsOf(db, { organizationId: organization.id, userId: actor.user.id })) {
      grants.set(grant.thingId, [...(grants.get(grant.thingId) ?? []), grant.role])
    }
  }
  const byId = new Map(collections.map((collection) => [collection.id, collection]))

  const level = (thing: Placed): Level => {
    if (outside) return 'none'
    if (organization.role === 'admin') return 'admin'
    const chain: Placed[] = [thing]
    for (let parent = thing.parentId; parent !== null; ) {
      const collection = byId.get(parent)
      if (!collection) break
      chain.push(collection)
      parent = collection.parentId
    }
    return contentLevel({
      role: organization.role,
      grants: chain.flatMap((link) => grants.get(link.id) ?? []),
      defaults: chain.map((link) => link.defaultLevel),
    })
  }

  const hasDefaults = !outside && organization.role !== null
  const sees = (thing: Placed): boolean => atLeast(level(thing), 'read')
  const granted = (collection: Placed): boolean => {
    for (
      let link: Placed | undefined = collection;
      link;
      link = link.parentId === null ? undefined : byId.get(link.parentId)
    ) {
      if (grants.has(link.id)) return true
    }
    return false
  }

  return {
    collections,
    visible:
      organization.role === 'admin' && !outside
        ? undefined
        : {
            byDefault: hasDefaults,
            inheritUnder: hasDefaults ? ['', ...collections.filter(sees).map((c) => c.id)] : [],
            anyUnder: collections.filter(granted).map((c) => c.id),
            ids: [...grants.keys()],
          },
    spaceLevel: level,
    collectionLevel: level,
    spacePermissions: (space) => permissionsOf('space', { level: level(space) }),
    collectionPermissions: (collection) => permissionsOf('collection', { level: level(collection) }),
  }
}
