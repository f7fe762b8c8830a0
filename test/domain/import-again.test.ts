/** Importing a folder again: a file that was read is not read again, unless its page or the files around it changed. */
import { expect, test, vi } from 'vitest'
import { printerVersion } from '../../src/core/document/printer-version.ts'
import { folderOrigin } from '../../src/core/import/origins.ts'
import { actAs } from '../../src/domain/act-as.ts'
import { findContentProblems } from '../../src/domain/content/check.ts'
import { isHeavyText } from '../../src/domain/content/markdown/markdown.ts'
import { printStored } from '../../src/domain/content/markdown/print-stored.ts'
import { noSteps } from '../../src/domain/import/apply.ts'
import { importRepository } from '../../src/domain/import/commit.ts'
import { readContent } from '../../src/store/content/content.ts'
import { findSpace } from '../../src/store/content/spaces.ts'
import { findPrinted, printedAmong } from '../../src/store/packed/printed.ts'
import { findUser } from '../../src/store/people/users.ts'
import { eachBackend } from '../kit/backends.ts'
import { useKit } from '../kit/server.ts'
import { publishedSite } from '../site/serve/site-kit.ts'

eachBackend((backend) => {
  const kit = useKit(backend)

  const bring = async (
    spaceId: string,
    texts: Record<string, string>,
    { origin, changeRequest }: { origin?: string; changeRequest?: string } = {},
  ) => {
    const user = await findUser(kit.db, { id: kit.people.admin.id })
    if (!user) throw new Error('The admin is gone.')
    const base = actAs({ db: kit.db, env: kit.env }, user, 'test')
    const files = Object.entries(texts).map(([path, text]) => ({
      path,
      size: Buffer.byteLength(text),
      open: async function* () {
        yield Buffer.from(text)
      },
    }))
    return importRepository(base, { space: spaceId, changeRequest }, files, {
      remove: 'own',
      strict: false,
      steps: noSteps,
      origin,
    })
  }
  const newSpace = async () =>
    (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Again' } })).id
  const guide = { 'README.md': '# Home\n\nHello.\n', 'guide.md': '# Guide\n\nSee [the rest](rest.md).\n' }
  const pageAt = (spaceId: string, pagePath: string) => kit.as.admin.getPageByPath({ spaceId, pagePath })

  test('what is the same is taken as it was read', async () => {
    const spaceId = await newSpace()
    const first = await bring(spaceId, guide)
    const again = await bring(spaceId, guide)
    expect(again).toMatchObject({ revision: first.revision, pages: { added: 0, changed: 0, unchanged: 2 } })
    // What was read stands in for reading: another title in its place is believed.
    await kit.db.run(
      {
        sql: `update "readText" set "page" = replace("page", 'Guide', 'Kept') where "spaceId" = '${spaceId}'`,
        name: 'another-title',
      },
      [],
    )
    expect(await bring(spaceId, guide)).toMatchObject({ pages: { changed: 1, unchanged: 1 } })
    expect((await pageAt(spaceId, 'guide')).title).toBe('Kept')
  })

  test('what comes in steps is printed with each of them', async () => {
    const spaceId = await newSpace()
    // More than are indexed at once; of this space, so that no other test has printed them.
    const many = Array.from({ length: 60 }, (_, i) => [`part-${i}.md`, `# Part ${i}\n\nOf ${spaceId}.\n`])
    await bring(spaceId, Object.fromEntries(many))
    const { documentId = '' } = await pageAt(spaceId, 'part-7')
    expect(await printedAmong(kit.db, { hashes: [documentId], printer: printerVersion })).toEqual(new Set([documentId]))
  })

  test('many texts are printed where they are read, also into a change request', async () => {
    const spaceId = await newSpace()
    const { id: changeRequest } = await kit.as.admin.createChangeRequest({ spaceId, body: {} })
    const line = `Of **${spaceId}**, see [the first](part-0.md).`
    const many = Array.from({ length: 101 }, (_, i) => [`part-${i}.md`, `# Part ${i}\n\n${line}\n`])
    await bring(spaceId, Object.fromEntries(many), { changeRequest })
    const place = { spaceId, changeRequestId: changeRequest, pagePath: 'part-7' }
    const { documentId = '' } = await kit.as.admin.getPageInChangeRequestByPath(place)
    const stored = await findPrinted(kit.db, { hash: documentId, printer: printerVersion })
    const document = await readContent(kit.db).document(documentId)
    expect(stored).toBe(printStored(document))
  })

  test('many texts are searched and linked by what the thread that read them took from them', async () => {
    const spaceId = await newSpace()
    const line =
      'See [the place](part-0.md#Second-place), [no place](part-1.md#nowhere), [a site](https://example.com).'
    const body = (i: number) => `# Part ${i}\n\n${line}\n\n## Second: place\n\nUnicorn ${spaceId}, number ${i}.\n`
    const many = Array.from({ length: 101 }, (_, i) => [`part-${i}.md`, body(i)])
    const spec = '{% swagger src="https://example.com/spec.yaml" path="/pets" method="get" %}\n{% endswagger %}\n'
    const documents = kit.db.caches.list().find(({ name }) => name === 'documents')
    const asked = () => (documents?.hits ?? 0) + (documents?.misses ?? 0)
    const before = asked()
    await bring(spaceId, Object.fromEntries([...many, ['spec.md', `# Spec\n\n${spec}`]]))
    // Of all documents one was asked for: that whose blocks show a spec.
    expect(asked() - before).toBe(1)
    const space = await findSpace(kit.db, { id: spaceId })
    if (!space) throw new Error('The space is gone.')
    const checked = { db: kit.db, blobs: kit.env.blobs, space, appUrl: kit.env.urls.app, deep: true }
    expect(await findContentProblems(checked)).toEqual([])
    const { id } = await pageAt(spaceId, 'part-7')
    const links = await kit.as.admin.listPageLinksInSpace({ spaceId, pageId: id })
    expect(links.items.map(({ status }) => status).sort()).toEqual(['broken', 'ok', 'ok'])
  })

  test('among many texts a heavy one is read in the same thread, and one that holds too much stops no other', {
    timeout: 60_000,
  }, async () => {
    const spaceId = await newSpace()
    const many = Array.from({ length: 100 }, (_, i) => [`part-${i}.md`, `# Part ${i}\n\nSee [heavy](heavy.md).\n`])
    const heavy = '* a [part](part-7.md)\n'.repeat(1000)
    const texts = { ...Object.fromEntries(many), 'heavy.md': heavy, 'vast.md': '* a\n'.repeat(70_000) }
    expect(isHeavyText(heavy)).toBe(true)
    const asked = vi.spyOn(kit.db.threads, 'run')
    const { problems, pages } = await bring(spaceId, texts)
    expect([...new Set(asked.mock.calls.map(([kind]) => kind))]).toEqual(['texts'])
    asked.mockRestore()
    expect(pages.added).toBe(102)
    expect(problems).toMatchObject([{ path: 'vast.md', message: expect.stringContaining('more than 120000') }])
    const { documentId = '' } = await pageAt(spaceId, 'heavy')
    const part = await pageAt(spaceId, 'part-7')
    expect(JSON.stringify(await readContent(kit.db).document(documentId))).toContain(part.id)
  })

  test('an edited page becomes what its file says', async () => {
    const spaceId = await newSpace()
    await bring(spaceId, guide)
    const { id } = await pageAt(spaceId, 'guide')
    await kit.as.admin.updateSpaceContent({
      spaceId,
      body: { changes: [{ operation: 'update_page', page: id, document: { markdown: 'Edited.' } }] },
    })
    expect(await bring(spaceId, guide)).toMatchObject({ pages: { changed: 1, unchanged: 1 } })
    expect(await pageAt(spaceId, 'guide')).toMatchObject({ markdown: expect.stringContaining('See [the rest]') })
  })

  test('a link finds the page that came beside its own', async () => {
    const spaceId = await newSpace()
    await bring(spaceId, guide)
    await bring(spaceId, { ...guide, 'rest.md': '# Rest\n\nMore.\n' })
    const { id } = await pageAt(spaceId, 'guide')
    const links = await kit.as.admin.listPageLinksInSpace({ spaceId, pageId: id })
    expect(links.items.map(({ status }) => status)).toEqual(['ok'])
  })

  test('a folder is known by its name, or by what it holds', async () => {
    const spaceId = await newSpace()
    const titles = async () => {
      const { pages } = await kit.as.admin.listPages({ spaceId })
      return pages.map(({ title }) => title)
    }
    const manual = { 'README.md': '# Manual\n\nOther words.\n', 'part/a.md': '# A\n\nFirst.\n' }
    await bring(spaceId, guide, { origin: folderOrigin('guide') })
    expect(await bring(spaceId, manual, { origin: folderOrigin('manual') })).toMatchObject({ pages: { removed: 0 } })
    expect(await titles()).toEqual(['Home', 'Guide', 'Manual', 'Part'])
    // What one folder no longer holds goes; the other is not touched.
    const less = { 'README.md': guide['README.md'] }
    expect(await bring(spaceId, less, { origin: folderOrigin('guide') })).toMatchObject({
      pages: { removed: 1, unchanged: 1 },
    })
    expect(await titles()).toEqual(['Home', 'Manual', 'Part'])
    // Moved and renamed, with most of its files as they were.
    const moved = { ...manual, 'part/b.md': '# B\n\nSecond.\n' }
    expect(await bring(spaceId, moved, { origin: folderOrigin('moved') })).toMatchObject({
      pages: { added: 1, removed: 0, unchanged: 2 },
      groups: { added: 0 },
    })
    expect(await bring(spaceId, manual, { origin: folderOrigin('manual') })).toMatchObject({ pages: { removed: 1 } })
  })

  test('an old address of a repository leads to its page on the published site', async () => {
    const site = await publishedSite(kit, [])
    await bring(site.spaceId, {
      '.gitbook.yaml': 'redirects:\n  old/start: guide/start.md\n  gone: guide/none.md\n',
      'README.md': '# Home\n\nWords.\n',
      'SUMMARY.md': '# Table\n\n* [Home](README.md)\n* [Guide](guide/README.md)\n  * [Start](guide/start.md)\n',
      'guide/README.md': '# Guide\n',
      'guide/start.md': '# Start\n\nBegin here.\n',
    })
    const old = await site.ask('/old/start')
    expect([301, 302, 307, 308]).toContain(old.status)
    const target = new URL(old.headers.location ?? '', 'http://lectern.test').pathname
    expect(target).toBe(`${site.base}/guide/start`)
    expect(await site.ask(target.slice(site.base.length))).toMatchObject({
      status: 200,
      text: expect.stringContaining('Begin here.'),
    })
    expect((await site.ask('/gone')).status).toBe(404)
  })
})
