/** The hostile corpus: what such pages and bodies are answered with. How long they hold the loop stands in loop.test.ts. */
import { describe, expect, test } from 'vitest'
import { sqlite } from '../../kit/backends.ts'
import { hostilePages } from '../../kit/hostile.ts'
import { useKit } from '../../kit/server.ts'
import { edit, pageIds, publishedSite } from './site-kit.ts'

const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('')

// By the clock, beside whatever else the machine does: a pause of the machine itself is no fault of a request, so that the
// best of a few rounds is held against a bound with room for it.
const mostMilliseconds = 1_000

describe('hostile input', () => {
  const kit = useKit(sqlite)

  test.each(Object.entries(hostilePages))(
    'a page of %s is made once and stays within its size',
    async (_, markdown) => {
      const site = await publishedSite(kit, [{ title: 'Start' }, { title: 'Heavy' }])
      const { Heavy = '' } = await pageIds(kit, site.spaceId)
      await edit(kit, site.spaceId, Heavy, markdown)
      await site.ask('/start')
      const [one, other] = await Promise.all([site.ask('/heavy'), site.ask('/heavy')])
      expect([one.status, other.text === one.text]).toEqual([200, true])
      expect(one.bytes.length).toBeLessThan(9_000_000)
      // Whatever its size, it is made once.
      const again = performance.now()
      expect((await site.ask('/heavy')).headers.etag).toBe(one.headers.etag)
      expect(performance.now() - again).toBeLessThan(1_000)
    },
    120_000,
  )

  test('a page of formulas shows as many as a page may have, and the source of the rest', async () => {
    const site = await publishedSite(kit, [{ title: 'Start', markdown: times(2_100, (i) => `$$z_{${i}}$$ `) }])
    const { text } = await site.ask('/start')
    expect(text.match(/class="katex"/g)?.length).toBe(2_000)
    expect(text).toContain('z_{2099}')
  }, 60_000)

  test.each([
    ['of empty lists', `[${'[],'.repeat(3_000_000)}[]]`, 413],
    ['of commas', `[${'1,'.repeat(4_000_000)}1]`, 413],
    ['of brackets', '['.repeat(9_000_000), 400],
    ['of one text', JSON.stringify({ changes: 'x'.repeat(9_000_000) }), 400],
  ])('a body %s is refused at once', async (_, body, status) => {
    const spaceId = (await publishedSite(kit, [{ title: 'Start' }])).spaceId
    const held: number[] = []
    for (let round = 0; round < 3; round++) {
      const began = performance.now()
      const answer = await kit.request({
        as: 'admin',
        method: 'POST',
        url: `/v1/spaces/${spaceId}/content`,
        headers: { 'content-type': 'application/json' },
        payload: body,
      })
      held.push(performance.now() - began)
      expect(answer.statusCode).toBe(status)
    }
    expect(Math.min(...held)).toBeLessThan(mostMilliseconds)
  })
})
