import { beforeAll, describe, expect, test } from 'vitest'
import { updateSpace } from '../../src/store/content/spaces.ts'
import { eachBackend } from '../kit/backends.ts'
import { scenarios } from '../kit/scenarios.ts'
import { type Kit, useKit } from '../kit/server.ts'

eachBackend((backend) => {
  const kit = useKit(backend)
  let shelf = ''
  let inner = ''
  let theirs = ''

  const make = async (k: Kit, body: { title: string; parent?: string }) =>
    (await k.as.admin.createCollection({ organizationId: k.organization, body })).id
  const fresh = async (k: Kit) => ({ params: { collectionId: await make(k, { title: 'Fresh' }) } })

  beforeAll(async () => {
    shelf = await make(kit, { title: 'Shelf' })
    inner = await make(kit, { title: 'Inner', parent: shelf })
    theirs = (await kit.as.stranger.createCollection({ organizationId: kit.otherOrganization })).id
  })

  const here = { params: (k: Kit) => ({ organizationId: k.organization }) }
  const collection = { params: () => ({ collectionId: shelf }) }

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'createCollection', {
    'needs a token':             { as: 'nobody', answers: 401 },
    'is hidden from strangers':  { as: 'stranger', answers: 404 },
    'hides others’ collections': { as: 'admin', body: () => ({ parent: theirs }), answers: 404 },
    'needs the right to create': { as: 'review', answers: 403 },
    'takes no 51st character':   { as: 'admin', body: { title: 'x'.repeat(51) }, answers: 400, field: 'title' },
    'needs no body':             { as: 'create', answers: 201, gives: { object: 'collection', title: 'Untitled collection', defaultLevel: 'inherit', permissions: { view: true, admin: true, create: true, viewInviteLinks: true } } },
    'makes one inside another':  { as: 'admin', body: () => ({ title: 'In', parent: shelf }), answers: 201, gives: { title: 'In' } },
  }, here)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'getCollectionById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'is hidden from guests':    { as: 'guest', answers: 404 },
    'shows it':                 { as: 'read', answers: 200, gives: { title: 'Shelf', permissions: { view: true, create: false, admin: false } } },
  }, collection)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateCollectionById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'needs an admin':           { as: 'create', answers: 403 },
    'takes no 101st character': { as: 'admin', body: { description: 'x'.repeat(101) }, answers: 400, field: 'description' },
    'takes no odd level':       { as: 'admin', body: { defaultLevel: 'all' }, answers: 400, field: 'defaultLevel' },
    'changes it':               { as: 'admin', given: fresh, body: { title: 'New', description: 'Words', defaultLevel: 'edit' }, answers: 200, writes: ['collection'], gives: { title: 'New', description: 'Words', defaultLevel: 'edit' } },
  }, { ...collection, body: { title: 'Shelf' } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'moveCollection', {
    'needs a token':             { as: 'nobody', answers: 401 },
    'is hidden from strangers':  { as: 'stranger', answers: 404 },
    'hides others’ collections': { as: 'admin', body: () => ({ parent: theirs }), answers: 404 },
    'needs the right to create': { as: 'review', answers: 403 },
    'goes not into itself':      { as: 'admin', body: () => ({ parent: shelf }), answers: 409, code: 'cycle' },
    'goes not into its own':     { as: 'admin', body: () => ({ parent: inner }), answers: 409, code: 'cycle' },
    'moves it':                  { as: 'create', given: fresh, body: () => ({ parent: shelf, position: { before: { type: 'collection', collection: inner } } }), answers: 200, writes: ['collection'] },
  }, { ...collection, body: { parent: null } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'transferCollection', {
    'needs a token':             { as: 'nobody', answers: 401 },
    'is hidden from strangers':  { as: 'stranger', answers: 404 },
    'hides other organizations': { as: 'admin', body: (k: Kit) => ({ organization: k.otherOrganization }), answers: 404 },
    'needs the right to create': { as: 'review', answers: 403 },
    'stays where it is':         { as: 'admin', answers: 409, code: 'same_organization' },
  }, { ...collection, body: (k: Kit) => ({ organization: k.organization }) })

  describe('lists', () => {
    test('show nested ones unless told otherwise', async () => {
      const organizationId = kit.organization
      const all = await kit.as.read.listCollectionsInOrganizationById({ organizationId, query: { limit: 1000 } })
      const top = await kit.as.read.listCollectionsInOrganizationById({
        organizationId,
        query: { limit: 1000, nested: false },
      })
      expect(all.items.map((item) => item.id)).toContain(inner)
      expect(top.items.map((item) => item.id)).not.toContain(inner)
      expect(top.items.every((item) => item.parent === undefined)).toBe(true)
    })

    test('are all met by a walk during which others are deleted, made and moved', async () => {
      const organizationId = (await kit.as.admin.createOrganization({ body: { title: 'Walked' } })).id
      const fresh = async (title: string) =>
        (await kit.as.admin.createCollection({ organizationId, body: { title } })).id
      const next = (page?: string) =>
        kit.as.admin.listCollectionsInOrganizationById({
          organizationId,
          query: { limit: 2, ...(page ? { page } : {}) },
        })
      const [c0 = '', c1 = '', c2 = '', c3 = ''] = [
        await fresh('c0'),
        await fresh('c1'),
        await fresh('c2'),
        await fresh('c3'),
      ]
      const first = await next()
      expect(first.items.map(({ id }) => id)).toEqual([c0, c1])
      await kit.as.admin.deleteCollectionById({ collectionId: c1 })
      const second = await next(first.next?.page)
      expect(second.items.map(({ id }) => id)).toEqual([c2, c3])
      expect(second.next).toBeUndefined()
      // What moves behind the place is met once more; what stays is not lost for it.
      const begun = await next()
      const position = { after: { type: 'collection' as const, collection: c3 } }
      await kit.as.admin.moveCollection({ collectionId: c2, body: { position } })
      expect((await next(begun.next?.page)).items.map(({ id }) => id)).toEqual([c3, c2])
    })

    test('show the spaces of a collection in the order people put them', async () => {
      const organizationId = kit.organization
      const parent = await make(kit, { title: 'Ordered' })
      const ids: string[] = []
      for (const title of ['a', 'b', 'c'])
        ids.push((await kit.as.admin.createSpace({ organizationId, body: { title, parent } })).id)
      const [a = '', , c = ''] = ids
      await kit.as.admin.moveSpace({ spaceId: c, body: { position: { before: { type: 'space', space: a } } } })
      const { items, count } = await kit.as.read.listSpacesInCollectionById({ collectionId: parent })
      expect(items.map((item) => item.title)).toEqual(['c', 'a', 'b'])
      expect(count).toBe(3)
    })
  })

  test('deleting one moves what it held up to its parent', async () => {
    const organizationId = kit.organization
    const parent = await make(kit, { title: 'Outer' })
    const doomed = await make(kit, { title: 'Doomed', parent })
    const below = await make(kit, { title: 'Below', parent: doomed })
    const space = await kit.as.admin.createSpace({ organizationId, body: { title: 'Kept', parent: doomed } })
    expect((await kit.call('admin', 'deleteCollectionById', { collectionId: doomed })).status).toBe(204)
    expect((await kit.call('admin', 'deleteCollectionById', { collectionId: doomed })).status).toBe(204)
    expect((await kit.as.admin.getSpaceById({ spaceId: space.id })).parent).toBe(parent)
    expect((await kit.as.admin.getCollectionById({ collectionId: below })).parent).toBe(parent)
  })

  test('two moves at once never make a cycle', async () => {
    for (let round = 0; round < 10; round++) {
      const one = await make(kit, { title: 'One' })
      const two = await make(kit, { title: 'Two' })
      const answers = await Promise.all([
        kit.call('admin', 'moveCollection', { collectionId: one, body: { parent: two } }),
        kit.call('admin', 'moveCollection', { collectionId: two, body: { parent: one } }),
      ])
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
    }
  })

  test('a transfer takes everything below along', async () => {
    const organizationId = kit.organization
    const top = await make(kit, { title: 'Top' })
    const below = await make(kit, { title: 'Below', parent: top })
    const space = await kit.as.admin.createSpace({ organizationId, body: { title: 'Deep', parent: below } })
    const target = await kit.as.admin.createOrganization({ body: { title: 'Target' } })
    await kit.as.admin.transferCollection({ collectionId: top, body: { organization: target.id } })
    expect((await kit.as.admin.getSpaceById({ spaceId: space.id })).organization).toBe(target.id)
    expect((await kit.as.admin.getCollectionById({ collectionId: below })).organization).toBe(target.id)
    expect((await kit.call('create', 'getSpaceById', { spaceId: space.id })).status).toBe(404)
  })

  describe('a move or transfer raises nobody', () => {
    const hidden = { defaultLevel: null }
    const space = async (parent?: string) =>
      (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Secret', parent } })).id
    const own = async () =>
      (await kit.as.create.createCollection({ organizationId: kit.organization, body: { title: 'Own' } })).id
    const moveTo = (collectionId: string, parent: string) =>
      kit.call('create', 'moveCollection', { collectionId, body: { parent } })

    test('on a hidden space below a collection', async () => {
      const collection = await make(kit, { title: 'Holds a secret' })
      const spaceId = await space(collection)
      await kit.as.admin.updateSpaceById({ spaceId, body: hidden })
      const answer = await moveTo(collection, await own())
      expect(answer.status).toBe(403)
      expect(JSON.stringify(answer.body)).not.toContain(spaceId)
      expect((await kit.call('create', 'getSpaceById', { spaceId })).status).toBe(404)
      expect((await kit.call('create', 'moveCollection', { collectionId: collection, body: {} })).status).toBe(200)
      expect(
        (await kit.call('admin', 'moveCollection', { collectionId: collection, body: { parent: shelf } })).status,
      ).toBe(200)
    })

    test('on a hidden collection, a lower one, or one in the trash', async () => {
      for (const change of [hidden, { defaultLevel: 'read' as const }]) {
        const collection = await make(kit, { title: 'Outer' })
        const collectionId = await make(kit, { title: 'Inner', parent: collection })
        await kit.as.admin.updateCollectionById({ collectionId, body: change })
        expect((await moveTo(collection, await own())).status).toBe(403)
      }
      const collection = await make(kit, { title: 'Holds trash' })
      const spaceId = await space(collection)
      await kit.as.admin.updateSpaceById({ spaceId, body: hidden })
      await kit.as.admin.deleteSpaceById({ spaceId })
      expect((await moveTo(collection, await own())).status).toBe(403)
    })

    test('from creating to administering, of a collection or a space', async () => {
      const [parent, collectionId, spaceId] = [await own(), await make(kit, { title: 'Theirs' }), await space()]
      expect((await moveTo(collectionId, parent)).status).toBe(403)
      expect((await kit.call('create', 'moveSpace', { spaceId, body: { parent } })).status).toBe(403)
      expect((await moveTo(collectionId, shelf)).status).toBe(200)
      expect((await kit.call('create', 'moveSpace', { spaceId, body: { parent: shelf } })).status).toBe(200)
      const mine = await own()
      expect((await moveTo(mine, parent)).status).toBe(200)
      expect((await kit.as.create.getCollectionById({ collectionId: mine })).permissions.admin).toBe(true)
    })

    test('by a transfer, after which they have what they had', async () => {
      const organization = kit.otherOrganization
      const { id, token } = await kit.addPerson({ email: `mover-${backend.name}@lectern.test`, role: 'create' })
      const mover = kit.client(token)
      const invite = await kit.as.stranger.createOrganizationInvite({
        organizationId: organization,
        body: { role: 'create' },
      })
      await mover.joinOrganizationWithInvite({ invite: invite.id })
      const collectionId = await make(kit, { title: 'Goes' })
      const spaceId = await space(collectionId)
      await kit.as.admin.updateSpaceById({ spaceId, body: hidden })
      await expect(mover.transferCollection({ collectionId, body: { organization } })).rejects.toMatchObject({
        status: 403,
      })
      await kit.as.admin.updateSpaceById({ spaceId, body: { defaultLevel: 'inherit' } })
      const gone = await mover.transferCollection({ collectionId, body: { organization } })
      expect(gone.permissions).toMatchObject({ create: true, admin: false })
      expect((await mover.getSpaceById({ spaceId })).permissions).toMatchObject({ edit: true, admin: false })
      const alone = await space()
      const member = { organizationId: organization, userId: id }
      await kit.as.stranger.updateMemberInOrganizationById({ ...member, body: { role: 'admin' } })
      // What an organization comes to own is its admins', whoever brings it.
      expect((await mover.transferSpace({ spaceId: alone, body: { organization } })).permissions.admin).toBe(true)
      await kit.as.stranger.updateMemberInOrganizationById({ ...member, body: { role: 'create' } })
      expect((await mover.getSpaceById({ spaceId: alone })).permissions).toMatchObject({ edit: true, admin: false })
    })
  })

  describe('deleting one', () => {
    const organizationId = () => kit.organization
    const newSpace = async (parent?: string, title = 'Kept') =>
      (await kit.as.admin.createSpace({ organizationId: organizationId(), body: { title, parent } })).id
    const close = (collectionId: string) =>
      kit.as.admin.updateCollectionById({ collectionId, body: { defaultLevel: null } })
    const share = (collectionId: string, someone: 'guest' | 'read' | 'edit', role: 'read' | 'edit' | 'admin') =>
      kit.as.admin.updateUserPermissionInCollection({ collectionId, userId: kit.people[someone].id, body: { role } })
    const sees = async (someone: 'guest' | 'read' | 'edit', spaceId: string) =>
      (await kit.call(someone, 'getSpaceById', { spaceId })).status === 200

    test('opens nothing that it hid, and shuts out nobody', async () => {
      const collectionId = await make(kit, { title: 'Closed' })
      const [kept, trashed] = [await newSpace(collectionId), await newSpace(collectionId)]
      const inner = await make(kit, { title: 'Inner', parent: collectionId })
      const deep = await newSpace(inner)
      await kit.as.admin.deleteSpaceById({ spaceId: trashed })
      await close(collectionId)
      await share(collectionId, 'guest', 'read')
      await share(collectionId, 'edit', 'read')
      await kit.as.admin.updateUserPermissionInSpace({
        spaceId: kept,
        userId: kit.people.edit.id,
        body: { role: 'admin' },
      })
      await kit.as.admin.deleteCollectionById({ collectionId })
      await kit.as.admin.restoreSpace({ spaceId: trashed })
      for (const spaceId of [kept, trashed, deep]) {
        expect(await sees('read', spaceId)).toBe(false)
        expect(await sees('guest', spaceId)).toBe(true)
        expect(await sees('edit', spaceId)).toBe(true)
      }
      expect((await kit.as.edit.getSpaceById({ spaceId: kept })).permissions.admin).toBe(true)
      expect((await kit.as.edit.getSpaceById({ spaceId: trashed })).permissions.edit).toBe(false)
      expect((await kit.as.admin.getSpaceById({ spaceId: kept })).defaultLevel).toBeNull()
      expect((await kit.as.admin.getCollectionById({ collectionId: inner })).defaultLevel).toBeNull()
      expect((await kit.as.admin.getSpaceById({ spaceId: deep })).defaultLevel).toBe('inherit')
    })

    test('needs the right to create where what it holds will stand', async () => {
      for (const outer of [undefined, await make(kit, { title: 'Outer' })]) {
        const collectionId = await make(kit, { title: 'Lent', ...(outer && { parent: outer }) })
        const spaceId = await newSpace(collectionId)
        await share(collectionId, 'guest', 'admin')
        expect((await kit.call('guest', 'deleteCollectionById', { collectionId })).status).toBe(403)
        await kit.as.admin.moveSpace({ spaceId, body: { parent: null } })
        expect((await kit.call('guest', 'deleteCollectionById', { collectionId })).status).toBe(204)
      }
    })

    test('leaves what it held in its place and order, to be moved among the others', async () => {
      const parent = await make(kit, { title: 'Ordered' })
      await newSpace(parent, 'A')
      const collectionId = await make(kit, { title: 'C', parent })
      for (const title of ['X', 'Y', 'Z']) await newSpace(collectionId, title)
      const d = await newSpace(parent, 'D')
      await kit.as.admin.deleteCollectionById({ collectionId })
      const order = async () =>
        (await kit.as.admin.listSpacesInCollectionById({ collectionId: parent })).items.map(({ title, id }) => ({
          title,
          id,
        }))
      const titles = async () => (await order()).map(({ title }) => title).join('')
      expect(await titles()).toBe('AXYZD')
      const [a] = await order()
      await kit.as.admin.moveSpace({ spaceId: d, body: { position: { after: { type: 'space', space: a?.id ?? '' } } } })
      expect(await titles()).toBe('ADXYZ')
    })
  })

  test('a move has its effect among siblings of one rank', async () => {
    const parent = await make(kit, { title: 'Tied' })
    for (const title of ['a', 'b', 'c', 'd'])
      await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title, parent } })
    const order = async () => (await kit.as.admin.listSpacesInCollectionById({ collectionId: parent })).items
    for (const { id } of await order()) await updateSpace(kit.db, id, { rank: 'a0' })
    const [first, second, third, last] = (await order()).map(({ id }) => id)
    const body = { position: { after: { type: 'space' as const, space: first ?? '' } } }
    await kit.as.admin.moveSpace({ spaceId: last ?? '', body })
    expect((await order()).map(({ id }) => id)).toEqual([first, last, second, third])
  })

  test('are nested sixteen deep at most, also by a move', async () => {
    const chain = async (length: number) => {
      const ids = [await make(kit, { title: 'Top' })]
      while (ids.length < length) ids.push(await make(kit, { title: 'Below', parent: ids.at(-1) ?? '' }))
      return { top: ids[0] ?? '', end: ids.at(-1) ?? '' }
    }
    const [upper, lower] = [await chain(9), await chain(8)]
    const answer = await kit.call('admin', 'moveCollection', { collectionId: lower.top, body: { parent: upper.end } })
    expect(answer.status).toBe(400)
    const inner = (await kit.as.admin.getCollectionById({ collectionId: upper.end })).parent
    const body = { parent: inner ?? null }
    expect((await kit.call('admin', 'moveCollection', { collectionId: lower.top, body })).status).toBe(200)
    const organizationId = kit.organization
    const deeper = await kit.call('admin', 'createCollection', { organizationId, body: { parent: lower.end } })
    expect(deeper.status).toBe(400)
  })
})
