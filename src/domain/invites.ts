/** Link invites to spaces and collections: what they are to, whether that still counts, and what joining gives. */
import { invalid } from '../core/errors.ts'
import { atLeast } from '../core/permissions.ts'
import { findCollection, findSpace } from '../store/content/spaces.ts'
import { findCollectionFor, findSpaceFor } from '../store/people/access.ts'
import { findGrant, putGrant } from '../store/people/grants.ts'
import type { InviteRow } from '../store/people/organizations.ts'
import type { Base } from './handler.ts'

/** The space or collection an invite opens, which must be one of this organization. */
export async function invitedThing(base: Base, organizationId: string, body: object) {
  const userId = base.actor.user.id
  if ('space' in body && typeof body.space === 'string') {
    const space = await findSpaceFor(base.db, { id: body.space, userId }, { forCache: false })
    if (space?.organizationId !== organizationId || space.deletedAt !== null)
      throw invalid('space', 'names no space of this organization')
    return { kind: 'space' as const, id: space.id }
  }
  if ('collection' in body && typeof body.collection === 'string') {
    const collection = await findCollectionFor(base.db, { id: body.collection, userId })
    if (collection?.organizationId !== organizationId)
      throw invalid('collection', 'names no collection of this organization')
    return { kind: 'collection' as const, id: collection.id }
  }
  return undefined
}

/** Whether what an invite is to has gone: for good, into the trash or to another organization. Then it counts like one that is not there. */
export async function isOutdated({ db }: Base, { thingKind, thingId, organizationId }: InviteRow): Promise<boolean> {
  if (thingId === null) return false
  const thing = thingKind === 'space' ? await findSpace(db, { id: thingId }) : await findCollection(db, { id: thingId })
  return thing?.organizationId !== organizationId || ('deletedAt' in thing && thing.deletedAt !== null)
}

/** Gives the caller the level of an invite to a space or collection; false when they were given as much before. */
export async function giveInvited({ db, actor, now }: Base, invite: InviteRow): Promise<boolean> {
  const { thingKind, thingId, level, organizationId } = invite
  if (thingKind === null || thingId === null || level === null) return false
  const subject = { subjectKind: 'user', subjectId: actor.user.id } as const
  const known = await findGrant(db, { thingId, ...subject })
  if (known && atLeast(known.role, level)) return false
  await putGrant(db, { thingKind, thingId, ...subject, role: level, organizationId, createdAt: now })
  return true
}
