/** `lectern import` and `lectern export`, as people type them: the fixture there and back, and what is refused. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { eachBackend, makeFolder, type Place } from '../kit/backends.ts'
import { startChild } from '../kit/child.ts'
import { type Kit, makeKit } from '../kit/server.ts'
import { portOf } from '../site/serve/site-kit.ts'

const lectern = fileURLToPath(new URL('../../bin/lectern.js', import.meta.url))
const fixture = fileURLToPath(new URL('../fixtures/repository', import.meta.url))

eachBackend((backend) => {
  let kit: Kit
  let place: Place
  const folder = makeFolder()

  beforeAll(async () => {
    place = await backend.make()
    const made = await makeKit({ name: backend.name, make: async () => place })
    kit = made.kit
    return async () => {
      await made.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  const run = (...args: string[]) => runWith({}, ...args)
  const runWith = async (settings: Record<string, string>, ...args: string[]) => {
    const child = startChild(lectern, args, {
      DATABASE_URL: backend.name === 'postgres' ? place.location : '',
      LECTERN_DATA: place.folder,
      LECTERN_URL: 'http://lectern.test',
      ...settings,
    })
    const code = await child.ended
    return { code, out: child.output.join('\n'), err: child.errors.join('\n') }
  }
  const newSpace = async (as: 'admin' | 'create' = 'admin'): Promise<string> =>
    (await kit.as[as].createSpace({ organizationId: kit.organization, body: { title: 'Bakery' } })).id

  test('a repository comes in, is served, and goes out as it was', async () => {
    const spaceId = await newSpace('create')
    const imported = await run('import', fixture, '--space', spaceId, '--json')
    expect(imported.err).toBe('')
    expect(JSON.parse(imported.out)).toMatchObject({
      space: spaceId,
      pages: { added: 9, changed: 0, removed: 0, unchanged: 0 },
      files: { added: 4 },
      reusable: { added: 1 },
      unlisted: 1,
      links: { broken: 1 },
    })

    const revision = await kit.as.read.getCurrentRevision({ spaceId })
    expect(revision).toMatchObject({ id: JSON.parse(imported.out).revision, variables: { baker: 'Ada', number: '7' } })
    const page = await kit.as.read.getPageByPath({ spaceId, pagePath: 'guide/set-up' })
    expect(page).toMatchObject({
      title: 'Set up',
      git: { path: 'guide/set-up.md', oid: expect.stringMatching(/^[0-9a-f]{40}$/) },
    })
    const links = await kit.as.read.listPageLinksInSpace({ spaceId, pageId: page.id })
    expect(links.items.map(({ status }) => status)).toEqual(['ok', 'ok'])

    const target = join(folder, `${backend.name}-out`)
    const exported = await run('export', target, '--space', spaceId)
    expect(exported).toMatchObject({ code: 0, out: expect.stringContaining('8 pages and 4 files') })
    expect(treeOf(target)).toEqual(treeOf(fixture))

    // From a server the same comes, by a token and from wherever it is reached.
    const remote = {
      LECTERN_URL: `http://127.0.0.1:${await portOf(kit)}`,
      LECTERN_TOKEN: kit.people.read.token,
      LECTERN_DATA: join(folder, 'no-data'),
    }
    const fetched = join(folder, `${backend.name}-fetched`)
    const sent = await runWith(remote, 'export', fetched, '--space', spaceId)
    expect(sent).toMatchObject({ code: 0, out: expect.stringContaining(`Exported 15 files, to ${fetched}, from http`) })
    expect(treeOf(fetched)).toEqual(treeOf(target))
    const stranger = { ...remote, LECTERN_TOKEN: kit.people.stranger.token }
    const refused = await runWith(stranger, 'export', join(folder, 'none'), '--space', spaceId)
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('you may not see it') })
    expect(existsSync(join(folder, 'none'))).toBe(false)

    // A folder that holds what was imported is that folder, wherever it lies now.
    const again = await run('import', target, '--space', spaceId)
    expect(again.out).toContain('0 pages added, 9 as before')
    expect(again.out).toContain(`Revision ${JSON.parse(imported.out).revision}.`)
  }, 60_000)

  test('is refused in a sentence', async () => {
    const spaceId = await newSpace()
    const odd = join(folder, `${backend.name}-odd`)
    mkdirSync(join(odd, 'inner'), { recursive: true })
    writeFileSync(join(odd, 'a.md'), '# A')
    symlinkSync('../a.md', join(odd, 'inner', 'fine.md'))
    const cases: [string[], string][] = [
      [['import', join(folder, 'none'), '--space', spaceId], 'There is no folder'],
      [['import', fixture, '--space', 'nowhere'], 'There is no space with the id nowhere.'],
      [['import', fixture, '--space', spaceId, '--as', 'who@lectern.test'], 'There is no account with the e-mail'],
      [['import', fixture, '--space', spaceId, '--as', kit.people.read.email], 'Your role on the space'],
      [['import', fixture, '--space', spaceId, '--as', kit.people.stranger.email], 'There is no space'],
      [['export', join(folder, 'x'), '--space', 'nowhere'], 'There is no space with the id nowhere.'],
      [['export', odd, '--space', spaceId], 'is not empty. --force writes into it all the same.'],
    ]
    for (const [args, sentence] of cases) {
      const { code, err } = await run(...args)
      expect(err, args.join(' ')).toContain(sentence)
      expect(err).not.toContain('    at ')
      expect(code).toBe(1)
    }
    // Other systems take no such names.
    if (process.platform === 'linux') {
      writeFileSync(Buffer.concat([Buffer.from(join(odd, 'caf')), Buffer.from([0xe9])]), 'An old name.')
      const left = await run('import', odd, '--space', spaceId)
      expect(left.out).toContain('Left out, as no part of the docs: caf\ufffd.')
    }
    writeFileSync(join(odd, 'a:b.md'), '# AB')
    const sent = await run('import', odd, '--space', spaceId, '--url', 'http://127.0.0.1:1', '--token', 'x')
    expect(sent).toMatchObject({ code: 1, err: 'a:b.md has a name that no zip archive can hold. Rename it.' })
    symlinkSync('/etc/passwd', join(odd, 'out.md'))
    expect((await run('import', odd, '--space', spaceId)).err).toContain(
      'out.md is a link that leads out of the folder.',
    )
    await kit.as.admin.updateSpaceById({ spaceId, body: { editMode: 'locked' } })
    expect((await run('import', fixture, '--space', spaceId)).err).toContain('The space is locked')
  }, 120_000)

  test('an export stays in its folder', async () => {
    const spaceId = await newSpace()
    await run('import', fixture, '--space', spaceId, '--json')
    const outside = join(folder, `${backend.name}-outside`)
    const target = join(folder, `${backend.name}-target`)
    for (const made of [outside, target]) mkdirSync(made)
    symlinkSync(outside, join(target, 'guide'))
    expect((await run('export', target, '--space', spaceId, '--force')).err).toContain('leads out of the folder')
    expect(readdirSync(outside)).toEqual([])
    rmSync(join(target, 'guide'))
    rmSync(join(target, 'README.md'), { force: true })
    symlinkSync(join(outside, 'x.md'), join(target, 'README.md'))
    expect((await run('export', target, '--space', spaceId, '--force')).err).toContain('README.md is a link already')
    expect(existsSync(join(outside, 'x.md'))).toBe(false)
    rmSync(join(target, 'README.md'))
    writeFileSync(join(target, 'mine.txt'), 'mine')
    expect((await run('export', target, '--space', spaceId, '--force')).code).toBe(0)
    expect(treeOf(target)).toEqual({ ...treeOf(fixture), 'mine.txt': 'mine' })
  }, 60_000)

  test('replaces, as whom one says', async () => {
    const spaceId = await newSpace()
    await kit.as.admin.updateSpaceContent({
      spaceId,
      body: { changes: [{ operation: 'insert_page', title: 'Mine', document: { markdown: 'Words.' } }] },
    })
    const imported = await run(
      'import',
      fixture,
      '--space',
      spaceId,
      '--replace',
      '--as',
      kit.people.edit.email,
      '--json',
    )
    expect(JSON.parse(imported.out).pages).toMatchObject({ added: 9, removed: 1 })
    const pages = await kit.as.admin.listPages({ spaceId })
    expect(pages.pages.map(({ title }) => title)).not.toContain('Mine')
  }, 60_000)

  test('publishes on the database, which it names', async () => {
    const docs = join(folder, `${backend.name}-handbook`)
    mkdirSync(docs)
    writeFileSync(join(docs, 'README.md'), '# Handbook\n\nWords.\n')
    const publish = ['publish', docs, '--as', kit.people.admin.email]
    const first = await run(...publish)
    expect(first).toMatchObject({ code: 0, err: expect.stringMatching(/^Database .+, as admin@/) })
    expect(first.out).toMatch(/^http:\/\/lectern\.test\/sites\/\S+-handbook/)
    writeFileSync(join(docs, 'more.md'), '# More\n\nWords.\n')
    const preview = JSON.parse((await run(...publish, '--preview', '--json')).out)
    expect(preview).toMatchObject({ database: expect.any(String), changeRequest: expect.any(String) })
    const titles = async () =>
      (await kit.as.admin.listPages({ spaceId: preview.space })).pages.map(({ title }) => title)
    expect(await titles()).toEqual(['Handbook'])
    const of = { spaceId: preview.space, changeRequestId: preview.changeRequest }
    expect((await kit.as.admin.listPagesInChangeRequest(of)).pages).toHaveLength(2)
    expect((await run(...publish)).out).toBe(first.out)
    expect(await titles()).toEqual(['Handbook', 'More'])
  }, 60_000)
})

function treeOf(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true }).map(String)
  const files = names.filter((name) => statSync(join(root, name)).isFile())
  return Object.fromEntries(files.sort().map((name) => [name, readFileSync(join(root, name), 'utf8')]))
}
