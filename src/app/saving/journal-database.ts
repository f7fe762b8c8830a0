/** The browser's database of the journal, and what of it a person leaves behind who signs out. */
import type { JournalEntry } from './journal.ts'

export const journalStore = 'entries'

/** The entries of one page belong to whoever wrote them: nobody else who opens the page in this browser sees them. */
export const journalPage = (
  user: string,
  { space, changeRequest, page }: { space: string; changeRequest?: string | undefined; page: string },
): string => [user, space, changeRequest ?? '', page].join('/')

/** Over this channel the tabs of a browser speak to each other about their journals. */
export const tabChannel = 'lectern-tabs'

let isShut = false

/** Whether this tab writes nothing more, because its person threw away what is unsaved. */
export const isJournalShut = (): boolean => isShut

export const shutJournal = (): void => {
  isShut = true
}

export function openJournalDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('lectern-journal', 1)
    request.onupgradeneeded = () => {
      const entries = request.result.createObjectStore(journalStore, { keyPath: ['page', 'tab'] })
      entries.createIndex('page', 'page')
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/** The pages of which this person has unsaved edits on the device. */
export async function pagesWithEdits(user: string): Promise<string[]> {
  const found = await onEntries('readonly', (entries) => entries.getAll()).catch((): JournalEntry[] => [])
  return [...new Set(found.filter(({ page }) => page.startsWith(`${user}/`)).map(({ page }) => page))]
}

/** Throws them away; the tabs of this browser keep no more. */
export async function discardEdits(user: string): Promise<void> {
  shutJournal()
  const others = new BroadcastChannel(tabChannel)
  others.postMessage({ discarded: true })
  others.close()
  const range = IDBKeyRange.bound([`${user}/`], [`${user}0`])
  await onEntries('readwrite', (entries) => entries.delete(range)).catch(() => undefined)
}

async function onEntries<Of>(mode: IDBTransactionMode, make: (entries: IDBObjectStore) => IDBRequest<Of>): Promise<Of> {
  const database = await openJournalDatabase()
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(journalStore, mode)
      const request = make(transaction.objectStore(journalStore))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
    })
  } finally {
    database.close()
  }
}
