import { beforeAll, describe, expect, test, vi } from 'vitest'
import { fromMarkdown } from '../../../src/core/document/read/from-markdown.ts'
import { toMarkdown } from '../../../src/core/document/to-markdown.ts'
import { assignKeys } from '../../../src/core/document/tree/keys.ts'
import { commentBody } from '../../../src/domain/comments/body.ts'
import { commentHandlers } from '../../../src/domain/comments/handlers.ts'
import { Threads } from '../../../src/threads/supervisor.ts'
import { eachBackend } from '../../kit/backends.ts'
import { scenarios } from '../../kit/scenarios.ts'
import { type Kit, useKit } from '../../kit/server.ts'

test.each([
  'postCommentInSpace',
  'updateCommentInSpace',
  'postCommentReplyInSpace',
  'updateCommentReplyInSpace',
] as const)('%s reads its Markdown before the transaction', async (name) => {
  const { steps } = commentHandlers[name] as unknown as {
    steps: { read: (body: object) => Promise<unknown> }
  }
  const body = { body: { markdown: 'One *word*' } }
  expect(await steps.read(body)).toMatchObject({ markdown: 'One _word_', document: expect.any(String) })
})

test('a comment that begins with a line of hyphens begins with a divider, and has no front matter', async () => {
  const { markdown } = await commentBody(new Threads(), { markdown: '---\n\nicon: star\n\n---\nHello' })
  expect(markdown).toBe('***\n\nicon: star\n\n***\n\nHello')
  expect((await commentBody(new Threads(), { markdown })).markdown).toBe(markdown)
})

test.each([
  ['of definitions', 'a\n: b\n'],
  ['of list items', '* a\n'],
  ['of keys', `---\n{${Array.from({ length: 12_000 }, (_, at) => at).join()}}\n---\n`],
])(
  'a long comment %s leaves time for others',
  async (_, piece) => {
    const markdown = piece.repeat(Math.ceil(60_000 / piece.length)).slice(0, 65_000)
    let turns = 0
    const counting = setInterval(() => {
      turns += 1
    }, 1)
    const read = await commentBody(new Threads(), { markdown })
    clearInterval(counting)
    expect(turns).toBeGreaterThan(20)
    const { document } = fromMarkdown(markdown, { isPart: true })
    expect(read).toEqual({ markdown: toMarkdown(document).trimEnd(), document: JSON.stringify(assignKeys(document)) })
  },
  60_000,
)

