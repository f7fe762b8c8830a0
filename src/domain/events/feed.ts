/**
 * Wakes the streams of this process when there may be something new to tell, whichever process wrote it.
 *
 * One timer for all of them, which runs only while somebody listens. On SQLite it compares the database's `commitVersion`, which is
 * next to free; on PostgreSQL it asks one small question. Asking goes on through restarts of the database and through
 * poolers of connections, where a held LISTEN would be lost.
 */
import type { Database } from '../../store/database.ts'
import { type EventRow, eventsAfter, newestOf, type StreamSubject } from '../../store/events/events.ts'

const askMilliseconds = 300
/** So often streams look again whatever was written: people fade away without a write. */
const anywayMilliseconds = 5000

export const pageSize = 200

export interface Feed {
  /** Resolves when there may be something new. Take it before reading, and nothing falls between the two. */
  next(): Promise<void>
  /** The events after a position, as of the last wake; streams that stand at the same one share the question. */
  read(subject: StreamSubject, after: number): Promise<EventRow[]>
  /** Counts a listener until the returned function is called. */
  join(): () => void
}

export function makeFeed(db: Database): Feed {
  let listeners = 0
  let timer: NodeJS.Timeout | undefined
  let asking = false
  let known = { commitVersion: undefined as number | undefined, newest: '', at: 0 }
  let wakeAll = () => {}
  let waiting = new Promise<void>((resolve) => {
    wakeAll = resolve
  })
  let reads = new Map<string, Promise<EventRow[]>>()

  const wake = (): void => {
    reads = new Map()
    wakeAll()
    waiting = new Promise((resolve) => {
      wakeAll = resolve
    })
  }

  const ask = async (): Promise<void> => {
    if (asking) return
    asking = true
    try {
      const now = performance.now()
      const commitVersion = db.commitVersion()
      const isOld = now - known.at > anywayMilliseconds
      if (!isOld && commitVersion !== undefined && commitVersion === known.commitVersion) return
      const newest = await newestOf(db)
      const isNew = newest !== known.newest
      known = { commitVersion, newest, at: isNew || isOld ? now : known.at }
      if (isNew || isOld) wake()
    } catch {
      // The database is away: asked again in a moment, and what was written meanwhile is found then.
    } finally {
      asking = false
    }
  }

  return {
    next: () => waiting,
    read: (subject, after) => {
      const key = JSON.stringify([subject, after])
      const known = reads.get(key)
      if (known) return known
      const rows = eventsAfter(db, subject, { after, limit: pageSize })
      reads.set(key, rows)
      return rows
    },
    join: () => {
      if (listeners++ === 0) {
        // What was read for earlier listeners may be old by now: nobody asked since they left.
        reads = new Map()
        timer = setInterval(() => void ask(), askMilliseconds).unref()
      }
      let joined = true
      return () => {
        if (!joined) return
        joined = false
        if (--listeners === 0) clearInterval(timer)
      }
    },
  }
}
