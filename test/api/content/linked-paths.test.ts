/** Links print the path that a page has now, whatever was changed since the last reader looked it up. */
import { expect, test } from 'vitest'
import { Cache } from '../../../src/core/caches.ts'
import { eachBackend } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'

eachBackend((backend) => {
  const kit = useKit(backend)
  const clear = (): void => {
    for (const cache of kit.db.caches.list()) if (cache instanceof Cache) cache.clear()
  }

  test('of pages that are renamed, moved, exchanged, edited and deleted', async () => {
    const { as, organization: organizationId } = kit
    const { id: spaceId } = await as.admin.createSpace({ organizationId, body: { title: 'Linked' } })
    type Changes = Parameters<typeof as.admin.updateSpaceContent>[0]['body']['changes']
    const edit = async (changes: Changes) => (await as.admin.updateSpaceContent({ spaceId, body: { changes } })).changes
    const insert = async (title: string, into?: string): Promise<string> => {
      const [made] = await edit([{ operation: 'insert_page', title, document: {}, ...(into ? { into } : {}) }])
      return (made as { page: { id: string } }).page.id
    }
    const guide = await insert('Guide')
    const setup = await insert('Setup', guide)
    const other = await insert('Other', guide)
    const deep = await insert('Deep', setup)
    const markdown = [setup, other, deep].map((id) => `[to](/pages/${id})`).join(' ')
    const [from] = await edit([{ operation: 'insert_page', title: 'From', document: { markdown } }])
    const pageId = (from as { page: { id: string } }).page.id

    const links = async (): Promise<(string | undefined)[]> => {
      const { markdown } = await as.admin.getPageById({ spaceId, pageId })
      return [...(markdown ?? '').matchAll(/\[to\]\(([^)]*)\)/g)].map((found) => found[1])
    }
    const become = async (changes: Changes, expected: string[]): Promise<void> => {
      if (changes.length > 0) await edit(changes)
      expect(await links()).toEqual(expected)
      clear()
      expect(await links()).toEqual(expected)
      // Looked up again by whoever reads next, so that the next change meets what is cached.
      expect(await links()).toEqual(expected)
    }
    await become([], ['guide/setup.md', 'guide/other.md', 'guide/setup/deep.md'])
    await become(
      [{ operation: 'update_page', page: setup, document: { markdown: 'Other words.' } }],
      ['guide/setup.md', 'guide/other.md', 'guide/setup/deep.md'],
    )
    await become(
      [{ operation: 'update_page', page: guide, slug: 'manual' }],
      ['manual/setup.md', 'manual/other.md', 'manual/setup/deep.md'],
    )
    await become(
      [{ operation: 'update_page', page: setup, into: other }],
      ['manual/other/setup.md', 'manual/other.md', 'manual/other/setup/deep.md'],
    )
    await become(
      [
        { operation: 'update_page', page: deep, into: guide },
        { operation: 'update_page', page: other, slug: 'x' },
        { operation: 'update_page', page: deep, slug: 'other' },
      ],
      ['manual/x/setup.md', 'manual/x.md', 'manual/other.md'],
    )
    await become([{ operation: 'delete_page', page: deep }], ['manual/x/setup.md', 'manual/x.md', `/pages/${deep}`])
  })
})
