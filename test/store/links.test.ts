/** References of pages, as they are stored. */
import { expect, test } from 'vitest'
import { insertLinks, linksOfSpace, replaceLinks } from '../../src/store/content/links.ts'
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

  test('an edit writes the links it changed and no others', async () => {
    const { id: spaceId } = await kit.as.admin.createSpace({
      organizationId: kit.organization,
      body: { title: 'Edited' },
    })
    const rowsOf = (pageId: string, urls: readonly string[]) =>
      urls.map((url, position) => ({
        spaceId, pageId, position, nodeKey: `n${position}`, kind: 'url', target: url, status: 'ok' as const,
        ref: JSON.stringify({ kind: 'url', url, ...(url.includes('#') ? { more: 1 } : {}) }),
      })) // biome-ignore format: one row
    const replace = (known: string[], rows: ReturnType<typeof rowsOf>) =>
      kit.db.transaction((tx) => replaceLinks(tx, spaceId, { known, rows }))
    const stored = async () =>
      (await linksOfSpace(kit.db, { spaceId })).sort(
        (a, b) => a.pageId.localeCompare(b.pageId) || a.position - b.position,
      )
    const [a, b] = [rowsOf('a', ['https://x.example', 'https://y.example#z', 'https://\ud83d']), rowsOf('b', ['/b'])]
    await replace([], [...a, ...b])
    expect(await stored()).toMatchObject([...a, ...b].map(({ pageId, position, ref }) => ({ pageId, position, ref })))
    // What is written again loses this mark.
    const mark = `update "link" set "status" = 'in-app' where "spaceId" = '${spaceId}'`
    await kit.db.run({ sql: mark, name: '' }, [])
    const marked = a.map((row) => ({ ...row, status: 'in-app' as const }))
    const moved = rowsOf('a', ['https://x.example', 'https://other.example'])
    await replace(['a'], [marked[0] as (typeof marked)[0], moved[1] as (typeof moved)[0]] as ReturnType<typeof rowsOf>)
    expect((await stored()).map(({ pageId, position, target, status }) => [pageId, position, target, status])).toEqual([
      ['a', 0, 'https://x.example', 'in-app'],
      ['a', 1, 'https://other.example', 'ok'],
      ['b', 0, '/b', 'in-app'],
    ])
    await replace(['a', 'b'], [])
    expect(await stored()).toEqual([])
  })
})
