/** Links print the path that a page has now, whatever was changed since the last reader looked it up. */
import { expect, test, vi } from 'vitest'
import { Cache } from '../../../src/core/caches.ts'
import { openapi } from '../../../src/jobs/openapi/job.ts'
import { makeWorker } from '../../../src/jobs/worker.ts'
import { makeLog } from '../../../src/platform/log.ts'
import { eachBackend } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'

eachBackend((backend) => {
  const kit = useKit(backend)
  const clear = (): void => {
    for (const cache of kit.db.caches.list()) if (cache instanceof Cache) cache.clear()
  }

  /** A space whose last page links to others, and how those links are spelt. */
  const linking = async () => {
    const { as, organization: organizationId } = kit
    const { id: spaceId } = await as.admin.createSpace({ organizationId, body: { title: 'Linked' } })
    type Changes = Parameters<typeof as.admin.updateSpaceContent>[0]['body']['changes']
    const edit = async (...changes: Changes) => {
      const [made] = (await as.admin.updateSpaceContent({ spaceId, body: { changes } })).changes
      return (made as { page?: { id: string } } | undefined)?.page?.id ?? ''
    }
    let pageId = ''
    const link = async (ids: readonly string[]): Promise<void> => {
      const markdown = ids.map((id) => `[to](/pages/${id})`).join(' ')
      pageId = await edit({ operation: 'insert_page', title: 'From', document: { markdown } })
    }
    const links = async (): Promise<(string | undefined)[]> => {
      const { markdown } = await as.admin.getPageById({ spaceId, pageId })
      return [...(markdown ?? '').matchAll(/\[to\]\(([^)]*)\)/g)].map((found) => found[1])
    }
    /** What readers of a content find that was read before; then what the first reader of it finds. */
    const become = async (expected: readonly string[]): Promise<void> => {
      expect(await links()).toEqual(expected)
      clear()
      expect(await links()).toEqual(expected)
    }
    return { spaceId, edit, link, links, become }
  }

  test('of pages that are renamed, moved, exchanged, edited and deleted', async () => {
    const { edit, link, become } = await linking()
    const insert = (title: string, into?: string) =>
      edit({ operation: 'insert_page', title, document: {}, ...(into ? { into } : {}) })
    const guide = await insert('Guide')
    const setup = await insert('Setup', guide)
    const other = await insert('Other', guide)
    const deep = await insert('Deep', setup)
    await link([setup, other, deep])
    await become(['guide/setup.md', 'guide/other.md', 'guide/setup/deep.md'])
    await edit({ operation: 'update_page', page: setup, document: { markdown: 'Other words.' } })
    await become(['guide/setup.md', 'guide/other.md', 'guide/setup/deep.md'])
    await edit({ operation: 'update_page', page: guide, slug: 'manual' })
    await become(['manual/setup.md', 'manual/other.md', 'manual/setup/deep.md'])
    await edit({ operation: 'update_page', page: setup, into: other })
    await become(['manual/other/setup.md', 'manual/other.md', 'manual/other/setup/deep.md'])
    await edit(
      { operation: 'update_page', page: deep, into: guide },
      { operation: 'update_page', page: other, slug: 'x' },
      { operation: 'update_page', page: deep, slug: 'other' },
    )
    await become(['manual/x/setup.md', 'manual/x.md', 'manual/other.md'])
    await edit({ operation: 'delete_page', page: deep })
    await become(['manual/x/setup.md', 'manual/x.md', `/pages/${deep}`])
  })

  test('of pages without a slug, which no map of slugs names', async () => {
    const { edit, link, links, become } = await linking()
    const guide = await edit({ operation: 'insert_page', title: 'Guide', document: {} })
    const other = await edit({ operation: 'insert_page', title: 'Other', document: {} })
    const target = { kind: 'url' as const, url: 'https://example.com/' }
    const away = await edit({
      operation: 'insert_page',
      type: 'link',
      title: 'Away',
      document: {},
      target,
      into: guide,
    })
    await link([away])
    const before = await links()
    await edit({ operation: 'update_page', page: away, into: other })
    clear()
    const after = await links()
    expect(after).not.toEqual(before)
    await edit({ operation: 'update_page', page: away, into: guide })
    await become(before.map(String))
  })

  test('of pages that are made from a spec', async () => {
    const { spaceId, edit, link, links, become } = await linking()
    const params = { organizationId: kit.organization, specSlug: `pets-${backend.name}` }
    const responses = { 200: { description: 'Fine' } }
    const text = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1' },
      paths: { '/pets': { get: { operationId: 'listPets', summary: 'List pets', tags: ['pets'], responses } } },
    })
    await kit.as.admin.createOrUpdateOpenAPISpecBySlug({ ...params, body: { source: { text } } })
    const worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers: { openapi } })
    await worker.start()
    await vi.waitFor(async () => expect((await kit.as.admin.getOpenAPISpecBySlug(params)).lastVersion).toBeDefined(), {
      timeout: 20_000,
      interval: 20,
    })
    await worker.stop()
    const computed = {
      type: 'builtin:openapi' as const,
      props: { grouping: 'by-operation' as const },
      dependencies: { spec: { ref: { kind: 'openapi' as const, spec: params.specSlug } } },
    }
    const api = await edit({ operation: 'insert_page', type: 'computed', title: 'API', document: {}, computed })
    const { pages } = await kit.as.admin.listPages({ spaceId })
    const made = pages.flatMap(({ id, pages: below }) => (id === api ? (below ?? []) : [])).map(({ id }) => id)
    expect(made.length).toBeGreaterThan(0)
    await link(made)
    const before = await links()
    expect(before.every((path) => path?.startsWith('api/'))).toBe(true)
    await edit({ operation: 'update_page', page: api, slug: 'reference' })
    await become(before.map((path) => String(path).replace('api/', 'reference/')))
  })
})
