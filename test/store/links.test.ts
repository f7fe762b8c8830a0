/** References of pages, as they are stored. */
import { expect, test } from 'vitest'
import { insertLinks, linksOfSpace } from '../../src/store/content/links.ts'
import { eachBackend } from '../kit/backends.ts'
import { useKit } from '../kit/server.ts'

eachBackend((backend) => {
  const kit = useKit(backend)

  test('a reference keeps what it says, also half a character, which escapes in a source can write', async () => {
    const { id: spaceId } = await kit.as.admin.createSpace({
      organizationId: kit.organization,
      body: { title: 'Links' },
    })
    const refs = ['https://a.example/\ud83d', 'https://a.example/\ud83d\ude00', 'https://a.example/'].map((url) =>
      JSON.stringify({ kind: 'url', url }),
    )
    const row = { spaceId, pageId: 'aPage', nodeKey: '', kind: 'url', status: 'ok' } as const
    const rows = refs.map((ref, position) => ({ ...row, position, target: JSON.parse(ref).url, ref }))
    await kit.db.transaction((tx) => insertLinks(tx, rows))
    const stored = await linksOfSpace(kit.db, { spaceId })
    expect(stored.sort((a, b) => a.position - b.position).map(({ ref }) => ref)).toEqual(refs)
  })
})
