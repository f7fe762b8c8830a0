/** Imports from every source, each with a book of 36 pages, from a server in the test, on both databases. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fail } from '../../src/core/errors.ts'
import { importJob } from '../../src/jobs/import/job.ts'
import { makeWorker, type Worker } from '../../src/jobs/worker.ts'
import { makeFetch } from '../../src/platform/fetch.ts'
import { makeLog } from '../../src/platform/log.ts'
import { eachBackend } from '../kit/backends.ts'
import { formOf } from '../kit/forms.ts'
import { startGitServer } from '../kit/git-server.ts'
import { type Json, type Kit, useKit } from '../kit/server.ts'
import * as book from './import-fixtures.ts'

let server: Server
/** What is served, by path. */
const served = new Map<string, { type: string; body: Buffer }>()
const asked: string[] = []
const serve = (path: string, body: string | Buffer, type = 'application/octet-stream'): string => {
  served.set(path, { type, body: Buffer.from(body) })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
}

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const found = served.get(request.url ?? '')
    if (!found) return void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>')
    response.writeHead(200, { 'content-type': found.type }).end(found.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void server.close())

eachBackend((backend) => {
  const kit = useKit(backend, { settings: { LECTERN_ALLOW_PRIVATE_FETCH: '1', LECTERN_IMPORT_WAIT: '60' } })
  let worker: Worker
  beforeAll(async () => {
    worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers: { import: importJob } })
    await worker.start()
    return () => worker.stop()
  })

  const newSpace = async (): Promise<string> =>
    (await kit.as.admin.createSpace({ organizationId: kit.organization, body: {} })).id

  const bring = async (source: string, url: string): Promise<string> => {
    const spaceId = await newSpace()
    const answer = await kit.call('edit', 'importContent', { spaceId, body: { source, url } })
    expect(answer.body, source).toMatchObject({ revision: expect.any(String) })
    expect(answer.status).toBe(201)
    return spaceId
  }

  describe('a book of 36 pages', () => {
    const archives: [string, string, () => Promise<Buffer>, Shape][] = [
      ['zip', 'book.zip', book.markdownZip, {}],
      ['html', 'pages.zip', book.htmlZip, {}],
      ['confluence', 'space-html.zip', book.confluenceHtmlZip, { hint: 'danger' }],
      ['confluence', 'space-xml.zip', book.confluenceXmlZip, { hint: 'danger' }],
      ['notion', 'notion-md.zip', book.notionMarkdownZip, { hint: 'warning', besides: ['Tasks'] }],
      ['notion', 'notion-html.zip', book.notionHtmlZip, { hint: 'warning', syntax: 'javascript' }],
      ['github-wiki', 'wiki.zip', book.wikiZip, { besides: ['Home'] }],
      ['google-docs', 'handbook.zip', book.googleDocsZip, { flat: true }],
      ['docx', 'handbook.docx', book.docxFile, { flat: true }],
    ]
    for (const [source, name, make, shape] of archives)
      test(`comes in as ${source} (${name}), node by node`, async () => {
        const spaceId = await bring(source, serve(`/${name}`, await make(), 'application/zip'))
        await checkBook(kit, spaceId, shape)
      }, 60_000)

    test('comes in from the repository of a wiki', async () => {
      const git = await startGitServer()
      try {
        const { name } = git.make(book.wikiFiles())
        await checkBook(kit, await bring('github-wiki', `${git.url}/${name}`), { besides: ['Home'] })
      } finally {
        git.close()
      }
    }, 60_000)

    test('comes in from a website, by its sitemap or by its links, in the order of its navigation', async () => {
      for (const hasSitemap of [true, false]) {
        const url = serveSite(hasSitemap ? '/one' : '/two', hasSitemap)
        const spaceId = await bring('website', url)
        await checkBook(kit, spaceId, { besides: ['The book'] })
        expect(asked.filter((path) => path.includes('/private'))).toEqual([])
      }
    }, 60_000)

    test('comes again without a change, and changed where it changed', async () => {
      const url = serve('/again.zip', await book.markdownZip())
      const spaceId = await bring('zip', url)
      const { revision } = await kit.as.admin.getSpaceById({ spaceId })
      const call = { spaceId, body: { source: 'zip' as const, url } }
      expect((await kit.as.edit.importContent(call)).revision).toBe(revision)
      const before = await titles(kit, spaceId)
      await kit.as.admin.updateSpaceContent({
        spaceId,
        body: { changes: [{ operation: 'insert_page', title: 'Mine', document: { markdown: 'By hand.' } }] },
      })
      serve(
        '/again.zip',
        await book.zip({
          'SUMMARY.md': '* [Chapter 1](chapter-1/README.md)\n',
          'chapter-1/README.md': '# Chapter 1\n\nOther words.',
        }),
      )
      await kit.as.edit.importContent(call)
      const after = await titles(kit, spaceId)
      expect(Object.keys(after).sort()).toEqual(['Chapter 1', 'Mine'])
      expect(after['Chapter 1']).toBe(before['Chapter 1'])
      const page = await kit.as.read.getPageById({ spaceId, pageId: after['Chapter 1'] ?? '' })
      expect(page).not.toHaveProperty('git')
    }, 60_000)

    test('goes into a change request, and not into the space', async () => {
      const spaceId = await newSpace()
      const { id: changeRequestId } = await kit.as.edit.createChangeRequest({ spaceId, body: {} })
      const url = serve('/cr.zip', await book.markdownZip())
      const body = { source: 'zip' as const, url }
      const result = await kit.as.edit.importContentInChangeRequest({ spaceId, changeRequestId, body })
      expect(result).toMatchObject({ importedResources: 37, totalResources: 37 })
      const { pages } = await kit.as.edit.listPagesInChangeRequest({ spaceId, changeRequestId })
      expect(pages).toHaveLength(4)
      expect((await kit.as.edit.listPages({ spaceId })).pages).toHaveLength(0)
    }, 60_000)
  })

  test('a single page of Markdown or HTML is a page', async () => {
    const markdown = await bring('markdown', serve('/hello.md', '# Hello\n\nWorld *of* words.', 'text/markdown'))
    expect(Object.keys(await titles(kit, markdown))).toEqual(['Hello'])
    const html = await bring('html', serve('/hello', '<title>x</title><h1>Hello you</h1><p>World', 'text/html'))
    expect(Object.keys(await titles(kit, html))).toEqual(['Hello you'])
    const words = '<meta charset=iso-8859-1><h1>Caf\xe9</h1><p>\x93old\x94 pages'
    const old = await bring('html', serve('/old', Buffer.from(words, 'latin1'), 'text/html'))
    const { Café: pageId = '' } = await titles(kit, old)
    const page = await kit.as.read.getPageById({ spaceId: old, pageId })
    expect(page).toMatchObject({ markdown: expect.stringContaining('“old” pages') })
    const wide = Buffer.from('\ufeff<h1>Saved by Word</h1>', 'utf16le')
    expect(Object.keys(await titles(kit, await bring('html', serve('/wide', wide, 'text/html'))))).toEqual([
      'Saved by Word',
    ])
    const body = { source: 'html', url: serve('/picture', book.picture, 'image/png') }
    expect(await kit.call('edit', 'importContent', { spaceId: old, body })).toMatchObject({ status: 400 })
  })

  test('a run is watched, listed for whom it concerns, and called off', async () => {
    const spaceId = await newSpace()
    const of = { organizationId: kit.organization }
    const url = serve('/run.zip', await book.markdownZip())
    const target = { space: spaceId }
    const started = await kit.as.edit.startImportRun({ ...of, body: { source: { type: 'zip', url }, target } })
    expect(started).toMatchObject({ object: 'import-run', status: 'pending', source: { type: 'zip', url }, target })
    const importRunId = started.id
    await expect
      .poll(async () => (await kit.as.edit.getImportRun({ ...of, importRunId })).status, { timeout: 20_000 })
      .toBe('completed')
    const done = await kit.as.admin.getImportRun({ ...of, importRunId })
    expect(done).toMatchObject({ importedResources: 37, totalResources: 37, failures: [] })
    expect(done.revision).toBe((await kit.as.edit.getSpaceById({ spaceId })).revision)
    expect((await kit.call('read', 'getImportRun', { ...of, importRunId })).status).toBe(404)
    expect((await kit.as.edit.listImportRuns(of)).items.map(({ id }) => id)).toContain(importRunId)
    expect((await kit.as.read.listImportRuns(of)).items).toEqual([])
    // One that fetches for long is called off while it does.
    const slow = `http://127.0.0.1:${(await hangingServer()).port}/`
    const other = await kit.as.edit.startImportRun({ ...of, body: { source: { type: 'zip', url: slow }, target } })
    await kit.as.edit.cancelImportRun({ ...of, importRunId: other.id })
    expect(await kit.as.edit.getImportRun({ ...of, importRunId: other.id })).toMatchObject({ status: 'cancelled' })
  }, 60_000)

  describe('what means harm is refused in a sentence, and nothing is written', () => {
    const refused = async (source: string, url: string, sentence: RegExp): Promise<void> => {
      const spaceId = await newSpace()
      const { revision } = await kit.as.admin.getSpaceById({ spaceId })
      const answer = await kit.call('edit', 'importContent', { spaceId, body: { source, url } })
      expect(answer.status, JSON.stringify(answer.body)).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
      expect(answer.body.error?.message).toMatch(sentence)
      expect((await kit.as.admin.getSpaceById({ spaceId })).revision).toBe(revision)
    }

    test('archives', async () => {
      const bomb = await book.zip({ 'zeros.md': Buffer.alloc(3 * 1024 * 1024) })
      await refused('zip', serve('/bomb.zip', bomb), /grows more than 100 times/)
      await refused(
        'zip',
        serve('/empty.zip', await book.zip({ 'a.png': book.picture })),
        /Nothing that could become a page/,
      )
      await refused(
        'confluence',
        serve('/entities.zip', await book.zip({ 'entities.xml': '<a><b></a>' })),
        /entities\.xml cannot be read/,
      )
      await refused('docx', serve('/not.docx', 'words'), /Nothing that could become a page/)
      await refused('zip', serve('/words.zip', 'words'), /It is no zip archive\.$/)
      await refused('zip', serve('/cut.zip', (await book.markdownZip()).subarray(0, 4000)), /no zip archive.*[^.]\.$/)
    })

    test('servers', async () => {
      const open = kit.env.fetch
      const { port } = server.address() as AddressInfo
      try {
        kit.env.fetch = makeFetch({ allowPrivate: false })
        const before = asked.length
        for (const host of ['127.0.0.1', '[::1]', '[::ffff:7f00:1]', '0x7f.1', 'localhost.', '169.254.169.254'])
          for (const source of ['zip', 'website'])
            await refused(source, `http://${host}:${port}/`, /not a public address|not one of the web/)
        expect(asked.length).toBe(before)
      } finally {
        kit.env.fetch = open
      }
      await refused('zip', `${serve('/', '')}nowhere.zip`, /answered 404/)
      const endless = `http://127.0.0.1:${(await endlessServer()).port}/`
      kit.env.imports = { ...kit.env.imports, limits: { ...kit.env.imports.limits, bytes: 3 * 1024 * 1024 } }
      await refused('zip', endless, /larger than 3145728 bytes/)
      kit.env.imports = { ...kit.env.imports, limits: { pages: 2000, bytes: 500 * 1024 * 1024, milliseconds: 600_000 } }
    }, 60_000)
  })

  test('a guest brings in no spec that they do not see, but may bring in again what shows one', async () => {
    const spaceId = await newSpace()
    await kit.as.admin.inviteToSpace({ spaceId, body: { role: 'edit', users: [kit.people.guest.id] } })
    const source = { text: 'openapi: 3.1.0\ninfo: { title: Inner, version: "1" }\npaths: { /pets: { get: {} } }\n' }
    const named = { organizationId: kit.organization, specSlug: 'inner' }
    await kit.as.admin.createOrUpdateOpenAPISpecBySlug({ ...named, body: { source } })
    const shows = (words: string) =>
      `# Pets\n\n${words}\n\n{% openapi-operation spec="inner" path="/pets" method="get" %}\n{% endopenapi-operation %}\n`
    const send = (as: 'admin' | 'guest', bytes: string) => {
      const body = formOf({ name: 'pets.md', bytes })
      return kit.call(as, 'importUpload', { spaceId, body, query: { source: 'markdown' } })
    }
    expect((await send('guest', shows('One.'))).status).toBe(404)
    expect((await send('guest', '# Pets\n\nNone.\n')).status).toBe(201)
    expect((await send('guest', shows('Two.'))).status).toBe(404)
    expect((await send('admin', shows('Three.'))).status).toBe(201)
    expect((await send('guest', shows('Four.'))).status).toBe(201)
    await kit.as.admin.deleteOpenAPISpecBySlug(named)
  }, 60_000)

  describe('Idempotency-Key', () => {
    const send = (spaceId: string, bytes: string, more: object = {}) => {
      const body = formOf({ name: 'page.md', bytes })
      return kit.call('admin', 'importUpload', { spaceId, body, query: { source: 'markdown' }, ...more })
    }
    const runs = async () => (await kit.as.admin.listImportRuns({ organizationId: kit.organization })).count
    const pageIn = async (spaceId: string) => {
      const page = Object.values(await titles(kit, spaceId))[0] ?? ''
      return { page, markdown: (await kit.as.read.getPageById({ spaceId, pageId: page })).markdown }
    }
    const editPage = async (spaceId: string, page: string) =>
      kit.as.edit.updateSpaceContent({
        spaceId,
        body: { changes: [{ operation: 'update_page', page, document: { markdown: 'By hand.' } }] },
      })

    test('of what is sent along: it runs once, and what was written since stays', async () => {
      const spaceId = await newSpace()
      const first = await send(spaceId, '# Page\n\nSent.', { idempotencyKey: 'sent' })
      expect(first.status).toBe(201)
      const { page } = await pageIn(spaceId)
      await editPage(spaceId, page)
      await kit.as.admin.updateSpaceById({ spaceId, body: { editMode: 'locked' } })
      const before = await runs()
      const again = await send(spaceId, '# Page\n\nSent.', { idempotencyKey: 'sent' })
      expect([again.status, again.body, again.headers.location]).toEqual([201, first.body, first.headers.location])
      expect((await send(spaceId, '# Page\n\nOthers.', { idempotencyKey: 'sent' })).status).toBe(422)
      expect([await runs(), (await pageIn(spaceId)).markdown?.trim()]).toEqual([before, '# Page\n\nBy hand.'])
    })

    test('of an address: it runs once, and no other takes its key', async () => {
      const spaceId = await newSpace()
      const url = serve('/keyed.md', '# Page\n\nServed.', 'text/markdown')
      const bringAgain = (from: string) =>
        kit.call('edit', 'importContent', {
          spaceId,
          body: { source: 'markdown', url: from },
          idempotencyKey: 'address',
        })
      const first = await bringAgain(url)
      await editPage(spaceId, (await pageIn(spaceId)).page)
      const before = await runs()
      expect(await bringAgain(url)).toMatchObject({ status: 201, body: first.body })
      expect((await bringAgain(serve('/other.md', '# Other', 'text/markdown'))).status).toBe(422)
      expect([await runs(), (await pageIn(spaceId)).markdown?.trim()]).toEqual([before, '# Page\n\nBy hand.'])
    })

    test('at the same moment, or while the first is under way: all are answered by one run', async () => {
      const spaceId = await newSpace()
      const before = await runs()
      const some = Array.from({ length: 4 }, () => send(spaceId, '# Together', { idempotencyKey: 'together' }))
      const url = serve('/slow.zip', await book.markdownZip(), 'application/zip')
      const body = { source: 'zip', url }
      const bringKeyed = () => kit.call('edit', 'importContent', { spaceId, body, idempotencyKey: 'slow' })
      const answers = [await Promise.all(some), await Promise.all([bringKeyed(), bringKeyed(), bringKeyed()])]
      for (const same of answers) {
        expect(new Set(same.map(({ body, headers }) => JSON.stringify([body, headers.location]))).size).toBe(1)
        expect(same[0]?.status).toBe(201)
      }
      expect(await runs()).toBe(before + 2)
    })

    test('whose first request died with its server is answered by the run that it began', async () => {
      const spaceId = await newSpace()
      const first = await send(spaceId, '# Page\n\nSent.', { idempotencyKey: 'died' })
      const run = String(first.headers.location).split('/').at(-1)
      const forget = {
        sql: `update "idempotency" set "status" = 0, "body" = null, "location" = '${run}' where "location" = '${first.headers.location}'`,
        name: '',
      }
      expect(await kit.db.transaction((tx) => tx.run(forget, []))).toBe(1)
      const before = await runs()
      const again = await send(spaceId, '# Page\n\nSent.', { idempotencyKey: 'died' })
      expect([again.status, again.body, again.headers.location]).toEqual([201, first.body, first.headers.location])
      expect(await runs()).toBe(before)
    })

    test('is free again when the run has failed', async () => {
      const spaceId = await newSpace()
      const path = `/late-${kit.backend.name}.md`
      const url = `${serve('/', '')}${path.slice(1)}`
      const body = { source: 'markdown', url }
      const bringLate = () => kit.call('edit', 'importContent', { spaceId, body, idempotencyKey: 'late' })
      expect((await bringLate()).status).toBe(400)
      serve(path, '# Late', 'text/markdown')
      expect((await bringLate()).status).toBe(201)
    })

    test('If-Match is looked at before anything is brought in', async () => {
      const spaceId = await newSpace()
      const before = await runs()
      expect((await send(spaceId, '# Page', { ifMatch: '"nonsense"' })).status).toBe(412)
      const url = serve('/match.md', '# Page', 'text/markdown')
      const body = { source: 'markdown', url }
      expect((await kit.call('edit', 'importContent', { spaceId, body, ifMatch: '"nonsense"' })).status).toBe(412)
      expect([await runs(), await titles(kit, spaceId)]).toEqual([before, {}])
    })
  })

  describe('a run that ended without its fault', () => {
    const failedRun = async (spoil: () => Promise<void>): Promise<string> => {
      const url = serve('/page.md', '# Page\n')
      const body = { source: { type: 'markdown' as const, url }, target: { space: await newSpace() } }
      await worker.stop()
      const { id: importRunId } = await kit.as.edit.startImportRun({ organizationId: kit.organization, body })
      await spoil()
      worker = makeWorker({
        db: kit.db,
        env: kit.env,
        log: makeLog('silent'),
        handlers: { import: importJob },
        retryMilliseconds: 1,
        pollMilliseconds: 20,
      })
      await worker.start()
      const run = () => kit.as.edit.getImportRun({ organizationId: kit.organization, importRunId })
      await expect.poll(async () => (await run()).status, { timeout: 60_000 }).toBe('failed')
      return (await run()).error?.message ?? ''
    }

    test('says that the server was stopped each time', async () => {
      const reason = await failedRun(async () => {
        await kit.db.run({ sql: 'update job set attempts = 3', name: 'spoil' }, [])
      })
      expect(reason).toMatch(
        /^The server was stopped or held up each time the import ran\. Nothing was changed\. Start it again; .* of job \S+\.$/,
      )
    })

    test('is tried again before it is given up for a fault of the server, which it names', async () => {
      const { fetch } = kit.env
      let tries = 0
      try {
        const reason = await failedRun(async () => {
          kit.env.fetch = async () => {
            tries += 1
            throw tries < 3 ? fail('storage_unavailable') : new Error('no space left on device')
          }
        })
        expect(tries).toBe(3)
        expect(reason).toMatch(
          /^A fault of the server ended the import: no space left on device\. Nothing was changed\./,
        )
      } finally {
        kit.env.fetch = fetch
      }
    })
  })

  const failuresOfLast = async (): Promise<string[]> => {
    const { items } = await kit.as.edit.listImportRuns({ organizationId: kit.organization })
    return (items[0]?.failures ?? []).map(({ resource, message }) => `${resource} ${message}`)
  }

  test('a Word document in an archive is judged as one by itself', async () => {
    const bomb = await book.zip({ 'word/document.xml': Buffer.alloc(40 * 1024 * 1024, ' ') })
    const archive = await book.zip({ 'good.docx': await book.docxFile(), 'bomb.docx': bomb })
    await bring('docx', serve('/bomb.docx.zip', archive))
    expect(await failuresOfLast()).toEqual([expect.stringMatching(/^bomb\.docx .*It is larger than 32 MiB\.$/)])
  }, 60_000)

  test('a website with odd addresses and a long sitemap comes in', async () => {
    const page = (words: string): string =>
      `<html><body><main><h1>Odd</h1><p>${'words '.repeat(50)}${words}</p></main></body></html>`
    const root = serve('/odd', page('<img src="/odd/100%.png"><a href="/odd/two">two</a>'), 'text/html')
    serve('/odd/two', page(`<a href="/odd/${'a'.repeat(40_000)}">long</a>`), 'text/html')
    serve('/odd/100%.png', book.picture, 'image/png')
    serve(
      '/robots.txt',
      `User-agent: *\nDisallow: /*${'a'.repeat(20_000)}\nDisallow: /odd/no\nSitemap: ${root}/long.xml\n`,
    )
    serve('/odd/no', page(''), 'text/html')
    const entries = [...Array(200_000).fill('/elsewhere'), '/odd/no'].map(
      (path) => `<url><loc>${new URL(path, root)}</loc></url>`,
    )
    serve('/odd/long.xml', `<?xml version="1.0"?><urlset>${entries.join('')}</urlset>`)
    try {
      const spaceId = await bring('website', root)
      expect(await failuresOfLast()).toEqual([expect.stringMatching(/\/odd\/no The robots\.txt/)])
      expect((await kit.as.admin.listFiles({ spaceId })).items.map(({ name }) => name)).toEqual(['100%.png'])
    } finally {
      served.delete('/robots.txt')
    }
  }, 60_000)

  test('what is missing fails nothing else, and is told', async () => {
    const url = serveSite('/three', true)
    served.delete('/three/chapter-2/topic-2-3')
    served.delete('/three/pixel.png')
    const spaceId = await bring('website', url)
    const { items } = await kit.as.edit.listImportRuns({ organizationId: kit.organization })
    const failures = items[0]?.failures
      .map(({ resource, message }) => `${new URL(resource).pathname} ${message}`)
      .sort()
    expect(failures).toEqual([
      expect.stringMatching(/^\/three\/chapter-2\/topic-2-3 .*answered 404\.$/),
      expect.stringMatching(/^\/three\/pixel\.png .*answered 404\.$/),
      expect.stringMatching(/^\/three\/private\/x The robots\.txt/),
    ])
    expect(Object.keys(await titles(kit, spaceId))).toHaveLength(36)
  }, 60_000)
})

