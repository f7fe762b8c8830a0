import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { makeDocument, paragraph } from '../../src/core/document/tree/make.ts'
import type { Block } from '../../src/core/document/tree/nodes.ts'
import { mergeDocuments } from '../../src/core/merge/documents.ts'
import { mergeAside } from '../../src/domain/content/merge/merge-aside.ts'
import { Threads } from '../../src/threads/supervisor.ts'

const threads = new Threads()

const documentOf = (count: number, wordAt: (place: number) => string) =>
  makeDocument(Array.from({ length: count }, (_, place): Block => ({ ...paragraph(wordAt(place)), key: `p${place}` })))

const triple = (count: number) => ({
  base: documentOf(count, (place) => `the paragraph ${place} as it was`),
  ours: documentOf(count, (place) =>
    place % 2 === 0 ? `ours the paragraph ${place}` : `the paragraph ${place} as it was`,
  ),
  theirs: documentOf(count, (place) => `the paragraph ${place} as theirs was`),
})

test('gives what a merge on the spot gives, whether it is done here or in a thread', async () => {
  for (const count of [3, 1500]) {
    const documents = triple(count)
    const { document, conflicts } = await mergeAside(threads, documents)
    const there = mergeDocuments(documents)
    expect(document).toEqual(JSON.parse(JSON.stringify(there.document)))
    expect(conflicts.map(({ id, kind }) => [id, kind])).toEqual(there.conflicts.map(({ id, kind }) => [id, kind]))
  }
})

test('leaves the loop to others while a long page is merged', async () => {
  const documents = triple(4000)
  const started = performance.now()
  mergeDocuments(documents)
  const onTheSpot = performance.now() - started
  await mergeAside(threads, triple(500))
  const delay = monitorEventLoopDelay({ resolution: 2 })
  delay.enable()
  await mergeAside(threads, documents)
  delay.disable()
  // What is left is writing and reading JSON.
  expect(delay.max / 1e6).toBeLessThan(onTheSpot / 2)
})

test('says that a page takes too long', async () => {
  await expect(mergeAside(threads, triple(4000), { milliseconds: 1 })).rejects.toMatchObject({ code: 'overloaded' })
})
