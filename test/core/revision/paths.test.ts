import fc from 'fast-check'
import { expect, it } from 'vitest'
import { emptyContent, pathOf, pathsOf, putPages } from '../../../src/core/revision/content.ts'
import type { PageRecord } from '../../../src/core/revision/records.ts'
import { memoryNodes } from './memory.ts'

/** Each page below one of those before it, or at the top. */
const trees = fc.array(fc.option(fc.nat(), { nil: undefined }), { minLength: 1, maxLength: 80 }).map((parents) =>
  parents.map(
    (parent, number): PageRecord => ({
      id: `p${number}`,
      type: 'document',
      title: 'Page',
      slug: `page-${number}`,
      rank: `a${number}`,
      ...(parent === undefined || number === 0 ? {} : { parent: `p${parent % number}` }),
    }),
  ),
)

it('the paths of several pages are those of each, and no node is read twice for one level', () =>
  fc.assert(
    fc.asyncProperty(trees, fc.array(fc.nat(), { maxLength: 20 }), async (pages, picks) => {
      const { nodes, loaded } = memoryNodes()
      const content = await putPages(
        nodes,
        emptyContent(nodes),
        pages.map((after) => ({ before: undefined, after })),
      )
      const wanted = [...new Set(picks.map((pick) => pages[pick % pages.length] as PageRecord))]
      const each = new Map<string, string>()
      for (const page of wanted) each.set(page.id, await pathOf(nodes, content, page))
      loaded.length = 0
      const together = await pathsOf(nodes, content, wanted)
      for (const page of wanted) expect(together.get(page.id)).toBe(each.get(page.id))
      const depth = Math.max(0, ...[...each.values()].map((path) => path.split('/').length))
      expect(loaded.length).toBeLessThanOrEqual(depth * new Set(loaded).size)
    }),
    { numRuns: 200 },
  ))
