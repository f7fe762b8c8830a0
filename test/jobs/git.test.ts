/** Spaces and real Git repositories, by a real server and by path, on both databases. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { git } from '../../src/jobs/git/job.ts'
import { makeWorker, type Worker } from '../../src/jobs/worker.ts'
import { makeLog } from '../../src/platform/log.ts'
import { findGitSync, rewriteGitSync } from '../../src/store/git/sync.ts'
import { eachBackend } from '../kit/backends.ts'
import { type GitServer, type Repository, startGitServer } from '../kit/git-server.ts'
import { type Json, useKit } from '../kit/server.ts'

const server: GitServer = await startGitServer()
afterAll(() => server.close())

const messageOf = ({ body }: { body: Json }): unknown => body.error?.message

const picture = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex')

/** A book as its authors wrote it: with marks that are printed otherwise, so that an export which touches it is seen. */
const book = {
  '.gitbook.yaml': 'root: ./docs/\nredirects:\n  old/start: guide/start.md\n',
  'program.js': 'console.log(1)\n',
  'docs/README.md': '# Welcome\n\nSee [the end](guide/end.md).\n\n![A picture](.gitbook/assets/a.png)\n',
  'docs/SUMMARY.md':
    '# Table of contents\n\n- [Welcome](README.md)\n\n## Guide\n\n- [Start](guide/start.md)\n- [End](guide/end.md)\n',
  'docs/guide/start.md':
    '---\ndescription: How to begin\n---\n# Start\n\nFirst *this*, then __that__.\n\n> [!NOTE]\n> Mind the gap.\n\n{% include "../.gitbook/includes/note.md" %}\n',
  'docs/guide/end.md': 'End\n===\n\nThe words were here at first.\n\n+ one\n+ two\n',
  'docs/.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nSaid twice.\n',
  'docs/.gitbook/vars.yaml': 'version: "1.2"\n',
  'docs/.gitbook/assets/a.png': picture,
}

