/**
 * What changed between two states of a page, as top-level blocks by their keys: what a save sends.
 *
 * `applyPatch(before, patchBetween(before, after))` equals `after`.
 */
import type { Block } from '../../core/document/tree/nodes.ts'

export interface Patch {
  /** Blocks that are new or changed, whole. */
  put: Block[]
  /** Keys of blocks that were deleted. */
  gone?: string[]
  /** The keys of all blocks in their order, where blocks moved or new ones are not at the end. */
  order?: string[]
}

/** The difference, or nothing when there is none. Blocks that are the same object are not looked into. */
export function patchBetween(before: readonly Block[], after: readonly Block[]): Patch | undefined {
  const old = new Map(before.map((block) => [block.key, block]))
  const kept = new Set(after.map(({ key }) => key))
  const put = after.filter((block) => !isEqual(old.get(block.key), block))
  const gone = before.flatMap(({ key }) => (key !== undefined && !kept.has(key) ? [key] : []))
  const stays = before.filter(({ key }) => kept.has(key)).map(({ key }) => key)
  const added = after.filter(({ key }) => !old.has(key)).map(({ key }) => key)
  const isInOrder = [...stays, ...added].every((key, at) => key === after[at]?.key)
  if (put.length === 0 && gone.length === 0 && isInOrder) return undefined
  return {
    put,
    ...(gone.length > 0 ? { gone } : {}),
    ...(isInOrder ? {} : { order: after.flatMap(({ key }) => key ?? []) }),
  }
}

export function applyPatch(before: readonly Block[], { put, gone = [], order }: Patch): Block[] {
  const blocks = new Map(before.map((block) => [block.key, block]))
  for (const key of gone) blocks.delete(key)
  for (const block of put) blocks.set(block.key, block)
  return order === undefined ? [...blocks.values()] : order.flatMap((key) => blocks.get(key) ?? [])
}

/** Whether two values are the same JSON, keys included, whatever the order of their fields. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, at) => isEqual(item, b[at]))
  if (!isObject(a) || !isObject(b) || Array.isArray(b)) return false
  const names = Object.keys(a).filter((name) => a[name] !== undefined)
  if (names.length !== Object.keys(b).filter((name) => b[name] !== undefined).length) return false
  return names.every((name) => isEqual(a[name], b[name]))
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
