/** What a read asks the database for when nothing is in memory: as much as it needs at once, not link by link. */
import { expect, test, vi } from 'vitest'
import { Cache } from '../../../src/core/caches.ts'
import { eachBackend } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'

const insert = (title: string, more: { into?: string; document?: { markdown: string } } = {}) => ({
  operation: 'insert_page' as const,
  title,
  document: {},
  ...more,
})

eachBackend((backend) => {
  const kit = useKit(backend)

  test('the paths of all pages that a page links to are read level by level', async () => {
    const { as, organization: organizationId } = kit
    const { id: spaceId } = await as.admin.createSpace({ organizationId, body: { title: 'Linked' } })
    const edit = (changes: ReturnType<typeof insert>[]) => as.admin.updateSpaceContent({ spaceId, body: { changes } })
    await edit(Array.from({ length: 20 }, (_, n) => insert(`Folder ${n}`)))
    const { pages: folders } = await as.admin.listPages({ spaceId })
    for (const [n, { id }] of folders.entries())
      await edit(Array.from({ length: 30 }, (_, page) => insert(`Page ${30 * n + page}`, { into: id })))
    const targets = Array.from({ length: 80 }, (_, n) => `folder-${Math.floor((n * 7) / 30)}/page-${n * 7}`)
    await edit([insert('Links', { document: { markdown: targets.map((target) => `[to](${target})`).join(' ') } })])
    const pageId = (await as.admin.listPages({ spaceId })).pages.at(-1)?.id ?? ''

    for (const cache of kit.db.caches.list()) if (cache instanceof Cache) cache.clear()
    const all = vi.spyOn(kit.db, 'all')
    const shown = await as.admin.getPageById({ spaceId, pageId })
    const ofNodes = all.mock.calls.filter(([{ sql }]) => sql.includes('from "treeNode"'))
    all.mockRestore()
    // Those of pages are written without their ending and shown with it.
    for (const target of targets) expect(shown).toMatchObject({ markdown: expect.stringContaining(`(${target}.md)`) })
    expect(ofNodes.length).toBeLessThan(25)
  })

  test('whether pages of a level have others below them is read for all at once', async () => {
    const { as, organization: organizationId } = kit
    const { id: spaceId } = await as.admin.createSpace({ organizationId, body: { title: 'Folders' } })
    const edit = (changes: ReturnType<typeof insert>[]) => as.admin.updateSpaceContent({ spaceId, body: { changes } })
    await edit(Array.from({ length: 50 }, (_, n) => insert(`Folder ${n}`)))
    const { pages: folders } = await as.admin.listPages({ spaceId })
    for (const { id } of folders.slice(1))
      await edit(Array.from({ length: 40 }, (_, n) => insert(`${n}`, { into: id })))

    for (const cache of kit.db.caches.list()) if (cache instanceof Cache) cache.clear()
    const all = vi.spyOn(kit.db, 'all')
    const { pages } = await as.admin.listChildPages({ spaceId })
    const ofNodes = all.mock.calls.filter(([{ sql }]) => sql.includes('from "treeNode"'))
    all.mockRestore()
    expect(pages.map(({ hasPages }) => hasPages)).toEqual(folders.map((_, n) => n > 0))
    expect(ofNodes.length).toBeLessThan(45)
  })
})