interface Shape {
  /** All topics side by side below one page. */
  flat?: boolean
  /** The style of the call-out that every page ends with. */
  hint?: string
  syntax?: string
  /** Pages beside those of the book. */
  besides?: string[]
}

async function titles(kit: Kit, spaceId: string): Promise<Record<string, string>> {
  const all = (list: unknown[]): [string, string][] =>
    list.flatMap((page) => [
      [String((page as Json).title), String((page as Json).id)] as [string, string],
      ...all(childrenOf(page)),
    ])
  return Object.fromEntries(all((await kit.as.admin.listPages({ spaceId })).pages))
}

const childrenOf = (page: unknown): Json[] =>
  typeof page === 'object' && page !== null && 'pages' in page && Array.isArray(page.pages) ? page.pages : []

/** The tree, and of every page its words, link, list, picture, code and table. */
async function checkBook(kit: Kit, spaceId: string, { flat, hint, syntax = 'js', besides = [] }: Shape): Promise<void> {
  const { pages } = await kit.as.admin.listPages({ spaceId })
  const shown = (list: unknown[]): unknown[] =>
    list
      .map((page) => [(page as Json).title, ...shown(childrenOf(page))])
      .filter(([title]) => !besides.includes(String(title)))
  const whole = flat
    ? [['Handbook', ...book.topics.map(({ title }) => [title])]]
    : book.chapters.map((head) => [head.title, ...book.topicsOf(head).map(({ title }) => [title])])
  expect(shown(pages)).toEqual(whole)
  const ids = await titles(kit, spaceId)
  const files = (await kit.as.admin.listFiles({ spaceId })).items
  expect(files.length).toBeGreaterThan(0)
  expect(files.every((file) => file.contentType === 'image/png')).toBe(true)
  // All of them on one database; on the other, some.
  for (const topic of book.topics.filter((_, at) => kit.backend.name === 'sqlite' || at % 6 === 0)) {
    const of = { spaceId, pageId: ids[topic.title] ?? '' }
    const page = await kit.as.read.getPageById({ ...of, query: { format: 'document' } })
    const nodes = nodesIn(page.document)
    const types = nodes.map(({ type }) => type ?? '')
    const text = JSON.stringify(page.document)
    expect(text).toContain(`Words of ${topic.title} with a `)
    expect(
      nodes.filter((node) => node.object === 'leaf' && node.text === 'bold').map((node) => node.marks?.[0]?.type),
    ).toEqual(['bold'])
    const link = nodes.find((node) => node.type === 'link' && JSON.stringify(node).includes('the next page'))
    expect(link?.data?.ref, `the link of ${topic.title}`).toEqual({ kind: 'page', page: ids[topic.next?.title ?? ''] })
    expect(types).toContain('heading-1')
    expect(types).toContain('list-ordered')
    expect(types).toContain('table')
    const image = nodes.find(({ type }) => type === 'image' || type === 'inline-image')
    expect(image?.data).toMatchObject({ ref: { kind: 'file' }, alt: 'A pixel' })
    expect(files.map(({ id }) => id)).toContain(image?.data?.ref?.file)
    const code = nodes.find(({ type }) => type === 'code')
    if (!flat) expect(code).toMatchObject({ data: { syntax } })
    if (!flat) expect(JSON.stringify(code)).toContain(`const title = '${topic.title}'`)
    if (hint) expect(nodes.find(({ type }) => type === 'hint')).toMatchObject({ data: { style: hint } })
    // Nothing of the frame around it, of signs and of markup has come along.
    for (const noise of ['Made by a tool', '¶', 'Created by', 'Attachments:', '<', '{%', '&amp;'])
      expect(text, `${topic.title} shows ${noise}`).not.toContain(noise)
  }
}

