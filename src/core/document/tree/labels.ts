/** What a reference is called in the source, and when a writer's own word for it is kept. */
import type { ContentRef } from './nodes.ts'

/** The name of a target for readers of the source: the last part of a path, or the whole of an address. */
export function labelOf(target: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target) || target.startsWith('/') || target.startsWith('#')) return target
  const parts = target.replace(/#.*$/s, '').split('/')
  return parts.findLast((part) => part !== '' && part !== '..' && part !== '.') ?? target
}

/** A label says something where nothing else does: of an address outside, in one line, unless it repeats the address. */
export function isLabel(ref: ContentRef, label: string): boolean {
  if (ref.kind !== 'url' || !/^[a-z][a-z0-9+.-]*:/i.test(ref.url)) return false
  return label.trim() !== '' && label !== labelOf(ref.url) && !label.includes('\n')
}
