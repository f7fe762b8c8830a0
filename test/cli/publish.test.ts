/** `lectern publish` and `lectern import` against a running server, with the very commands that the guide shows. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { importJob } from '../../src/jobs/import/job.ts'
import { index } from '../../src/jobs/index-space.ts'
import { makeWorker } from '../../src/jobs/worker.ts'
import { makeLog } from '../../src/platform/log.ts'
import { eachBackend } from '../kit/backends.ts'
import { startChild } from '../kit/child.ts'
import { useKit } from '../kit/server.ts'
import { portOf } from '../site/serve/site-kit.ts'

const lectern = fileURLToPath(new URL('../../bin/lectern.js', import.meta.url))
const guide = readFileSync(
  fileURLToPath(new URL('../../docs/guide/start/publish-a-folder.md', import.meta.url)),
  'utf8',
)

/** The commands of the samples, in their order: without `npx lectern`, as words. */
const shown = [...guide.matchAll(/npx lectern ([^\n;`]+)/g)].map(([, words = '']) => words.trim().split(/\s+/))

eachBackend((backend) => {
  const kit = useKit(backend, { settings: { LECTERN_IMPORT_WAIT: '120' } })
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lectern-test-publish-'))
    const worker = makeWorker({
      db: kit.db,
      env: kit.env,
      log: makeLog('silent'),
      handlers: { import: importJob, index },
    })
    await worker.start()
    return async () => {
      await worker.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const run = async (args: readonly string[], settings: Record<string, string> = {}) => {
    const child = startChild(
      lectern,
      args.map((word) => (word.startsWith('./') ? join(folder, word) : word)),
      {
        LECTERN_URL: `http://127.0.0.1:${await portOf(kit)}`,
        LECTERN_TOKEN: kit.people.admin.token,
        LECTERN_DATA: join(folder, 'no-data'),
        ...settings,
      },
    )
    const code = await child.ended
    return { code, out: child.output.join('\n').trim(), err: child.errors.join('\n') }
  }
  const pages = async (spaceId: string) => (await kit.as.admin.listPages({ spaceId })).pages.map(({ title }) => title)

  test('the commands of the guide publish, preview, and publish again', async () => {
    expect(shown.map((words) => words.join(' '))).toEqual([
      'publish ./docs',
      'publish ./docs --preview',
      'publish ./docs --preview',
      'publish ./docs',
      'publish ./docs --preview',
      'publish ./docs',
    ])
    write('docs/README.md', '# Hello\n\nSee [more](more.md).\n')
    write('docs/more.md', '# More\n\nWords.\n')
    const first = await run(shown[0] ?? [])
    expect(first).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^http:\/\/lectern.test\/sites\/docs/) })
    const result = JSON.parse((await run([...(shown[0] ?? []), '--json'])).out)
    expect(result).toMatchObject({ url: first.out, importedResources: 2, totalResources: 2 })
    expect(await pages(result.space)).toEqual(['Hello', 'More'])
    expect(await kit.as.admin.getSiteById({ organizationId: kit.organization, siteId: result.site })).toMatchObject({
      published: true,
      visibility: 'public',
    })

    write('docs/third.md', '# Third\n\nWords.\n')
    const preview = JSON.parse((await run([...(shown[1] ?? []), '--json'])).out)
    expect(preview).toMatchObject({ space: result.space, site: result.site, changeRequest: expect.any(String) })
    expect(preview.url).toContain('http')
    expect(await pages(result.space)).toEqual(['Hello', 'More'])
    const of = { spaceId: result.space, changeRequestId: preview.changeRequest }
    expect((await kit.as.admin.listPagesInChangeRequest(of)).pages.map(({ title }) => title)).toContain('Third')

    rmSync(join(folder, 'docs/more.md'))
    expect((await run(shown[3] ?? [])).out).toBe(first.out)
    expect(await pages(result.space)).toEqual(['Hello', 'Third'])

    const imported = await run(['import', './docs', '--space', result.space])
    expect(imported.out).toMatch(/^Imported 2 of 2 pages and files\.\nRevision \w+\.\nServer http:\/\/127/)
    expect(existsSync(join(folder, 'no-data'))).toBe(false)
  }, 120_000)

  test('an import by a server has the options of one on the database', async () => {
    const { id: space } = await kit.as.admin.createSpace({
      organizationId: kit.organization,
      body: { title: 'Options' },
    })
    const bring = (...args: string[]) => run(['import', './options', '--space', space, ...args])
    write('options/README.md', '# One\n\nWords.\n')
    write('options/two.md', '# Two\n\nWords.\n')
    expect((await bring()).code).toBe(0)

    write('options/three.md', '---\ntitle: [\n---\n\n# Three\n\nWords.\n')
    rmSync(join(folder, 'options/two.md'))
    const strict = await bring('--strict')
    expect(strict).toMatchObject({ code: 1, err: expect.stringMatching(/three\.md:\d+: .+\n.*nothing was imported/s) })
    expect(JSON.parse((await bring('--strict', '--json')).out).problems).toMatchObject([
      { path: 'three.md', line: expect.any(Number), message: expect.any(String) },
    ])
    expect(await pages(space)).toEqual(['One', 'Two'])

    const kept = await bring('--keep')
    expect(kept.out).toMatch(/three\.md:\d+: .+\nImported 2 of 3/s)
    expect(await pages(space)).toEqual(['One', 'Three', 'Two'])

    // Another folder is another origin, and takes nothing away from the first.
    write('other/README.md', '# Other\n\nSomething else.\n')
    expect((await run(['import', './other', '--space', space])).code).toBe(0)
    expect(await pages(space)).toEqual(['One', 'Three', 'Two', 'Other'])
    expect((await bring('--replace')).code).toBe(0)
    expect(await pages(space)).toEqual(['One', 'Three'])
    expect(await bring('--as', 'a@b.example')).toMatchObject({
      code: 1,
      err: expect.stringContaining('the token says'),
    })
  }, 120_000)

  test('what is wrong with a page is told, and a strict command publishes nothing', async () => {
    write('flawed/README.md', '# Hello\n')
    write('flawed/bad.md', '---\ntitle: [a\n---\n# Bad\n')
    const refused = await run(['publish', './flawed', '--strict', '--json'])
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('bad.md:2: The front matter') })
    expect(JSON.parse(refused.out)).toMatchObject({ problems: [{ path: 'bad.md', line: 2 }] })
    const sites = await kit.as.admin.listSites({ organizationId: kit.organization, query: {} })
    expect(sites.items.map(({ title }) => title)).not.toContain('flawed')
    const published = await run(['publish', './flawed'])
    expect(published).toMatchObject({ code: 0, err: expect.stringContaining('bad.md:2: The front matter') })
    expect(published.out).toMatch(/^http\S+\/flawed$/)
  }, 120_000)

  test('what is wrong is said in a sentence, and nothing is made', async () => {
    write('empty/notes.txt', 'Nothing.')
    expect(await run(['publish', './empty'])).toMatchObject({ code: 1, err: expect.stringContaining('no Markdown') })
    expect(await run(['publish', './nowhere'])).toMatchObject({ code: 1, err: expect.stringContaining('no folder') })
    write('docs/README.md', '# Hello\n')
    const wrong = await run(['publish', './docs', '--token', 'lec_wrong-token-altogether'])
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('token') })
    const away = await run(['publish', './docs', '--url', 'http://127.0.0.1:1'])
    expect(away).toMatchObject({ code: 1, err: expect.stringContaining('cannot be reached') })
    const local = await run(['import', './docs', '--space', 'none'], { LECTERN_TOKEN: '', DATABASE_URL: '' })
    expect(local).toMatchObject({ code: 1, err: expect.stringContaining('There is no database at') })
    expect(existsSync(join(folder, 'no-data'))).toBe(false)
  }, 120_000)
})
