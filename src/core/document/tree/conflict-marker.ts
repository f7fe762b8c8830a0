/**
 * The marker on a block that a merge could not decide: which conflict it belongs to, and whose version it is.
 *
 * In Markdown a marked block stands between `{% conflict id="…" side="ours" %}` and `{% endconflict %}`, so that whoever
 * resolves it sees both versions and decides by ordinary editing: keep one, delete the other and the tags. A tab, a step, a
 * column or an update has a tag of its own, which carries the mark; a list item has its content between the tags, which say
 * that they are of the item.
 */

import { printTag } from '../syntax/tags.ts'
import type { Node } from './nodes.ts'

export type Side = 'ours' | 'theirs'

export interface ConflictMarker {
  id: string
  side: Side
}

/** The marker that these fields spell, if they do. */
function markerFrom(fields: unknown): ConflictMarker | undefined {
  if (typeof fields !== 'object' || fields === null || !('id' in fields) || !('side' in fields)) return undefined
  const { id, side } = fields
  if (typeof id !== 'string' || !/^[\w.-]{1,100}$/.test(id)) return undefined
  return side === 'ours' || side === 'theirs' ? { id, side } : undefined
}

export const markerOf = (data: object): ConflictMarker | undefined =>
  'conflict' in data ? markerFrom(data.conflict) : undefined

/** The same blocks, marked. What has a marker keeps it: a marked block holds no other markers. */
export function addMarker<Of extends Node>(blocks: readonly Of[], marker: ConflictMarker | undefined): Of[] {
  if (marker === undefined) return [...blocks]
  return blocks.map((block) =>
    block.object !== 'block' || markerOf(block.data)
      ? block
      : Object.assign({ ...block }, { data: withMarker(block, marker).data }),
  )
}

export function withMarker<Of extends { data: object }>(block: Of, { id, side }: ConflictMarker): Of {
  return Object.assign({ ...block }, { data: { ...block.data, conflict: { id, side } } })
}

export function withoutMarker<Of extends { data: object }>(block: Of): Of {
  const data = { ...block.data }
  Reflect.deleteProperty(data, 'conflict')
  return Object.assign({ ...block }, { data })
}

/** `ofItem`: the tags stand inside a list item and mark the item, not what is in it. */
export function printMarker({ id, side }: ConflictMarker, content: string, { ofItem } = { ofItem: false }): string {
  const open = printTag('conflict', [
    ['id', id],
    ['side', side],
    ['of', ofItem ? 'item' : undefined],
  ])
  return content === '' ? `${open}\n{% endconflict %}` : `${open}\n${content}\n{% endconflict %}`
}

type Attributes = ReadonlyMap<string, string>

/** The marker that a conflict tag spells. */
export const markerOfTag = (attributes: Attributes): ConflictMarker | undefined =>
  markerFrom({ id: attributes.get('id'), side: attributes.get('side') })

export const isOfItem = (attributes: Attributes): boolean => attributes.get('of') === 'item'

/** The marker that the tag of a tab, a step, a column or an update carries. */
export const markerOfPart = (attributes: Attributes): ConflictMarker | undefined =>
  markerFrom({ id: attributes.get('conflict'), side: attributes.get('side') })

export function partAttributes(data: object): (readonly [name: string, value: string | undefined])[] {
  const marker = markerOf(data)
  return [
    ['conflict', marker?.id],
    ['side', marker?.side],
  ]
}
