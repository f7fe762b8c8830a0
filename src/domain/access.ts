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
  /** What the levels come from. */
  facts: LevelFacts
  spaceLevel(space: Placed): Level
  collectionLevel(collection: Placed): Level
  spacePermissions(space: Placed): Permissions<'space'>
  collectionPermissions(collection: Placed): Permissions<'collection'>
  /** What a list of spaces is narrowed to; undefined when the caller sees all. */
  visible: SpaceFilter['visible']
}

/** A space or collection, where it stands. */
export interface Placed {
  id: string
  parentId: string | null
  defaultLevel: DefaultLevel
}

/** What decides somebody's level on everything in an organization; whoever does not belong to it has no role and no grants. */
export interface LevelFacts {
  role: Role | null
  grants: ReadonlyMap<string, readonly Role[]>
  collections: readonly Placed[]
}

/** Tells levels; a collection that is not among the facts ends the way up like the root. */
export function levelsFrom({ role, grants, collections }: LevelFacts): (thing: Placed) => Level {
  const byId = new Map(collections.map((collection) => [collection.id, collection]))
  return (thing) => {
    if (role === 'admin') return 'admin'
    const chain: Placed[] = [thing]
    for (let parent = thing.parentId; parent !== null; ) {
      const collection = byId.get(parent)
      if (!collection) break
      chain.push(collection)
      parent = collection.parentId
    }
    return contentLevel({
      role,
      grants: chain.flatMap((link) => grants.get(link.id) ?? []),
      defaults: chain.map((link) => link.defaultLevel),
    })
  }
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

  const facts = { role: outside ? null : organization.role, grants, collections }
  const level = levelsFrom(facts)

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
    facts,
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
