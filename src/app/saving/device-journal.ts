/**
 * The journal in the browser's database. Which tabs are alive is asked over a channel: Web Locks exist only on https, and many
 * run this on plain http.
 */
import { type Journal, type JournalEntry, memoryJournal } from './journal.ts'
import { isJournalShut, journalStore, openJournalDatabase, shutJournal, tabChannel } from './journal-database.ts'

const answerTime = 200

/** To be used at once: what is asked of it waits until the database is open. */
export function openDeviceJournal(tab: string): Journal & { close(): void } {
  const channel = new BroadcastChannel(tabChannel)
  channel.addEventListener('message', ({ data }) => {
    if (data?.ask === tab) channel.postMessage({ alive: tab })
    if (data?.discarded === true) shutJournal()
  })
  const opening = openJournalDatabase().catch(() => undefined)
  const journal = opening.then((database) => (database ? journalIn(database, channel, tab) : memoryJournal()))
  return {
    left: async (page) => (await journal).left(page),
    put: async (entry) => (await journal).put(entry),
    remove: async (entry) => (await journal).remove(entry),
    close() {
      channel.close()
      void opening.then((database) => database?.close())
    },
  }
}

function journalIn(database: IDBDatabase, channel: BroadcastChannel, tab: string): Journal {
  const run = <Of>(mode: IDBTransactionMode, make: (entries: IDBObjectStore) => IDBRequest<Of>): Promise<Of> =>
    new Promise((resolve, reject) => {
      // What is written must be on the disk before anything is sent.
      const transaction = database.transaction(journalStore, mode, { durability: 'strict' })
      const request = make(transaction.objectStore(journalStore))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onerror = () => reject(transaction.error)
      transaction.onabort = () => reject(transaction.error)
    })
  return {
    async left(page) {
      const all: JournalEntry[] = await run('readonly', (entries) => entries.index('page').getAll(page))
      const alive = await Promise.all(all.map((entry) => isAlive(channel, entry.tab)))
      return all.filter((entry, at) => entry.tab !== tab && !alive[at])
    },
    put: async (entry) => {
      if (!isJournalShut()) await run('readwrite', (entries) => entries.put(entry))
    },
    remove: async (entry) => void (await run('readwrite', (entries) => entries.delete([entry.page, entry.tab]))),
  }
}

function isAlive(channel: BroadcastChannel, tab: string): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (alive: boolean): void => {
      clearTimeout(timer)
      channel.removeEventListener('message', hear)
      resolve(alive)
    }
    const hear = ({ data }: MessageEvent): void => {
      if (data?.alive === tab) end(true)
    }
    const timer = setTimeout(() => end(false), answerTime)
    channel.addEventListener('message', hear)
    channel.postMessage({ ask: tab })
  })
}
