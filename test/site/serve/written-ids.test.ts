/** Ids of headings as their authors wrote them: links with capitals find them, on the page and from another. */
import { expect, test } from 'vitest'
import { eachBackend } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { publishedSite } from './site-kit.ts'

eachBackend((backend) => {
  const kit = useKit(backend)

  test('a link to {#MyId} leads to its heading and is not broken', async () => {
    const site = await publishedSite(kit, [
      { title: 'First', markdown: 'Here is [that](#MyOwnId).\n\n## Words {#MyOwnId}\n\nMore.' },
    ])
    const { pages } = await kit.as.admin.listPages({ spaceId: site.spaceId })
    const markdown = `There is [that](/pages/${pages[0]?.id}#MyOwnId).`
    await kit.as.admin.updateSpaceContent({
      spaceId: site.spaceId,
      body: { changes: [{ operation: 'insert_page', title: 'Second', document: { markdown } }] },
    })
    const first = (await site.ask('/first')).text
    expect(first).toContain('id="myownid"')
    expect(first).toContain('href="#myownid"')
    expect((await site.ask('/second')).text).toMatch(/href="[^"]*#myownid"/)
    const { items } = await kit.as.admin.listSpaceLinks({ spaceId: site.spaceId, query: { status: 'broken' } })
    expect(items).toEqual([])
  })
})
