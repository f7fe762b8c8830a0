/** Searching what the caller may read. */
import type { Base } from '../scope.ts'
import type { Things } from '../things.ts'

export async function searchPages(
  _base: Base,
  _space: Things['space'],
  _query: { query: string; limit: number; page?: string | undefined },
) {
  return { count: 0, items: [] }
}
