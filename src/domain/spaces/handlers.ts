/** Spaces: made, moved, copied, deleted and restored; who may do what in them. */

import { spaces } from '../../contract/content/spaces.ts'
import { fail } from '../../core/errors.ts'
import { permissionsOf } from '../../core/permissions.ts'
import { emptyContent } from '../../core/revision/content.ts'
import { cutTo } from '../../core/text.ts'
import { openContent } from '../../store/content/content.ts'
import { linksAreBroken, linksAreRight } from '../../store/content/outside-links.ts'
import { findRevision, insertRevision } from '../../store/content/revisions.ts'
import {
  countSpaces,
  findCollection,
  insertSpace,
  listSpaces,
  type SpaceRow,
  updateSpace,
} from '../../store/content/spaces.ts'
import { enqueue } from '../../store/jobs.ts'
import { deleteRightsOn } from '../../store/people/grants.ts'
import { contentAccess } from '../access.ts'
import { spaceLinks } from '../content/links/links.ts'
import { indexWholeSpace } from '../content/write/publish.ts'
import { changesIn, noteThing } from '../events/note.ts'
import { forgetCredentials } from '../git/forget.ts'
import { grantHandlers, keepCharge } from '../grants.ts'
import { type Base, type HandlersOf, readFirst } from '../handler.ts'
import { listOf } from '../lists.ts'
import {
  mayPlaceUnder,
  refuseBound,
  refuseSpaceMove,
  refuseTransfer,
  sameOrganization,
  transferBetween,
} from '../moving.ts'
import { rankFor } from '../placing.ts'
import { presentForVisitor } from '../sites/present.ts'
import { publishedAddressOf, withPublishedAddresses } from '../sites/published-address.ts'
import { restorableUntil, type Things } from '../things.ts'
import { presentSpace } from './present.ts'
import { type Template, templateContent } from './templates.ts'

/** How links find a space, of whose organization they are. */
const linked = ({ id, organizationId }: SpaceRow) => ({ kind: 'space' as const, thing: id, organizationId })

/** What a space was presented as: it is the same object to each request of the caller until anything of it changes. */
const presentedFrom = new WeakMap<Things['space'], ReturnType<typeof presentSpace>>()

const defaultTitle = 'Untitled space'
const defaultEmoji = '📘'

