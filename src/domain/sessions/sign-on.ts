/** Organizations that ask for single sign-on let in only sessions that came from it. Tokens are made on purpose, and go on. */
import { fail } from '../../core/errors.ts'
import type { Actor } from '../scope.ts'
import type { Things } from '../things.ts'

/**
 * Whoever is signed in, but not in the way the organization asks for, is told so instead of 404: they know that they
 * belong to it.
 */
export function checkSignOn(actor: Actor | undefined, things: Partial<Things>): void {
  const shutOut = actor?.session?.shutOut
  if (!shutOut || shutOut.size === 0) return
  for (const [kind, thing] of Object.entries(things)) {
    const id =
      'organizationId' in thing ? thing.organizationId : kind === 'organization' && 'id' in thing ? thing.id : undefined
    if (id !== undefined && shutOut.has(id)) throw fail('sso_required')
  }
}