interface Found {
  object?: string
  type?: string
  text?: string
  marks?: { type: string }[]
  data?: { ref?: { file?: string } }
}

function nodesIn(value: unknown): Found[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn)
  if (typeof value !== 'object' || value === null) return []
  return [...('object' in value ? [value as Found] : []), ...Object.values(value).flatMap(nodesIn)]
}

/** A site as generators make it: a sidebar, a page around the content, robots.txt. */
function serveSite(root: string, hasSitemap: boolean): string {
  const path = ({ key, chapter }: book.Topic): string => `${root}/${chapter ? `${chapter.key}/` : ''}${key}`
  const nav = book.chapters
    .map(
      (head) =>
        `<li><a href="${path(head)}">${head.title}</a><ul>${book
          .topicsOf(head)
          .map((one) => `<li><a href="${path(one)}/">${one.title}</a></li>`)
          .join('')}</ul></li>`,
    )
    .join('')
  const frame = (title: string, inside: string): string =>
    `<!doctype html><html><head><title>${title} | The book</title></head><body><header><a href="/elsewhere">Elsewhere</a> <a href="${root}/private/x">No</a></header><div class="layout"><nav class="sidebar"><ul>${nav}</ul></nav><main><article>${inside}</article></main></div><footer>Made by a tool</footer></body></html>`
  for (const topic of book.topics) {
    const body = `<h1>${topic.title}</h1>${book.htmlOf(topic, (to) => `${path(to)}/`, `${root}/pixel.png`)}`
    serve(`${path(topic)}`, frame(topic.title, body), 'text/html; charset=utf-8')
  }
  serve(`${root}/pixel.png`, book.picture, 'image/png')
  const home = serve(
    root,
    frame('The book', '<h1>The book</h1><p>What the book is about, and for whom.</p>'),
    'text/html',
  )
  const origin = home.slice(0, -root.length)
  serve(
    '/robots.txt',
    `User-agent: *\nDisallow: ${root}/private\n${hasSitemap ? `Sitemap: ${origin}${root}/sitemap.xml\n` : ''}`,
    'text/plain',
  )
  const urls = book.topics.map((topic) => `<url><loc>${origin}${path(topic)}</loc></url>`).join('')
  if (hasSitemap)
    serve(
      `${root}/sitemap.xml`,
      `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`,
      'application/xml',
    )
  return home
}

/** Answers without end. */
async function endlessServer(): Promise<AddressInfo> {
  const endless = createServer((_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
    }
    response.on('drain', more)
    more()
  })
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve))
  endless.unref()
  return endless.address() as AddressInfo
}

/** Takes requests and never answers. */
async function hangingServer(): Promise<AddressInfo> {
  const hanging = createServer(() => {})
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
  hanging.unref()
  return hanging.address() as AddressInfo
}
