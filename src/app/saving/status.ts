/** What the writer is told about saving. */
import type { DocumentConflict } from '../../core/merge/conflicts.ts'
import type { Choice } from './conflicts.ts'

export type SaveStatus =
  | {
      kind: 'saved'
      at: Date /** Edits from an earlier visit that were brought in. */
      recovered?: { edits: number; at: Date }
    }
  | { kind: 'saving' }
  /** The server is not reached; everything is kept on this device. */
  | { kind: 'offline'; edits: number; since: Date; retry(): void }
  /** Someone changed the same words: nothing more is sent until it is settled; typing goes on. */
  | { kind: 'conflict'; conflicts: DocumentConflict[]; settle(choiceOf: (id: string) => Choice): Promise<void> }
  /** The server refuses what was written, such as when the page is gone; it is kept on this device. */
  | { kind: 'error'; message: string; isGone?: boolean; edits: number; retry(): void }
