/** What is read without waiting is read so only while its reader's slice of time lasts: others have the event loop then. */
import { afterEach, expect, test, vi } from 'vitest'
import { readContent } from '../../src/store/content/content.ts'
import { eachBackend, useStore } from '../kit/backends.ts'

eachBackend((backend) => {
  const store = useStore(backend)
  afterEach(() => void vi.useRealTimers())

  test('a node that is in memory is at hand until the slice is over', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const reader = readContent(store.db)
    const hash = reader.save({ level: 0, keys: ['a'], values: [1] })
    expect(reader.peek?.(hash)).toMatchObject({ keys: ['a'] })
    vi.advanceTimersByTime(5)
    expect(reader.peek?.(hash)).toBeUndefined()
    expect(await reader.load(hash)).toMatchObject({ keys: ['a'] })
    expect(reader.peek?.(hash)).toMatchObject({ keys: ['a'] })
  })

  test('one that is not in memory is not', () => {
    expect(readContent(store.db).peek?.('unknown')).toBeUndefined()
  })
})
