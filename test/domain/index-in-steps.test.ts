/** A command indexes a space in long steps, each of which leaves a part of the index; in the end there are few. */
import { expect, test } from 'vitest'
import { indexSpace } from '../../src/domain/content/write/index-space.ts'
import { sqlite } from '../kit/backends.ts'
import { useKit } from '../kit/server.ts'
import { hasPartsToMerge } from '../store/search/parts.ts'

const kit = useKit(sqlite)

/** A space of as many pages as are indexed later, by whoever comes first. */
async function unindexed(count: number): Promise<string> {
  const { id: spaceId } = await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Steps' } })
  const changes = Array.from({ length: count }, (_, i) => ({
    operation: 'insert_page' as const,
    title: `Page ${i}`,
    document: { markdown: `Zebra ${spaceId} ${i}.\n\n## Part\n\nMore words of ${i}.` },
  }))
  for (let from = 0; from < count; from += 50)
    await kit.as.admin.updateSpaceContent({ spaceId, body: { changes: changes.slice(from, from + 50) } })
  return (await kit.as.admin.duplicateSpace({ spaceId })).id
}

test.each([
  ['a third of all that is searched or more', 100],
  ['little beside what is there', 10],
])('%s', async (_, count) => {
  const spaceId = await unindexed(count)
  const parts = { db: kit.db, env: kit.env, signal: new AbortController().signal }
  // So short that each page is a step of its own.
  let steps = 0
  const afterStep = async () => {
    steps += 1
  }
  await indexSpace(parts, spaceId, { wantedMilliseconds: 0.001, afterStep })
  expect(steps).toBeGreaterThan(count / 2)
  expect(await hasPartsToMerge(kit.db)).toBe(false)
  const found = await kit.as.admin.searchSpaceContent({ spaceId, query: { query: 'zebra', limit: 100 } })
  expect(found.items).toHaveLength(count)
})
