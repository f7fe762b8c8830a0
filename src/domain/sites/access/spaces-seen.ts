/** Opening a site shows all its spaces to others, so that who opens it has to see them all. */
import { fail } from '../../../core/errors.ts'
import { spacesOfSite } from '../../../store/sites/sites.ts'
import { contentAccess } from '../../access.ts'
import type { Base } from '../../handler.ts'
import type { Things } from '../../things.ts'

export async function requireSpacesSeen(base: Base, site: Things['site']): Promise<void> {
  const spaces = await spacesOfSite(base.db, { siteId: site.id })
  const { spacePermissions } = await contentAccess(base, site.organization)
  if (spaces.every((space) => spacePermissions(space).view)) return
  throw fail('forbidden', 'This would show a space of the site that you may not see. Ask someone who sees all of them.')
}

/** Whether a site that is published would be read by others than before. */
export const opensTo = (site: Things['site'], visibility: Things['site']['visibility'] | undefined): boolean =>
  site.published === 1 &&
  visibility !== undefined &&
  visibility !== site.visibility &&
  site.visibility !== 'public' &&
  site.visibility !== 'unlisted'
