import { type MockInstance, vi } from 'vitest'

/** `performance.now()` stands still, so that whatever has only some milliseconds is not over on a slow machine. */
export const stopClock = (): MockInstance<() => number> =>
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
