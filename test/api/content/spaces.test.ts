import { beforeAll, describe, expect, test } from 'vitest'
import { eachBackend } from '../../kit/backends.ts'
import { scenarios } from '../../kit/scenarios.ts'
import { type Kit, useKit } from '../../kit/server.ts'

const day = 24 * 60 * 60 * 1000

eachBackend((backend) => {
  const kit = useKit(backend)
  let manual = ''
  let shelf = ''
  let theirs = ''

  const newSpace = async (k: Kit, body: Record<string, unknown> = {}) => {
    const made = await k.as.admin.createSpace({ organizationId: k.organization, body: { title: 'Fresh', ...body } })
    return { params: { spaceId: made.id } }
  }

  beforeAll(async () => {
    const organizationId = kit.organization
    manual = (await kit.as.admin.createSpace({ organizationId, body: { title: 'Manual', emoji: '📗' } })).id
    shelf = (await kit.as.admin.createCollection({ organizationId, body: { title: 'Shelf' } })).id
    theirs = (
      await kit.as.stranger.createCollection({ organizationId: kit.otherOrganization, body: { title: 'Theirs' } })
    ).id
  })

  const here = { params: (k: Kit) => ({ organizationId: k.organization }) }
  const space = { params: () => ({ spaceId: manual }) }

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'createSpace', {
    'needs a token':              { as: 'nobody', answers: 401 },
    'is hidden from strangers':   { as: 'stranger', answers: 404 },
    'has no such collection':     { as: 'admin', body: { parent: 'gone0000000000000000' }, answers: 404 },
    'hides others’ collections':  { as: 'admin', body: () => ({ parent: theirs }), answers: 404 },
    'needs the right to create':  { as: 'review', answers: 403 },
    'takes no 51st character':    { as: 'admin', body: { title: 'x'.repeat(51) }, answers: 400, field: 'title' },
    'takes no 51st of an emoji':  { as: 'admin', body: { emoji: 'x'.repeat(51) }, answers: 400, field: 'emoji' },
    'takes no odd mode':          { as: 'admin', body: { editMode: 'open' }, answers: 400, field: 'editMode' },
    'is empty or from a template': { as: 'admin', body: { empty: true, template: { id: 'blank' } }, answers: 400, field: 'empty' },
    'takes no odd template':      { as: 'admin', body: { template: { id: 'none' } }, answers: 400, field: 'template.id' },
    'takes no number for a title': { as: 'admin', body: { title: 5 }, answers: 400, field: 'title' },
    'has a title in any case':    { as: 'create', body: { title: ' ' }, answers: 201, gives: { title: 'Untitled space' } },
    'needs no body':              { as: 'create', answers: 201, gives: { object: 'space', title: 'Untitled space', emoji: '📘', visibility: 'private', editMode: 'live', defaultLevel: 'inherit', comments: 0, changeRequests: 0, changeRequestsOpen: 0, changeRequestsDraft: 0 } },
    'makes one in a collection':  { as: 'admin', body: () => ({ title: 'In', parent: shelf, editMode: 'locked', language: 'fr' }), answers: 201, gives: { title: 'In', visibility: 'in-collection', editMode: 'locked', language: 'fr', permissions: { admin: true } } },
    'fills one from a template':  { as: 'admin', body: { template: { id: 'product-docs' } }, answers: 201 },
  }, here)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'getSpaceById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'is hidden from guests':    { as: 'guest', answers: 404 },
    'has no such space':        { as: 'admin', params: { spaceId: 'gone0000000000000000' }, answers: 404 },
    'shows it':                 { as: 'read', answers: 200, gives: { object: 'space', title: 'Manual', emoji: '📗', permissions: { view: true, access: true, comment: false, edit: false, merge: false, review: false, admin: false } } },
    'tells reviewers':          { as: 'review', answers: 200, gives: { permissions: { edit: true, review: true, merge: true, admin: false } } },
  }, space)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateSpaceById', {
    'needs a token':             { as: 'nobody', answers: 401 },
    'is hidden from strangers':  { as: 'stranger', answers: 404 },
    'needs an admin':            { as: 'create', answers: 403 },
    'takes no 51st character':   { as: 'admin', body: { title: 'x'.repeat(51) }, answers: 400, field: 'title' },
    'takes no odd level':        { as: 'admin', body: { defaultLevel: 'owner' }, answers: 400, field: 'defaultLevel' },
    'takes no odd mode':         { as: 'admin', body: { editMode: null }, answers: 400, field: 'editMode' },
    'takes no emoji of 54 characters': { as: 'admin', body: { emoji: '1f469-1f3fb-200d-2764-fe0f-200d-1f48b-200d-1f469-1f3fb' }, answers: 400, field: 'emoji' },
    'takes no blank title':      { as: 'admin', body: { title: '  ' }, answers: 400, field: 'title' },
    'changes it':                { as: 'admin', given: newSpace, body: { title: 'New', emoji: '📙', editMode: 'locked', defaultLevel: 'comment' }, answers: 200, writes: ['space'], gives: { title: 'New', emoji: '📙', editMode: 'locked', defaultLevel: 'comment' } },
    'takes the emoji away':      { as: 'admin', given: newSpace, body: { emoji: null }, answers: 200, gives: { emoji: '' } },
    'takes it away as it tells it': { as: 'admin', given: newSpace, body: { emoji: '' }, answers: 200, gives: { emoji: '' } },
    'closes it to all but admins': { as: 'admin', given: newSpace, body: { defaultLevel: null }, answers: 200, gives: { defaultLevel: null } },
    'drops what it does not know': { as: 'admin', given: newSpace, body: { object: 'x', id: 'y', organization: 'z' }, answers: 200, gives: { object: 'space', title: 'Fresh' } },
  }, { ...space, body: { title: 'Manual' } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'duplicateSpace', {
    'needs a token':             { as: 'nobody', answers: 401 },
    'is hidden from strangers':  { as: 'stranger', answers: 404 },
    'needs the right to create': { as: 'review', answers: 403 },
    'needs it in the collection': { as: 'create', given: async (k: Kit) => {
      const organizationId = k.organization
      const { id } = await k.as.admin.createCollection({ organizationId, body: { title: 'Read only' } })
      await k.as.admin.updateCollectionById({ collectionId: id, body: { defaultLevel: 'read' } })
      return newSpace(k, { parent: id })
    }, answers: 403 },
    'needs to see the collection': { as: 'create', given: async (k: Kit) => {
      const organizationId = k.organization
      const { id } = await k.as.admin.createCollection({ organizationId, body: { title: 'Hidden' } })
      await k.as.admin.updateCollectionById({ collectionId: id, body: { defaultLevel: null } })
      const { params } = await newSpace(k, { parent: id })
      await k.as.admin.updateUserPermissionInSpace({ ...params, userId: k.people.create.id, body: { role: 'create' } })
      return { params }
    }, answers: 403 },
    'makes a copy':              { as: 'create', answers: 201, gives: { title: 'Copy of Manual', emoji: '📗', permissions: { admin: true } } },
  }, space)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'moveSpace', {
    'needs a token':             { as: 'nobody', answers: 401 },
    'is hidden from strangers':  { as: 'stranger', answers: 404 },
    'hides others’ collections': { as: 'admin', body: () => ({ parent: theirs }), answers: 404 },
    'takes no stranger for a neighbour': { as: 'admin', body: () => ({ position: { before: { type: 'space', space: 'gone0000000000000000' } } }), answers: 404 },
    'needs the right to create': { as: 'review', body: () => ({ parent: shelf }), answers: 403 },
    'takes no neighbour from elsewhere': { as: 'admin', body: () => ({ parent: shelf, position: { before: { type: 'space', space: manual } } }), answers: 400, field: 'position.before' },
    'takes no odd position':     { as: 'admin', body: { position: { before: { type: 'page' } } }, answers: 400 },
    'moves it into a collection': { as: 'create', given: newSpace, body: () => ({ parent: shelf }), answers: 200, writes: ['space'], gives: { visibility: 'in-collection' } },
  }, { ...space, body: { parent: null } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'transferSpace', {
    'needs a token':             { as: 'nobody', answers: 401 },
    'is hidden from strangers':  { as: 'stranger', answers: 404 },
    'hides other organizations': { as: 'admin', body: (k: Kit) => ({ organization: k.otherOrganization }), answers: 404 },
    'needs the right to create': { as: 'review', body: (k: Kit) => ({ organization: k.organization }), answers: 403 },
    'needs an organization':     { as: 'admin', body: {}, answers: 400, field: 'organization' },
    'stays where it is':         { as: 'admin', body: (k: Kit) => ({ organization: k.organization }), answers: 409, code: 'same_organization' },
  }, { ...space, body: (k: Kit) => ({ organization: k.organization }) })

  describe('a transfer', () => {
    test('takes the content along and leaves the grants behind', async () => {
      const { params } = await newSpace(kit)
      await kit.as.admin.updateSpaceContent({
        ...params,
        body: { changes: [{ operation: 'insert_page', title: 'One', document: { markdown: 'words' } }] },
      })
      await kit.as.admin.inviteToSpace({ ...params, body: { role: 'edit', users: [kit.people.guest.id] } })
      const target = await kit.as.admin.createOrganization({ body: { title: 'Target' } })
      const moved = await kit.as.admin.transferSpace({ ...params, body: { organization: target.id } })
      expect(moved.organization).toBe(target.id)
      expect((await kit.as.admin.listPages(params)).pages).toHaveLength(1)
      expect((await kit.call('guest', 'getSpaceById', params)).status).toBe(404)
      expect((await kit.call('create', 'getSpaceById', params)).status).toBe(404)
    })
  })

  describe('deleting and restoring', () => {
    test('hides all but the space itself for seven days, then for good', async () => {
      const { params } = await newSpace(kit)
      await kit.as.admin.updateSpaceContent({
        ...params,
        body: { changes: [{ operation: 'insert_page', title: 'Zanzibar', document: { markdown: 'words' } }] },
      })
      expect((await kit.call('admin', 'restoreSpace', params)).status).toBe(409)
      expect((await kit.call('admin', 'deleteSpaceById', params)).status).toBe(204)
      expect((await kit.call('admin', 'deleteSpaceById', params)).status).toBe(204)
      expect((await kit.as.admin.getSpaceById(params)).deletedAt).toBeDefined()
      expect((await kit.call('admin', 'listPages', params)).status).toBe(404)
      expect((await kit.call('admin', 'updateSpaceById', { ...params, body: { title: 'No' } })).status).toBe(404)
      const trash = await kit.as.admin.listSpacesInOrganizationById({
        organizationId: kit.organization,
        query: { limit: 1000, deleted: true },
      })
      expect(trash.items.map(({ id }) => id)).toContain(params.spaceId)
      expect(trash.items.every(({ deletedAt }) => deletedAt !== undefined)).toBe(true)
      const { items } = await kit.as.admin.listSpacesInOrganizationById({
        organizationId: kit.organization,
        query: { limit: 1000 },
      })
      expect(items.map((item) => item.id)).not.toContain(params.spaceId)
      const search = { organizationId: kit.organization, query: { query: 'zanzibar' } }
      expect((await kit.as.admin.searchOrganizationContent(search)).count).toBe(0)
      kit.clock.advance(6 * day)
      const restored = await kit.as.admin.restoreSpace(params)
      expect(restored.deletedAt).toBeUndefined()
      expect((await kit.as.admin.listPages(params)).pages).toHaveLength(1)
      expect((await kit.as.admin.searchOrganizationContent(search)).count).toBe(1)
      await kit.as.admin.deleteSpaceById(params)
      kit.clock.advance(8 * day)
      expect((await kit.call('admin', 'restoreSpace', params)).status).toBe(410)
      expect((await kit.call('admin', 'getSpaceById', params)).status).toBe(404)
    })

    test('of what is not there does nothing', async () => {
      expect((await kit.call('admin', 'deleteSpaceById', { spaceId: 'gone0000000000000000' })).status).toBe(204)
      expect((await kit.call('stranger', 'deleteSpaceById', { spaceId: manual })).status).toBe(204)
      expect((await kit.as.admin.getSpaceById({ spaceId: manual })).deletedAt).toBeUndefined()
    })
  })

  describe('who sees a space', () => {
    test('follows grants, teams, collections and default levels', async () => {
      const organizationId = kit.organization
      const closed = (await kit.as.admin.createCollection({ organizationId, body: { title: 'Closed' } })).id
      await kit.as.admin.updateCollectionById({ collectionId: closed, body: { defaultLevel: null } })
      const { params } = await newSpace(kit, { parent: closed })
      const sees = async (who: 'read' | 'guest' | 'edit') => {
        const direct = (await kit.call(who, 'getSpaceById', params)).status === 200
        const { items } = await kit.as[who].listSpacesInOrganizationById({ organizationId, query: { limit: 1000 } })
        // The list and the thing itself must never disagree.
        expect(items.some((item) => item.id === params.spaceId)).toBe(direct)
        return direct
      }
      expect(await sees('read')).toBe(false)
      await kit.as.admin.inviteToSpace({ ...params, body: { role: 'comment', users: [kit.people.guest.id] } })
      expect(await sees('guest')).toBe(true)
      expect((await kit.as.guest.getSpaceById(params)).permissions).toMatchObject({ comment: true, edit: false })
      const team = await kit.as.admin.createOrganizationTeam({
        organizationId,
        body: { title: 'T', members: [kit.people.read.id] },
      })
      await kit.as.admin.inviteToCollection({ collectionId: closed, body: { role: 'edit', teams: [team.id] } })
      expect(await sees('read')).toBe(true)
      expect((await kit.as.read.getSpaceById(params)).permissions.edit).toBe(true)
      await kit.as.admin.removeTeamFromCollection({ collectionId: closed, team: team.id })
      expect(await sees('read')).toBe(false)
      await kit.as.admin.updateSpaceById({ ...params, body: { defaultLevel: 'read' } })
      expect(await sees('read')).toBe(true)
      expect((await kit.as.edit.getSpaceById(params)).permissions.edit).toBe(false)
      await kit.as.admin.removeUserFromSpace({ ...params, userId: kit.people.guest.id })
      expect((await kit.as.admin.listUserPermissionsInSpace(params)).count).toBe(0)
    })
  })
})
