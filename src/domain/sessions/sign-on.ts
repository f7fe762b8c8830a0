/** Organizations that ask for single sign-on let in only sessions that came from it. Tokens are made on purpose, and go on. */
import { fail } from '../../core/errors.ts'
import type { Actor } from '../actor.ts'

/** Whether the session of a browser did not come from the single sign-on that the thing's organization asks for. */
export function isShutOut(actor: Actor | undefined, kind: string, thing: object): boolean {
  const shutOut = actor?.session?.shutOut
  if (!shutOut || shutOut.size === 0) return false
  const id = 'organizationId' in thing ? thing.organizationId : kind === 'organization' && 'id' in thing ? thing.id : ''
  return typeof id === 'string' && shutOut.has(id)
}

/** Whoever belongs to the organization is told what to do, instead of 404: they know that it is there. */
export function checkSignOn(actor: Actor | undefined, kind: string, thing: object | undefined): void {
  if (thing && isShutOut(actor, kind, thing)) throw fail('sso_required')
}
