/** Spaces that a body wants on a site. */
import { fail } from '../../../core/errors.ts'
import type { Base } from '../../handler.ts'
import { named } from '../../named.ts'
import type { Things } from '../../things.ts'

/**
 * A space that may be put on a site of this organization. It needs the right to manage the space, not only the site:
 * who puts a space on a site decides who reads it.
 */
export async function spaceForSite(base: Base, organizationId: string, spaceId: string): Promise<Things['space']> {
  const space = await named(base, 'space', spaceId)
  if (space.organizationId !== organizationId)
    throw fail('not_found', `There is no space ${spaceId} in this organization.`)
  if (!space.permissions.manage) throw fail('forbidden', `Your role on the space ${spaceId} does not allow this.`)
  return space
}
