/** How many spaces members have a role on, by a grant to them or a team of theirs, by a collection or by a default level. */
import { atLeast, contentLevel, type DefaultLevel, type Role } from '../core/permissions.ts'
import { reachOf } from '../store/people/access.ts'
import type { MemberRow } from '../store/people/members.ts'
import type { Base } from './handler.ts'

export type CountedMember<M extends MemberRow = MemberRow> = M & { spaces: number }

/** Who of some members can see a space: one statement, however many they are. */
export async function readersAmong(
  { db }: Pick<Base, 'db'>,
  space: { id: string; organizationId: string; parentId: string | null; defaultLevel: DefaultLevel },
  members: readonly MemberRow[],
): Promise<Set<string>> {
  if (members.length === 0) return new Set()
  const userIds = JSON.stringify(members.map(({ userId }) => userId))
  const rows = await reachOf(db, { organizationId: space.organizationId, userIds })
  const collections = new Map(rows.flatMap((row) => (row.kind === 'collection' ? [[row.id, row] as const] : [])))
  const around = above(space.parentId, collections)
  const defaults = [space.defaultLevel, ...around.map((collection) => collection.defaultLevel)]
  const things = new Set<string | null>([space.id, ...around.map(({ id }) => id)])
  const given = new Set(rows.flatMap(({ userId, id }) => (userId !== null && things.has(id) ? [userId] : [])))
  const sees = ({ role, userId }: MemberRow): boolean =>
    given.has(userId) || atLeast(contentLevel({ role, grants: [], defaults }), 'read')
  return new Set(members.filter((member) => member.disabled === 0 && sees(member)).map(({ userId }) => userId))
}

/** The members with their counts, which takes one statement however many there are. */
export async function withSpaces<M extends MemberRow>(
  { db }: Pick<Base, 'db'>,
  organizationId: string,
  members: readonly M[],
): Promise<CountedMember<M>[]> {
  if (members.length === 0) return []
  const counts: Reach[] = []
  const collections = new Map<string | null, Reach>()
  const grants = new Map<string | null, Reach[]>()
  const userIds = JSON.stringify(members.map(({ userId }) => userId))
  for (const row of await reachOf(db, { organizationId, userIds })) {
    if (row.kind === 'spaces') counts.push(row)
    else if (row.kind === 'collection') collections.set(row.id, row)
    else {
      const known = grants.get(row.userId)
      if (known) known.push(row)
      else grants.set(row.userId, [row])
    }
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

type Reach = Awaited<ReturnType<typeof reachOf>>[number]
type Collections = ReadonlyMap<string | null, Reach>

/** Where spaces are open without any grant, and how many those are. */
interface Open {
  counts: ReadonlySet<Reach>
  spaces: number
}

function openCounts(counts: readonly Reach[], collections: Collections): (role: Role | null) => Open {
  const known = new Map<Role | null, Open>()
  const isOpen = (role: Role | null, { parentId, defaultLevel }: Reach): boolean => {
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
  counts: readonly Reach[],
  collections: Collections,
  open: ReadonlySet<Reach>,
  grants: readonly Reach[],
): number {
  const given = new Set(grants.filter(({ kind }) => kind === 'granted collection').map(({ id }) => id))
  const isBelowGiven = (parentId: string | null): boolean =>
    given.size > 0 && above(parentId, collections).some(({ id }) => given.has(id))
  const isReached = (count: Reach): boolean => open.has(count) || isBelowGiven(count.parentId)
  const reached = counts.filter(isReached)
  const keys = new Set(reached.map(keyOf))
  const isAlone = (grant: Reach): boolean => grant.kind === 'granted space' && !keys.has(keyOf(grant))
  const alone = new Set(grants.filter(isAlone).map(({ id }) => id))
  return reached.reduce((sum, { count }) => sum + count, alone.size)
}

const keyOf = ({ parentId, defaultLevel }: { parentId: string | null; defaultLevel: string | null }): string =>
  `${parentId ?? ''}:${defaultLevel ?? ''}`

/** The collections around a place, from the nearest on. */
function above(parentId: string | null, collections: Collections): Reach[] {
  const found: Reach[] = []
  for (let next = parentId; next !== null; ) {
    const collection = collections.get(next)
    if (!collection) break
    found.push(collection)
    next = collection.parentId
  }
  return found
}
