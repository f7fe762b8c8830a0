/**
 * What is not saved yet, kept on this device before anything is sent, so that a closed tab, a crash or a dead network loses
 * nothing. One entry a page and tab; an entry whose tab is gone is taken over by the next one that opens the page.
 */
import type { Block } from '../../core/document/tree/nodes.ts'
import type { Patch } from './patch.ts'
import type { Head, Save } from './remote.ts'

export interface JournalEntry {
  /** Person, space, change request and page. */
  page: string
  /** The tab that writes it. */
  tab: string
  /** What the server had when this was written. */
  base: Head
  /** What the editor holds, as a difference from the base. */
  patch: Patch
  /** A request whose answer did not come: it is sent again as it was. */
  inFlight?: Save & { blocks: Block[] }
  /** When it was last written. */
  at: number
}

export interface Journal {
  /** Entries of the page left by tabs that are gone. */
  left(page: string): Promise<JournalEntry[]>
  put(entry: JournalEntry): Promise<void>
  remove(entry: Pick<JournalEntry, 'page' | 'tab'>): Promise<void>
}

/** Without a database on the device (a private window that forbids it), for as long as the tab lives. */
export function memoryJournal(entries = new Map<string, JournalEntry>(), isAlive = (_: string) => false): Journal {
  const name = ({ page, tab }: Pick<JournalEntry, 'page' | 'tab'>): string => `${page} ${tab}`
  return {
    left: async (page) => [...entries.values()].filter((entry) => entry.page === page && !isAlive(entry.tab)),
    put: async (entry) => void entries.set(name(entry), structuredClone(entry)),
    remove: async (entry) => void entries.delete(name(entry)),
  }
}
