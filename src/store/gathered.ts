/** Writes of one kind that wait for each other, so that many requests take one statement. */
import type { Connection, Gathering } from './database.ts'

/**
 * A write of one thing, given that of several. Where others share the transaction and none of them names a lock, it is written together
 * with theirs before the commit; otherwise at once.
 */
export const gathered = <T>(write: (tx: Connection, things: readonly T[]) => Promise<unknown>) => {
  const waiting = new WeakMap<Gathering, T[]>()
  return async (tx: Connection, thing: T): Promise<void> => {
    const gathering = tx.gather?.()
    if (!gathering) {
      await write(tx, [thing])
      return
    }
    const things = waiting.get(gathering)
    if (things) {
      things.push(thing)
      return
    }
    const begun = [thing]
    waiting.set(gathering, begun)
    gathering.beforeCommit((end) => {
      waiting.delete(gathering)
      return write(end, begun)
    })
  }
}