export const spaceHandlers: HandlersOf<typeof spaces> = {
  async getSpaceById(call) {
    const { space, actor, query, env, now } = call
    if (actor.visitor) return presentForVisitor(call, actor.visitor, space)
    if (space.deletedAt !== null && restorableUntil(space.deletedAt) <= now) throw fail('not_found')
    const presented = query.shareKey === undefined ? presentedFrom.get(space) : undefined
    if (presented) return presented
    const finding = addressNow(call, space, query.shareKey)
    const shown = presentSpace(space, space.permissions, env.urls, finding && (await finding))
    if (query.shareKey === undefined) presentedFrom.set(space, Object.freeze(shown))
    return shown
  },

  async deleteSpaceById({ space, ...base }) {
    if (space.deletedAt !== null) return undefined
    await updateSpace(base.db, space.id, { deletedAt: base.now })
    await linksAreBroken(base.db, linked(space))
    await noteThing(base, 'space', space, 'space_deleted', { title: space.title })
    return undefined
  },

  async updateSpaceById({ space, body, ...base }) {
    const { db, env, now } = base
    const change: Partial<SpaceRow> = {
      ...(body.title === undefined ? {} : { title: body.title }),
      ...(body.emoji === undefined ? {} : { emoji: body.emoji ?? '' }),
      ...(body.editMode === undefined ? {} : { editMode: body.editMode }),
      ...(body.defaultLevel === undefined ? {} : { defaultLevel: body.defaultLevel }),
      ...(body.language === undefined ? {} : { language: body.language }),
    }
    if (Object.keys(change).length > 0) {
      change.updatedAt = now
      await updateSpace(db, space.id, change)
      await noteThing(base, 'space', space, 'space_updated', changesIn<SpaceRow>(space, change))
    }
    return presentSpace({ ...space, ...change }, space.permissions, env.urls, await addressNow(base, space))
  },

  async duplicateSpace({ space, ...base }) {
    const { db, env, now, actor } = base
    await mayPlaceUnder(base, space, space.parentId)
    const revision = await findRevision(db, { id: space.revisionId, spaceId: space.id })
    if (!revision) throw new Error('A space points at a revision of its own.')
    const rank = await rankFor(base, {
      organizationId: space.organizationId,
      parent: space.parentId,
      position: { after: { type: 'space', space: space.id } },
    })
    const id = env.newId()
    const copy: SpaceRow = {
      ...newSpace(base, space.organizationId),
      id,
      parentId: space.parentId,
      rank,
      title: cutTo(`Copy of ${space.title}`, 50),
      emoji: space.emoji,
      editMode: space.editMode,
      defaultLevel: space.defaultLevel,
      language: space.language,
      revisionId: env.newId(),
      indexedUpTo: '',
    }
    await insertSpace(db, copy)
    // The pages, files and documents of the copy are the same stored ones: it costs one row whatever the size.
    await insertRevision(db, {
      ...revision,
      id: copy.revisionId,
      spaceId: id,
      parents: [],
      type: 'edits',
      createdBy: actor.user.id,
      createdAt: now,
      mergedFrom: null,
      begunAt: null,
    })
    // Search, links and the right to read its documents by id take time with each page: a job's, not the writer's.
    await enqueue(db, { kind: 'index', payload: { space: id }, uniqueKey: id })
    await keepCharge(base, 'space', copy, space.memberRole)
    await noteThing(base, 'space', copy, 'space_created', { copyOf: space.id })
    return presentSpace(copy, permissionsOf('space', { level: 'admin' }), env.urls)
  },

  async restoreSpace({ space, ...base }) {
    const { db, env, now } = base
    if (space.deletedAt === null) throw fail('conflict', 'The space is not deleted.')
    if (restorableUntil(space.deletedAt) <= now) throw fail('restore_expired')
    // Its collection may be gone since: then it comes back at the root.
    const parent = space.parentId === null ? undefined : await findCollection(db, { id: space.parentId })
    const change = { deletedAt: null, parentId: parent?.id ?? null, updatedAt: now }
    await updateSpace(db, space.id, change)
    await linksAreRight(db, linked(space))
    await noteThing(base, 'space', space, 'space_restored')
    const restored = { ...space, ...change }
    return presentSpace(restored, space.permissions, env.urls, await addressNow(base, restored))
  },

  async moveSpace({ space, body, ...base }) {
    const parent = body.parent === undefined ? space.parentId : body.parent
    await mayPlaceUnder(base, space, parent)
    if (parent !== space.parentId) await refuseSpaceMove(base, space, parent)
    const rank = await rankFor(base, {
      organizationId: space.organizationId,
      parent,
      self: space.id,
      position: body.position,
    })
    const change = { parentId: parent, rank, updatedAt: base.now }
    await updateSpace(base.db, space.id, change)
    await noteThing(base, 'space', space, 'space_moved', changesIn<SpaceRow>(space, { parentId: parent }))
    return presentSpace({ ...space, ...change }, space.permissions, base.env.urls, await addressNow(base, space))
  },

  async transferSpace({ space, body, ...base }) {
    const { source, target } = await transferBetween(base, space, body.organization)
    const { charge, level } = refuseTransfer(await contentAccess(base, source), target, { top: space })
    await refuseBound(base, [space.id])
    const rank = await rankFor(base, { organizationId: target.id, parent: null })
    const change = { organizationId: target.id, parentId: null, rank, updatedAt: base.now }
    await deleteRightsOn(base.db, [space.id])
    await forgetCredentials(base.db, space.id)
    await updateSpace(base.db, space.id, change)
    const moved = { ...space, ...change }
    await linksAreBroken(base.db, linked(space))
    await linksAreRight(base.db, linked(moved))
    await keepCharge(base, 'space', moved, target.role, charge)
    // Both organizations are told: the one it left, and the one it came to.
    const transfer = { from: space.organizationId, to: target.id }
    await noteThing(base, 'space', space, 'space_transferred', transfer)
    await noteThing(base, 'space', moved, 'space_transferred', transfer)
    return presentSpace(moved, permissionsOf('space', { level }), base.env.urls)
  },

  async listSpaceLinks({ space, query, ...base }) {
    return spaceLinks(base, space, query)
  },

  createSpace: readFirst(spaces.createSpace, {
    read: async ({ template }) => template && templateContent(template.id, 'template.id'),
    commit: async ({ organization, body, ...base }, template) => {
      const parent = body.parent ?? null
      if (parent !== null) await sameOrganization(base, parent, organization.id)
      const row = await makeSpace(base, organization, { ...body, parent }, template)
      return presentSpace(row, permissionsOf('space', { level: 'admin' }), base.env.urls)
    },
  }),

  async listSpacesInOrganizationById({ organization, query, ...base }) {
    const access = await contentAccess(base, organization)
    const { deleted } = query
    const filter = { organizationId: organization.id, visible: access.visible, deleted }
    const shown = withPublishedAddresses(base)
    return listOf({
      base,
      name: deleted ? `deleted-spaces:${organization.id}` : `spaces:${organization.id}`,
      query,
      rows: (page) => shown.load(listSpaces(base.db, filter, page)),
      count: () => countSpaces(base.db, filter),
      keyOf: (row) => ({ key: row.createdAt, id: row.id }),
      present: (row) => presentSpace(row, access.spacePermissions(row), base.env.urls, shown.of(row.id)),
    })
  },

  inviteToSpace: ({ space, body, ...base }) => grantHandlers.invite(base, { ...space, kind: 'space' }, body),
  listUserPermissionsInSpace: ({ space, query, ...base }) => grantHandlers.listUsers(base, space, query),
  updateUserPermissionInSpace: ({ space, user, body, ...base }) =>
    grantHandlers.putUser(base, { ...space, kind: 'space' }, user.id, body.role),
  removeUserFromSpace: ({ space, user, ...base }) =>
    grantHandlers.remove(base, { ...space, kind: 'space' }, 'user', user.id),
  listTeamPermissionsInSpace: ({ space, query, ...base }) => grantHandlers.listTeams(base, space, query),
  updateTeamPermissionInSpace: ({ space, params, body, ...base }) =>
    grantHandlers.putTeam(base, { ...space, kind: 'space' }, params.team, body.role),
  removeTeamFromSpace: ({ space, params, ...base }) =>
    grantHandlers.remove(base, { ...space, kind: 'space' }, 'team', params.team),
}

