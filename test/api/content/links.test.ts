/** Links as they are listed: of a space, of a page, of a file; whatever is edited, deleted and made meanwhile. */
import { expect, test, vi } from 'vitest'
import { folderOrigin } from '../../../src/core/import/origins.ts'
import { actAs } from '../../../src/domain/act-as.ts'
import { noSteps } from '../../../src/domain/import/apply.ts'
import { importRepository } from '../../../src/domain/import/commit.ts'
import { specSearchKind } from '../../../src/domain/openapi/search.ts'
import { openapi } from '../../../src/jobs/openapi/job.ts'
import { specSearch } from '../../../src/jobs/openapi/search.ts'
import { makeWorker } from '../../../src/jobs/worker.ts'
import { makeLog } from '../../../src/platform/log.ts'
import { findUser } from '../../../src/store/people/users.ts'
import { eachBackend } from '../../kit/backends.ts'
import { type Kit, useKit } from '../../kit/server.ts'

type Changes = Parameters<Kit['as']['admin']['updateSpaceContent']>[0]['body']['changes']
type List = Awaited<ReturnType<Kit['as']['admin']['listSpaceLinks']>>

interface Below {
  id: string
  pages?: readonly Below[] | undefined
}
const idsBelow = (pages: readonly Below[]): string[] =>
  pages.flatMap(({ pages: below = [] }) => [...below.map(({ id }) => id), ...idsBelow(below)])

const operationOf = (spec: string) =>
  `{% openapi-operation spec="${spec}" path="/pets" method="get" %}\n{% endopenapi-operation %}`

