/** References of pages, as they are stored. */
import { expect, test } from 'vitest'
import { forgetSpaceLinks, insertLinkRows, moveNextLinks, setLinkStatus } from '../../src/store/content/link-rows.ts'
import {
  countByStatus,
  forgetLinks,
  type LinkRow,
  linksOfSpace,
  linksTo,
  replaceLinks,
} from '../../src/store/content/links.ts'
import outsideLinks from '../../src/store/migrations/0098-outside-links.ts'
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
    await kit.db.transaction((tx) => insertLinkRows(tx, spaceId, rows))
    const stored = await linksOfSpace(kit.db, { spaceId })
    expect(stored.sort((a, b) => a.position - b.position).map(({ ref }) => ref)).toEqual(refs)
  })

  if (backend.name === 'postgres')
    test('links that are not in order are found by their own index before anything is known of the tables', async () => {
      const { id: spaceId } = await kit.as.admin.createSpace({
        organizationId: kit.organization,
        body: { title: 'Planned' },
      })
      const rows = Array.from({ length: 100 }, (_, n) => {
        const url = `https://example.com/${n}`
        const ref = JSON.stringify({ kind: 'url', url })
        const status = n % 10 === 0 ? ('broken' as const) : ('ok' as const)
        return { spaceId, pageId: `page${n}`, position: 0, nodeKey: '', kind: 'url', target: url, ref, status }
      })
      await kit.db.transaction((tx) => insertLinkRows(tx, spaceId, rows))
      const sql = `explain analyze select * from "linkNotOk" where "spaceId" = '${spaceId}' and "status" = 'broken'`
      const plan = (await kit.db.all({ sql, name: '' }, [])).map((row) => String(row['QUERY PLAN']))
      // Not for each page with each target.
      expect(plan.find((line) => line.includes('on "linkRow"'))).toMatch(/rows=10 loops=1\)/)
      expect(await countByStatus(kit.db, spaceId)).toEqual({ total: 100, broken: 10 })
    })

  test('what an earlier version said of links to the outside is put right', async () => {
    const { as, db, organization: organizationId } = kit
    const [spaceId = '', there = '', gone = ''] = await Promise.all(
      ['Old', 'There', 'Gone'].map(
        async (title) => (await as.admin.createSpace({ organizationId, body: { title } })).id,
      ),
    )
    await as.admin.deleteSpaceById({ spaceId: gone })
    await as.admin.createOpenAPISpec({ organizationId, body: { slug: 'old-pet', source: { text: 'openapi: 3.1.0' } } })
    const of = (kind: string, target: string, status: 'ok' | 'broken', ref: object) =>
      ({ spaceId, pageId: 'old', nodeKey: '', kind, target, status, ref: JSON.stringify({ kind, ...ref }) }) as const
    const rows = [
      of('url', 'ftp://a.example/', 'broken', { url: 'ftp://a.example/' }),
      of('url', 'a b:c', 'broken', { url: 'a b:c' }),
      of('url', 'gone.md', 'broken', { url: 'gone.md' }),
      of('openapi', 'old-pet', 'broken', { spec: 'old-pet' }),
      of('openapi', 'old-cat', 'broken', { spec: 'old-cat' }),
      of('space', there, 'broken', { space: there }),
      of('space', gone, 'ok', { space: gone }),
      of('page', 'p1', 'ok', { page: 'p1', space: gone }),
      of('page', 'p2', 'broken', { page: 'p2' }),
      of('page', 'p3', 'broken', { page: 'p3', space: spaceId }),
      of('anchor', 'old', 'ok', { page: 'old', anchor: 'one' }),
      of('anchor', 'old', 'ok', { anchor: '\ud83d' }),
    ].map((row, position) => ({ ...row, position }))
    await db.transaction((tx) => insertLinkRows(tx, spaceId, rows))
    const [, ...statements] = outsideLinks[db.engine].split(';').filter((sql) => sql.trim() !== '')
    for (const [n, sql] of statements.entries()) await db.run({ sql, name: `outside-links-${n}` }, [])
    const stored = (await linksOfSpace(db, { spaceId })).sort((a, b) => a.position - b.position)
    const expected = [
      'ok',
      'broken',
      'broken',
      'ok',
      'broken',
      'ok',
      'broken',
      'broken',
      'broken',
      'broken',
      'ok',
      'ok',
    ]
    expect(stored.map(({ status }) => status)).toEqual(expected)
    expect(stored.slice(-2).map(({ ref }) => JSON.parse(ref).anchor)).toEqual(['one', '\ud83d'])
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
    const mark = `update "linkRow" set "status" = 'in-app' where "space" in (select "number" from "linkSpace" where "spaceId" = '${spaceId}')`
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

  test('links of an older version are read, changed and moved in steps, and say the same wherever that stopped', async () => {
    const { id: spaceId } = await kit.as.admin.createSpace({
      organizationId: kit.organization,
      body: { title: 'Older' },
    })
    const refOf = (n: number) =>
      [
        { kind: 'page', page: `p${n % 7}` },
        { kind: 'anchor', anchor: `part-${n}`, page: `p${n % 7}` },
        { kind: 'anchor', anchor: `here-${n}` },
        { kind: 'url', url: `https://example.com/${n}`, more: 1 },
      ][n % 4] as { kind: string; page?: string; url?: string }
    const rows = Array.from({ length: 450 }, (_, n): LinkRow => {
      const [pageId, ref] = [`p${Math.floor(n / 30)}`, refOf(n)]
      const target = ref.url ?? ref.page ?? pageId
      const status = n % 9 === 0 ? 'broken' : 'ok'
      return {
        spaceId,
        pageId,
        position: n % 30,
        nodeKey: `k${n}`,
        kind: ref.kind,
        target,
        ref: JSON.stringify(ref),
        status,
      }
    })
    const old = `insert into "link" ("spaceId", "pageId", "position", "nodeKey", "kind", "target", "ref", "status") values `
    const text = (value: string) => `'${value}'`
    const valuesOf = ({ pageId, position, nodeKey, kind, target, ref, status }: LinkRow) =>
      `(${[text(spaceId), text(pageId), position, ...[nodeKey, kind, target, kind === 'page' ? '' : ref, status].map(text)].join()})`
    await kit.db.run({ sql: old + rows.map(valuesOf).join(), name: '' }, [])

    const byPlace = (a: LinkRow, b: LinkRow) => a.pageId.localeCompare(b.pageId) || a.position - b.position
    const stored = async () => (await linksOfSpace(kit.db, { spaceId })).sort(byPlace)
    let wanted = rows.toSorted(byPlace)
    const expectAll = async () => {
      expect(await stored()).toEqual(wanted)
      const broken = wanted.filter(({ status }) => status === 'broken').length
      expect(await countByStatus(kit.db, spaceId)).toEqual({ total: wanted.length, broken })
      const leading = wanted.filter(({ kind, target }) => kind !== 'url' && target === 'p3')
      expect((await linksTo(kit.db, spaceId, ['p3'])).sort(byPlace)).toEqual(leading)
    }
    await expectAll()
    expect(await moveNextLinks(kit.db)).toBe(true)
    await expectAll()
    // One page whose links are moved, one whose are not.
    for (const pageId of ['p0', 'p14']) {
      await kit.db.transaction((tx) => setLinkStatus(tx, { spaceId, pageId, position: 1, status: 'broken' }))
      wanted = wanted.map((row) => (row.pageId === pageId && row.position === 1 ? { ...row, status: 'broken' } : row))
      const after = wanted.filter((row) => row.pageId === pageId && row.position !== 2)
      await kit.db.transaction((tx) => replaceLinks(tx, spaceId, { known: [pageId], rows: after }))
      wanted = wanted.filter((row) => row.pageId !== pageId || row.position !== 2)
    }
    await expectAll()
    // A process of the older version writes a page anew whose links were moved.
    const again = wanted.find((row) => row.pageId === 'p0') as LinkRow
    await kit.db.run({ sql: old + valuesOf({ ...again, kind: 'page', target: 'p2' }), name: '' }, [])
    const anew: LinkRow = { ...again, kind: 'page', target: 'p2', ref: JSON.stringify({ kind: 'page', page: 'p2' }) }
    wanted = wanted.map((row) => (row === again ? anew : row))
    expect(await moveNextLinks(kit.db)).toBe(true)
    await expectAll()
    const gone = ['p1', 'p13']
    await kit.db.transaction((tx) => forgetLinks(tx, spaceId, gone))
    wanted = wanted.filter(({ pageId }) => !gone.includes(pageId))
    for (let more = true; more; more = await moveNextLinks(kit.db)) await expectAll()
    expect(await kit.db.all({ sql: `select 1 from "link" where "spaceId" = '${spaceId}'`, name: '' }, [])).toEqual([])
    await kit.db.transaction((tx) => forgetSpaceLinks(tx, { spaceId }))
    expect(await stored()).toEqual([])
  })

  test.runIf(backend.name === 'sqlite')('no page of a space is tried with every target of it', async () => {
    const planOf = async (where: string) => {
      const sql = `explain query plan select * from "everyLink" where "spaceId" = 'a' and ${where}`
      return (await kit.db.all({ sql, name: '' }, [])).map(({ detail }) => detail).join('\n')
    }
    const [page, target] = [/SEARCH p USING INTEGER PRIMARY KEY/, /SEARCH t USING INTEGER PRIMARY KEY/]
    expect(await planOf(`"pageId" in ('p', 'q')`)).toMatch(target)
    expect(await planOf('true')).toMatch(target)
    expect(await planOf(`"kind" = 'page' and "target" in ('p', 'q')`)).toMatch(page)
    expect(await planOf(`"kind" = 'file'`)).toMatch(page)
  })
})
