/** Threat 12: nobody gives themselves more than they have, by whatever operation, and an organization keeps an admin. */
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { updateCollection, updateSpace } from '../../src/store/content/spaces.ts'
import type { Connection } from '../../src/store/database.ts'
import { eachBackend } from '../kit/backends.ts'
import { type Kit, type Someone, useKit } from '../kit/server.ts'
import { changed, snapshotOf } from '../kit/snapshot.ts'

const below: Exclude<Someone, 'nobody' | 'stranger'>[] = [
  'guest',
  'read',
  'comment',
  'review',
  'edit',
  'create',
  'disabled',
]

eachBackend((backend) => {
  const kit = useKit(backend)
  const org = () => ({ organizationId: kit.organization })

  /** Refused with one of these, and nothing is written. */
  async function refused(as: Someone, name: string, input: Record<string, unknown>, statuses: number[]): Promise<void> {
    const before = await snapshotOf(kit.db)
    const { status } = await kit.call(as, name, input)
    expect(statuses, `${name} as ${as}: ${status}`).toContain(status)
    expect(changed(before, await snapshotOf(kit.db)), `${name} as ${as}`).toEqual([])
  }

  describe('threat 12: somebody who is no admin', () => {
    test.each(below)('does not raise their own role, as %s', async (someone) => {
      const member = { ...org(), userId: kit.people[someone].id }
      await refused(someone, 'updateMemberInOrganizationById', { ...member, body: { role: 'admin' } }, [403, 404])
      await refused(someone, 'setUserAsSSOMemberForOrganization', member, [403, 404])
    })

    test.each(below)('does not raise the role of those to come, as %s', async (someone) => {
      for (const body of [
        { defaultRole: 'admin' },
        { inviteLinks: true },
        { emailDomains: ['evil.test'] },
        { sso: true },
      ])
        await refused(someone, 'updateOrganizationById', { ...org(), body }, [403, 404])
    })

    test.each(below)('invites nobody as an admin, themselves included, as %s', async (someone) => {
      await refused(someone, 'createOrganizationInvite', { ...org(), body: { role: 'admin' } }, [403, 404])
      const body = { emails: [kit.people[someone].email], role: 'admin' }
      await refused(someone, 'inviteUsersToOrganization', { ...org(), body }, [403, 404])
    })

    test.each(below)('enters no team and owns none, as %s', async (someone) => {
      const team = await teamOf(kit)
      const key = { ...org(), teamId: team, userId: kit.people[someone].id }
      await refused(someone, 'addMemberToOrganizationTeamById', { ...key, body: { role: 'owner' } }, [403, 404])
      const memberships = { [kit.people[someone].id]: { role: 'owner' } }
      await refused(
        someone,
        'updateMembersInOrganizationTeam',
        { ...key, body: { add: [kit.people[someone].id], memberships } },
        [403, 404],
      )
      await refused(someone, 'createOrganizationTeam', { ...org(), body: { title: 'Mine' } }, [403, 404])
    })

    test.each(below)('sets up no provider that would sign them in as others, as %s', async (someone) => {
      await refused(someone, 'createOIDCProvider', { ...org(), body: { label: 'x', defaultRole: 'admin' } }, [403, 404])
      await refused(
        someone,
        'createOrganizationSAMLProvider',
        { ...org(), body: { label: 'x', defaultRole: 'admin' } },
        [403, 404],
      )
    })
  })

  describe('threat 12: the link of an invitation', () => {
    test('does not raise who is a member, is used once by each, and ends', async () => {
      const invite = await kit.as.admin.createOrganizationInvite({ ...org(), body: { role: 'admin' } })
      await refused('read', 'joinOrganizationWithInvite', { invite: invite.id }, [409])
      await refused('disabled', 'joinOrganizationWithInvite', { invite: invite.id }, [404])
      const low = await kit.as.admin.createOrganizationInvite({ ...org(), body: { role: 'read' } })
      const passing = await kit.addPerson({
        email: 'link@lectern.test',
        role: 'read',
        organization: kit.otherOrganization,
      })
      const client = kit.client(passing.token)
      await client.joinOrganizationWithInvite({ invite: low.id })
      await expect(client.joinOrganizationWithInvite({ invite: low.id })).rejects.toMatchObject({ status: 409 })
      await expect(client.joinOrganizationWithInvite({ invite: invite.id })).rejects.toMatchObject({ status: 409 })
      const member = { ...org(), userId: passing.id }
      expect((await kit.as.admin.getMemberInOrganizationById(member)).role).toBe('read')
      await kit.as.admin.deleteOrganizationInviteById({ ...org(), inviteId: low.id })
      await refused('stranger', 'joinOrganizationWithInvite', { invite: low.id }, [404])
      await kit.as.admin.updateOrganizationById({ ...org(), body: { inviteLinks: false } })
      await refused('stranger', 'joinOrganizationWithInvite', { invite: invite.id }, [404])
    })
  })

  describe('threat 12: the link of an invitation to a space or collection', () => {
    const newSpace = async (parent?: string) => (await kit.as.admin.createSpace({ ...org(), body: { parent } })).id
    const newShelf = async () => (await kit.as.admin.createCollection({ ...org(), body: { title: 'Shelf' } })).id
    const inviteTo = async (thing: { space: string } | { collection: string }, level: 'read' | 'admin' = 'admin') =>
      (await kit.as.admin.createOrganizationInvite({ ...org(), body: { level, ...thing } })).id

    beforeEach(() => kit.as.admin.updateOrganizationById({ ...org(), body: { inviteLinks: true } }))

    test('ends when what it is to goes to another organization', async () => {
      const target = await kit.as.admin.createOrganization({ body: { title: 'Target' } })
      const collection = await newShelf()
      const [inside, alone] = [await newSpace(collection), await newSpace()]
      const invites = [
        await inviteTo({ collection }),
        await inviteTo({ space: inside }),
        await inviteTo({ space: alone }),
      ]
      await kit.as.admin.transferCollection({ collectionId: collection, body: { organization: target.id } })
      await kit.as.admin.transferSpace({ spaceId: alone, body: { organization: target.id } })
      for (const invite of invites) {
        await refused('read', 'joinOrganizationWithInvite', { invite }, [404])
        await refused(
          'admin',
          'updateOrganizationInviteById',
          { ...org(), inviteId: invite, body: { level: 'read' } },
          [404],
        )
      }
    })

    test('does not count while the space is in the trash, nor after the collection is deleted', async () => {
      const [spaceId, collectionId] = [await newSpace(), await newShelf()]
      const [toSpace, toCollection] = [await inviteTo({ space: spaceId }), await inviteTo({ collection: collectionId })]
      await kit.as.admin.deleteSpaceById({ spaceId })
      await kit.as.admin.deleteCollectionById({ collectionId })
      for (const invite of [toSpace, toCollection]) {
        await refused('read', 'joinOrganizationWithInvite', { invite }, [404])
        await refused(
          'admin',
          'updateOrganizationInviteById',
          { ...org(), inviteId: invite, body: { level: 'read' } },
          [404],
        )
      }
      await kit.as.admin.restoreSpace({ spaceId })
      await kit.as.read.joinOrganizationWithInvite({ invite: toSpace })
      expect((await kit.as.read.getSpaceById({ spaceId })).permissions.admin).toBe(true)
    })

    test('does not count when another process has left it behind', async () => {
      const spaceId = await newSpace()
      const invite = await inviteTo({ space: spaceId })
      await updateSpace(kit.db, spaceId, { organizationId: kit.otherOrganization })
      await refused('read', 'joinOrganizationWithInvite', { invite }, [404])
    })

    test('keeps what was given before where that is more', async () => {
      const spaceId = await newSpace()
      await kit.as.admin.updateUserPermissionInSpace({ spaceId, userId: kit.people.edit.id, body: { role: 'admin' } })
      await refused('edit', 'joinOrganizationWithInvite', { invite: await inviteTo({ space: spaceId }, 'read') }, [409])
      const permissions = await kit.as.admin.listUserPermissionsInSpace({ spaceId })
      expect(permissions.items.find((item) => item.user.id === kit.people.edit.id)?.permission).toBe('admin')
      await kit.as.read.joinOrganizationWithInvite({ invite: await inviteTo({ space: spaceId }, 'read') })
      await kit.as.read.joinOrganizationWithInvite({ invite: await inviteTo({ space: spaceId }) })
      expect((await kit.as.read.getSpaceById({ spaceId })).permissions.admin).toBe(true)
    })
  })

  describe('threat 12: what is under way while a space or collection leaves the organization', () => {
    /** Carries out the operation while a transfer has moved the thing, and has not committed yet. */
    async function whileLeaving(leave: (tx: Connection) => Promise<unknown>, name: string, input: object) {
      let answer: ReturnType<typeof kit.call> | undefined
      await kit.db.transaction(
        async (tx) => {
          await leave(tx)
          answer = kit.call('admin', name, { ...input })
          await Promise.race([answer, sleep(200)])
        },
        { lock: 'tree' },
      )
      return (await answer)?.status
    }

    test('gives no rights on a space, and puts it on no site', async () => {
      const spaceId = (await kit.as.admin.createSpace(org())).id
      const other = (await kit.as.admin.createSpace(org())).id
      const site = await kit.as.admin.createSite({ ...org(), body: { title: 'Manual', spaces: [other] } })
      const onSite = { ...org(), siteId: site.id }
      const [shown] = (await kit.as.admin.listSiteSpaces(onSite)).items
      const team = await teamOf(kit)
      const role = { role: 'edit' }
      const inputs: Record<string, [object, number]> = {
        inviteToSpace: [{ spaceId, body: { users: [kit.people.read.id], ...role } }, 404],
        updateUserPermissionInSpace: [{ spaceId, userId: kit.people.read.id, body: role }, 404],
        updateTeamPermissionInSpace: [{ spaceId, team, body: role }, 404],
        createOrganizationInvite: [{ ...org(), body: { space: spaceId, level: 'edit' } }, 400],
        addSpaceToSite: [{ ...onSite, body: { spaceId } }, 404],
        updateSiteSpaceById: [{ ...onSite, siteSpaceId: shown?.id, body: { spaceId } }, 404],
        addSectionToSite: [{ ...onSite, body: { spaceId, title: 'More' } }, 404],
      }
      for (const [name, [input, status]] of Object.entries(inputs)) {
        await updateSpace(kit.db, spaceId, { organizationId: kit.organization })
        const leave = (tx: Connection) => updateSpace(tx, spaceId, { organizationId: kit.otherOrganization })
        expect([name, await whileLeaving(leave, name, input)]).toEqual([name, status])
      }
    })

    test('gives no rights on a collection', async () => {
      const collectionId = (await kit.as.admin.createCollection({ ...org(), body: { title: 'Shelf' } })).id
      const team = await teamOf(kit)
      const role = { role: 'edit' }
      const inputs: Record<string, [object, number]> = {
        inviteToCollection: [{ collectionId, body: { users: [kit.people.read.id], ...role } }, 404],
        updateUserPermissionInCollection: [{ collectionId, userId: kit.people.read.id, body: role }, 404],
        updateTeamPermissionInCollection: [{ collectionId, team, body: role }, 404],
        createOrganizationInvite: [{ ...org(), body: { collection: collectionId, level: 'edit' } }, 400],
      }
      for (const [name, [input, status]] of Object.entries(inputs)) {
        await updateCollection(kit.db, collectionId, { organizationId: kit.organization })
        const leave = (tx: Connection) => updateCollection(tx, collectionId, { organizationId: kit.otherOrganization })
        expect([name, await whileLeaving(leave, name, input)]).toEqual([name, status])
      }
    })
  })

  describe('threat 12: the last admin', () => {
    test('does not leave, and does not step down', async () => {
      const member = { ...org(), userId: kit.people.admin.id }
      await refused('admin', 'removeMemberFromOrganizationById', member, [409])
      await refused('admin', 'updateMemberInOrganizationById', { ...member, body: { role: 'read' } }, [409])
    })
  })
})

const teamOf = async (kit: Kit): Promise<string> =>
  (await kit.as.admin.createOrganizationTeam({ organizationId: kit.organization, body: { title: 'Admins' } })).id
