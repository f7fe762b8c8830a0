/** Markdown that was printed and waits to be stored is bounded by its length, and stays readable meanwhile. */
import { expect, test } from 'vitest'
import { Caches } from '../../src/core/caches.ts'
import { unstoredMarkdown } from '../../src/domain/content/markdown/printed.ts'

test('as much waits as there is room for, and there is room again for what was stored', () => {
  const left = unstoredMarkdown(new Caches({ bytes: 1e6 }))
  for (let i = 0; i < 100; i++) left.leave(`h${i}`, 'x'.repeat(100_000))
  const waiting = left.all()
  expect(waiting.size).toBe(40)
  expect(left.get('h0')).toHaveLength(100_000)
  expect(left.get('h40')).toBeUndefined()
  for (const hash of waiting.keys()) left.forget(hash)
  left.leave('h41', 'y'.repeat(4_000_000))
  expect([...left.all().keys()]).toEqual(['h41'])
})