/** How a space is published. One that is deleted is shown nowhere until it comes back. */
const addressNow = (
  base: Base,
  space: { id: string; deletedAt: string | null; shownOn?: string | null },
  shareKey?: string,
) => (space.deletedAt === null ? publishedAddressOf(base, space, shareKey) : undefined)

/** Makes a space, empty or with the pages of a template; who makes it has charge of it. */
export async function makeSpace(
  base: Base,
  organization: { id: string; role: string | null },
  given: {
    parent: string | null
    title?: string | undefined
    emoji?: string | undefined
    editMode?: SpaceRow['editMode'] | undefined
    language?: string | undefined
  },
  template: Template | undefined,
): Promise<SpaceRow> {
  const { db, env, now, actor } = base
  const row: SpaceRow = {
    ...newSpace(base, organization.id),
    parentId: given.parent,
    rank: await rankFor(base, { organizationId: organization.id, parent: given.parent }),
    title: given.title?.trim() ? given.title : defaultTitle,
    emoji: given.emoji ?? defaultEmoji,
    editMode: given.editMode ?? 'live',
    language: given.language ?? null,
    revisionId: env.newId(),
  }
  await insertSpace(db, row)
  const writer = openContent(db)
  const content = template ? await template(writer, { newId: env.newId, now }) : emptyContent(writer)
  await writer.flush(db, row.id, content)
  await insertRevision(db, {
    id: row.revisionId,
    spaceId: row.id,
    parents: [],
    type: 'edits',
    content,
    createdBy: actor.user.id,
    createdAt: now,
    mergedFrom: null,
    git: null,
  })
  if (template) {
    const { id: organizationId } = organization
    await indexWholeSpace(db, { spaceId: row.id, content, organizationId, appUrl: env.urls.app, now })
  }
  await keepCharge(base, 'space', row, organization.role)
  await noteThing(base, 'space', row, 'space_created', { title: row.title })
  return row
}

/** A space as it is when new; it inherits who may see it. */
const newSpace = ({ env, actor, now }: Base, organizationId: string): SpaceRow => ({
  id: env.newId(),
  organizationId,
  parentId: null,
  rank: '',
  title: defaultTitle,
  emoji: defaultEmoji,
  editMode: 'live',
  defaultLevel: 'inherit',
  language: null,
  revisionId: '',
  createdBy: actor.user.id,
  createdAt: now,
  updatedAt: now,
  deletedAt: null,
  comments: 0,
  changeRequests: 0,
  changeRequestsOpen: 0,
  changeRequestsDraft: 0,
  indexedUpTo: null,
  gitSync: null,
})