eachBackend((backend) => {
  const kit = useKit(backend, {
    settings: { LECTERN_ALLOW_PRIVATE_FETCH: '1', LECTERN_IMPORT_WAIT: '120', LECTERN_GIT_ROOTS: server.root },
  })
  let worker: Worker
  beforeAll(async () => {
    worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers: { git } })
    await worker.start()
    return () => worker.stop()
  })

  const newSpace = async (): Promise<string> =>
    (await kit.as.admin.createSpace({ organizationId: kit.organization, body: {} })).id
  const urlOf = ({ name }: Repository): string => `${server.url}/${name}`
  const bring = (spaceId: string, url: string, more: object = {}) =>
    kit.call('edit', 'importGitRepository', { spaceId, body: { url, ref: 'main', ...more } })
  const give = (spaceId: string, url: string, more: object = {}) =>
    kit.call('edit', 'exportToGitRepository', {
      spaceId,
      body: { url, ref: 'main', commitMessage: 'From us', ...more },
    })
  const pagesOf = async (spaceId: string) => {
    const { pages } = await kit.as.read.listPages({ spaceId })
    const all = (list: typeof pages): typeof pages => list.flatMap((page) => [page, ...all(page.pages ?? [])])
    return new Map(all(pages).map((page) => [page.title, page]))
  }
  const edit = (spaceId: string, page = '', markdown: string) =>
    kit.as.edit.updateSpaceContent({
      spaceId,
      body: { changes: [{ operation: 'update_page', page, document: { markdown } }] },
    })

  for (const [kind, address] of [
    ['a server', urlOf],
    ['a path', ({ path }: Repository) => path],
  ] as const)
    describe(`by ${kind}`, () => {
      test('what was in the space before it had a repository goes there, too', async () => {
        const spaceId = await newSpace()
        await kit.as.edit.updateSpaceContent({
          spaceId,
          body: { changes: [{ operation: 'insert_page', title: 'By hand', document: { markdown: 'Mine.' } }] },
        })
        const repository = server.make({ 'README.md': '# Welcome\n\nTheirs.\n' })
        expect((await bring(spaceId, address(repository))).status).toBe(204)
        expect((await give(spaceId, address(repository))).status).toBe(204)
        expect(repository.git('show', 'main:by-hand.md')).toContain('Mine.')
        expect(repository.git('show', 'main:SUMMARY.md')).toContain('by-hand.md')
        expect(repository.git('show', 'main:README.md')).toBe('# Welcome\n\nTheirs.')
      }, 60_000)

      test('a book comes in, goes back untouched without a commit, and edited with those files alone', async () => {
        const repository = server.make(book)
        const spaceId = await newSpace()
        expect((await kit.call('edit', 'getSpaceGitInfo', { spaceId })).status).toBe(404)
        expect(await bring(spaceId, address(repository))).toMatchObject({ status: 204 })
        const pages = await pagesOf(spaceId)
        expect([...pages.keys()]).toEqual(['Welcome', 'Guide', 'Start', 'End'])
        const oid = repository.git('rev-parse', 'main:docs/guide/start.md')
        expect(pages.get('Start')?.git).toEqual({ oid, path: 'docs/guide/start.md' })
        const { items } = await kit.as.read.listFiles({ spaceId })
        expect(items.find(({ name }) => name === 'a.png')?.git?.path).toBe('docs/.gitbook/assets/a.png')
        const revision = await kit.as.read.getCurrentRevision({ spaceId })
        const head = repository.git('rev-parse', 'main')
        expect(revision.git).toMatchObject({ oid: head, message: 'The first\n', createdByService: false, ref: 'main' })
        expect(revision.variables).toEqual({ version: '1.2' })
        expect(revision.reusableContents).toMatchObject([{ title: 'Note' }])

        expect(await give(spaceId, address(repository))).toMatchObject({ status: 204 })
        expect(repository.git('rev-parse', 'main')).toBe(head)
        expect((await kit.as.read.getSpaceById({ spaceId })).revision).toBe(revision.id)

        // The same commit by another name, which is made: neither way does anything else.
        for (const ref of ['review', 'main']) {
          expect(await give(spaceId, address(repository), { ref })).toMatchObject({ status: 204 })
          expect(await bring(spaceId, address(repository), { ref })).toMatchObject({ status: 204 })
        }
        expect(repository.git('rev-parse', 'review')).toBe(head)
        expect((await kit.as.read.getSpaceById({ spaceId })).revision).toBe(revision.id)

        await edit(spaceId, pages.get('End')?.id, '# End\n\nNothing more.')
        await kit.as.edit.updateSpaceContent({
          spaceId,
          body: { changes: [{ operation: 'insert_page', title: 'Made here', document: { markdown: 'New.' } }] },
        })
        expect(await give(spaceId, address(repository))).toMatchObject({ status: 204 })
        expect(repository.git('diff', '--name-only', head, 'main').split('\n')).toEqual([
          'docs/SUMMARY.md',
          'docs/guide/end.md',
          'docs/made-here.md',
        ])
        expect(repository.git('log', '-1', '--format=%s|%P', 'main')).toBe(`From us|${head}`)
        const after = repository.git('rev-parse', 'main')
        await edit(spaceId, pages.get('End')?.id, '# End\n\nNothing more. Truly.')
        expect(await give(spaceId, address(repository), { ref: 'proposal' })).toMatchObject({ status: 204 })
        expect(repository.git('rev-parse', 'main')).toBe(after)
        expect(repository.git('diff', '--name-only', 'main', 'proposal')).toBe('docs/guide/end.md')
        repository.git('branch', '-f', 'main', 'proposal')
        expect(repository.git('show', 'main:docs/guide/end.md')).toContain('Nothing more.')
        repository.git('fsck', '--strict')
        const made = (await pagesOf(spaceId)).get('Made here')
        expect(made?.git).toEqual({
          path: 'docs/made-here.md',
          oid: repository.git('rev-parse', 'main:docs/made-here.md'),
        })

        // Both sides say the same: neither way does anything.
        const settled = (await kit.as.read.getSpaceById({ spaceId })).revision
        expect(await bring(spaceId, address(repository))).toMatchObject({ status: 204 })
        expect(await give(spaceId, address(repository))).toMatchObject({ status: 204 })
        expect((await kit.as.read.getSpaceById({ spaceId })).revision).toBe(settled)
        const info = await kit.as.read.getSpaceGitInfo({ spaceId })
        expect(info).toMatchObject({ commit: { createdByService: true }, operation: { state: 'success' } })
        expect(JSON.stringify(info)).not.toContain(server.root)
      }, 120_000)
    })

  test('an import or export that comes again with its Idempotency-Key is not carried out again', async () => {
    const repository = server.make(book)
    const spaceId = await newSpace()
    const body = { url: urlOf(repository), ref: 'main' }
    const bringOnce = (more = {}) =>
      kit.call('edit', 'importGitRepository', { spaceId, body: { ...body, ...more }, idempotencyKey: 'git' })
    const missing = { ref: 'nowhere' }
    const bringMissing = () =>
      kit.call('edit', 'importGitRepository', { spaceId, body: { ...body, ...missing }, idempotencyKey: 'missing' })
    expect(await Promise.all([bringOnce(), bringOnce()])).toMatchObject([{ status: 204 }, { status: 204 }])
    const { revision } = await kit.as.read.getSpaceById({ spaceId })
    repository.commit({ 'docs/guide/end.md': '# End\n\nLater.\n' })
    expect(await bringOnce()).toMatchObject({ status: 204 })
    expect(await bringOnce(missing)).toMatchObject({ status: 422 })
    expect((await kit.as.read.getSpaceById({ spaceId })).revision).toBe(revision)
    // What failed has done nothing, so its key is free again.
    expect(await bringMissing()).toMatchObject({ status: 400 })
    repository.git('branch', 'nowhere', 'main')
    expect(await bringMissing()).toMatchObject({ status: 204 })
  }, 120_000)

  test('a second import changes what changed, keeps ids through renames, and keeps what was written here', async () => {
    const repository = server.make(book)
    const spaceId = await newSpace()
    const url = urlOf(repository)
    await bring(spaceId, url)
    const before = await pagesOf(spaceId)
    await edit(spaceId, before.get('Welcome')?.id, '# Welcome\n\nWritten here.')
    repository.commit({
      'docs/guide/start.md': null,
      'docs/guide/begin.md': book['docs/guide/start.md'].replace('First', 'Firstly'),
      'docs/SUMMARY.md': book['docs/SUMMARY.md'].replace('guide/start.md', 'guide/begin.md'),
      'docs/guide/end.md': 'End\n===\n\nOther words.\n',
    })
    expect(await bring(spaceId, url)).toMatchObject({ status: 204 })
    const after = await pagesOf(spaceId)
    expect([...after].map(([title, { id }]) => [title, id])).toEqual([...before].map(([title, { id }]) => [title, id]))
    const text = async (title: string): Promise<string> =>
      JSON.stringify(await kit.as.read.getPageById({ spaceId, pageId: after.get(title)?.id ?? '' }))
    expect(await text('Welcome')).toContain('Written here.')
    expect(await text('End')).toContain('Other words.')
    expect(await text('Start')).toContain('Firstly')
    expect(after.get('Start')?.git?.path).toBe('docs/guide/begin.md')
    // Only what was written here goes back.
    const head = repository.git('rev-parse', 'main')
    expect(await give(spaceId, url)).toMatchObject({ status: 204 })
    expect(repository.git('diff', '--name-only', head, 'main')).toBe('docs/README.md')
  }, 120_000)

  test('what both sides changed is refused, and forced either way', async () => {
    const repository = server.make(book)
    const spaceId = await newSpace()
    const url = urlOf(repository)
    await bring(spaceId, url)
    const end = (await pagesOf(spaceId)).get('End')
    await edit(spaceId, end?.id, '# End\n\nThe words were ours at first.\n\n* one\n* two')
    repository.commit({ 'docs/guide/end.md': 'End\n===\n\nThe words were theirs at first.\n\n+ one\n+ two\n' })
    const refused = await give(spaceId, url)
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('Import them first') } },
    })
    const both = await bring(spaceId, url)
    expect(both).toMatchObject({ status: 409, body: { error: { message: expect.stringContaining('“End”') } } })
    expect((await kit.as.read.getSpaceGitInfo({ spaceId })).operation).toMatchObject({ state: 'failure' })
    expect(await give(spaceId, url, { force: true })).toMatchObject({ status: 204 })
    expect(repository.git('show', 'main:docs/guide/end.md')).toContain('were ours')
    // Nor do commits count as imported because there is nothing to write, or somebody wrote the same.
    repository.commit({ 'docs/guide/start.md': book['docs/guide/start.md'].replace('First', 'Theirs') })
    expect(await give(spaceId, url)).toMatchObject({ status: 409 })
    expect(await bring(spaceId, url)).toMatchObject({ status: 204 })
    const { Start } = Object.fromEntries(await pagesOf(spaceId))
    const start = await kit.as.read.getPageById({ spaceId, pageId: Start?.id ?? '' })
    expect(JSON.stringify(start)).toContain('Theirs')
    await edit(spaceId, end?.id, '# End\n\nOurs again.')
    repository.commit({ 'docs/guide/end.md': '# End\n\nTheirs again.\n' })
    expect(await bring(spaceId, url, { force: true })).toMatchObject({ status: 204 })
    const page = await kit.as.read.getPageById({ spaceId, pageId: end?.id ?? '' })
    expect(JSON.stringify(page)).toContain('Theirs again.')
  }, 120_000)

  test('an export that was pushed before its process ended finds its own commit, and no other', async () => {
    const repository = server.make(book)
    const spaceId = await newSpace()
    const url = urlOf(repository)
    await bring(spaceId, url)
    const before = await findGitSync(kit.db, { spaceId })
    const loseTheEnd = async () => {
      const now = await findGitSync(kit.db, { spaceId })
      if (!before || !now) throw new Error('The space has no repository.')
      await rewriteGitSync(kit.db, { spaceId, operation: now.operation, synced: before.synced })
    }
    await edit(spaceId, (await pagesOf(spaceId)).get('End')?.id, '# End\n\nOurs.')
    expect(await give(spaceId, url)).toMatchObject({ status: 204 })
    const head = repository.git('rev-parse', 'main')
    await loseTheEnd()
    expect(await give(spaceId, url)).toMatchObject({ status: 204 })
    expect(repository.git('rev-parse', 'main')).toBe(head)
    await loseTheEnd()
    repository.commit({ 'docs/guide/start.md': '# Start\n\nTheirs.\n' })
    expect(await give(spaceId, url)).toMatchObject({ status: 409 })
  }, 120_000)

  test('credentials are asked for, kept out of sight, and used again for the same address', async () => {
    const repository = server.make(book)
    const spaceId = await newSpace()
    server.credentials = 'bot:s3cret-t0ken'
    try {
      const without = await bring(spaceId, urlOf(repository))
      expect(without).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringContaining('asks for credentials') } },
      })
      const withThem = (pair: string) => urlOf(repository).replace('://', `://${pair}@`)
      const wrong = await bring(spaceId, withThem('bot:guess'))
      expect(messageOf(wrong)).toContain('refused the credentials')
      expect(await bring(spaceId, withThem('bot:s3cret-t0ken'))).toMatchObject({ status: 204 })
      await edit(spaceId, (await pagesOf(spaceId)).get('End')?.id, '# End\n\nMore.')
      expect(await give(spaceId, urlOf(repository))).toMatchObject({ status: 204 })
      const otherPlace = server.make(book)
      expect((await bring(spaceId, urlOf(otherPlace))).status).toBe(400)
      // They are of the organization that gave them.
      const again = await newSpace()
      expect(await bring(again, withThem('bot:s3cret-t0ken'))).toMatchObject({ status: 204 })
      const { id: organization } = await kit.as.admin.createOrganization({ body: { title: 'Receiving' } })
      await kit.as.admin.transferSpace({ spaceId: again, body: { organization } })
      repository.commit({ 'docs/guide/end.md': '# End\n\nLater.\n' })
      const received = (url: string) =>
        kit.call('admin', 'importGitRepository', { spaceId: again, body: { url, ref: 'main' } })
      expect(messageOf(await received(urlOf(repository)))).toContain('asks for credentials')
      expect(await received(withThem('bot:s3cret-t0ken'))).toMatchObject({ status: 204 })
      // So it is with a space in a collection that goes, but not while it is being synchronised.
      const { id: collectionId } = await kit.as.admin.createCollection({
        organizationId: organization,
        body: { title: 'Going' },
      })
      await kit.as.admin.moveSpace({ spaceId: again, body: { parent: collectionId } })
      const running = (state: string) =>
        kit.db.transaction((tx) =>
          tx.run({ sql: `update "gitSync" set "state" = '${state}' where "spaceId" = '${again}'`, name: '' }, []),
        )
      const back = { collectionId, body: { organization: kit.organization } }
      await running('running')
      expect(await kit.call('admin', 'transferCollection', back)).toMatchObject({ status: 409 })
      await running('done')
      expect(await kit.call('admin', 'transferCollection', back)).toMatchObject({ status: 200 })
      repository.commit({ 'docs/guide/end.md': '# End\n\nLatest.\n' })
      expect(messageOf(await received(urlOf(repository)))).toContain('asks for credentials')
    } finally {
      server.credentials = undefined
    }
    const rows = await kit.db.all({ sql: 'select * from "gitSync"', name: '' }, [])
    const events = await kit.db.all({ sql: 'select * from "event"', name: '' }, [])
    const secret = Buffer.from('bot:s3cret-t0ken').toString('base64')
    for (const text of [
      JSON.stringify([rows, events]),
      JSON.stringify(await kit.as.admin.getSpaceGitInfo({ spaceId })),
    ]) {
      expect(text).not.toContain('s3cret')
      expect(text).not.toContain(secret)
    }
  }, 120_000)

  test('a repository that cannot be used is told in a sentence, and nothing changes', async () => {
    const repository = server.make(book)
    const empty = server.make()
    const spaceId = await newSpace()
    const { revision } = await kit.as.read.getSpaceById({ spaceId })
    const cases: [string, object, string][] = [
      [`${server.url}/nothing.git`, {}, 'has no such repository'],
      [urlOf(repository), { ref: 'nowhere' }, 'no branch or tag nowhere'],
      [urlOf(repository), { repoProjectDirectory: 'elsewhere' }, 'no folder elsewhere'],
      [urlOf(empty), {}, 'no commit yet'],
      ['/etc', {}, 'not one that this server may use'],
      [`${server.root}/../${server.root}`, {}, 'not one that this server may use'],
    ]
    for (const [url, more, sentence] of cases) {
      const answer = await bring(spaceId, url, more)
      expect([answer.status, messageOf(answer)], url).toEqual([400, expect.stringContaining(sentence)])
    }
    for (const ref of ['--upload-pack=x', '../x', 'a..b', 'a b', 'x.lock'])
      expect((await bring(spaceId, urlOf(repository), { ref })).status, ref).toBe(400)
    expect((await kit.as.read.getSpaceById({ spaceId })).revision).toBe(revision)
  }, 120_000)

  test('an import that is older than the last one does nothing, whatever the zones of the two', async () => {
    const repository = server.make(book)
    const url = urlOf(repository)
    const spaceId = await newSpace()
    for (const timestamp of ['next tuesday', '2026-11-18', '2026-11-18T18:00:00', '2026-13-18T18:00:00Z'])
      expect(await bring(spaceId, url, { timestamp }), timestamp).toMatchObject({
        status: 400,
        body: { error: { details: [{ field: 'timestamp', message: expect.stringContaining('ISO 8601') }] } },
      })
    const bringAt = async (timestamp: string) => {
      expect((await bring(spaceId, url, { timestamp })).status).toBe(204)
      return (await kit.as.read.getSpaceGitInfo({ spaceId })).operation.startedAt
    }
    const first = await bringAt('2026-11-18T22:00:00+05:00')
    expect(await bringAt('2026-11-18T16:59:59.999Z')).toBe(first)
    const second = await bringAt('2026-11-18T18:00:00Z')
    expect(second).not.toBe(first)
    // What an earlier version took holds nothing up.
    const sql = `update "gitSync" set "synced" = replace("synced", '2026-11-18T18:00:00Z', 'next tuesday') where "spaceId" = '${spaceId}'`
    await kit.db.script(sql)
    expect(await bringAt('2026-11-18T18:00:01Z')).not.toBe(second)
  }, 120_000)

  test('a repository with a file that unpacks to more than one may hold is refused', async () => {
    const repository = server.make({ 'README.md': '# Docs\n', 'zeros.bin': Buffer.alloc(101 * 1024 * 1024) })
    const answer = await bring(await newSpace(), urlOf(repository))
    expect([answer.status, messageOf(answer)]).toEqual([413, expect.stringContaining('larger than 100 MiB')])
  }, 120_000)

  test('an empty repository takes a whole space; a standalone import leaves the content as it is', async () => {
    const spaceId = await newSpace()
    const repository = server.make(book)
    const { revision } = await kit.as.read.getSpaceById({ spaceId })
    expect(await bring(spaceId, urlOf(repository), { standalone: true })).toMatchObject({ status: 204 })
    expect((await kit.as.read.getSpaceById({ spaceId })).revision).toBe(revision)
    const { operation } = await kit.as.read.getSpaceGitInfo({ spaceId })
    const { pages } = await kit.as.read.listPagesInRevisionById({ spaceId, revisionId: operation.revision ?? '' })
    expect(pages.length).toBeGreaterThan(0)
    await bring(spaceId, urlOf(repository))
    const empty = server.make()
    expect(await give(spaceId, urlOf(empty), { repoProjectDirectory: 'handbook' })).toMatchObject({ status: 204 })
    expect(empty.git('ls-tree', '-r', '--name-only', 'main').split('\n')).toContain('handbook/docs/guide/start.md')
    empty.git('fsck', '--strict')
  }, 120_000)

  describe('a hostile server', () => {
    let hostile: Server
    let address: string
    beforeAll(async () => {
      hostile = createServer((request, response) => {
        if (request.url?.startsWith('/redirect'))
          return void response.writeHead(302, { location: 'http://169.254.169.254/x' }).end()
        response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' })
        if (request.url?.startsWith('/garbage')) return void response.end('0000zzzz')
        const part = Buffer.alloc(1024 * 1024, '0')
        const more = (): void => {
          if (!response.destroyed) response.write(part, () => setImmediate(more))
        }
        more()
      })
      await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve))
      address = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`
      return () => void hostile.close()
    })

    test('that sends without end, sends garbage or leads inside is refused', async () => {
      const spaceId = await newSpace()
      const { limits } = kit.env.imports
      const usual = limits.bytes
      limits.bytes = 20 * 1024 * 1024
      try {
        const endless = await bring(spaceId, `${address}/endless.git`)
        expect([endless.status, messageOf(endless)]).toEqual([413, expect.stringContaining('larger than')])
      } finally {
        limits.bytes = usual
      }
      expect(messageOf(await bring(spaceId, `${address}/redirect.git`))).toContain('not a public address')
      expect((await bring(spaceId, `${address}/garbage.git`)).status).toBe(400)
    }, 120_000)
  })
})
