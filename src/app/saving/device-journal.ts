/**
 * The journal in the browser's database. Which tabs are alive is asked over a channel: Web Locks exist only on https, and many
 * run this on plain http.
 */
import { type Journal, type JournalEntry, memoryJournal } from './journal.ts'

const store = 'entries'
const answerTime = 200

export async function openDeviceJournal(tab: string): Promise<Journal & { close(): void }> {
  const channel = new BroadcastChannel('lectern-tabs')
  channel.addEventListener('message', ({ data }) => {
    if (data?.ask === tab) channel.postMessage({ alive: tab })
  })
  const close = () => channel.close()
  const database = await open().catch(() => undefined)
  if (database === undefined) return { ...memoryJournal(), close }
  const run = <Of>(mode: IDBTransactionMode, make: (entries: IDBObjectStore) => IDBRequest<Of>): Promise<Of> =>
    new Promise((resolve, reject) => {
      // What is written must be on the disk before anything is sent.
      const transaction = database.transaction(store, mode, { durability: 'strict' })
      const request = make(transaction.objectStore(store))
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
    put: async (entry) => void (await run('readwrite', (entries) => entries.put(entry))),
    remove: async (entry) => void (await run('readwrite', (entries) => entries.delete([entry.page, entry.tab]))),
    close() {
      close()
      database.close()
    },
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('lectern-journal', 1)
    request.onupgradeneeded = () => {
      const entries = request.result.createObjectStore(store, { keyPath: ['page', 'tab'] })
      entries.createIndex('page', 'page')
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
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
