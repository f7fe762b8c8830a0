import { beforeAll, describe, expect, test } from 'vitest'
import { eachBackend } from '../../kit/backends.ts'
import { scenarios } from '../../kit/scenarios.ts'
import { type Kit, useKit } from '../../kit/server.ts'
import { makeSite, makeSpace, type SiteParams } from './site-things.ts'

eachBackend((backend) => {
  const kit = useKit(backend)
  let guide = ''
  let site: SiteParams
  let section = ''
  let group = ''
  let foreignGroup = ''
  let foreignSection = ''

  const addSection = async (k: Kit, params: SiteParams, title = 'Section') =>
    (await k.as.admin.addSectionToSite({ ...params, body: { spaceId: guide, title } })).id
  const addGroup = async (k: Kit, params: SiteParams, sections: string[] = [], title = 'Group') =>
    (await k.as.admin.addSectionGroupToSite({ ...params, body: { title, sections } })).id

  beforeAll(async () => {
    guide = await makeSpace(kit, 'Guide')
    site = await makeSite(kit)
    section = await addSection(kit, site)
    group = await addGroup(kit, site, [section])
    const other = await makeSite(kit)
    foreignSection = await addSection(kit, other)
    foreignGroup = await addGroup(kit, other)
  })

  const it = { params: () => site }
  const one = { params: () => ({ ...site, siteSectionGroupId: group }) }
  const ofOther = () => ({ ...site, siteSectionGroupId: foreignGroup })
  const fresh = async (k: Kit) => {
    const params = await makeSite(k)
    const siteSectionId = await addSection(k, params)
    return { params: { ...params, siteSectionId, siteSectionGroupId: await addGroup(k, params, [siteSectionId]) } }
  }
  const withoutSection = async (k: Kit) => {
    const { siteSectionId: _, ...params } = (await fresh(k)).params
    return { params }
  }

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'listSiteSectionGroups', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'shows them':               { as: 'read', answers: 200, gives: () => ({ count: 1, items: [{ object: 'site-section-group', title: 'Group', sections: [{ id: section, sectionGroup: group }] }] }) },
  }, it)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'addSectionGroupToSite', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'takes no section of others': { as: 'admin', body: () => ({ title: 'G', sections: [section, foreignSection] }), answers: 404 },
    'needs the right':          { as: 'review', answers: 403 },
    'takes no empty title':     { as: 'admin', body: { title: '' }, answers: 400, field: 'title' },
    'takes no long title':      { as: 'admin', body: { title: 'x'.repeat(101) }, answers: 400, field: 'title' },
    'takes no long icon':       { as: 'admin', body: { title: 'G', icon: 'x'.repeat(51) }, answers: 400, field: 'icon' },
    'adds one':                 { as: 'create', given: async (k) => ({ params: await makeSite(k) }), answers: 201, writes: ['event', 'siteSectionGroup'], gives: { title: 'More', icon: 'star', sections: [] } },
  }, { ...it, body: { title: 'More', icon: 'star' } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateSiteSectionGroupById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'has none of other sites':  { as: 'admin', params: ofOther, answers: 404 },
    'needs the right':          { as: 'review', answers: 403 },
    'takes no numeric title':   { as: 'admin', body: { title: 7 }, answers: 400, field: 'title' },
    'changes it':               { as: 'create', given: withoutSection, body: { title: 'New', icon: 'star' }, answers: 200, writes: ['event', 'siteSectionGroup'], gives: { title: 'New', icon: 'star' } },
  }, { ...one, body: { title: 'Group' } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'addSectionToGroup', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'has none of other sites':  { as: 'admin', params: ofOther, answers: 404 },
    'takes no section of others': { as: 'admin', body: () => ({ sectionId: foreignSection }), answers: 404 },
    'needs the right':          { as: 'review', answers: 403 },
    'needs a section':          { as: 'admin', body: {}, answers: 400, field: 'sectionId' },
    'adds again, to no effect': { as: 'create', answers: 201, writes: [] },
  }, { ...one, body: () => ({ sectionId: section }) })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'removeSectionFromGroup', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'needs the right':          { as: 'review', answers: 403 },
    'has nothing to do':        { as: 'admin', params: () => ({ ...site, siteSectionGroupId: group, siteSectionId: foreignSection }), answers: 204, writes: [] },
    'takes it out':             { as: 'create', given: fresh, answers: 204, writes: ['event', 'siteSection'] },
    'is hidden from strangers': { as: 'stranger', answers: 204, writes: [] },
    'has none of other sites':  { as: 'admin', params: () => ({ ...ofOther(), siteSectionId: section }), answers: 204, writes: [] },
  }, { params: () => ({ ...site, siteSectionGroupId: group, siteSectionId: section }) })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'moveSiteSectionGroup', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'moves beside none of others': { as: 'admin', body: () => ({ position: { before: { type: 'site-section-group', id: foreignGroup } } }), answers: 404 },
    'needs the right':          { as: 'review', answers: 403 },
    'does not move into itself':{ as: 'admin', body: () => ({ position: { before: { type: 'site-section', id: section } } }), answers: 400, field: 'position' },
    'moves to the end':         { as: 'create', answers: 200, gives: { title: 'Group' } },
  }, { ...one, body: { position: {} } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'deleteSiteSectionGroupById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'needs the right':          { as: 'review', answers: 403 },
    'deletes none of others':   { as: 'admin', params: ofOther, answers: 204, writes: [] },
    'keeps its sections':       { as: 'admin', given: withoutSection, answers: 204, writes: ['event', 'siteSection', 'siteSectionGroup'] },
    'is hidden from strangers': { as: 'stranger', answers: 204, writes: [] },
  }, one)

  describe('sorting', () => {
    // biome-ignore format: a table reads best as one.
    scenarios(kit, 'sortSiteStructure', {
      'needs a token':            { as: 'nobody', answers: 401 },
      'is hidden from strangers': { as: 'stranger', answers: 404 },
      'moves nothing of others':  { as: 'admin', body: () => ({ item: { type: 'site-section', id: foreignSection }, position: {} }), answers: 404 },
      'moves beside none of others': { as: 'admin', body: () => ({ item: { type: 'site-section', id: section }, position: { after: { type: 'site-section-group', id: foreignGroup } } }), answers: 404 },
      'takes no id of another kind': { as: 'admin', body: () => ({ item: { type: 'site-space', id: section }, position: {} }), answers: 404 },
      'needs the right':          { as: 'review', answers: 403 },
      'needs an item':            { as: 'admin', body: { position: {} }, answers: 400, field: 'item' },
      'puts no space beside sections': { as: 'admin', given: async (k) => ({ body: { item: { type: 'site-space', id: (await k.as.admin.listSiteSpaces(site)).items[0]?.id }, position: { before: { type: 'site-section', id: section } } } }), answers: 400, field: 'position' },
      'moves it':                 { as: 'create', answers: 200, gives: { object: 'site-section' } },
    }, { ...it, body: () => ({ item: { type: 'site-section', id: section }, position: {} }) })

    test('moves sections in and out of groups, and groups among sections', async () => {
      const params = await makeSite(kit)
      const a = await addSection(kit, params, 'Aa')
      const b = await addSection(kit, params, 'Bb')
      const g = await addGroup(kit, params, [b], 'Gg')
      const sort = (item: object, position: object) =>
        kit.call('admin', 'sortSiteStructure', { ...params, body: { item, position } })
      const shape = async () => {
        const { structure } = await kit.as.read.getSiteStructure(params)
        return structure.map((item) =>
          'sections' in item ? [item.title, item.sections.map((one) => one.title)] : item.title,
        )
      }
      expect(await shape()).toEqual(['Aa', ['Gg', ['Bb']]])
      await sort({ type: 'site-section-group', id: g }, { before: { type: 'site-section', id: a } })
      expect(await shape()).toEqual([['Gg', ['Bb']], 'Aa'])
      await sort({ type: 'site-section', id: a }, { after: { type: 'site-section', id: b } })
      expect(await shape()).toEqual([['Gg', ['Bb', 'Aa']]])
      await sort({ type: 'site-section', id: b }, { after: { type: 'site-section-group', id: g } })
      expect(await shape()).toEqual([['Gg', ['Aa']], 'Bb'])
    })
  })
})
