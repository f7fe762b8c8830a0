import { describe, expect, test } from 'vitest'
import { makeClient } from '../../src/client/client.ts'
import { inProcessTransport } from '../../src/client/in-process.ts'
import { actAs, actAsUserId, jobActor } from '../../src/domain/act-as.ts'
import { named } from '../../src/domain/named.ts'
import { findUser } from '../../src/store/people/users.ts'
import { sqlite } from '../kit/backends.ts'
import { useKit } from '../kit/server.ts'

describe('a job that acts for somebody', () => {
  const kit = useKit(sqlite)

  test('has the rights of that person, and no others', async () => {
    const { id: spaceId } = await kit.as.admin.createSpace({
      organizationId: kit.organization,
      body: { title: 'Jobs' },
    })
    const admin = await actAsUserId(kit, kit.people.admin.id, 'job1')
    const stranger = await actAsUserId(kit, kit.people.stranger.id, 'job1')
    if (!admin || !stranger) throw new Error('Both have accounts.')
    expect((await named(admin, 'space', spaceId, { ability: 'edit' })).title).toBe('Jobs')
    await expect(named(stranger, 'space', spaceId)).rejects.toThrow()
    expect(await actAsUserId(kit, 'gone', 'job1')).toBeUndefined()
  })

  test('is known by its id, and calls operations like anyone', async () => {
    const user = await findUser(kit.db, { id: kit.people.read.id })
    if (!user) throw new Error('They have an account.')
    expect(actAs(kit, user, 'job2').actor.credential).toEqual({ kind: 'job', id: 'job2' })
    const client = makeClient(inProcessTransport(kit.server.runners, jobActor(user, 'job2')))
    expect((await client.getAuthenticatedUser()).id).toBe(user.id)
    await expect(
      client.updateOrganizationById({ organizationId: kit.organization, body: { title: 'Mine' } }),
    ).rejects.toMatchObject({ status: 403 })
  })
})
