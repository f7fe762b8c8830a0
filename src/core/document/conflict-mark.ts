/**
 * The mark on a block that a merge could not decide: which conflict it belongs to, and whose version it is.
 *
 * In Markdown a marked block stands between `{% conflict id="…" side="ours" %}` and `{% endconflict %}`, so that whoever
 * resolves it sees both versions and decides by ordinary editing: keep one, delete the other and the tags.
 */
import type { Node } from './nodes.ts'
import { printTag } from './tags.ts'

export type Side = 'ours' | 'theirs'

export interface ConflictMark {
  id: string
  side: Side
}

/** The mark that these fields spell, if they do. */
export function markFrom(fields: unknown): ConflictMark | undefined {
  if (typeof fields !== 'object' || fields === null || !('id' in fields) || !('side' in fields)) return undefined
  const { id, side } = fields
  if (typeof id !== 'string' || !/^[\w.-]{1,100}$/.test(id)) return undefined
  return side === 'ours' || side === 'theirs' ? { id, side } : undefined
}

export const markOf = (data: object): ConflictMark | undefined =>
  'conflict' in data ? markFrom(data.conflict) : undefined

/** The same blocks, marked. What has a mark keeps it: a marked block holds no other marks. */
export function marked<Of extends Node>(blocks: readonly Of[], mark: ConflictMark | undefined): Of[] {
  if (mark === undefined) return [...blocks]
  return blocks.map((block) =>
    block.object !== 'block' || markOf(block.data)
      ? block
      : Object.assign({ ...block }, { data: { ...block.data, conflict: mark } }),
  )
}

export const printMarked = ({ id, side }: ConflictMark, block: string): string =>
  `${printTag('conflict', [
    ['id', id],
    ['side', side],
  ])}\n${block}\n{% endconflict %}`
