/** Saving as an editor does: from a base, block by block, amending, beside others. */
import { describe, expect, test } from 'vitest'
import { toMarkdown } from '../../../src/core/document/to-markdown.ts'
import type { Block, JSONDocument } from '../../../src/core/document/tree/nodes.ts'
import { eachBackend } from '../../kit/backends.ts'
import { type Kit, type Someone, useKit } from '../../kit/server.ts'

type Changes = Parameters<Kit['as']['admin']['updateSpaceContent']>[0]['body']['changes']
type Update = Extract<Changes[number], { operation: 'update_page' }>

const three = 'First of all words.\n\nSecond of all words.\n\nThird of all words.'

eachBackend((backend) => {
  const kit = useKit(backend)

  const newPage = async (markdown = three) => {
    const { id: spaceId } = await kit.as.admin.createSpace({
      organizationId: kit.organization,
      body: { title: 'Saving' },
    })
    const change = { operation: 'insert_page' as const, title: 'Page', document: { markdown } }
    const { changes } = await kit.as.admin.updateSpaceContent({ spaceId, body: { changes: [change] } })
    const [made] = changes
    const page = made?.object === 'created_page' ? made.page.id : ''
    const { id: changeRequestId, revision } = await kit.as.admin.createChangeRequest({ spaceId, body: {} })
    return { spaceId, changeRequestId, page, base: revision }
  }
  type Where = Awaited<ReturnType<typeof newPage>>

  const save = async (where: Where, change: Partial<Update>, { as = 'admin' as Someone, amend = false } = {}) => {
    const { spaceId, changeRequestId, page, base } = where
    const changes = [{ operation: 'update_page', page, base, ...change }]
    const input = { spaceId, changeRequestId, query: { compat: false }, body: { changes, amend } }
    const answer = await kit.call(as, 'updateChangeRequestContent', input)
    // biome-ignore lint/suspicious/noExplicitAny: answers of all kinds are looked into.
    const body = answer.body as any
    return { ...answer, body, revision: body.changeRequest?.revision as string, change: body.changes?.[0] }
  }
  const documentOf = async ({ spaceId, changeRequestId, page: pageId }: Where) => {
    const query = { format: 'document' as const }
    const page = await kit.as.admin.getPageInChangeRequestById({ spaceId, changeRequestId, pageId, query })
    return page.document as unknown as JSONDocument
  }
  const markdownOf = async (where: Where) => toMarkdown(await documentOf(where), {}).trim()
  const revisionsOf = async ({ spaceId, changeRequestId }: Where, query = {}) =>
    kit.as.admin.listRevisionsOfChangeRequest({ spaceId, changeRequestId, query })

  type Sent = { object: 'block'; type: string; key?: string }
  const reworded = (block: Block | undefined, from: string, to: string): Sent =>
    JSON.parse(JSON.stringify(block).replace(from, to))

  describe('an edit with its base', () => {
    test('finds it in the page that it was read from, where that is asked for', async () => {
      const where = await newPage()
      const { spaceId, changeRequestId, page: pageId } = where
      const read = (revision: boolean) =>
        kit.as.admin.getPageInChangeRequestById({
          spaceId,
          changeRequestId,
          pageId,
          query: { format: 'document', revision },
        })
      expect((await read(false)).revision).toBeUndefined()
      expect((await read(true)).revision).toBe(where.base)
      const [first] = (await documentOf(where)).nodes
      const { revision } = await save(where, { document: { put: [reworded(first, 'First', 'Very first')] } })
      expect((await read(true)).revision).toBe(revision)
      // The space has not moved.
      const inSpace = await kit.as.admin.getPageById({ spaceId, pageId, query: { revision: true } })
      expect(inSpace.revision).toBe((await kit.as.admin.getSpaceById({ spaceId })).revision)
    })

    test('is merged with what happened meanwhile, whatever its form', async () => {
      const where = await newPage()
      const [first, second, third] = (await documentOf(where)).nodes
      expect((await save(where, { document: { put: [reworded(first, 'First', 'Very first')] } })).change).toMatchObject(
        {
          object: 'updated_page',
        },
      )
      const merged = await save(where, { document: { put: [reworded(second, 'Second', 'The second')] } })
      expect(merged.change.merged).toBe(true)
      expect(JSON.stringify(merged.change.document)).toContain('Very first of all')
      expect(merged.change.conflicts).toBeUndefined()
      const whole = {
        document: { ...(await documentOf(where)), nodes: [first, second, reworded(third, 'Third', 'Last')] },
      }
      expect((await save(where, { document: whole as never })).change.merged).toBe(true)
      await save(where, { document: { markdown: `${three}\n\nFourth of all words.` } })
      expect(await markdownOf(where)).toBe(
        'Very first of all words.\n\nThe second of all words.\n\nLast of all words.\n\nFourth of all words.',
      )
    })

    test('that nobody crossed is a plain write, and says no more', async () => {
      const where = await newPage()
      const [first] = (await documentOf(where)).nodes
      const { change, headers, revision } = await save(where, { document: { put: [reworded(first, 'First', 'Next')] } })
      expect(Object.keys(change)).toEqual(['object', 'page'])
      expect(headers.etag).toBe(`"${revision}"`)
    })

    test('tells the keys it gave', async () => {
      const where = await newPage()
      const [{ key: _, ...first } = {} as Block] = (await documentOf(where)).nodes
      const { change } = await save(where, { document: { put: [first as never] } })
      expect(change.document.nodes).toHaveLength(4)
      expect(change.document.nodes.map((node: Block) => typeof node.key)).toEqual(Array(4).fill('string'))
      expect(new Set(change.document.nodes.map((node: Block) => node.key)).size).toBe(4)
    })

    test('puts, takes away and orders blocks', async () => {
      const where = await newPage()
      const [first, second, third] = (await documentOf(where)).nodes
      const added = { ...reworded(second, 'Second', 'New'), key: 'new-one' }
      const order = [third?.key, added.key, first?.key] as string[]
      await save(where, { document: { put: [added as never], gone: [second?.key ?? ''], order } })
      expect(await markdownOf(where)).toBe('Third of all words.\n\nNew of all words.\n\nFirst of all words.')
    })

    test.each([
      ['an order that leaves a block out', { put: [], order: [] }, 400],
      ['an order of unknown keys', { put: [], order: ['a', 'b'] }, 400],
      ['a block that is no block', { put: [{ object: 'block', type: 'nonsense' }] }, 400],
      ['blocks that are put and gone', { put: [{ object: 'block', type: 'paragraph', key: 'k' }], gone: ['k'] }, 400],
    ])('is refused with %s', async (_, document, status) => {
      expect((await save(await newPage(), { document: document as never })).status).toBe(status)
    })

    test('needs a base for blocks, and one that is kept', async () => {
      const where = await newPage()
      expect((await save(where, { document: { put: [] }, base: undefined })).body.error.message).toContain('base')
      const gone = await save(where, { document: { put: [] }, base: 'gone0000000000000000' })
      expect(gone.body.error).toMatchObject({ code: 410, type: 'base_gone' })
    })

    test('keeps both versions of what both changed, marked, or refuses with both', async () => {
      const where = await newPage()
      const [first] = (await documentOf(where)).nodes
      await save(where, { document: { put: [reworded(first, 'First', 'Primary')] } })
      const mine = { put: [reworded(first, 'First', 'Initial')] }
      const refused = await save(where, { document: mine, onConflict: 'refuse' })
      expect(refused.body.error).toMatchObject({ code: 409, type: 'edit_conflict' })
      const [{ conflict }] = refused.body.error.details
      expect(conflict).toMatchObject({ page: where.page, block: first?.key })
      expect(JSON.stringify(conflict.ours)).toContain('Primary')
      expect(JSON.stringify(conflict.theirs)).toContain('Initial')
      expect(await markdownOf(where)).not.toContain('Initial')
      const marked = await save(where, { document: mine })
      expect(marked.change.conflicts).toHaveLength(1)
      const sides = (await documentOf(where)).nodes.map(
        (node) => (node.data as { conflict?: { side: string } }).conflict,
      )
      expect(sides.map((mark) => mark?.side)).toEqual(['ours', 'theirs', undefined, undefined])
      // What an earlier save left is no conflict of a later one.
      const later = { document: { put: [reworded(first, 'First', 'First')] }, base: marked.revision }
      const [, , second] = (await documentOf(where)).nodes
      later.document.put = [reworded(second, 'Second', 'Twice')]
      expect((await save(where, { ...later, onConflict: 'refuse' })).status).toBe(200)
    })

    test.each(['split', 'edited'])(
      'of a paragraph that somebody split meanwhile is no conflict, %s first',
      async (one) => {
        const where = await newPage()
        const [first, second, third] = (await documentOf(where)).nodes
        const right = { ...reworded(second, 'Second of all words.', 'all words.'), key: 'right-half' }
        const split = {
          put: [reworded(second, 'Second of all words.', 'Second of'), right],
          order: [first?.key, second?.key, right.key, third?.key] as string[],
        }
        const edited = { put: [reworded(second, 'all words', 'all my words')] }
        const both = one === 'split' ? [split, edited] : [edited, split]
        for (const document of both)
          expect((await save(where, { document: document as never, onConflict: 'refuse' })).status).toBe(200)
        expect((await markdownOf(where)).split('\n\n').slice(1, 3)).toEqual(['Second of', 'all my words.'])
        expect((await documentOf(where)).nodes.map(({ key }) => key)).toEqual(split.order)
      },
    )

    test('keeps a title that somebody else chose meanwhile, and says so', async () => {
      const where = await newPage()
      await save(where, { title: 'Mine' })
      const late = await save(where, { title: 'Yours', description: 'Told' })
      expect(late.change.conflicts).toEqual([{ page: where.page, field: 'title', ours: 'Mine', theirs: 'Yours' }])
      expect(late.change.page).toMatchObject({ title: 'Mine', description: 'Told' })
      expect((await save(where, { title: 'Yours', onConflict: 'refuse' })).body.error.type).toBe('edit_conflict')
    })

    test('finds an edit of a deleted page missing', async () => {
      const where = await newPage()
      const { spaceId, changeRequestId, page } = where
      const changes = [{ operation: 'delete_page' as const, page }]
      await kit.as.admin.updateChangeRequestContent({ spaceId, changeRequestId, body: { changes } })
      expect((await save(where, { document: { put: [] } })).status).toBe(404)
    })

    test('loses nothing when many save at once', async () => {
      const where = await newPage(Array.from({ length: 8 }, (_, i) => `Paragraph ${i} stands.`).join('\n\n'))
      const { nodes } = await documentOf(where)
      const saved = await Promise.all(
        nodes.map((node, i) => save(where, { document: { put: [reworded(node, 'stands', `was ${i} saved`)] } })),
      )
      expect(saved.map(({ status }) => status)).toEqual(Array(8).fill(200))
      const text = await markdownOf(where)
      for (let i = 0; i < 8; i++) expect(text).toContain(`Paragraph ${i} was ${i} saved.`)
    })
  })

  describe('If-Match', () => {
    test('compares revisions', async () => {
      const { spaceId, page } = await newPage()
      const write = (ifMatch: string, title: string) => {
        const changes = [{ operation: 'update_page', page, title }]
        return kit.call('admin', 'updateSpaceContent', { spaceId, ifMatch, body: { changes } })
      }
      const { revision } = await kit.as.admin.getSpaceById({ spaceId })
      const first = await write(`"${revision}"`, 'One')
      expect(first.headers.etag).toBe(`"${first.body.revision}"`)
      expect((await write(`"${revision}"`, 'Two')).status).toBe(412)
      expect((await write(String(first.headers.etag), 'Three')).status).toBe(200)
      expect((await write('*', 'Four')).status).toBe(200)
    })

    test('and the answer to a repeated request has its ETag, too', async () => {
      const { spaceId, page } = await newPage()
      const input = {
        spaceId,
        idempotencyKey: 'again',
        body: { changes: [{ operation: 'update_page', page, title: 'Again' }] },
      }
      const [once, twice] = [
        await kit.call('admin', 'updateSpaceContent', input),
        await kit.call('admin', 'updateSpaceContent', input),
      ]
      expect(twice.body).toEqual(once.body)
      expect(twice.headers.etag).toBe(once.headers.etag)
    })
  })

  describe('no edit', () => {
    test.each<[string, (where: Where) => Promise<Changes[number]>]>([
      ['its own name', async ({ page }) => ({ operation: 'update_page', page, title: 'Page' })],
      ['its own words', async ({ page }) => ({ operation: 'update_page', page, document: { markdown: three } })],
      [
        'its own document',
        async (where) => ({
          operation: 'update_page',
          page: where.page,
          document: { document: (await documentOf(where)) as never },
        }),
      ],
      ['its own place', async ({ page }) => ({ operation: 'update_page', page, into: null, at: 0 })],
      ['a move to where it is', async ({ page }) => ({ operation: 'move_page', page, into: null })],
      ['variables it has', async () => ({ operation: 'update_variables', variables: { gone: null } })],
      ['what it was', async ({ page, base }) => ({ operation: 'revert_page', page, revision: base })],
    ])('is %s: no revision, no event', async (_, changeOf) => {
      const where = await newPage()
      const { spaceId, base } = where
      const { count } = await kit.as.admin.listOrganizationAuditEvents({ organizationId: kit.organization, query: {} })
      const changes = [await changeOf(where)]
      expect((await kit.as.admin.updateSpaceContent({ spaceId, body: { changes } })).revision).toBe(base)
      const after = await kit.as.admin.listOrganizationAuditEvents({ organizationId: kit.organization, query: {} })
      expect(after.count).toBe(count)
    })
  })

  describe('amending', () => {
    const titled = (where: Where, title: string, options = {}) =>
      save(where, { title, base: undefined }, { amend: true, ...options })

    test('makes one revision and one event of many saves, for ten minutes', async () => {
      const where = await newPage()
      const events = async () =>
        (
          await kit.as.admin.listOrganizationAuditEvents({
            organizationId: kit.organization,
            query: { action: 'change_request_content_updated', target: where.changeRequestId } as never,
          })
        ).count
      const seen = new Set<string>()
      for (let i = 0; i < 5; i++) seen.add((await titled(where, `Title ${i}`)).revision)
      expect(seen.size).toBe(5)
      expect((await revisionsOf(where)).items.map(({ id }) => id)).toEqual([[...seen].at(-1)])
      expect(await events()).toBe(1)
      // Those whose place was taken are still bases.
      const [superseded] = seen
      expect((await save(where, { description: 'Late', base: superseded as never })).status).toBe(200)
      kit.clock.advance(10 * 60 * 1000)
      await titled(where, 'Ten minutes later')
      expect((await revisionsOf(where)).count).toBe(3)
    })

    test('stops at what somebody else wrote, and at what somebody refers to', async () => {
      const where = await newPage()
      const { spaceId, changeRequestId, page } = where
      await titled(where, 'One')
      await titled(where, 'Two', { as: 'edit' })
      expect((await revisionsOf(where)).count).toBe(2)
      await kit.as.admin.submitChangeRequestReview({ spaceId, changeRequestId, body: { status: 'approved' } })
      await titled(where, 'Three', { as: 'edit' })
      expect((await revisionsOf(where)).count).toBe(3)
      await kit.call('admin', 'postCommentInChangeRequest', {
        spaceId,
        changeRequestId,
        body: { page, body: { markdown: 'Hm.' } },
      })
      await titled(where, 'Four', { as: 'edit' })
      expect((await revisionsOf(where)).count).toBe(4)
    })

    test('never takes the place of what a change request began with', async () => {
      const { spaceId, page, base } = await newPage()
      const changes = [{ operation: 'update_page' as const, page, title: 'Amended' }]
      await kit.as.admin.updateSpaceContent({ spaceId, body: { changes, amend: true } })
      const { items } = await kit.as.admin.listRevisions({ spaceId })
      expect(items[1]?.id).toBe(base)
    })
  })

  describe('the history', () => {
    test('is listed page by page, and by page of the content', async () => {
      const where = await newPage()
      const other = { operation: 'insert_page' as const, title: 'Other', document: {} }
      const { spaceId, changeRequestId, page } = where
      await save(where, { title: 'One', base: undefined })
      await kit.as.admin.updateChangeRequestContent({ spaceId, changeRequestId, body: { changes: [other] } })
      await save(where, { title: 'Two', base: undefined })
      const all = await revisionsOf(where)
      expect(all).toMatchObject({ count: 3, items: [{ object: 'revision', type: 'edits' }, {}, {}] })
      expect(all.items[0]?.createdBy?.id).toBe(kit.people.admin.id)
      const first = await revisionsOf(where, { limit: 2 })
      const second = await revisionsOf(where, { limit: 2, page: first.next?.page })
      expect([...first.items, ...second.items]).toEqual(all.items)
      expect(second.next).toBeUndefined()
      const ofPage = await revisionsOf(where, { targetPage: page })
      expect(ofPage.items.map(({ id }) => id)).toEqual([all.items[0]?.id, all.items[2]?.id])
      const main = await kit.as.admin.listRevisions({ spaceId })
      expect(main.items.map(({ id }) => id)[0]).toBe(where.base)
    })

    test('has a lean tree beside the whole one', async () => {
      const { spaceId, page } = await newPage()
      const child = { operation: 'insert_page' as const, title: 'Child', emoji: '1f600', into: page, document: {} }
      await kit.as.admin.updateSpaceContent({ spaceId, body: { changes: [child] } })
      const { pages } = await kit.as.admin.listPages({ spaceId, query: { fields: 'tree' } })
      expect(pages).toEqual([
        {
          ...{ id: page, title: 'Page', type: 'document', updatedAt: expect.any(String) },
          pages: [
            { id: expect.any(String), title: 'Child', type: 'document', emoji: '1f600', updatedAt: expect.any(String) },
          ],
        },
      ])
    })
  })

  describe('a batch', () => {
    test('writes reusable contents and variables', async () => {
      const { spaceId, page } = await newPage()
      const edit = (changes: Changes) => kit.as.admin.updateSpaceContent({ spaceId, body: { changes } })
      const { reusableContents = [] } = await edit([
        { operation: 'insert_reusable_content', title: 'Note', document: { markdown: '# Top\n\nShared words.' } },
        { operation: 'update_variables', variables: { version: '2.0', product: 'Widget' } },
        { operation: 'update_variables', page, variables: { tone: 'kind' } },
      ])
      const [made] = reusableContents
      const id = made?.object === 'created_reusable_content' ? made.reusableContent.id : ''
      const content = await kit.as.admin.getCurrentRevision({ spaceId })
      expect(content.variables).toEqual({ version: '2.0', product: 'Widget' })
      expect(content.pages[0]?.variables).toEqual({ tone: 'kind' })
      const document = await kit.as.admin.getDocumentById({
        spaceId,
        documentId: content.reusableContents[0]?.document ?? '',
      })
      expect(JSON.stringify(document)).toContain('Shared words.')
      expect(document.nodes[0]?.type).toBe('heading-1')
      await edit([
        { operation: 'update_reusable_content', reusableContent: id, title: 'Notice' },
        { operation: 'update_variables', variables: { product: null } },
      ])
      const later = await kit.as.admin.getCurrentRevision({ spaceId })
      expect(later.variables).toEqual({ version: '2.0' })
      expect(later.reusableContents).toMatchObject([
        { id, title: 'Notice', document: content.reusableContents[0]?.document },
      ])
      await edit([{ operation: 'delete_reusable_content', reusableContent: id }])
      expect((await kit.as.admin.listReusableContents({ spaceId })).count).toBe(0)
      const gone = { operation: 'delete_reusable_content' as const, reusableContent: id }
      await expect(edit([gone])).rejects.toMatchObject({ status: 404 })
    })

    test('moves a page and leaves its document and its time alone', async () => {
      const { spaceId, page } = await newPage()
      const edit = (changes: Changes) => kit.as.admin.updateSpaceContent({ spaceId, body: { changes } })
      await edit([{ operation: 'insert_page', title: 'Above', document: {} }])
      const before = (await kit.as.admin.listPages({ spaceId })).pages
      await edit([{ operation: 'move_page', page, into: before[1]?.id ?? '' }])
      const [above] = (await kit.as.admin.listPages({ spaceId })).pages
      expect(above?.pages?.[0]).toMatchObject({
        id: page,
        documentId: before[0]?.documentId,
        updatedAt: before[0]?.updatedAt,
      })
      await expect(edit([{ operation: 'move_page', page, into: page }])).rejects.toMatchObject({ type: 'cycle' })
    })

    test.each([
      ['ours', 'Primary of all words.'],
      ['theirs', 'Initial of all words.'],
      ['both', 'Primary of all words.\n\nInitial of all words.'],
    ] as const)('decides a conflict for %s', async (keep, words) => {
      const where = await newPage('First of all words.')
      const [first] = (await documentOf(where)).nodes
      await save(where, { document: { put: [reworded(first, 'First', 'Primary')] } })
      await save(where, { document: { put: [reworded(first, 'First', 'Initial')] } })
      const { spaceId, changeRequestId, page } = where
      const block = (await documentOf(where)).nodes[1]?.key ?? ''
      const resolve = (key: string) => {
        const changes = [{ operation: 'resolve_conflict' as const, page, block: key, keep }]
        return kit.as.admin.updateChangeRequestContent({ spaceId, changeRequestId, body: { changes } })
      }
      await resolve(block)
      expect(await markdownOf(where)).toBe(words)
      expect((await documentOf(where)).nodes[0]?.key).toBe(first?.key)
      await expect(resolve(block)).rejects.toMatchObject({ status: 404 })
      expect((await kit.as.admin.mergeChangeRequest({ spaceId, changeRequestId })).result).toBe('merge')
    })
  })
})
