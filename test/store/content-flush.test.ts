/** A transaction that is undone and run again stores the same content again. */
import { expect, test } from 'vitest'
import { emptyContent, putPages } from '../../src/core/revision/content.ts'
import { openContent } from '../../src/store/content/content.ts'
import { eachBackend, useStore } from '../kit/backends.ts'

eachBackend((backend) => {
  const store = useStore(backend)

  test('what a writer collected outlives a transaction that was undone', async () => {
    const { db } = store
    const writer = openContent(db)
    const page = { id: 'p1', type: 'document', title: 'Page', slug: 'page', rank: 'a0' } as const
    const content = await putPages(writer, emptyContent(writer), [{ after: page }])
    const undone = db.transaction(async (tx) => {
      await writer.flush(tx, 'space', content)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await db.transaction((tx) => writer.flush(tx, 'space', content))
    for (const { hash } of [content.pages, content.children, content.slugs]) {
      const rows = await db.all({ sql: `select "hash" from "treeNode" where "hash" = '${hash}'`, name: '' }, [])
      expect(rows).toEqual([{ hash }])
    }
  })
})
