import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Content, emptyContent, putPages } from '../../../src/core/revision/content.ts'
import { draftNodes } from '../../../src/core/revision/draft-nodes.ts'
import type { NodeStore } from '../../../src/core/revision/map.ts'
import type { PageRecord } from '../../../src/core/revision/records.ts'
import { memoryNodes } from './memory.ts'

const pageOf = (number: number, title = 'Page'): PageRecord => ({
  id: `p${number}`,
  type: 'document',
  title,
  slug: `page-${number}`,
  rank: `a${number}`,
})

async function edited(nodes: NodeStore, start: Content, numbers: readonly number[]): Promise<Content> {
  let content = start
  const known = new Map<number, PageRecord>()
  for (const [step, number] of numbers.entries()) {
    const before = known.get(number)
    const after = step % 5 === 4 && before ? undefined : pageOf(number, `Title ${step}`)
    content = await putPages(nodes, content, [{ before, after }])
    if (after) known.set(number, after)
    else known.delete(number)
  }
  return content
}

it('gives the content that the store below would have given, step by step', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.nat(300), { maxLength: 200 }), async (numbers) => {
      const { nodes } = memoryNodes()
      const start = emptyContent(nodes)
      const drafts = draftNodes(nodes)
      expect(drafts.seal(await edited(drafts, start, numbers))).toEqual(await edited(nodes, start, numbers))
    }),
    { numRuns: 100 },
  ))

it('stores what the end needs and no step on the way', async () => {
  const { nodes, counts } = memoryNodes()
  const start = emptyContent(nodes)
  const drafts = draftNodes(nodes)
  const numbers = Array.from({ length: 500 }, (_, i) => i)
  const before = counts.saves
  const content = drafts.seal(await edited(drafts, start, numbers))
  expect(counts.saves - before).toBeLessThan(400)
  expect(content.pages.count).toBe(500)
  // Sealing again finds everything done.
  const after = counts.saves
  expect(drafts.seal(content)).toEqual(content)
  expect(counts.saves).toBe(after)
})