eachBackend((backend) => {
  const kit = useKit(backend)

  const newSpace = async (title: string) =>
    (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title } })).id
  const edit = async (spaceId: string, ...changes: Changes) => {
    const { changes: made } = await kit.as.admin.updateSpaceContent({ spaceId, body: { changes } })
    return made.map((change) => (typeof change.page === 'string' ? change.page : change.page.id))
  }
  const page = (title: string, markdown: string) => ({
    operation: 'insert_page' as const,
    title,
    document: { markdown },
  })
  const rewrite = (id: string, markdown: string) => ({
    operation: 'update_page' as const,
    page: id,
    document: { markdown },
  })
  const spaceLinks = (spaceId: string, query: { status?: 'ok' | 'broken' } = {}) =>
    kit.as.admin.listSpaceLinks({ spaceId, query })
  const pageLinks = (spaceId: string, pageId: string, query: { status?: 'ok' | 'broken' } = {}) =>
    kit.as.admin.listPageLinksInSpace({ spaceId, pageId, query })
  const shown = ({ items, stats }: List) => ({
    links: items.map(({ status, targetReference: to }) => {
      const { url, page: at, internalLocation, openAPISpec, kind } = to ?? {}
      return `${status} ${url ?? openAPISpec ?? at?.title ?? kind ?? '?'}${internalLocation ? `#${internalLocation.anchor}` : ''}`
    }),
    broken: stats.broken.total,
  })
  /** What both lists say, which is the same: of a space with links on one page only. */
  const said = async (spaceId: string, pageId: string) => {
    const [whole, of] = [shown(await spaceLinks(spaceId)), shown(await pageLinks(spaceId, pageId))]
    expect(of).toEqual(whole)
    const broken = shown(await spaceLinks(spaceId, { status: 'broken' }))
    expect(broken.links).toEqual(whole.links.filter((link) => link.startsWith('broken')))
    return whole
  }

  test('each anchor of a page is an item', async () => {
    const spaceId = await newSpace('Anchors')
    const [, from = ''] = await edit(
      spaceId,
      page('T', '## One\n\n## Two'),
      page('From', '[a](t.md#one) [b](t.md#two) [c](t.md#nix) [d](t.md#nada) [e](t.md#one)\n\n[f](#mine)\n\n## Mine'),
    )
    const { links, broken } = await said(spaceId, from)
    expect(links.sort()).toEqual(['broken T#nada', 'broken T#nix', 'ok From#mine', 'ok T#one', 'ok T#two'])
    expect(broken).toBe(2)
    const { items } = await spaceLinks(spaceId)
    expect(items.map(({ locationReferences }) => locationReferences.length).sort()).toEqual([1, 1, 1, 1, 2])
    await edit(spaceId, page('Else', '[g](from.md#mine)'))
    expect((await spaceLinks(spaceId)).items).toHaveLength(5)
  })

  test('an address with a scheme is not broken by its scheme', async () => {
    const spaceId = await newSpace('Schemes')
    const urls = [
      'https://a.example/',
      'ftp://a.example/f',
      'sms:+491234',
      'vscode://file/x',
      'mailto:a@b.example',
      'gone.md',
    ]
    const [from = ''] = await edit(spaceId, page('From', urls.map((url) => `[to](${url})`).join(' ')))
    const { links } = await said(spaceId, from)
    expect(links.filter((link) => link.startsWith('broken'))).toEqual(['broken gone.md'])
    expect(links).toHaveLength(urls.length)
  })

  test('a walk goes on while the content is edited', async () => {
    const spaceId = await newSpace('Walked')
    const urls = ['https://a.example/', 'https://b.example/', 'https://c.example/', 'https://d.example/']
    const markdown = urls.map((url) => `[to](${url})`).join(' ')
    const [pageId = '', other = ''] = await edit(spaceId, page('From', markdown), page('Other', 'Words'))
    const query = { limit: 2 }
    const first = await kit.as.admin.listPageLinksInSpace({ spaceId, pageId, query })
    await edit(spaceId, rewrite(other, 'Other words'), rewrite(pageId, `[new](https://aa.example/) ${markdown}`))
    const next = { ...query, page: first.next?.page ?? '' }
    const second = await kit.as.admin.listPageLinksInSpace({ spaceId, pageId, query: next })
    expect([...first.items, ...second.items].map(({ targetReference }) => targetReference?.url)).toEqual(urls)
  })

  test('a walk through what links to a file goes on while the content is edited, in a change request too', async () => {
    const spaceId = await newSpace('Filed')
    const file = { name: 'a.txt', ref: 'a', contentType: 'text/plain', base64: 'YQ==' }
    const { insertedFiles, changes } = await kit.as.admin.updateSpaceContent({
      spaceId,
      body: {
        changes: [
          { operation: 'insert_files', files: [file] },
          ...['P0', 'P1', 'P2', 'P3'].map((title) => page(title, '[to](a)')),
        ],
      },
    })
    const fileId = insertedFiles[0]?.file.id ?? ''
    const last = changes.at(-1)?.page
    const rest = rewrite(typeof last === 'string' ? last : (last?.id ?? ''), `More, and [to](/files/${fileId})`)
    const { id: changeRequestId } = await kit.as.admin.createChangeRequest({ spaceId, body: {} })
    const met = async (
      list: (page?: string) => Promise<{ items: { page?: { title?: string } }[]; next?: { page: string } }>,
      change: () => Promise<unknown>,
    ) => {
      const first = await list()
      await change()
      const second = await list(first.next?.page)
      return [...first.items, ...second.items].map((item) => item.page?.title).sort()
    }
    const query = (token?: string) => ({ limit: 2, ...(token ? { page: token } : {}) })
    const ofRequest = await met(
      (token) => kit.as.admin.listChangeRequestFileBacklinks({ spaceId, changeRequestId, fileId, query: query(token) }),
      () => kit.as.admin.updateChangeRequestContent({ spaceId, changeRequestId, body: { changes: [rest] } }),
    )
    expect(ofRequest).toEqual(['P0', 'P1', 'P2', 'P3'])
    const ofSpace = await met(
      (token) => kit.as.admin.listSpaceFileBacklinks({ spaceId, fileId, query: query(token) }),
      () => edit(spaceId, rest),
    )
    expect(ofSpace).toEqual(['P0', 'P1', 'P2', 'P3'])
  })

  test('a spec makes links to it right, and breaks them when it goes', async () => {
    const [spaceId, elsewhere] = [
      await newSpace('Specs'),
      await kit.as.stranger.createSpace({ organizationId: kit.otherOrganization, body: {} }),
    ]
    const document = { markdown: ['pet', 'pet', 'cat'].map(operationOf).join('\n\n') }
    const [from = ''] = await edit(spaceId, { operation: 'insert_page', title: 'From', document })
    await kit.as.stranger.updateSpaceContent({
      spaceId: elsewhere.id,
      body: { changes: [{ operation: 'insert_page', title: 'From', document }] },
    })
    expect((await said(spaceId, from)).links.sort()).toEqual(['broken cat', 'broken pet'])
    const params = { organizationId: kit.organization, specSlug: 'pet' }
    const source = { text: 'openapi: 3.1.0' }
    await kit.as.admin.createOrUpdateOpenAPISpecBySlug({ ...params, body: { source } })
    expect(await said(spaceId, from)).toEqual({ links: ['broken cat', 'ok pet'], broken: 1 })
    expect((await kit.as.stranger.listSpaceLinks({ spaceId: elsewhere.id })).stats.broken.total).toBe(3)
    await edit(spaceId, page('More', 'Words'))
    await kit.as.admin.deleteOpenAPISpecBySlug(params)
    expect(await said(spaceId, from)).toEqual({ links: ['broken cat', 'broken pet'], broken: 3 })
    await kit.as.admin.createOpenAPISpec({ organizationId: kit.organization, body: { slug: 'cat', source } })
    expect(await said(spaceId, from)).toEqual({ links: ['ok cat', 'broken pet'], broken: 2 })
  })

  test('links to another space, its pages and a collection follow it', async () => {
    const [spaceId, other] = [await newSpace('Linking'), await newSpace('Linked')]
    const { id: collection } = await kit.as.admin.createCollection({ organizationId: kit.organization })
    const [there = ''] = await edit(other, page('There', '[here](#no)'))
    const markdown = `[a](/spaces/${other}) [b](/spaces/${other}/pages/${there}) [c](/collections/${collection}) [d](/spaces/${other}/pages/${there}#x)`
    const [from = ''] = await edit(spaceId, page('From', markdown))
    const broken = async () => (await said(spaceId, from)).broken
    expect(await broken()).toBe(0)
    await kit.as.admin.deleteSpaceById({ spaceId: other })
    expect(await broken()).toBe(3)
    await kit.as.admin.restoreSpace({ spaceId: other })
    expect(await broken()).toBe(0)
    expect((await spaceLinks(other)).stats.broken.total).toBe(1)
    await kit.as.admin.deleteCollectionById({ collectionId: collection })
    expect(await broken()).toBe(1)
    const { id: organization } = await kit.as.admin.createOrganization({ body: { title: 'Target' } })
    await kit.as.admin.transferSpace({ spaceId: other, body: { organization } })
    expect(await broken()).toBe(4)
  })

  test('links to pages that a spec makes are right as long as it makes them', async () => {
    const spaceId = await newSpace('Made')
    const params = { organizationId: kit.organization, specSlug: 'made' }
    const text = (paths: readonly string[]) =>
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Pets', version: String(paths.length) },
        paths: Object.fromEntries(paths.map((path) => [path, { get: { summary: path, responses: {} } }])),
      })
    const give = (paths: readonly string[]) =>
      kit.as.admin.createOrUpdateOpenAPISpecBySlug({ ...params, body: { source: { text: text(paths) } } })
    const worker = makeWorker({
      db: kit.db,
      env: kit.env,
      log: makeLog('silent'),
      handlers: { openapi, [specSearchKind]: specSearch },
    })
    await worker.start()
    const wait = { timeout: 20_000, interval: 50 }
    await give(['/cats', '/dogs'])
    await vi.waitFor(
      async () => expect((await kit.as.admin.getOpenAPISpecBySlug(params)).lastVersion).toBeDefined(),
      wait,
    )
    const ref = { kind: 'openapi' as const, spec: 'made' }
    const computed = {
      type: 'builtin:openapi' as const,
      props: { grouping: 'by-operation' as const },
      dependencies: { spec: { ref } },
    }
    const [api] = await edit(spaceId, {
      operation: 'insert_page',
      type: 'computed',
      title: 'API',
      document: {},
      computed,
    })
    const { pages } = await kit.as.admin.listPages({ spaceId })
    const made = idsBelow(pages.filter(({ id }) => id === api))
    expect(made.length).toBeGreaterThan(1)
    const [from = ''] = await edit(
      spaceId,
      page('From', made.map((id) => `[to](/pages/${id}) [anchor](/pages/${id}#x)`).join(' ')),
    )
    await vi.waitFor(async () => expect((await said(spaceId, from)).broken).toBe(0), wait)
    await give(['/cats'])
    await vi.waitFor(async () => expect((await said(spaceId, from)).broken).toBeGreaterThan(0), wait)
    const { links } = await said(spaceId, from)
    expect(links.filter((link) => link.startsWith('ok'))).not.toEqual([])
    await worker.stop()
  })

  test('of a target that many pages link, a hundred places are told', async () => {
    const spaceId = await newSpace('Many')
    for (const part of [0, 1, 2])
      await edit(
        spaceId,
        ...Array.from({ length: 40 }, (_, n) =>
          page(`P${part} ${n}`, '[to](https://a.example/) [b](https://b.example)'),
        ),
      )
    const { items, stats } = await spaceLinks(spaceId)
    expect(stats.total).toBe(240)
    expect(items.map(({ locationReferences }) => locationReferences.length)).toEqual([100, 100])
  })

  test('a reusable content is shown as everywhere, without what only we are to know', async () => {
    const spaceId = await newSpace('Reused')
    const user = await findUser(kit.db, { id: kit.people.admin.id })
    if (!user) throw new Error('The admin is gone.')
    const include = '{% include ".gitbook/includes/note.md" %}'
    const texts = { 'README.md': `# Home\n\n${include}\n`, '.gitbook/includes/note.md': 'A note.\n' }
    const files = Object.entries(texts).map(([path, text]) => ({
      path,
      size: text.length,
      open: async function* () {
        yield Buffer.from(text)
      },
    }))
    const base = actAs({ db: kit.db, env: kit.env }, user, 'test')
    const origin = folderOrigin('my-secret-origin')
    const how = { remove: 'own' as const, strict: false, steps: noSteps, origin }
    await importRepository(base, { space: spaceId, changeRequest: undefined }, files, how)
    const whole = await kit.as.admin.getCurrentRevision({ spaceId })
    expect(whole.reusableContents).toMatchObject([{ title: 'Note', git: { path: '.gitbook/includes/note.md' } }])
    const plain = await kit.as.admin.getCurrentRevision({ spaceId, query: { metadata: false } })
    expect(plain.reusableContents.map(({ id, git }) => [id, git])).toEqual([[whole.reusableContents[0]?.id, undefined]])
    const { items } = await pageLinks(spaceId, whole.pages[0]?.id ?? '')
    const { origin: _, git: __, ...known } = { origin: '', ...whole.reusableContents[0] }
    expect(items.map(({ targetReference }) => targetReference?.reusableContent)).toEqual([known])
  })
})
