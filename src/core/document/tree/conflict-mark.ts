/**
 * The mark on a block that a merge could not decide: which conflict it belongs to, and whose version it is.
 *
 * In Markdown a marked block stands between `{% conflict id="…" side="ours" %}` and `{% endconflict %}`, so that whoever
 * resolves it sees both versions and decides by ordinary editing: keep one, delete the other and the tags. A tab, a step, a
 * column or an update has a tag of its own, which carries the mark; a list item has its content between the tags, which say
 * that they are of the item.
 */

import { printTag } from '../syntax/tags.ts'
import type { Node } from './nodes.ts'

export type Side = 'ours' | 'theirs'

export interface ConflictMark {
  id: string
  side: Side
}

/** The mark that these fields spell, if they do. */
function markFrom(fields: unknown): ConflictMark | undefined {
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
      : Object.assign({ ...block }, { data: withMark(block, mark).data }),
  )
}

export function withMark<Of extends { data: object }>(block: Of, { id, side }: ConflictMark): Of {
  return Object.assign({ ...block }, { data: { ...block.data, conflict: { id, side } } })
}

export function withoutMark<Of extends { data: object }>(block: Of): Of {
  const data = { ...block.data }
  Reflect.deleteProperty(data, 'conflict')
  return Object.assign({ ...block }, { data })
}

/** `ofItem`: the tags stand inside a list item and mark the item, not what is in it. */
export function printMarked({ id, side }: ConflictMark, content: string, { ofItem } = { ofItem: false }): string {
  const open = printTag('conflict', [
    ['id', id],
    ['side', side],
    ['of', ofItem ? 'item' : undefined],
  ])
  return content === '' ? `${open}\n{% endconflict %}` : `${open}\n${content}\n{% endconflict %}`
}

type Attributes = ReadonlyMap<string, string>

/** The mark that a conflict tag spells. */
export const markOfTag = (attributes: Attributes): ConflictMark | undefined =>
  markFrom({ id: attributes.get('id'), side: attributes.get('side') })

export const isOfItem = (attributes: Attributes): boolean => attributes.get('of') === 'item'

/** The mark that the tag of a tab, a step, a column or an update carries. */
export const markOfPart = (attributes: Attributes): ConflictMark | undefined =>
  markFrom({ id: attributes.get('conflict'), side: attributes.get('side') })

export function partAttributes(data: object): (readonly [name: string, value: string | undefined])[] {
  const mark = markOf(data)
  return [
    ['conflict', mark?.id],
    ['side', mark?.side],
  ]
}
