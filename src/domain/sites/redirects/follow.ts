/** Whether whoever follows redirects of a site comes to an end. */
import { locate } from '../../../core/site-structure.ts'
import { segmentsOf } from '../../../core/url-paths.ts'
import { pageAtPath } from '../../content/at.ts'
import type { Base } from '../../handler.ts'
import { contentOnSite, isAdmitted } from '../reading/pages.ts'
import { type Met, nextAddress, redirectAt, type Target } from './match.ts'

/** As many as browsers follow. */
const mostHops = 20

/** The address a redirect leads to; undefined where that is not there for this reader, or only leads to other redirects. */
export async function targetOf(base: Base, met: Met, to: Target): Promise<string | undefined> {
  const target = await nextAddress(base, met, to)
  let next = target
  for (let hops = 1; next !== undefined; hops++) {
    const segments = segmentsBelow(to.root, next)
    if (segments === undefined || (await hasPage(base, segments.join('/'), to))) return target
    const onward = await redirectAt(base, met.row.siteId, segments)
    if (onward === undefined) return target
    if (hops === mostHops || onward.row.id === met.row.id) return undefined
    next = await nextAddress(base, onward, to)
  }
  return target
}

async function hasPage(base: Base, path: string, { shown, spaces, scope }: Target): Promise<boolean> {
  const located = locate(shown, path)
  const space = located && spaces.get(located.space.spaceId)
  if (!space) return false
  const at = await contentOnSite(base, space)
  for (const rest of located.rests) {
    if (rest === '') return true
    const page = await pageAtPath(base.db, at, rest)
    if (page && (!scope || (await isAdmitted(at, page, scope)))) return true
  }
  return false
}

/** The path of an address on the site; nothing when it is somewhere else. */
function segmentsBelow(root: string, address: string): string[] | undefined {
  const [from, to] = [new URL(root), new URL(address)]
  if (to.origin !== from.origin) return undefined
  const [above, segments] = [segmentsOf(from.pathname), segmentsOf(to.pathname)]
  return above.every((segment, index) => segments[index] === segment) ? segments.slice(above.length) : undefined
}
