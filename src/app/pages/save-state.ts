/** What is known about saving: of the head of a page and of its text, and both as one. */
export interface SaveStatus {
  kind: 'saved' | 'saving' | 'offline' | 'conflict' | 'error'
  at?: Date | undefined
  edits?: number | undefined
  /** Since when the server is not reached. */
  since?: Date | undefined
  message?: string | undefined
  /** The page was deleted, or may not be seen any more. */
  isGone?: boolean | undefined
}

const urgency = { error: 4, conflict: 3, offline: 2, saving: 1, saved: 0 }

/** The one that matters more; of two that are saved the later. */
export function mostUrgent(a: SaveStatus | undefined, b: SaveStatus | undefined): SaveStatus | undefined {
  if (!a || !b) return a ?? b
  if (urgency[a.kind] !== urgency[b.kind]) return urgency[a.kind] > urgency[b.kind] ? a : b
  return (a.at?.getTime() ?? 0) >= (b.at?.getTime() ?? 0) ? a : b
}
