import { beforeAll, describe, expect, test } from 'vitest'
import { eachBackend } from '../../kit/backends.ts'
import { scenarios } from '../../kit/scenarios.ts'
import { type Kit, useKit } from '../../kit/server.ts'
import { makeSite, makeSpace, published, type SiteParams } from './site-things.ts'

eachBackend((backend) => {
  const kit = useKit(backend)
  let manual = ''
  let site: SiteParams
  let link = ''
  let otherLink = ''

  const add = async (k: Kit, params: SiteParams, name = 'Readers') =>
    k.as.admin.createSiteShareLink({ ...params, body: { name } })

  beforeAll(async () => {
    manual = await makeSpace(kit, 'Manual')
    site = await published(kit, { title: 'Shared', spaces: [manual], visibility: 'share-link' })
    link = (await add(kit, site)).id
    otherLink = (await add(kit, await makeSite(kit))).id
  })

  const it = { params: () => site }
  const one = { params: () => ({ ...site, shareLinkId: link }) }
  const ofOther = () => ({ ...site, shareLinkId: otherLink })
  const fresh = async (k: Kit) => {
    const params = await published(k, { spaces: [manual], visibility: 'share-link' })
    return { params: { ...params, shareLinkId: (await add(k, params)).id } }
  }

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'listSiteShareLinks', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'is not for readers':       { as: 'review', answers: 403 },
    'shows them':               { as: 'create', answers: 200, gives: { count: 1, items: [{ object: 'share-link', name: 'Readers', active: true, urls: { published: expect.stringMatching(/^http:\/\/lectern\.test\/sites\/shared\/~share\/[\w-]{63}$/) } }] } },
  }, it)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'createSiteShareLink', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'needs the right':          { as: 'review', answers: 403 },
    'needs a name':             { as: 'admin', body: {}, answers: 400, field: 'name' },
    'takes no 51st character':  { as: 'admin', body: { name: 'x'.repeat(51) }, answers: 400, field: 'name' },
    'makes one':                { as: 'create', given: async (k) => ({ params: await makeSite(k) }), answers: 201, writes: ['event', 'shareLink'], gives: { name: 'Press', active: true, urls: {} } },
  }, { ...it, body: { name: 'Press' } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateSiteShareLinkById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'has none of other sites':  { as: 'admin', params: ofOther, answers: 404 },
    'needs the right':          { as: 'review', answers: 403 },
    'takes no word for a flag': { as: 'admin', body: { active: 'no' }, answers: 400, field: 'active' },
    'does nothing':             { as: 'admin', body: {}, answers: 200, writes: [] },
    'turns it off':             { as: 'create', given: fresh, body: { active: false, name: 'Old' }, answers: 200, writes: ['event', 'shareLink'], gives: (_, body) => { expect(body.urls).toEqual({}); return { active: false, name: 'Old' } } },
  }, { ...one, body: { name: 'Readers' } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'deleteSiteShareLinkById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'needs the right':          { as: 'review', answers: 403 },
    'deletes none of others':   { as: 'admin', params: ofOther, answers: 204, writes: [] },
    'deletes it':               { as: 'create', given: fresh, answers: 204, writes: ['event', 'shareLink'] },
    'is hidden from strangers': { as: 'stranger', answers: 204, writes: [] },
  }, one)

  describe('a share key', () => {
    const keyIn = (url: string | undefined): string => url?.split('/').at(-1) ?? ''
    const refused = { status: 404 }

    test('resolves published addresses, and nothing else does', async () => {
      const { params } = await fresh(kit)
      const { shareLinkId, ...siteParams } = params
      const [shown] = (await kit.as.admin.listSiteShareLinks(siteParams)).items
      const shareKey = keyIn(shown?.urls.published)
      const bare = await kit.as.read.listSiteSpaces(siteParams)
      expect(bare.items[0]?.urls).toEqual({})
      const opened = await kit.as.read.listSiteSpaces({ ...siteParams, query: { shareKey } })
      expect(opened.items[0]?.urls.published).toBe(shown?.urls.published)
      expect(opened.items[0]?.space).toMatchObject({ visibility: 'share-link' })
      const profile = await kit.as.read.getPublishedContentSite({ ...siteParams, query: { shareKey } })
      expect(profile.site.urls.published).toBe(shown?.urls.published)

      const foreign = keyIn((await add(kit, site, 'Foreign')).urls.published)
      for (const wrong of [foreign, `${shareKey}x`, shareKey.slice(1), shareLinkId, `${shareKey.slice(0, -1)}_`, '']) {
        const query = { shareKey: wrong }
        await expect(kit.as.read.listSiteSpaces({ ...siteParams, query })).rejects.toMatchObject(refused)
        await expect(kit.as.read.listSiteSections({ ...siteParams, query })).rejects.toMatchObject(refused)
        await expect(kit.as.read.getSiteStructure({ ...siteParams, query })).rejects.toMatchObject(refused)
        await expect(kit.as.read.getPublishedContentSite({ ...siteParams, query })).rejects.toMatchObject(refused)
      }
      await kit.as.admin.updateSiteShareLinkById({ ...params, body: { active: false } })
      const off = kit.as.read.listSiteSpaces({ ...siteParams, query: { shareKey } })
      await expect(off).rejects.toMatchObject(refused)
    })

    test('opens the address of a space', async () => {
      const spaceId = await makeSpace(kit, 'Behind')
      const params = await published(kit, { spaces: [spaceId], visibility: 'share-link' })
      const url = (await add(kit, params)).urls.published
      expect((await kit.as.read.getSpaceById({ spaceId })).urls).not.toHaveProperty('published')
      const shown = await kit.as.read.getSpaceById({ spaceId, query: { shareKey: keyIn(url) } })
      expect(shown).toMatchObject({ visibility: 'share-link', urls: { published: url } })
      expect(shown.urls).not.toHaveProperty('public')
      const wrong = kit.as.read.getSpaceById({ spaceId, query: { shareKey: 'wrong' } })
      await expect(wrong).rejects.toMatchObject(refused)
    })

    test('is no business of an open site', async () => {
      const params = await published(kit, { spaces: [manual] })
      const { items } = await kit.as.read.listSiteSpaces({ ...params, query: { shareKey: 'whatever' } })
      expect(items[0]?.urls.published).not.toContain('~share')
    })

    test('lets visitors in while its link is active', async () => {
      const { params } = await fresh(kit)
      const { shareLinkId: _, ...siteParams } = params
      const url = (await kit.as.admin.listSiteShareLinks(siteParams)).items[0]?.urls.published ?? ''
      const resolve = (address: string) => kit.as.stranger.resolvePublishedContentByUrl({ body: { url: address } })
      expect(await resolve(url)).toMatchObject({ site: params.siteId, complete: true })
      await expect(resolve(url.replace(/\/~share.*/, ''))).rejects.toMatchObject(refused)
      await expect(resolve(`${url}x`)).rejects.toMatchObject(refused)
      await kit.as.admin.updateSiteShareLinkById({ ...params, body: { active: false } })
      await expect(resolve(url)).rejects.toMatchObject(refused)
      await kit.as.admin.updateSiteShareLinkById({ ...params, body: { active: true } })
      await kit.as.admin.deleteSiteShareLinkById(params)
      await expect(resolve(url)).rejects.toMatchObject(refused)
    })
  })
})
