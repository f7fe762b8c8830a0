/** A site of ten thousand pages: each page carries a small part of the tree, and costs what it shows. */
import { beforeAll, expect, test } from 'vitest'
import { eachBackend } from '../../kit/backends.ts'
import { type Kit, useKit } from '../../kit/server.ts'
import { edit, type PublishedSite, publishedSite } from './site-kit.ts'

const pagesInPart = 99

eachBackend((backend) => {
  const kit = useKit(backend)
  // Filling them takes longer than all else here; on one engine a little over half of them is enough.
  const parts = backend.name === 'sqlite' ? 100 : 60
  let site: PublishedSite

  beforeAll(async () => {
    site = await publishedSite(kit, [])
    await fill(kit, site.spaceId, parts)
  }, 300_000)

  const treeOf = (text: string): string => /<ul class="tree">.*?<\/nav>/s.exec(text)?.[0] ?? ''

  test('a page has at most 10 KB of tree: its way, its neighbours, and a way to all the others', async () => {
    for (const path of ['', '/part-50', '/part-50/page-98', '/part-58/page-0']) {
      const { status, text } = await site.ask(path)
      expect([path, status]).toEqual([path, 200])
      expect(Buffer.byteLength(treeOf(text))).toBeLessThanOrEqual(10 * 1024)
    }
    const { text } = await site.ask('/part-50/page-50')
    const tree = treeOf(text)
    expect(tree).toContain(`<a href="${site.base}/part-50/page-50" aria-current="page">`)
    for (const near of ['/part-50', '/part-49', '/part-50/page-49', '/part-50/page-51'])
      expect(tree).toContain(`${near}"`)
    // What is left out is counted.
    const shown = [...tree.matchAll(/\/part-50\/page-\d+"/g)].length
    const left = [...tree.matchAll(/data-more>[^<]*?(\d+)/g)].map((match) => Number(match[1]))
    expect(left.length).toBeGreaterThan(0)
    const total = shown + [...tree.matchAll(/\/part-\d+"/g)].length + left.reduce((sum, count) => sum + count, 0)
    expect(total).toBe(parts + pagesInPart)
    expect(text).toContain(`<link rel="prev" href="${site.base}/part-50/page-49">`)
    expect(text).toContain(`<link rel="next" href="${site.base}/part-50/page-51">`)
  })

  test('neighbours are found across branches', async () => {
    const { text } = await site.ask('/part-50')
    expect(text).toContain(`<link rel="prev" href="${site.base}/part-49/page-98">`)
    expect(text).toContain(`<link rel="next" href="${site.base}/part-50/page-0">`)
  })

  test('a branch that was left out is fetched whole', async () => {
    const { text } = await site.ask('/part-0/page-0')
    const id = /data-id="([^"]+)"[^>]*><a href="[^"]+\/part-1"/.exec(text)?.[1] ?? ''
    const branch = await site.ask(`/~tree/${id}`, { headers: { accept: 'text/fragment+html' } })
    expect([...branch.text.matchAll(/href="[^"]+\/part-1\/page-\d+"/g)]).toHaveLength(pagesInPart)
    const page = await site.ask(`/~tree/${id}`)
    expect(page.text).toContain('<h1>Part 1</h1>')
    const top = await site.ask('/~tree')
    for (const part of [1, 57, parts - 1]) expect([part, top.text.includes(`/part-${part}"`)]).toEqual([part, true])
    expect((await site.ask('/~tree/aaaaaaaaaaaaaaaaaaaa')).status).toBe(404)
  })

  test('a page after a change reads a few hundred pages, never all', async () => {
    const asked: string[] = []
    let listed = 0
    for (const plan of kit.server.runners.values()) {
      const { run } = plan
      plan.run = async (request) => {
        const reply = await run(request)
        if (request.actor?.visitor) {
          asked.push(plan.name)
          if (plan.name === 'listChildPages') listed += (reply.body as { pages: unknown[] }).pages.length
        }
        return reply
      }
    }
    const { pages } = await kit.as.admin.listChildPages({ spaceId: site.spaceId })
    await edit(kit, site.spaceId, pages[3]?.id ?? '', 'Changed.')
    expect((await site.ask('/part-3')).text).toContain('Changed.')
    expect(asked).not.toContain('listPages')
    expect(listed).toBeGreaterThan(0)
    expect(listed).toBeLessThan(500)
    expect(asked.length).toBeLessThan(20)
  })
})

async function fill(kit: Kit, spaceId: string, parts: number): Promise<void> {
  const insert = async (count: number, title: (at: number) => string, into?: string) => {
    const made: string[] = []
    for (let from = 0; from < count; from += 50) {
      const changes = Array.from({ length: Math.min(50, count - from) }, (_, i) => ({
        operation: 'insert_page' as const,
        title: title(from + i),
        document: { markdown: 'Words.' },
        ...(into === undefined ? {} : { into }),
      }))
      const answer = await kit.as.admin.updateSpaceContent({ spaceId, body: { changes } })
      made.push(...answer.changes.map((change) => (change.object === 'created_page' ? change.page.id : '')))
    }
    return made
  }
  const top = await insert(parts, (at) => `Part ${at}`)
  for (const into of top) await insert(pagesInPart, (at) => `Page ${at}`, into)
}
