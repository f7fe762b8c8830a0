/** What was taken from the texts of an import waits for who indexes it, and for nobody long. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Caches } from '../../src/core/caches.ts'
import { Extracts } from '../../src/core/search/extract.ts'
import { noteExtracts, takeExtracts } from '../../src/domain/content/write/fresh-extracts.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('it is taken once, and no timer holds on to it', () => {
  const [caches, extracts] = [new Caches({ bytes: 1000 }), new Extracts()]
  noteExtracts(caches, 'one', extracts)
  expect(takeExtracts(caches, 'one')).toBe(extracts)
  expect(takeExtracts(caches, 'one')).toBeUndefined()
  expect(vi.getTimerCount()).toBe(0)
})

test('those of two spaces wait, for five minutes', () => {
  const caches = new Caches({ bytes: 1000 })
  const extracts = new Extracts()
  for (const space of ['one', 'two', 'two', 'three']) noteExtracts(caches, space, extracts)
  expect(vi.getTimerCount()).toBe(2)
  expect(takeExtracts(caches, 'one')).toBeUndefined()
  expect(takeExtracts(caches, 'two')).toBe(extracts)
  vi.advanceTimersByTime(5 * 60_000)
  expect(takeExtracts(caches, 'three')).toBeUndefined()
})

test('one that takes long to parse is not held, but for its anchors', () => {
  const extracts = new Extracts()
  extracts.add('long', { text: JSON.stringify('x'.repeat(256 * 1024)), anchors: 'of long' })
  extracts.add('short', { text: '{}', anchors: 'of short' })
  expect([extracts.has('long'), extracts.has('short')]).toEqual([false, true])
  expect([extracts.anchorsOf('long'), extracts.anchorsOf('short')]).toEqual(['of long', 'of short'])
})