eachBackend((backend) => {
  const kit = useKit(backend)
  let spaceId = ''
  let pageId = ''
  let block = ''
  let draft = ''

  beforeAll(async () => {
    spaceId = (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Docs' } })).id
    const { changes } = await kit.as.admin.updateSpaceContent({
      spaceId,
      body: { changes: [{ operation: 'insert_page', title: 'Page', document: { markdown: 'one\n\ntwo' } }] },
    })
    pageId = typeof changes[0]?.page === 'object' ? changes[0].page.id : ''
    const { document } = await kit.as.admin.getPageById({ spaceId, pageId, query: { format: 'document' } })
    block = String(document?.nodes[1]?.key)
    draft = (await kit.as.edit.createChangeRequest({ spaceId })).id
  })

  const post = async (k: Kit, as: 'comment' | 'edit' | 'admin' = 'comment', body: Record<string, unknown> = {}) =>
    k.as[as].postCommentInSpace({ spaceId, body: { body: { markdown: 'Words.' }, ...body } })
  const posted = async (k: Kit) => ({ params: { spaceId, commentId: (await post(k)).id } })
  const replied = async (k: Kit) => {
    const { params } = await posted(k)
    const reply = await k.as.comment.postCommentReplyInSpace({ ...params, body: { body: { markdown: 'Reply.' } } })
    return { params: { ...params, commentReplyId: reply.id } }
  }
  const openCount = async () => (await kit.as.admin.getSpaceById({ spaceId })).comments
  const space = { params: () => ({ spaceId }) }

  test('previews and copied titles end with a whole character', async () => {
    const { changes } = await kit.as.admin.updateSpaceContent({
      spaceId,
      body: {
        changes: [
          { operation: 'insert_page', title: 'Smile', document: { markdown: `${'a'.repeat(139)}😀 and more` } },
        ],
      },
    })
    const page = typeof changes[0]?.page === 'object' ? changes[0].page.id : ''
    const { document } = await kit.as.admin.getPageById({ spaceId, pageId: page, query: { format: 'document' } })
    const comment = await post(kit, 'comment', { page, node: String(document?.nodes[0]?.key) })
    expect(comment.target.node?.preview).toBe('a'.repeat(139))
    const read = await kit.as.comment.getCommentInSpace({ spaceId, commentId: comment.id })
    expect(read.target.node?.preview).toBe('a'.repeat(139))
    const title = `${'b'.repeat(41)}😀x`
    const original = await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title } })
    const copy = await kit.as.admin.duplicateSpace({ spaceId: original.id })
    expect(copy.title).toBe(`Copy of ${'b'.repeat(41)}`)
  })

  test('those that many post at once are all there, counted, and share commits on PostgreSQL', async () => {
    const before = await openCount()
    const many = await Promise.all(Array.from({ length: 40 }, () => post(kit)))
    expect(await openCount()).toBe(before + 40)
    const ids = new Set(many.map(({ id }) => id))
    expect(ids.size).toBe(40)
    const sql = `select count(distinct "xact") as "commits", count(*) as "events" from "event"
      where "action" = 'comment_posted' and "spaceId" = '${spaceId}'`
    const [row] = await kit.db.all({ sql, name: '' }, [])
    expect(Number(row?.events)).toBeGreaterThanOrEqual(40)
    expect(Number(row?.commits)).toBeLessThan(Number(row?.events))
  })

  test('posting one takes one statement a table, on PostgreSQL one for all it writes, and reads none of the sites that show its space', async () => {
    const statements: string[] = []
    const begin = kit.db.transaction.bind(kit.db)
    const transactions = vi.spyOn(kit.db, 'transaction').mockImplementation((work, options) =>
      begin((tx) => {
        const [all, run] = [tx.all.bind(tx), tx.run.bind(tx)]
        tx.all = (statement, values) => all(statement, values).finally(() => statements.push(statement.sql))
        tx.run = (statement, values) => run(statement, values).finally(() => statements.push(statement.sql))
        return work(tx)
      }, options),
    )
    try {
      await post(kit, 'comment', { page: pageId })
    } finally {
      transactions.mockRestore()
    }
    // When a token was last used is noted apart, now and then.
    const own = statements.filter((sql) => !sql.startsWith('update "apiToken"'))
    const tables = own.map((sql) =>
      [...sql.matchAll(/(?:insert into|update|^select) "(\w+)"/g)].map(([, table]) => table).join(),
    )
    expect(tables).toEqual(
      backend.name === 'sqlite'
        ? ['space', 'comment', 'event', 'space']
        : ['space', 'comment,space,changeRequest,event'],
    )
    expect(own[0]).not.toContain('"siteSpace"')
  })

  test('a column that a newer build has added beside this one keeps its default', async () => {
    const tables = ['comment', 'commentReply', 'event']
    for (const table of tables)
      await kit.db.script(`alter table "${table}" add column "later" integer not null default 7`)
    try {
      const { id } = await post(kit, 'comment', { page: pageId })
      await kit.as.comment.postCommentReplyInSpace({ spaceId, commentId: id, body: { body: { markdown: 'x' } } })
      const later = async (sql: string) => (await kit.db.all({ sql, name: '' }, [])).map((row) => row.later)
      expect(await later(`select "later" from "comment" where "id" = '${id}'`)).toEqual([7])
      expect(await later(`select "later" from "commentReply" where "commentId" = '${id}'`)).toEqual([7])
      expect(await later(`select "later" from "event" where "targetId" = '${id}'`)).toEqual([7])
    } finally {
      for (const table of tables) await kit.db.script(`alter table "${table}" drop column "later"`)
    }
  })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'postCommentInSpace', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'has no such page':         { as: 'comment', body: { page: 'gone0000000000000000', body: { markdown: 'x' } }, answers: 404 },
    'needs the right':          { as: 'read', answers: 403 },
    'needs a body':             { as: 'comment', body: {}, answers: 400, field: 'body' },
    'takes no empty text':      { as: 'comment', body: { body: { markdown: '' } }, answers: 400 },
    'takes no blank text':      { as: 'comment', body: { body: { markdown: '  \n ' } }, answers: 400, field: 'body.markdown' },
    'takes no empty document':  { as: 'comment', body: { body: { document: { object: 'document', data: {}, nodes: [] } } }, answers: 400, field: 'body.document' },
    'takes no body in both forms': { as: 'comment', body: { body: { markdown: 'x', document: { object: 'document', data: {}, nodes: [] } } }, answers: 400, field: 'body' },
    'takes no 65537th character': { as: 'comment', body: { body: { markdown: 'x'.repeat(65_537) } }, answers: 400 },
    'takes no block without its page': { as: 'comment', body: { node: 'x', body: { markdown: 'x' } }, answers: 400, field: 'node' },
    'takes no odd block':       { as: 'comment', body: () => ({ page: pageId, node: 'none', body: { markdown: 'x' } }), answers: 400, field: 'node' },
    'takes no odd document':    { as: 'comment', body: { body: { document: { object: 'document', data: {}, nodes: [{ object: 'block', type: 'nope' }] } } }, answers: 400, code: 'invalid_document' },
    'posts it':                 { as: 'comment', answers: 200, gives: { object: 'comment', status: 'open', replies: 0, reactions: [], body: { markdown: 'Hello **you**' }, permissions: { view: true, edit: true, reply: true, delete: true } } },
    'is about a page':          { as: 'comment', body: () => ({ page: pageId, body: { markdown: 'x' } }), answers: 200, gives: { target: { page: { title: 'Page', path: 'page', outdated: false } } } },
    'is about a block':         { as: 'comment', body: () => ({ page: pageId, node: block, body: { markdown: 'x' } }), answers: 200, gives: { target: { node: { preview: 'two' } } } },
    'holds no live HTML':       { as: 'comment', body: { body: { markdown: 'a <script>alert(1)</script>' } }, answers: 200 },
  }, { ...space, body: { body: { markdown: 'Hello **you**' } } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateCommentInSpace', {
    'needs a token':              { as: 'nobody', given: posted, answers: 401 },
    'is hidden from strangers':   { as: 'stranger', given: posted, answers: 404 },
    'is hidden from readers':     { as: 'read', given: posted, answers: 404 },
    'has no such comment':        { as: 'comment', params: () => ({ spaceId, commentId: 'gone0000000000000000' }), answers: 404 },
    'is edited by its author':    { as: 'edit', given: posted, body: { body: { markdown: 'no' } }, answers: 403 },
    'is resolved by editors':     { as: 'comment', given: async (k: Kit) => ({ params: { spaceId, commentId: (await post(k, 'admin')).id } }), body: { resolved: true }, answers: 403 },
    'takes no odd switch':        { as: 'comment', given: posted, body: { resolved: 'yes' }, answers: 400, field: 'resolved' },
    'takes no 51st reaction':     { as: 'comment', given: posted, body: { addedReactions: Array.from({ length: 51 }, (_, i) => `e${i}`) }, answers: 400, field: 'addedReactions' },
    'changes the words':          { as: 'comment', given: posted, body: { body: { markdown: 'New.' } }, answers: 200, gives: { body: { markdown: 'New.' } } },
    'is edited by admins':        { as: 'admin', given: posted, body: { body: { markdown: 'New.' } }, answers: 200 },
    'is resolved':                { as: 'edit', given: posted, body: { resolved: true }, answers: 200, gives: { status: 'resolved', resolvedBy: { object: 'user' } } },
    'takes reactions':            { as: 'edit', given: posted, body: { addedReactions: ['👍', '👍', '🎉'], removedReactions: ['🎉'] }, answers: 200, gives: { reactions: [{ emoji: '1f44d', count: 1 }] } },
  }, { body: { addedReactions: ['👍'] } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateCommentReplyInSpace', {
    'needs a token':           { as: 'nobody', given: replied, answers: 401 },
    'is hidden from strangers': { as: 'stranger', given: replied, answers: 404 },
    'is edited by its author': { as: 'edit', given: replied, answers: 403 },
    'takes no odd body':       { as: 'comment', given: replied, body: { body: { text: 'x' } }, answers: 400 },
    'changes the words':       { as: 'comment', given: replied, answers: 200, gives: { object: 'comment-reply', body: { markdown: 'New.' } } },
  }, { body: { body: { markdown: 'New.' } } })

  describe('counters and lists', () => {
    test('the space counts open comments, always equal to the rows', async () => {
      const check = async () =>
        expect(await openCount()).toBe(
          (await kit.as.comment.listCommentsInSpace({ spaceId, query: { status: 'open', limit: 1 } })).count,
        )
      await check()
      const { params } = await posted(kit)
      await check()
      for (const resolved of [true, true, false, false, true]) {
        await kit.as.comment.updateCommentInSpace({ ...params, body: { resolved } })
        await check()
      }
      await kit.as.comment.deleteCommentInSpace(params)
      await check()
      const many = await Promise.all(Array.from({ length: 20 }, () => post(kit)))
      await Promise.all(many.map((one) => kit.as.comment.deleteCommentInSpace({ spaceId, commentId: one.id })))
      await check()
    })

    test('filter by status, page and authors, in both orders', async () => {
      const own = await post(kit, 'edit', { page: pageId })
      const query = { targetPage: pageId, authors: [kit.people.edit.id] }
      const found = await kit.as.comment.listCommentsInSpace({ spaceId, query })
      expect(found.items.map((item) => item.id)).toContain(own.id)
      expect(
        found.items.every((item) => item.postedBy.id === kit.people.edit.id && item.target.page?.id === pageId),
      ).toBe(true)
      const down = await kit.as.comment.listCommentsInSpace({ spaceId, query: { limit: 1000 } })
      const up = await kit.as.comment.listCommentsInSpace({ spaceId, query: { limit: 1000, order: 'asc' } })
      expect(up.items.map((item) => item.id)).toEqual(down.items.map((item) => item.id).reverse())
    })

    test('replies are read from the first, and counted', async () => {
      const { params } = await posted(kit)
      for (const markdown of ['a', 'b', 'c'])
        await kit.as.edit.postCommentReplyInSpace({ ...params, body: { body: { markdown } } })
      const { items, count } = await kit.as.comment.listCommentRepliesInSpace({ ...params, query: { limit: 2 } })
      expect(items.map((item) => item.body.markdown)).toEqual(['a', 'b'])
      expect(count).toBe(3)
      const shown = await kit.as.comment.getCommentInSpace(params)
      expect(shown.replies).toBe(3)
      expect(shown.repliers.map((user) => user.id)).toEqual([kit.people.edit.id])
      await kit.as.edit.deleteCommentReplyInSpace({ ...params, commentReplyId: items[0]?.id ?? '' })
      expect((await kit.as.comment.getCommentInSpace(params)).replies).toBe(2)
    })

    test('commenters are members, each once', async () => {
      const { items } = await kit.as.comment.listCommentersInSpace({ spaceId })
      expect(new Set(items.map((item) => item.id)).size).toBe(items.length)
      expect(items.map((item) => item.id)).toContain(kit.people.comment.id)
    })
  })

  test('a comment is outdated when its page or block changes, and outlives its page', async () => {
    const make = async (markdown: string) => {
      const { changes } = await kit.as.admin.updateSpaceContent({
        spaceId,
        body: { changes: [{ operation: 'insert_page', title: 'Moving', document: { markdown } }] },
      })
      return typeof changes[0]?.page === 'object' ? changes[0].page.id : ''
    }
    const page = await make('first\n\nsecond')
    const { document } = await kit.as.admin.getPageById({ spaceId, pageId: page, query: { format: 'document' } })
    const onPage = await post(kit, 'comment', { page })
    const onBlock = await post(kit, 'comment', { page, node: String(document?.nodes[0]?.key) })
    const outdated = async (commentId: string) =>
      (await kit.as.comment.getCommentInSpace({ spaceId, commentId })).target.page?.outdated
    await kit.as.admin.updateSpaceContent({
      spaceId,
      body: { changes: [{ operation: 'update_page', page, document: { markdown: 'first\n\nsecond!' } }] },
    })
    expect([await outdated(onPage.id), await outdated(onBlock.id)]).toEqual([true, false])
    await kit.as.admin.updateSpaceContent({
      spaceId,
      body: { changes: [{ operation: 'update_page', page, document: { markdown: 'first!\n\nsecond!' } }] },
    })
    expect(await outdated(onBlock.id)).toBe(true)
    const targeted = async () =>
      (await kit.as.comment.getCommentInSpace({ spaceId, commentId: onBlock.id })).target.node
    expect(await targeted()).not.toHaveProperty('deleted')
    await kit.as.admin.updateSpaceContent({
      spaceId,
      body: { changes: [{ operation: 'update_page', page, document: { markdown: 'second!' } }] },
    })
    expect(await targeted()).toMatchObject({ preview: 'first', deleted: true })
    await kit.as.admin.updateSpaceContent({ spaceId, body: { changes: [{ operation: 'delete_page', page }] } })
    const kept = await kit.as.comment.getCommentInSpace({ spaceId, commentId: onBlock.id })
    expect(kept.target.page).toMatchObject({ title: 'Moving', outdated: true })
  })

  test('comments of a change request are its own', async () => {
    const inside = await kit.as.comment.postCommentInChangeRequest({
      spaceId,
      changeRequestId: draft,
      body: { body: { markdown: 'x' } },
    })
    expect(inside.target.changeRequest).toBe(draft)
    expect((await kit.as.comment.getChangeRequestById({ spaceId, changeRequestId: draft })).comments).toBe(1)
    expect((await kit.call('comment', 'getCommentInSpace', { spaceId, commentId: inside.id })).status).toBe(404)
    const outside = await post(kit)
    expect(
      (
        await kit.call('comment', 'getCommentInChangeRequest', {
          spaceId,
          changeRequestId: draft,
          commentId: outside.id,
        })
      ).status,
    ).toBe(404)
    expect((await kit.as.comment.listCommentsInChangeRequest({ spaceId, changeRequestId: draft })).count).toBe(1)
  })

  test('is read as Markdown or as a document', async () => {
    const { params } = await posted(kit)
    const shown = await kit.as.comment.getCommentInSpace({ ...params, query: { format: 'document' } })
    expect(shown.body.document?.object).toBe('document')
    expect(shown.body.markdown).toBeUndefined()
  })
})
