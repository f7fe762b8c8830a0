/**
 * What is kept of a site is sent while the site is as it was, and not once longer: whoever changed it, through this server
 * or another on the same database.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeServer, type Server } from '../../../src/http/serve.ts'
import { open } from '../../../src/open.ts'
import { readConfig } from '../../../src/platform/config.ts'
import { makeLog } from '../../../src/platform/log.ts'
import { makeSpace } from '../../api/sites/site-things.ts'
import { eachBackend } from '../../kit/backends.ts'
import { type Kit, makeKit } from '../../kit/server.ts'
import { type Ask, asker, edit, pageIds, publishedSite } from './site-kit.ts'

eachBackend((backend) => {
  let kit: Kit
  let other: Server
  const closing: (() => Promise<void>)[] = []

  beforeAll(async () => {
    const place = await backend.make()
    const first = await makeKit({ ...backend, make: async () => ({ ...place, drop: async () => {} }) })
    kit = first.kit
    const opened = await open(
      readConfig({
        DATABASE_URL: place.location,
        LECTERN_DATA: place.folder,
        LECTERN_URL: 'http://lectern.test',
        LECTERN_LOG_LEVEL: 'silent',
      }),
    )
    other = await makeServer({ ...opened, log: makeLog('silent'), rateLimit: 0, clock: () => kit.clock.now() })
    closing.push(
      first.close,
      async () => {
        await other.app.close()
        await opened.db.close()
      },
      () => place.drop(),
    )
  })
  afterAll(async () => {
    for (const close of closing) await close()
  })

  /** The same site asked through both servers. */
  const both = async (base: string): Promise<Ask[]> => [await asker(kit, base), await asker({ server: other }, base)]

  describe('a change shows at the next request, on every server', () => {
    test('of adaptive content: with it off, the tree names nothing that asks for the visitor', async () => {
      const site = await publishedSite(kit, [
        { title: 'Start' },
        { title: 'Veiled', condition: 'visitor.claims.unsigned.x !== "y"' },
      ])
      const turn = (enabled: boolean) =>
        kit.as.admin.updateSiteById({
          organizationId: site.organizationId,
          siteId: site.siteId,
          body: { adaptiveContent: { enabled } },
        })
      const asks = await both(site.base)
      const seen = () =>
        Promise.all(asks.map(async (ask) => [/Veiled/.test((await ask('/start')).text), (await ask('/veiled')).status]))
      expect(await seen()).toEqual(asks.map(() => [true, 200]))
      await turn(false)
      expect(await seen()).toEqual(asks.map(() => [false, 404]))
      await turn(true)
      expect(await seen()).toEqual(asks.map(() => [true, 200]))
    })

    test('of the text, thirty times over', async () => {
      const site = await publishedSite(kit, [{ title: 'Start' }, { title: 'Next' }])
      const ids = await pageIds(kit, site.spaceId)
      const asks = await both(site.base)
      for (let round = 0; round < 30; round++) {
        await edit(kit, site.spaceId, ids.Start ?? '', `Round ${round}.`)
        for (const ask of asks) expect((await ask('')).text).toContain(`Round ${round}.`)
        // And again, from what is kept.
        for (const ask of asks) expect((await ask('')).text).toContain(`Round ${round}.`)
      }
    })

    test('of the tree, the title, the look, the navigation and the address', async () => {
      const site = await publishedSite(kit, [{ title: 'Start' }])
      const params = { organizationId: site.organizationId, siteId: site.siteId }
      const asks = await both(site.base)
      const shows = async (text: string) => {
        for (const ask of asks) expect((await ask('')).text).toContain(text)
      }
      await shows('Start')
      await kit.as.admin.updateSpaceContent({
        spaceId: site.spaceId,
        body: { changes: [{ operation: 'insert_page', title: 'Added later', document: { markdown: 'x' } }] },
      })
      await shows('Added later')
      await kit.as.admin.updateSiteById({ ...params, body: { title: 'Another title' } })
      await shows('Another title')
      const customization = await kit.as.admin.getSiteCustomizationById(params)
      const footer = { ...customization.footer, copyright: 'All wrongs reserved' }
      await kit.as.admin.updateSiteCustomizationById({ ...params, body: { ...customization, footer } })
      await shows('All wrongs reserved')
      await kit.as.admin.addSpaceToSite({ ...params, body: { spaceId: await makeSpace(kit, 'Second edition') } })
      await shows('Second edition')
      await kit.as.admin.updateSiteById({ ...params, body: { basename: `${site.basename}-moved` } })
      for (const ask of asks) expect((await ask('')).status).toBe(404)
      for (const ask of await both(`${site.base}-moved`)) expect((await ask('')).status).toBe(200)
    })

    test('of who may read it', async () => {
      const site = await publishedSite(kit, [{ title: 'Start' }])
      const params = { organizationId: site.organizationId, siteId: site.siteId }
      const asks = await both(site.base)
      const answers = async (status: number) => {
        for (const ask of asks) expect((await ask('')).status).toBe(status)
      }
      await answers(200)
      await kit.as.admin.updateSiteById({ ...params, body: { visibility: 'share-link' } })
      await answers(404)
      await kit.as.admin.updateSiteById({ ...params, body: { visibility: 'visitor-auth' } })
      await answers(401)
      await kit.as.admin.updateSiteById({ ...params, body: { visibility: 'public' } })
      await answers(200)
      await kit.as.admin.unpublishSite(params)
      await answers(404)
      await kit.as.admin.publishSite(params)
      await answers(200)
      await kit.as.admin.deleteSpaceById({ spaceId: site.spaceId })
      for (const ask of asks) expect((await ask('')).text).not.toContain('Start</a>')
      await kit.as.admin.deleteSiteById(params)
      await answers(404)
    })
  })

  test('what does not concern a page leaves what is kept of it', async () => {
    const site = await publishedSite(kit, [{ title: 'Start' }])
    const etag = String((await site.ask('')).headers.etag)
    await kit.as.admin.postCommentInSpace({ spaceId: site.spaceId, body: { body: { markdown: 'A comment.' } } })
    await makeSpace(kit, 'Elsewhere', [{ title: 'Other', markdown: 'x' }])
    const held = await site.ask('', { headers: { 'if-none-match': etag } })
    expect(held.status).toBe(304)
  })

  test('readers beside a writer never go back to what was before', async () => {
    const site = await publishedSite(kit, [{ title: 'Start' }])
    const ids = await pageIds(kit, site.spaceId)
    await edit(kit, site.spaceId, ids.Start ?? '', 'Count 0.')
    let written = 0
    let isDone = false
    const reading = (await both(site.base)).flatMap((ask) =>
      [1, 2, 3].map(async () => {
        let seen = 0
        while (!isDone) {
          const before = written
          const shown = Number(/Count (\d+)\./.exec((await ask('')).text)?.[1])
          expect(shown).toBeGreaterThanOrEqual(before)
          expect(shown).toBeGreaterThanOrEqual(seen)
          seen = shown
        }
      }),
    )
    for (let count = 1; count <= 25; count++) {
      await edit(kit, site.spaceId, ids.Start ?? '', `Count ${count}.`)
      written = count
    }
    isDone = true
    await Promise.all(reading)
  })
})
