/** Work that waits for the work before it under the same name, in this process; other names do not wait. */
export function makeQueues(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return async (name, work) => {
    const before = last.get(name)
    const mine = (async () => {
      await before?.catch(() => undefined)
      return work()
    })()
    last.set(name, mine)
    try {
      return await mine
    } finally {
      if (last.get(name) === mine) last.delete(name)
    }
  }
}
