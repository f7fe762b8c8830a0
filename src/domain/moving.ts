/**
 * Who may move and transfer spaces and collections. A thing goes with all that stands in it, so the caller needs the right to
 * create in all of that, what is hidden from them included; and nobody comes to do more with anything by placing it elsewhere in its
 * organization.
 */
import { fail } from '../core/errors.ts'
import { atLeast, type Level, type Role } from '../core/permissions.ts'
import { type CollectionRow, type PlacedSpace, spacesWithin } from '../store/content/spaces.ts'
import { holdTranslation } from '../store/content/translations.ts'
import { siteShowing } from '../store/sites/sites.ts'
import { type ContentAccess, contentAccess, levelsFrom, type Placed } from './access.ts'
import type { Base } from './handler.ts'
import { findSeen, named } from './named.ts'
import type { Things } from './things.ts'

/** How deep collections may be nested. */
const maxDepth = 16

interface Owned {
  organizationId: string
}

/** A collection with everything inside it, however deep; spaces in the trash too. */
export interface Contents {
  top: CollectionRow
  collections: readonly CollectionRow[]
  spaces: readonly PlacedSpace[]
}

export async function sameOrganization(
  base: Base,
  collectionId: string,
  organizationId: string,
): Promise<Things['collection']> {
  const collection = await named(base, 'collection', collectionId, { ability: 'create' })
  if (collection.organizationId !== organizationId)
    throw fail('not_found', `There is no collection ${collectionId} in this organization.`)
  return collection
}

/** Whether the caller may put things under this parent: a collection, or the organization itself. */
export async function mayPlaceUnder(
  base: Base,
  thing: Owned & { parentId?: string | null },
  parent: string | null,
): Promise<void> {
  // The caller has not named the collection that the thing stands in: whoever does not see it has no right there.
  if (parent !== null && parent === thing.parentId && !(await findSeen(base, 'collection', parent)))
    throw fail('forbidden')
  if (parent !== null) await sameOrganization(base, parent, thing.organizationId)
  else await named(base, 'organization', thing.organizationId, { ability: 'createContent' })
}

export async function refuseSpaceMove(base: Base, space: Placed & Owned, parent: string | null): Promise<void> {
  const { spaceLevel } = await contentAccess(base, await named(base, 'organization', space.organizationId))
  refuseRise([space], { before: spaceLevel, after: (thing) => spaceLevel({ ...thing, parentId: parent }) })
}

export async function refuseCollectionMove(base: Base, top: CollectionRow, parent: string | null): Promise<void> {
  const access = await contentAccess(base, await named(base, 'organization', top.organizationId))
  const { collections, spaces } = await contentsOf(base, access, top)
  const moved = <T extends Placed>(thing: T): T => (thing.id === top.id ? { ...thing, parentId: parent } : thing)
  const levelThere = levelsFrom({ ...access.facts, collections: access.collections.map(moved) })
  refuseRise([...collections, ...spaces], {
    before: access.collectionLevel,
    after: (thing) => levelThere(moved(thing)),
  })
  if (collections.some(({ id }) => id === parent)) throw fail('cycle')
  refuseDepth(access.collections, parent, { height: heightOf(access.collections, collections) })
}

/** The organizations between which a thing goes; needs `create` in both. */
export async function transferBetween(
  base: Base,
  thing: Owned,
  to: string,
): Promise<Record<'source' | 'target', Things['organization']>> {
  const target = await named(base, 'organization', to)
  if (target.id === thing.organizationId) throw fail('same_organization')
  const source = await named(base, 'organization', thing.organizationId, { ability: 'createContent' })
  if (!target.permissions.createContent) throw fail('forbidden')
  return { source, target }
}

/**
 * Grants stay behind in a transfer, but the caller keeps the level they had, which is answered as `charge`; `level` is theirs in the
 * new organization. That may be higher: whoever is an admin there is one of all it comes to own.
 */
export function refuseTransfer(
  { spaceLevel }: ContentAccess,
  target: { role: Role | null },
  { top, collections = [], spaces = [] }: { top: Placed; collections?: readonly Placed[]; spaces?: readonly Placed[] },
): { charge: Role; level: Level } {
  for (const thing of [top, ...collections, ...spaces]) refuseUnmovable(spaceLevel(thing))
  const charge = spaceLevel(top) === 'admin' ? 'admin' : 'create'
  const levelThere = levelsFrom({ role: target.role, grants: new Map([[top.id, [charge]]]), collections })
  // What stands above it is left behind.
  return { charge, level: levelThere({ ...top, parentId: null }) }
}

/** What a site shows, or a translation writes, is bound to the organization of that. */
export async function refuseBound({ db }: Base, spaces: readonly string[]): Promise<void> {
  if (await siteShowing(db, spaces)) throw fail('shown_on_site')
  if (await holdTranslation(db, spaces))
    throw fail(
      'precondition_failed',
      'A translation of the present organization writes to this space, or to one inside. Delete the translation first: the space stays.',
    )
}

export async function contentsOf({ db }: Base, access: ContentAccess, top: CollectionRow): Promise<Contents> {
  const rows = new Map(access.collections.map((row) => [row.id, row]))
  const collections = withInside(access.collections, top.id).flatMap((id) => rows.get(id) ?? [])
  const parents = collections.map(({ id }) => id)
  return { top, collections, spaces: await spacesWithin(db, { organizationId: top.organizationId, parents }) }
}

/** `height`: how many collections deep the one is that comes to stand there. */
export function refuseDepth(collections: readonly Placed[], parent: string | null, { height } = { height: 1 }): void {
  if (depthsIn(collections)(parent) + height > maxDepth)
    throw fail('invalid_input', `Collections can be nested ${maxDepth} deep.`)
}

/** How deep a collection is nested with what is inside it; `inside` begins with the collection itself. */
function heightOf(all: readonly Placed[], inside: readonly Placed[]): number {
  const depthOf = depthsIn(all)
  return Math.max(...inside.map(({ id }) => depthOf(id))) - depthOf(inside[0]?.parentId ?? null)
}

function depthsIn(collections: readonly Placed[]): (id: string | null) => number {
  const parents = new Map(collections.map(({ id, parentId }) => [id, parentId]))
  return (id) => {
    let depth = 0
    for (let next = id; next !== null; next = parents.get(next) ?? null) depth++
    return depth
  }
}

type LevelOf = (thing: Placed) => Level

/** Both sentences are the same whether or not the caller sees what they speak of. */
function refuseRise(things: readonly Placed[], { before, after }: Record<'before' | 'after', LevelOf>): void {
  for (const thing of things) {
    const level = before(thing)
    refuseUnmovable(level)
    if (!atLeast(level, after(thing)))
      throw fail('forbidden', 'You would have more rights on it there than you have now. Ask an admin to do this.')
  }
}

function refuseUnmovable(level: Level): void {
  if (!atLeast(level, 'create'))
    throw fail('forbidden', 'It holds what your role does not allow you to move. Ask an admin to do this.')
}

/** A collection and all collections inside it. */
function withInside(all: readonly Placed[], id: string): string[] {
  const found = [id]
  for (let i = 0; i < found.length; i++) {
    found.push(...all.filter((row) => row.parentId === found[i]).map((row) => row.id))
  }
  return found
}
