/** How many spaces members have a role on, by a grant to them or a team of theirs, by a collection or by a default level. */
import { atLeast, contentLevel, type DefaultLevel, type Role } from '../core/permissions.ts'
import { collectionsOf, countSpacesByParent, grantsOfMany } from '../store/people/access.ts'
import type { MemberRow } from '../store/people/members.ts'
import type { CollectionTable } from '../store/tables.ts'
import type { Base } from './handler.ts'

export type CountedMember<M extends MemberRow = MemberRow> = M & { spaces: number }

/** The members with their counts, which takes three statements however many there are. */
export async function withSpaces<M extends MemberRow>(
  { db }: Pick<Base, 'db'>,
  organizationId: string,
  members: readonly M[],
): Promise<CountedMember<M>[]> {
  if (members.length === 0) return []
  const counts = await countSpacesByParent(db, { organizationId })
  const collections = new Map((await collectionsOf(db, { organizationId })).map((row) => [row.id, row]))
  const grants = new Map<string, Grant[]>()
  const userIds = JSON.stringify(members.map(({ userId }) => userId))
  for (const grant of await grantsOfMany(db, { organizationId, userIds })) {
    const known = grants.get(grant.userId ?? '')
    if (known) known.push(grant)
    else grants.set(grant.userId ?? '', [grant])
  }
  const openTo = openCounts(counts, collections)
  const countFor = ({ disabled, role, userId }: M): number => {
    if (disabled === 1) return 0
    const given = grants.get(userId)
    const open = openTo(role)
    return given ? countSpaces(counts, collections, open.counts, given) : open.spaces
  }
  return members.map((member) => Object.assign(member, { spaces: countFor(member) }))
}

type SpaceCount = { parentId: string | null; defaultLevel: DefaultLevel; count: number }
type Grant = Awaited<ReturnType<typeof grantsOfMany>>[number]
type Collections = ReadonlyMap<string, CollectionTable>

/** Where spaces are open without any grant, and how many those are. */
interface Open {
  counts: ReadonlySet<SpaceCount>
  spaces: number
}

function openCounts(counts: readonly SpaceCount[], collections: Collections): (role: Role | null) => Open {
  const known = new Map<Role | null, Open>()
  const isOpen = (role: Role | null, { parentId, defaultLevel }: SpaceCount): boolean => {
    const defaults = [defaultLevel, ...above(parentId, collections).map((collection) => collection.defaultLevel)]
    return atLeast(contentLevel({ role, grants: [], defaults }), 'read')
  }
  return (role) => {
    const present = known.get(role)
    if (present) return present
    const found = counts.filter((count) => isOpen(role, count))
    const open = { counts: new Set(found), spaces: found.reduce((sum, { count }) => sum + count, 0) }
    known.set(role, open)
    return open
  }
}

function countSpaces(
  counts: readonly SpaceCount[],
  collections: Collections,
  open: ReadonlySet<SpaceCount>,
  grants: readonly Grant[],
): number {
  const given = new Set(grants.filter(({ thingKind }) => thingKind === 'collection').map(({ thingId }) => thingId))
  const isBelowGiven = (parentId: string | null): boolean =>
    given.size > 0 && above(parentId, collections).some(({ id }) => given.has(id))
  const isReached = (count: SpaceCount): boolean => open.has(count) || isBelowGiven(count.parentId)
  const reached = counts.filter(isReached)
  const keys = new Set(reached.map(keyOf))
  const alone = new Set(grants.flatMap((grant) => (grant.spaceId && !keys.has(keyOf(grant)) ? [grant.spaceId] : [])))
  return reached.reduce((sum, { count }) => sum + count, alone.size)
}

const keyOf = ({ parentId, defaultLevel }: { parentId: string | null; defaultLevel: string | null }): string =>
  `${parentId ?? ''}:${defaultLevel ?? ''}`

/** The collections around a place, from the nearest on. */
function above(parentId: string | null, collections: Collections): CollectionTable[] {
  const found: CollectionTable[] = []
  for (let next = parentId; next !== null; ) {
    const collection = collections.get(next)
    if (!collection) break
    found.push(collection)
    next = collection.parentId
  }
  return found
}
