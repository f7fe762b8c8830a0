/** What strict clients of the interface rely on, beyond the tables of each operation. */
import { describe, expect, test } from 'vitest'
import { emojiCode } from '../../../src/core/document/syntax/emoji.ts'
import { eachBackend } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { makeSite, makeSpace } from '../sites/site-things.ts'

eachBackend((backend) => {
  const kit = useKit(backend)

  test('a search of the organization tells each space once, at most as many as asked for', async () => {
    const ids = []
    for (const name of ['One', 'Two', 'Three']) {
      const pages = Array.from({ length: 12 }, (_, i) => ({ title: `Zebra ${i}`, markdown: 'zebra zebra' }))
      ids.push(await makeSpace(kit, name, pages))
    }
    const seen: string[] = []
    let page: string | undefined
    do {
      const query = { query: 'zebra', limit: 2, ...(page === undefined ? {} : { page }) }
      const answer = await kit.as.read.searchOrganizationContent({ organizationId: kit.organization, query })
      expect(answer.count).toBe(3)
      expect(answer.items.length).toBeLessThanOrEqual(2)
      for (const item of answer.items) expect(item.pages.length).toBeLessThanOrEqual(10)
      seen.push(...answer.items.map((item) => item.id))
      page = answer.next?.page
    } while (page !== undefined)
    expect(seen.toSorted()).toEqual(ids.toSorted())
  })

  test('a search for one character finds', async () => {
    const spaceId = await makeSpace(kit, 'Letters', [{ title: 'Q', markdown: 'The letter q.' }])
    const found = await kit.as.read.searchSpaceContent({ spaceId, query: { query: 'q' } })
    expect(found.count).toBe(1)
  })

  test('a proxy is what was sent, and where it forwards to', async () => {
    const site = await makeSite(kit, { title: 'Proxied' })
    const { proxy } = await kit.as.admin.updateSiteById({ ...site, body: { proxy: 'www.proxied.org/docs' } })
    expect(proxy).toEqual({ origin: 'www.proxied.org/docs', target: 'http://lectern.test/sites/proxied' })
  })

  test('the default site-space is one: that of the default section', async () => {
    const [one, two] = [await makeSpace(kit, 'A'), await makeSpace(kit, 'B')]
    const site = await makeSite(kit, { spaces: [one] })
    await kit.as.admin.addSectionToSite({ ...site, body: { spaceId: two, title: 'Second' } })
    const all = await kit.as.read.listSiteSpaces(site)
    expect(all.items.filter((item) => item.default).length).toBe(2)
    expect((await kit.as.read.listSiteSpaces({ ...site, query: { default: true } })).count).toBe(1)
    expect((await kit.as.read.listSiteSpaces({ ...site, query: { default: false } })).count).toBe(all.count - 1)
  })

  describe('links and revisions', () => {
    test('say of which content they are', async () => {
      const spaceId = await makeSpace(kit, 'Links', [{ title: 'Page', markdown: '[gone](/spaces/x/pages/nowhere)' }])
      const { pages } = await kit.as.admin.listPages({ spaceId })
      const pageId = pages[0]?.id ?? ''
      await kit.as.admin.updateSpaceContent({
        spaceId,
        body: {
          changes: [{ operation: 'update_page', page: pageId, document: { markdown: `[gone](/pages/gonePage)` } }],
        },
      })
      const links = await kit.as.read.listPageLinksInSpace({ spaceId, pageId })
      const [link] = links.items
      expect(link).toMatchObject({ status: 'broken', targetReference: { kind: 'page', space: { id: spaceId } } })
      expect(link?.locationReferences[0]?.versionContext).toMatchObject({
        type: 'revision',
        revision: {
          object: 'revision',
          parents: expect.any(Array),
          pages: [],
          files: [],
          urls: { app: expect.any(String) },
        },
      })
      const { id: changeRequestId } = await kit.as.admin.createChangeRequest({ spaceId, body: { subject: 'Mend' } })
      const inRequest = await kit.as.read.listPageLinksInChangeRequest({ spaceId, changeRequestId, pageId })
      expect(inRequest.stats.broken).toEqual({ total: 1, changeRequest: 1 })
      expect(inRequest.items[0]?.locationReferences[0]?.versionContext).toMatchObject({
        type: 'changeRequest',
        changeRequest: { id: changeRequestId, subject: 'Mend', number: expect.any(Number) },
      })
      // A number is written one way.
      expect((await kit.call('read', 'getChangeRequestById', { spaceId, changeRequestId: '01' })).status).toBe(404)
      expect((await kit.call('read', 'getChangeRequestById', { spaceId, changeRequestId: '1' })).status).toBe(200)

      const body = { changes: [{ operation: 'insert_page' as const, title: 'More', document: { markdown: 'More.' } }] }
      await kit.as.admin.updateChangeRequestContent({ spaceId, changeRequestId, body })
      await kit.as.admin.mergeChangeRequest({ spaceId, changeRequestId })
      const revision = await kit.as.read.getCurrentRevision({ spaceId })
      expect(revision.mergedFrom).toMatchObject({ id: changeRequestId, subject: 'Mend', status: 'merged' })
    })
  })

  test('deleting below what is not there is done already', async () => {
    const site = await makeSite(kit)
    for (const input of [
      { ...site, siteId: 'nothing', redirectId: 'nothing' },
      { ...site, redirectId: 'nothing' },
    ])
      expect((await kit.call('admin', 'deleteSiteRedirectById', input)).status).toBe(204)
  })

  test("a member's spaces are all that they reach", async () => {
    const { organization: organizationId } = kit
    const person = await kit.addPerson({ email: 'reaches@b.test', role: null })
    const inCollection = await kit.as.admin.createCollection({ organizationId, body: { title: 'Shelf' } })
    const below = await kit.as.admin.createSpace({ organizationId, body: { title: 'Below', parent: inCollection.id } })
    const team = await kit.as.admin.createOrganizationTeam({
      organizationId,
      body: { title: 'Reach', members: [person.id] },
    })
    await kit.as.admin.inviteToCollection({ collectionId: inCollection.id, body: { role: 'edit', teams: [team.id] } })
    const { items } = await kit.as.admin.listSpacesForOrganizationMember({ organizationId, userId: person.id })
    expect(items).toMatchObject([{ permission: 'edit', space: { id: below.id } }])
    const member = () => kit.as.admin.getMemberInOrganizationById({ organizationId, userId: person.id })
    expect((await member()).spaces).toBe(1)
    expect((await kit.as.admin.getTeamInOrganizationById({ organizationId, teamId: team.id })).spaces).toBe(1)
    const managed = (owner: string) => kit.as.admin.listTeamsInOrganizationById({ organizationId, query: { owner } })
    expect((await managed(kit.people.admin.id)).items.map(({ id }) => id)).toContain(team.id)
    expect((await managed(person.id)).count).toBe(0)
  })

  test("the count of a member's spaces is that of the list, whatever they are reached by", async () => {
    const { organization: organizationId } = kit
    const shelf = await kit.as.admin.createCollection({ organizationId, body: { title: 'Levels' } })
    const inner = await kit.as.admin.createCollection({ organizationId, body: { title: 'Inner', parent: shelf.id } })
    const made: string[] = []
    for (const [parent, defaultLevel] of [
      [shelf.id, 'inherit'],
      [inner.id, 'inherit'],
      [inner.id, null],
      [inner.id, 'read'],
      [undefined, null],
      [undefined, 'edit'],
    ] as const) {
      const body = { title: 'Counted', ...(parent ? { parent } : {}) }
      const { id } = await kit.as.admin.createSpace({ organizationId, body })
      await kit.as.admin.updateSpaceById({ spaceId: id, body: { defaultLevel } })
      made.push(id)
    }
    const reader = await kit.addPerson({ email: 'counts-reader@b.test', role: 'read' })
    const guest = await kit.addPerson({ email: 'counts-guest@b.test', role: null })
    const compare = async () => {
      const people = await kit.as.admin.listMembersInOrganizationById({ organizationId, query: { limit: 100 } })
      const counts: Record<string, number> = {}
      for (const { id, spaces, user } of people.items) {
        const list = await kit.as.admin.listSpacesForOrganizationMember({ organizationId, userId: id })
        expect(spaces, user.email).toBe(list.count)
        counts[id] = spaces
      }
      return [counts[reader.id] ?? 0, counts[guest.id] ?? 0] as const
    }
    const [before] = await compare()
    expect((await compare())[1]).toBe(0)
    // Two closed spaces, one of them twice: by itself and by its collection.
    const invite = (spaceId: string, id: string) =>
      kit.as.admin.inviteToSpace({ spaceId, body: { role: 'read', users: [id] } })
    await invite(made[4] ?? '', reader.id)
    await invite(made[2] ?? '', reader.id)
    const team = await kit.as.admin.createOrganizationTeam({
      organizationId,
      body: { title: 'Both', members: [reader.id, guest.id] },
    })
    await kit.as.admin.inviteToCollection({ collectionId: inner.id, body: { role: 'read', teams: [team.id] } })
    expect(await compare()).toEqual([before + 2, 3])
    expect((await kit.as.admin.getTeamInOrganizationById({ organizationId, teamId: team.id })).spaces).toBe(3)
    await kit.as.admin.updateCollectionById({ collectionId: shelf.id, body: { defaultLevel: null } })
    // What inherits is closed now, but for what the grant opens.
    expect(await compare()).toEqual([before + 1, 3])
  })

  test('what is wrong inside a document is named by a dotted path', async () => {
    const spaceId = await makeSpace(kit, 'Dotted', [{ title: 'Page', markdown: 'One.\n\nTwo.' }])
    const nodes = [{ object: 'block', type: 'hint', data: { style: 'loud' }, nodes: [] }]
    const document = { object: 'document', data: {}, nodes }
    const change = { operation: 'insert_page', title: 'Page', document: { document } }
    const page = await kit.call('admin', 'updateSpaceContent', { spaceId, body: { changes: [change] } })
    const comment = await kit.call('admin', 'postCommentInSpace', { spaceId, body: { body: { document } } })
    const { id: pageId } = (await kit.as.admin.listPages({ spaceId })).pages[0] ?? { id: '' }
    const { revision } = await kit.as.admin.getSpaceById({ spaceId })
    const patch = async (blocks: object) =>
      kit.call('admin', 'updateSpaceContent', {
        spaceId,
        body: { changes: [{ operation: 'update_page', page: pageId, base: revision, document: blocks }] },
      })
    const good = { object: 'block', type: 'paragraph', key: 'k', data: {}, nodes: [] }
    const patches = [
      await patch({ put: [good, { ...nodes[0], key: 'h' }] }),
      await patch({ put: [good], gone: ['k'] }),
      await patch({ put: [good], order: ['nothing'] }),
    ]
    expect(patches.map(({ status, body }) => [status, body.error?.details?.[0]?.field])).toEqual([
      [400, 'changes.0.document.put.1.data.style'],
      [400, 'changes.0.document.put.0.key'],
      [400, 'changes.0.document.order.0'],
    ])
    const translation = await kit.call('admin', 'createTranslation', {
      organizationId: kit.organization,
      body: { source: { space: spaceId, language: 'en' }, language: 'de', instructions: document },
    })
    expect(translation.body.error).toMatchObject({
      message: '`instructions`: nodes[0].data.style must be one of info, warning, danger, success.',
      details: [{ field: 'instructions.nodes.0.data.style' }],
    })
    const fields = [page, comment].map(({ status, body }) => [status, body.error?.details?.[0]?.field])
    expect(fields).toEqual([
      [400, expect.stringMatching(/^changes\.0\.document\.(?:document\.)?nodes\.0\.data\.style$/)],
      [400, 'body.document.nodes.0.data.style'],
    ])
  })

  test('a comment on the cell of a table keeps the cell', async () => {
    const spaceId = await makeSpace(kit, 'Cells', [{ title: 'Page', markdown: '| A | B |\n| - | - |\n| 1 | 2 |' }])
    const pageId = (await kit.as.read.listPages({ spaceId })).pages[0]?.id ?? ''
    const { document } = await kit.as.read.getPageById({ spaceId, pageId, query: { format: 'document' } })
    const table = document?.nodes.find((node) => node.type === 'table')
    if (table?.type !== 'table') throw new Error('The page lost its table.')
    const [[record = ''] = []] = Object.entries(table.data.records)
    const [definition = ''] = Object.keys(table.data.definition)
    const post = (tableCell: object, node: string | undefined = table.key) =>
      kit.call('admin', 'postCommentInSpace', {
        spaceId,
        body: { page: pageId, node, tableCell, body: { markdown: 'Hm.' } },
      })
    const made = await post({ record, definition })
    expect([made.status, made.body.target?.tableCell]).toEqual([200, { record, definition }])
    const read = await kit.call('admin', 'getCommentInSpace', { spaceId, commentId: String(made.body.id) })
    expect(read.status).toBe(200)
    expect(read.body.target?.tableCell).toEqual({ record, definition })
    expect((await post({ record: 'nowhere', definition })).status).toBe(400)
    expect((await post({ record, definition: 'nowhere' })).status).toBe(400)
  })

  test('a number of a change request has one spelling', async () => {
    const spaceId = await makeSpace(kit, 'Numbered')
    const made = await kit.as.admin.createChangeRequest({ spaceId, body: {} })
    const read = (changeRequestId: string) => kit.call('read', 'getChangeRequestById', { spaceId, changeRequestId })
    expect([(await read(String(made.number))).status, (await read(`0${made.number}`)).status]).toEqual([200, 404])
  })

  test('answers carry what newer clients require', async () => {
    const { organization: organizationId } = kit
    const spaceId = await makeSpace(kit, 'Required', [{ title: 'Page', markdown: '## One' }])
    const params = await makeSite(kit, { spaces: [spaceId] })
    const site = await kit.as.read.getSiteById(params)
    expect(site).toMatchObject({ appliedType: site.type, defaultLevel: 'inherit' })
    expect(site.urls.preview).toBe(`${site.urls.location}/publishing/preview`)
    expect((await kit.as.read.getSpaceById({ spaceId })).mergeRules).toEqual({ type: 'inherit' })
    expect((await kit.as.read.getOrganizationById({ organizationId })).mergeRules).toEqual({ type: 'none' })
    const { items } = await kit.as.read.listSiteSpaces(params)
    expect(items[0]?.draft).toBe(false)
    await kit.as.admin.publishSite(params)
    const { customizations } = await kit.as.read.getPublishedContentSite(params)
    expect(Object.keys(customizations.siteSpaces)).toEqual(items.map(({ id }) => id))
    expect(customizations.site).toMatchObject({
      socialAccounts: [],
      styling: { codeTheme: { default: { light: 'default-light' }, openapi: { dark: 'default-dark' } } },
      pageActions: { items: ['markdown'] },
    })
    const pageId = (await kit.as.read.listPages({ spaceId })).pages[0]?.id ?? ''
    const page = await kit.as.read.getPageById({ spaceId, pageId, query: { format: 'document' } })
    expect(page).toMatchObject({ tags: [], layout: { actions: true, anchors: true, coverMask: false, tags: true } })
    expect(page.document?.nodes[0]).toMatchObject({ meta: { id: 'one' } })
    // What was read can be written again: the ids of headings are not stored.
    const document = page.document ?? { object: 'document', data: {}, nodes: [] }
    const changes = [{ operation: 'update_page' as const, page: pageId, document: { document } }]
    await kit.as.admin.updateSpaceContent({ spaceId, body: { changes } })
    const again = await kit.as.read.getPageById({ spaceId, pageId, query: { format: 'document' } })
    expect(again.documentId).toBe(page.documentId)
  })

  test('an emoji is one however it is sent, and nothing else is one', async () => {
    const spaceId = await makeSpace(kit, 'Faces')
    const comment = await kit.as.admin.postCommentInSpace({ spaceId, body: { body: { markdown: 'Hm.' } } })
    const react = (addedReactions: string[]) =>
      kit.call('admin', 'updateCommentInSpace', { spaceId, commentId: comment.id, body: { addedReactions } })
    expect((await react(['👍', '1f44d'])).body.reactions).toMatchObject([{ emoji: '1f44d' }])
    expect((await react(['thumbs'])).status).toBe(400)
    expect((await kit.call('admin', 'updateSpaceById', { spaceId, body: { emoji: 'zz' } })).status).toBe(400)
    expect((await kit.call('admin', 'updateSpaceById', { spaceId, body: { emoji: '1f600' } })).status).toBe(200)
  })

  test('pages are read with all that the interface knows', async () => {
    const markdown = 'For {{ space.vars.name }} and {{ visitor.claims.plan }}.'
    const spaceId = await makeSpace(kit, 'Reading', [{ title: 'Page', markdown }])
    const { pages } = await kit.as.admin.listPages({ spaceId })
    for (const query of [
      { dereferenced: 'true' },
      { dereferenced: 'reusable-contents' },
      { evaluated: 'deterministic-only' },
    ])
      expect((await kit.call('read', 'getPageById', { spaceId, pageId: pages[0]?.id, query })).status).toBe(200)
    expect(
      (await kit.call('read', 'getPageById', { spaceId, pageId: pages[0]?.id, query: { evaluated: 'x' } })).status,
    ).toBe(400)
  })
})

test('codes of emoji', () => {
  expect(['👍', '1f44d', '1F44D', '❤️', '❤', '🇩🇪', 'a', '', ':tada:', '12', 'zz'].map(emojiCode)).toEqual([
    '1f44d',
    '1f44d',
    '1f44d',
    '2764',
    '2764',
    '1f1e9-1f1ea',
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
