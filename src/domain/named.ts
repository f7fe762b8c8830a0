/** Things named in a body: loaded, and checked exactly like those a path names. */
import { fail } from '../core/errors.ts'
import type { Base } from './handler.ts'
import { isShutOut } from './sessions/sign-on.ts'
import { loaders, type ThingKind, type Things } from './things.ts'

/** The thing with this id as far as the caller sees it: for ids inside documents, which may name anything. */
export async function findSeen<K extends ThingKind>(
  base: Base,
  kind: K,
  id: string,
  within: Partial<Things> = {},
): Promise<Things[K] | undefined> {
  const thing = await loaders[kind](base, id, within as Things)
  const gone = thing !== undefined && 'deletedAt' in thing && thing.deletedAt !== null
  return thing?.permissions.view && !gone && !isShutOut(base.actor, kind, thing) ? thing : undefined
}

/** The thing with this id, if the caller sees it and has the ability on it; 404 and 403 otherwise. */
export async function named<K extends ThingKind>(
  base: Base,
  kind: K,
  id: string,
  options: { ability?: keyof Things[K]['permissions'] & string; within?: Partial<Things> } = {},
): Promise<Things[K]> {
  const thing = await findSeen(base, kind, id, options.within)
  if (!thing) throw fail('not_found', `There is no ${kind} ${id}, or you may not see it.`)
  if (options.ability !== undefined) {
    const permissions = thing.permissions as Record<string, boolean>
    if (permissions[options.ability] !== true)
      throw fail('forbidden', `Your role on the ${kind} ${id} does not allow this.`)
  }
  return thing
}
