/**
 * The paths of pages that others link to: a page of docs names thirty, and the next one many of the same.
 *
 * They follow from the slugs of a content, and from nothing else: so they are cached under the hash of its map of slugs, and what is
 * written on pages leaves them as they are. A page without a slug of its own, or below one, stands in no such map and is looked up
 * each time.
 */
import { type Caches, defineCache } from '../../../core/caches.ts'
import { pagesById, pathsOf } from '../../../core/revision/content.ts'
import type { ContentAt } from '../at.ts'

const pathsIn = defineCache<string>('paths', { share: 0.01 })

/** Of those that exist. */
export async function pathsById(
  caches: Caches,
  at: Pick<ContentAt, 'reader' | 'content' | 'revision'>,
  ids: Iterable<string>,
): Promise<Map<string, string>> {
  // What is made from specs has maps that are stored nowhere, under names of their own.
  const cached = at.content === at.revision.content ? pathsIn(caches) : undefined
  const { hash } = at.content.slugs
  const paths = new Map<string, string>()
  const missing: string[] = []
  for (const id of ids) {
    const known = cached?.get(`${hash} ${id}`)
    if (known === undefined) missing.push(id)
    else paths.set(id, known)
  }
  if (missing.length === 0) return paths
  const records = await pagesById(at.reader, at.content, missing)
  for (const [id, path] of await pathsOf(at.reader, at.content, [...records.values()])) {
    paths.set(id, path)
    if (isOfSlugs(path)) cached?.set(`${hash} ${id}`, path, 2 * path.length)
  }
  return paths
}

/** Whether every page on the way has a slug. */
const isOfSlugs = (path: string): boolean => path !== '' && !`/${path}/`.includes('//')
