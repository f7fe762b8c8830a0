/** What is told of things to those who may not see them: guests, members without a right on a space, strangers. */
import { describe, expect, test } from 'vitest'
import { eachBackend } from '../kit/backends.ts'
import { type Kit, useKit } from '../kit/server.ts'
import { makeSite, makeSpace } from './sites/site-things.ts'

eachBackend((backend) => {
  const kit = useKit(backend)

  describe('a default level', () => {
    test('gives guests nothing, on spaces and below collections', async () => {
      const { organization: organizationId } = kit
      const collection = await kit.as.admin.createCollection({ organizationId, body: { title: 'Open' } })
      const alone = await makeSpace(kit, 'Alone')
      const inside = await kit.as.admin.createSpace({ organizationId, body: { title: 'In', parent: collection.id } })
      const spaces = [alone, inside.id]
      for (const defaultLevel of ['edit', 'admin'] as const) {
        await kit.as.admin.updateSpaceById({ spaceId: alone, body: { defaultLevel } })
        await kit.as.admin.updateCollectionById({ collectionId: collection.id, body: { defaultLevel } })
        for (const spaceId of spaces) {
          expect((await kit.call('guest', 'getSpaceById', { spaceId })).status).toBe(404)
          // Deleting what one does not see answers like deleting what is not there, and changes nothing.
          await kit.call('guest', 'deleteSpaceById', { spaceId })
          expect((await kit.as.read.getSpaceById({ spaceId })).permissions.edit).toBe(true)
        }
        expect((await kit.call('guest', 'getCollectionById', { collectionId: collection.id })).status).toBe(404)
        expect((await kit.as.guest.listSpacesInOrganizationById({ organizationId })).count).toBe(0)
        expect((await kit.as.guest.listCollectionsInOrganizationById({ organizationId })).count).toBe(0)
      }
    })

    test('leaves guests what was granted to them', async () => {
      const { organization: organizationId } = kit
      const collection = await kit.as.admin.createCollection({ organizationId, body: { title: 'Shared' } })
      const given = await kit.as.admin.createSpace({ organizationId, body: { title: 'G', parent: collection.id } })
      const { id } = kit.people.guest
      await kit.as.admin.inviteToCollection({ collectionId: collection.id, body: { role: 'comment', users: [id] } })
      await kit.as.admin.updateSpaceById({ spaceId: given.id, body: { defaultLevel: 'admin' } })
      const { permissions } = await kit.as.guest.getSpaceById({ spaceId: given.id })
      expect([permissions.comment, permissions.edit]).toEqual([true, false])
      const listed = await kit.as.guest.listSpacesInOrganizationById({ organizationId })
      expect(listed.items.map((space) => space.id)).toEqual([given.id])
    })
  })

  describe('an id inside a document', () => {
    const linksFrom = async (kit: Kit, markdown: string) => {
      const spaceId = await makeSpace(kit, 'Mentions', [{ title: 'Page', markdown }])
      const { pages } = await kit.as.admin.listPages({ spaceId })
      const [page] = pages
      return kit.as.read.listPageLinksInSpace({ spaceId, pageId: page?.id ?? '' })
    }

    test('of a user of another organization tells neither name nor address, nor that they exist', async () => {
      const { stranger } = kit.people
      const { items } = await linksFrom(kit, `[@someone](/users/${stranger.id}) and [@no one](/users/nobodyAtAll)`)
      expect(items.map(({ status, targetReference }) => [status, targetReference])).toEqual([
        ['broken', undefined],
        ['broken', undefined],
      ])
      expect(JSON.stringify(items)).not.toContain(stranger.email)
    })

    test('of a colleague tells who it is', async () => {
      const { edit } = kit.people
      const { items } = await linksFrom(kit, `[@colleague](/users/${edit.id})`)
      expect(items).toMatchObject([{ status: 'ok', targetReference: { kind: 'user', user: { email: edit.email } } }])
    })

    test('of a space is resolved for who sees the space', async () => {
      const open = await makeSpace(kit, 'Open to all')
      const closed = await makeSpace(kit, 'Closed to most')
      await kit.as.admin.updateSpaceById({ spaceId: closed, body: { defaultLevel: null } })
      const { items } = await linksFrom(kit, `[one](/spaces/${open}) [two](/spaces/${closed})`)
      const titles = items.map(({ targetReference }) => targetReference?.space?.title)
      expect(titles.toSorted()).toEqual(['Open to all', undefined])
    })
  })

  describe('a space on a site', () => {
    test('that a member may not see is told by its path alone before the site is published', async () => {
      const hidden = await makeSpace(kit, 'Secret plans')
      await kit.as.admin.updateSpaceById({ spaceId: hidden, body: { defaultLevel: null, emoji: '1f512' } })
      const site = await makeSite(kit, { spaces: [hidden] })
      const [placed] = (await kit.as.admin.listSiteSpaces(site)).items
      await kit.as.admin.updateSiteSpaceById({ ...site, siteSpaceId: placed?.id ?? '', body: { path: 'x1' } })
      const { revision } = await kit.as.admin.getSpaceById({ spaceId: hidden })
      for (const shown of [await kit.as.read.listSiteSpaces(site), await kit.as.read.getSiteStructure(site)]) {
        const text = JSON.stringify(shown)
        expect(text).not.toContain('Secret')
        expect(text).not.toContain(revision)
        expect(text).toContain('"title":"x1"')
      }
      await kit.as.admin.publishSite(site)
      const [read] = (await kit.as.read.listSiteSpaces(site)).items
      expect(read).toMatchObject({ title: 'Secret plans', space: { comments: 0, permissions: { view: false } } })
      const [whole] = (await kit.as.admin.listSiteSpaces(site)).items
      expect(whole).toMatchObject({ title: 'Secret plans', space: { revision } })
    })
  })
})
