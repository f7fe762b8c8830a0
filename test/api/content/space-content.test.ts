import { beforeAll, describe, expect, test, vi } from 'vitest'
import { indexSpace } from '../../../src/domain/content/write/index-space.ts'
import { eachBackend } from '../../kit/backends.ts'
import { scenarios } from '../../kit/scenarios.ts'
import { type Kit, useKit } from '../../kit/server.ts'

type Changes = Parameters<Kit['as']['admin']['updateSpaceContent']>[0]['body']['changes']

const text = (markdown: string) => ({ markdown })

eachBackend((backend) => {
  const kit = useKit(backend)
  let manual = ''
  let intro = ''
  let setup = ''
  let picture = ''

  const newSpace = async (k: Kit, changes: Changes = [], body: Record<string, unknown> = {}) => {
    const spaceId = (
      await k.as.admin.createSpace({ organizationId: k.organization, body: { title: 'Fresh', ...body } })
    ).id
    if (changes.length > 0) await k.as.admin.updateSpaceContent({ spaceId, body: { changes } })
    return spaceId
  }
  const edit = (spaceId: string, changes: Changes) => kit.as.admin.updateSpaceContent({ spaceId, body: { changes } })
  const idsOf = (result: Awaited<ReturnType<typeof edit>>) =>
    result.changes.map((change) => (typeof change.page === 'string' ? change.page : change.page.id))
  const titles = async (spaceId: string) => (await kit.as.admin.listPages({ spaceId })).pages.map((page) => page.title)

  beforeAll(async () => {
    manual = await newSpace(kit)
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const result = await edit(manual, [
      { operation: 'insert_files', files: [{ name: 'dot.png', ref: 'dot', contentType: 'image/png', base64: png }] },
      {
        operation: 'insert_page',
        ref: 'intro',
        title: 'Intro',
        document: text('# Introduction\n\nSee [setup](setup.md#install), ![dot](dot) and [nothing](gone.md).'),
      },
      {
        operation: 'insert_page',
        title: 'Setup',
        document: text('---\ndescription: How to begin\nicon: rocket\n---\n\n## Install\n\nZebra words.'),
      },
    ])
    ;[intro = '', setup = ''] = idsOf(result)
    picture = result.insertedFiles[0]?.file.id ?? ''
  })

  const space = { params: () => ({ spaceId: manual }) }
  const page = { params: () => ({ spaceId: manual, pageId: intro }) }
  const insert = (more: Record<string, unknown>) => ({
    changes: [{ operation: 'insert_page', title: 'T', document: {}, ...more }],
  })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateSpaceContent', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'has no such parent':       { as: 'edit', body: insert({ into: 'gone0000000000000000' }), answers: 404 },
    'has no such page':         { as: 'edit', body: { changes: [{ operation: 'delete_page', page: 'gone0000000000000000' }] }, answers: 404 },
    'needs the right to edit':  { as: 'comment', answers: 403 },
    'needs changes':            { as: 'edit', body: { changes: [] }, answers: 400, field: 'changes' },
    'takes no 51st change':     { as: 'edit', body: { changes: Array.from({ length: 51 }, () => insert({}).changes[0]) }, answers: 400, field: 'changes' },
    'takes no odd operation':   { as: 'edit', body: { changes: [{ operation: 'burn_page' }] }, answers: 400 },
    'takes no empty title':     { as: 'edit', body: insert({ title: '' }), answers: 400 },
    'takes no blank title':     { as: 'edit', body: insert({ title: ' \t' }), answers: 400, field: 'changes.0.title' },
    'takes no 1001st variable': { as: 'edit', body: insert({ variables: Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`v${at}`, 'x'])) }), answers: 400, field: 'changes.0.variables' },
    'takes no words in a group': { as: 'edit', body: insert({ type: 'group', document: { markdown: 'Words.' } }), answers: 400, field: 'changes.0.document' },
    'takes no wrong node':      { as: 'edit', body: insert({ document: { document: { object: 'document', data: {}, nodes: [{ object: 'block', type: 'hint', data: { style: 'loud' }, nodes: [] }] } } }), answers: 400, code: 'invalid_document' },
    'takes no wrong condition': { as: 'edit', body: insert({ condition: 'visitor.claims.constructor("x")' }), answers: 400, code: 'invalid_condition' },
    'takes no 2nd use of a name': { as: 'edit', body: { changes: [insert({ ref: 'a' }).changes[0], insert({ ref: 'a' }).changes[0]] }, answers: 400 },
    'takes no group in a page': { as: 'edit', body: () => insert({ type: 'group', into: intro }), answers: 400 },
    'takes no file both ways':  { as: 'edit', body: { changes: [{ operation: 'insert_files', files: [{ name: 'x', url: 'https://example.org', base64: 'eA==', contentType: 'text/plain' }] }] }, answers: 400 },
    'takes no taken slug':      { as: 'edit', body: insert({ slug: 'setup' }), answers: 409, code: 'conflict' },
    'takes no edit when locked': { as: 'admin', given: async (k: Kit) => ({ params: { spaceId: await newSpace(k, [], { editMode: 'locked' }) } }), answers: 409, code: 'space_locked' },
    'makes a group':            { as: 'edit', given: async (k: Kit) => ({ params: { spaceId: await newSpace(k) } }), body: insert({ type: 'group', document: { markdown: '' } }), answers: 200, gives: { changes: [{ page: { type: 'group', title: 'T' } }] } },
    'makes a page':             { as: 'edit', given: async (k: Kit) => ({ params: { spaceId: await newSpace(k) } }), answers: 200, gives: { changes: [{ object: 'created_page', page: { title: 'T', slug: 't', path: 't', type: 'document', kind: 'sheet' } }] } },
  }, { ...space, body: insert({}) })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'getPageById', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'has no such page':         { as: 'read', params: () => ({ spaceId: manual, pageId: 'gone0000000000000000' }), answers: 404 },
    'takes no odd format':      { as: 'read', query: { format: 'pdf' }, answers: 400, field: 'format' },
    'takes no odd switch':      { as: 'read', query: { evaluated: 'maybe' }, answers: 400, field: 'evaluated' },
    'shows it':                 { as: 'read', answers: 200, gives: { title: 'Introduction', type: 'document', kind: 'sheet', slug: 'introduction', layout: { width: 'default', metadata: true }, pages: [] } },
    'shows the tree':           { as: 'read', query: { format: 'document' }, answers: 200, gives: { document: { object: 'document' } } },
  }, page)

  describe('pages', () => {
    test('links in Markdown become references and print relative to the page', async () => {
      const shown = await kit.as.read.getPageById({ spaceId: manual, pageId: intro })
      expect(shown.markdown).toContain('[setup](setup.md#install)')
      expect(shown.markdown).toContain('[nothing](gone.md)')
      const stable = await kit.as.read.getPageById({
        spaceId: manual,
        pageId: intro,
        query: { 'format.markdown.refs': 'stable' },
      })
      expect(stable.markdown).toContain(`/pages/${setup}`)
    })

    test('front matter outranks the fields, and prints back', async () => {
      const shown = await kit.as.read.getPageById({ spaceId: manual, pageId: setup })
      expect(shown).toMatchObject({ description: 'How to begin', icon: 'rocket', title: 'Setup' })
      expect(shown.markdown).toMatch(/^---\ndescription: How to begin\nicon: rocket\n---\n\n# Setup\n\n## Install/)
    })

    test('stand in order, move, rename, nest and keep their ids', async () => {
      const spaceId = await newSpace(kit)
      const [a = '', b = '', c = ''] = idsOf(
        await edit(
          spaceId,
          ['A', 'B', 'C'].map((title) => ({ operation: 'insert_page' as const, title, document: {} })),
        ),
      )
      await edit(spaceId, [{ operation: 'insert_page', title: 'First', document: {}, at: 0 }])
      expect(await titles(spaceId)).toEqual(['First', 'A', 'B', 'C'])
      await edit(spaceId, [{ operation: 'update_page', page: c, at: 1 }])
      expect(await titles(spaceId)).toEqual(['First', 'C', 'A', 'B'])
      await edit(spaceId, [{ operation: 'update_page', page: c, at: 3 }])
      expect(await titles(spaceId)).toEqual(['First', 'A', 'B', 'C'])
      await edit(spaceId, [{ operation: 'update_page', page: b, into: a }])
      await edit(spaceId, [{ operation: 'update_page', page: c, into: b, title: 'Deep' }])
      const deep = await kit.as.admin.getPageById({ spaceId, pageId: c })
      expect(deep.path).toBe('a/b/deep')
      const cycle = await kit.call('admin', 'updateSpaceContent', {
        spaceId,
        body: { changes: [{ operation: 'update_page', page: a, into: c }] },
      })
      expect(cycle.status).toBe(409)
      await edit(spaceId, [{ operation: 'update_page', page: a, title: 'Alpha' }])
      expect((await kit.as.admin.getPageByPath({ spaceId, pagePath: 'alpha/b/deep' })).id).toBe(c)
      // Old paths still lead there.
      expect((await kit.as.admin.getPageByPath({ spaceId, pagePath: 'a/b/deep' })).id).toBe(c)
      expect((await kit.as.admin.getPageByPath({ spaceId, pagePath: 'c' })).id).toBe(c)
      expect((await kit.call('admin', 'getPageByPath', { spaceId, pagePath: 'nowhere' })).status).toBe(404)
      const deleted = await edit(spaceId, [{ operation: 'delete_page', page: a }])
      expect(deleted.changes).toEqual([{ object: 'deleted_page', page: a }])
      expect(await titles(spaceId)).toEqual(['First'])
    })

    test('of one title get slugs of their own', async () => {
      const spaceId = await newSpace(kit)
      await edit(
        spaceId,
        Array.from({ length: 5 }, () => ({ operation: 'insert_page' as const, title: 'Same', document: {} })),
      )
      const { pages } = await kit.as.admin.listPages({ spaceId })
      expect(pages.map((one) => one.slug)).toEqual(['same', 'same-1', 'same-2', 'same-3', 'same-4'])
    })

    test('nest 32 deep and no deeper', async () => {
      const spaceId = await newSpace(kit)
      let into: string | undefined
      for (let depth = 1; depth <= 33; depth++) {
        const answer = await kit.call('admin', 'updateSpaceContent', {
          spaceId,
          body: {
            changes: [{ operation: 'insert_page', title: `D${depth}`, document: {}, ...(into ? { into } : {}) }],
          },
        })
        expect(answer.status).toBe(depth <= 32 ? 200 : 400)
        const [made] = (answer.body.changes ?? []) as { page: { id: string } }[]
        into = made?.page.id
      }
    })

    test('move only where what stands below them is not too deep either', async () => {
      const spaceId = await newSpace(kit)
      const insertUnder = async (title: string, into?: string) => {
        const change = { operation: 'insert_page' as const, title, document: {}, ...(into ? { into } : {}) }
        return idsOf(await edit(spaceId, [change]))[0] ?? ''
      }
      const chain: string[] = []
      for (let depth = 1; depth <= 31; depth++) chain.push(await insertUnder(`D${depth}`, chain.at(-1)))
      const outer = await insertUnder('Outer')
      const inner = await insertUnder('Inner', outer)
      const move = (page: string | undefined, into: string | null | undefined) =>
        kit.call('admin', 'updateSpaceContent', {
          spaceId,
          body: { changes: [{ operation: 'move_page', page: String(page), into }] },
        } as never)
      const refused = await move(chain[0], inner)
      expect(refused.status).toBe(400)
      expect(JSON.stringify(refused.body)).toContain('changes.0.into')
      expect(JSON.stringify(refused.body)).toContain('is too deep: pages can be nested 32 deep')
      expect((await move(chain[0], chain[20])).body).toMatchObject({ error: { type: 'cycle' } })
      expect((await move(chain[0], outer)).status).toBe(200)
      const deepest = await kit.as.admin.getPageById({ spaceId, pageId: String(chain[30]) })
      expect(deepest.path?.split('/')).toHaveLength(32)
      expect((await kit.as.admin.getPageByPath({ spaceId, pagePath: String(deepest.path) })).id).toBe(chain[30])
      // Up or beside, and what is not tall, goes anywhere.
      expect((await move(chain[30], chain[3])).status).toBe(200)
      expect((await move(chain[0], null)).status).toBe(200)
    })

    test('that both sides of a merge moved deeper keep the whole of their path', async () => {
      const spaceId = await newSpace(kit)
      const insertUnder = async (title: string, into?: string) => {
        const change = { operation: 'insert_page' as const, title, document: {}, ...(into ? { into } : {}) }
        return idsOf(await edit(spaceId, [change]))[0] ?? ''
      }
      const chains: string[][] = []
      for (const name of ['a', 'b', 'c']) {
        const chain: string[] = []
        for (let depth = 1; depth <= 15; depth++) chain.push(await insertUnder(`${name}${depth}`, chain.at(-1)))
        chains.push(chain)
      }
      const [a = [], b = [], c = []] = chains
      const { id: changeRequestId } = await kit.as.edit.createChangeRequest({ spaceId })
      const move = (page: string | undefined, into: string | undefined) => [
        { operation: 'move_page' as const, page: String(page), into: String(into) },
      ]
      await kit.as.edit.updateChangeRequestContent({
        spaceId,
        changeRequestId,
        body: { changes: move(b[0], a[14]) },
      })
      await edit(spaceId, move(c[0], b[14]))
      await kit.as.admin.mergeChangeRequest({ spaceId, changeRequestId })
      const deepest = await kit.as.admin.getPageById({ spaceId, pageId: String(c[14]) })
      expect(deepest.path?.split('/')).toHaveLength(45)
      expect((await kit.as.admin.getPageByPath({ spaceId, pagePath: String(deepest.path) })).id).toBe(c[14])
    })

    test('a batch is one edit: one wrong change undoes all', async () => {
      const spaceId = await newSpace(kit)
      const before = (await kit.as.admin.getSpaceById({ spaceId })).revision
      const answer = await kit.call('admin', 'updateSpaceContent', {
        spaceId,
        body: { changes: [...insert({}).changes, { operation: 'delete_page', page: 'gone0000000000000000' }] },
      })
      expect(answer.status).toBe(404)
      expect((await kit.as.admin.getSpaceById({ spaceId })).revision).toBe(before)
      expect(await titles(spaceId)).toEqual([])
    })

    test('a document that comes without keys has those of the blocks it replaces', async () => {
      const spaceId = await newSpace(kit)
      const [page = ''] = idsOf(
        await edit(spaceId, [{ operation: 'insert_page', title: 'P', document: text('The first.\n\nThe second.') }]),
      )
      const blocks = async () => {
        const { document } = await kit.as.admin.getPageById({ spaceId, pageId: page, query: { format: 'document' } })
        return document?.nodes ?? []
      }
      await edit(spaceId, [{ operation: 'update_page', page, document: text('The first, longer.\n\nThe second.') }])
      const before = await blocks()
      const keyless = JSON.parse(JSON.stringify(before, (name, value) => (name === 'key' ? undefined : value)))
      const document = { document: { object: 'document' as const, data: {}, nodes: keyless } }
      await edit(spaceId, [{ operation: 'update_page', page, document }])
      expect((await blocks()).map(({ key }) => key)).toEqual(before.map(({ key }) => key))
    })

    test('go back to an earlier version, whole or by block', async () => {
      const spaceId = await newSpace(kit)
      const [id = ''] = idsOf(
        await edit(spaceId, [{ operation: 'insert_page', title: 'P', document: text('one\n\ntwo\n\nthree') }]),
      )
      const first = (await kit.as.admin.getSpaceById({ spaceId })).revision
      const { document } = await kit.as.admin.getPageById({ spaceId, pageId: id, query: { format: 'document' } })
      const key = String(document?.nodes[1]?.key)
      await edit(spaceId, [{ operation: 'update_page', page: id, document: text('one!\n\ntwo!\n\nthree') }])
      await edit(spaceId, [{ operation: 'revert_page', page: id, revision: first, block: [key] }])
      expect((await kit.as.admin.getPageById({ spaceId, pageId: id })).markdown).toBe('# P\n\none!\n\ntwo\n\nthree\n')
      await edit(spaceId, [{ operation: 'revert_page', page: id, revision: first }])
      expect((await kit.as.admin.getPageById({ spaceId, pageId: id })).markdown).toBe('# P\n\none\n\ntwo\n\nthree\n')
    })
  })

  describe('revisions', () => {
    test('never change, and say so', async () => {
      const spaceId = await newSpace(kit, [{ operation: 'insert_page', title: 'Old', document: text('old words') }])
      const { revision } = await kit.as.admin.getSpaceById({ spaceId })
      const { pages } = await kit.as.admin.listPages({ spaceId })
      const pageId = pages[0]?.id ?? ''
      await edit(spaceId, [{ operation: 'update_page', page: pageId, title: 'New', document: text('new words') }])
      const old = await kit.call('read', 'getPageInRevisionById', { spaceId, revisionId: revision, pageId })
      expect(old.body.markdown).toBe('# Old\n\nold words\n')
      expect(old.headers['cache-control']).toContain('immutable')
      const now = await kit.as.admin.getCurrentRevision({ spaceId })
      expect(now.parents).toEqual([revision])
      expect((await kit.as.read.getRevisionById({ spaceId, revisionId: revision })).pages[0]?.title).toBe('Old')
      expect((await kit.call('read', 'getRevisionById', { spaceId: manual, revisionId: revision })).status).toBe(404)
      const documentId = String(pages[0]?.documentId)
      expect((await kit.as.read.getDocumentById({ spaceId, documentId })).object).toBe('document')
      expect((await kit.call('read', 'getDocumentById', { spaceId: manual, documentId })).status).toBe(404)
    })

    test('a copy has the content and a history of its own', async () => {
      const copy = await kit.as.admin.duplicateSpace({ spaceId: manual })
      const spaceId = copy.id
      expect(await titles(spaceId)).toEqual(await titles(manual))
      expect((await kit.as.admin.getCurrentRevision({ spaceId })).parents).toEqual([])
      expect((await kit.as.admin.listFiles({ spaceId })).count).toBe(1)
      await indexSpace({ db: kit.db, env: kit.env, signal: new AbortController().signal }, spaceId)
      expect((await kit.as.admin.listSpaceLinks({ spaceId })).stats).toEqual(
        (await kit.as.admin.listSpaceLinks({ spaceId: manual })).stats,
      )
      await edit(spaceId, [{ operation: 'insert_page', title: 'Only here', document: {} }])
      expect(await titles(manual)).not.toContain('Only here')
      expect((await kit.as.admin.searchSpaceContent({ spaceId, query: { query: 'zebra' } })).count).toBe(1)
    })
  })

  describe('links', () => {
    test('are listed with their status, and follow what comes and goes', async () => {
      const broken = async () =>
        (await kit.as.read.listSpaceLinks({ spaceId: manual, query: { status: 'broken' } })).items
      expect((await broken()).map((item) => item.targetReference?.url)).toEqual(['gone.md'])
      const links = await kit.as.read.listPageLinksInSpace({ spaceId: manual, pageId: intro })
      expect(links.stats).toEqual({ total: 3, broken: { total: 1 } })
      const file = await kit.as.read.listSpaceFileBacklinks({ spaceId: manual, fileId: picture })
      expect(file.items).toMatchObject([{ kind: 'file', file: { id: picture }, page: { id: intro } }])
      // The heading goes: the link to it breaks, though its page did not change.
      await edit(manual, [{ operation: 'update_page', page: setup, document: text('## Begin\n\nZebra words.') }])
      expect(await broken()).toHaveLength(2)
      await edit(manual, [{ operation: 'delete_page', page: setup }])
      expect(await broken()).toHaveLength(2)
      await edit(manual, [
        {
          operation: 'revert_page',
          page: setup,
          revision: (await kit.as.read.getCurrentRevision({ spaceId: manual })).parents[0] ?? '',
        },
      ])
      await edit(manual, [{ operation: 'update_page', page: setup, document: text('## Install\n\nZebra words.') }])
      expect(await broken()).toHaveLength(1)
    })

    test('lead to what folds by the id that its writer gave it', async () => {
      const { id: spaceId } = await kit.as.admin.createSpace({ organizationId: kit.organization, body: {} })
      const folding =
        '[There](#more), [not there](#less).\n\n<details id="more">\n<summary>More</summary>\nWords.\n</details>'
      await edit(spaceId, [{ operation: 'insert_page', title: 'Folding', document: text(folding) }])
      const { items, stats } = await kit.as.admin.listSpaceLinks({ spaceId, query: { status: 'broken' } })
      expect(stats).toEqual({ total: 2, broken: { total: 1 } })
      expect(JSON.stringify(items)).toContain('less')
    })
  })

  describe('search', () => {
    test('finds a change at once, by section, and forgets what is gone', async () => {
      const spaceId = await newSpace(kit)
      const find = async (query: string) => kit.as.read.searchSpaceContent({ spaceId, query: { query } })
      const [id = ''] = idsOf(
        await edit(spaceId, [
          {
            operation: 'insert_page',
            title: 'Animals',
            document: text('Some *text*.\n\n## Striped\n\nThe quick okapi jumps.'),
          },
        ]),
      )
      const { items } = await find('okap')
      expect(items[0]).toMatchObject({
        id,
        title: 'Animals',
        path: 'animals',
        sections: [{ title: 'Striped', path: 'animals#striped' }],
      })
      const [section] = items[0]?.sections ?? []
      const [from = 0, to = 0] = section?.highlights?.[0] ?? []
      expect(section?.body.slice(from, to).toLowerCase()).toBe('okap')
      expect((await find('"quick okapi"')).count).toBe(1)
      expect((await find('"okapi quick"')).count).toBe(0)
      await edit(spaceId, [{ operation: 'update_page', page: id, hidden: true }])
      expect((await find('okapi')).count).toBe(0)
      await edit(spaceId, [{ operation: 'update_page', page: id, hidden: false, document: text('Nothing.') }])
      expect((await find('okapi')).count).toBe(0)
      expect((await find('nothing')).count).toBe(1)
      await edit(spaceId, [{ operation: 'delete_page', page: id }])
      expect((await find('nothing')).count).toBe(0)
    })

    test('never shows or counts what the caller may not read', async () => {
      const spaceId = await newSpace(kit, [{ operation: 'insert_page', title: 'Secret', document: text('quokka') }])
      await kit.as.admin.updateSpaceById({ spaceId, body: { defaultLevel: null } })
      const query = { organizationId: kit.organization, query: { query: 'quokka' } }
      expect(await kit.as.create.searchOrganizationContent(query)).toMatchObject({ count: 0, items: [] })
      expect((await kit.as.admin.searchOrganizationContent(query)).items[0]?.pages[0]?.title).toBe('Secret')
      expect((await kit.call('create', 'searchSpaceContent', { spaceId, query: { query: 'quokka' } })).status).toBe(404)
    })

    test('asks for many spaces at once', async () => {
      const spaceOf = (word: string) =>
        newSpace(kit, [{ operation: 'insert_page', title: word, document: text(`${word} herd`) }])
      const count = async (query: string): Promise<number> => {
        const search = () =>
          kit.as.admin.searchOrganizationContent({ organizationId: kit.organization, query: { query } })
        // The first time finds what later ones have in memory.
        await search()
        const statements = vi.spyOn(kit.db, 'all')
        try {
          await search()
          return statements.mock.calls.filter(([{ sql }]) => sql.includes('from "space"')).length
        } finally {
          statements.mockRestore()
        }
      }
      await spaceOf('okapi')
      for (let i = 0; i < 6; i++) await spaceOf('gnu')
      expect(await count('gnu')).toBe(await count('okapi'))
    })

    test('takes any text', async () => {
      for (const query of [
        '"',
        'a AND',
        'NEAR(x',
        '*',
        ':*',
        "'; drop table page; --",
        '%',
        '\\',
        '東京',
        '😀',
        'x'.repeat(512),
      ]) {
        expect(
          (await kit.call('read', 'searchSpaceContent', { spaceId: manual, query: { query } })).status,
          query,
        ).toBe(200)
      }
      expect(
        (await kit.call('read', 'searchSpaceContent', { spaceId: manual, query: { query: 'x'.repeat(513) } })).status,
      ).toBe(400)
      expect((await kit.call('read', 'searchSpaceContent', { spaceId: manual })).status).toBe(400)
    })
  })

  test('what links to a file in a change request is what the change request says', async () => {
    const { id: changeRequestId } = await kit.as.edit.createChangeRequest({
      spaceId: manual,
      body: { subject: 'Pictures' },
    })
    const linking = async () =>
      (
        await kit.as.read.listChangeRequestFileBacklinks({ spaceId: manual, changeRequestId, fileId: picture })
      ).items.map((item) => item.page?.title)
    expect(await linking()).toEqual(['Introduction'])
    await kit.as.edit.updateChangeRequestContent({
      spaceId: manual,
      changeRequestId,
      body: {
        changes: [
          { operation: 'update_page', page: intro, document: text('# Introduction\n\nNothing to see.') },
          { operation: 'insert_page', title: 'Gallery', document: text(`![dot](/files/${picture})`) },
        ],
      },
    })
    expect(await linking()).toEqual(['Gallery'])
    const main = await kit.as.read.listSpaceFileBacklinks({ spaceId: manual, fileId: picture })
    expect(main.items.map((item) => item.page?.id)).toEqual([intro])
  })

  test('a document that is none is refused by the place of the mistake', async () => {
    const document = { object: 'document', data: {}, nodes: [{ object: 'block', type: 'marquee' }] }
    const answer = await kit.call('edit', 'updateSpaceContent', {
      spaceId: manual,
      body: insert({ document: { document } }),
    })
    expect(answer.status).toBe(400)
    expect(answer.body.error?.message).toBe(
      '`changes.0.document.document`: nodes[0].type is not a type of block: marquee.',
    )
    expect(answer.body.error?.details).toMatchObject([{ field: 'changes.0.document.document.nodes.0.type' }])
  })

  test('templates fill a space', async () => {
    const { items } = await kit.as.read.listTemplates()
    expect(items.map((item) => item.id)).toEqual([
      'blank',
      'product-docs',
      'api-reference',
      'knowledge-base',
      'changelog',
    ])
    const spaceId = await newSpace(kit)
    const answer = await kit.call('edit', 'applyTemplateToSpace', { spaceId, body: { id: 'product-docs' } })
    expect(answer.status).toBe(201)
    expect(await titles(spaceId)).toEqual(['Introduction', 'Get started', 'Guides', 'Reference'])
    expect((await kit.call('edit', 'applyTemplateToSpace', { spaceId, body: { id: 'none' } })).status).toBe(400)
  })

  test('a hundred writers of one space all get their page', async () => {
    const spaceId = await newSpace(kit)
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        kit.call('admin', 'updateSpaceContent', {
          spaceId,
          body: { changes: [{ operation: 'insert_page', title: `W${i}`, document: text(`w${i}`) }] },
        }),
      ),
    )
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    expect((await titles(spaceId)).length).toBe(100)
  })
})
