/**
 * What a handler is called with: the things that the path names, loaded from left to right (404), for a caller who may do with them
 * what the row does (403).
 */
import { type Operation, paramsOf } from '../../contract/operation.ts'
import { fail } from '../../core/errors.ts'
import { isId, isSlug } from '../../core/ids.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Base } from '../../domain/handler.ts'
import { checkSignOn } from '../../domain/sessions/sign-on.ts'
import { loaders, type ThingKind, type Things } from '../../domain/things.ts'
import type { Connection } from '../../store/database.ts'
import type { Parts, Request } from './dispatch.ts'
import { isStorableText } from './json.ts'

export interface Parsed {
  query: unknown
  body: unknown
}

/** Who calls with what, and the things that the path names. */
export type Call = Base & Partial<Things> & { params: Record<string, string> } & Parsed

/** Undefined when there is nothing to delete. */
export type Enter = (request: Request, db: Connection, input: Parsed) => Promise<Call | undefined>

export function makeEnter(operation: Operation, parts: Parts): Enter {
  const names = namesIn(operation.path, operation.fields.unloaded)
  return async (request, db, input) => {
    const call = callOf(request, db, input, parts)
    if (!(await load(call, names, operation))) return undefined
    if (request.actor?.session) for (const { kind } of names) if (kind) checkSignOn(request.actor, kind, call[kind])
    authorize(operation, call)
    return call
  }
}

interface Name {
  param: string
  kind: ThingKind | undefined
}

/** The parameters of a path with the kinds of things they name. */
function namesIn(path: string, unloaded?: string): Name[] {
  const params = paramsOf(path)
  return params.map((param) => {
    const word = param.match(/^(.+)(?:Id|Slug)$/)?.[1]
    const kind = param === 'userId' && params.includes('organizationId') ? 'member' : word
    const isLoaded = kind !== undefined && kind in loaders && kind !== unloaded
    return { param, kind: isLoaded ? (kind as ThingKind) : undefined }
  })
}

/**
 * Things are added to it as they are loaded. It is never copied with more added: V8 gives each copy that grows a shape of its
 * own, and whatever reads from it is slow from then on.
 */
function callOf(request: Request, db: Connection, input: Parsed, { db: database, env, clock }: Parts): Call {
  return {
    db,
    slow: database.slow,
    env,
    // Rows that need no caller never read it; every other row was refused above without one.
    actor: request.actor as Actor,
    address: request.address,
    commitVersion: request.commitVersion,
    signal: request.signal,
    client: request.client,
    now: clock().toISOString(),
    params: request.params,
    query: input.query,
    body: input.body,
  }
}

/** Adds what the path names; false when there is nothing to delete. */
async function load(call: Call, names: Name[], operation: Operation): Promise<boolean> {
  for (const { param, kind } of names) {
    const value = call.params[param] ?? ''
    if (kind === undefined) {
      if (isStorableText(value)) continue
    } else {
      // What stands left of it in the path is there by now.
      const thing = isId(value) || isSlug(value) ? await loaders[kind](call, value, call as Things) : undefined
      const isGone =
        thing !== undefined && 'deletedAt' in thing && thing.deletedAt !== null && !operation.fields.evenDeleted
      if (thing?.permissions.view && !isGone) {
        ;(call as Record<ThingKind, unknown>)[kind] = thing
        continue
      }
    }
    // Deleting what is not there, or not there for the caller, is done already; so is what would stand below it.
    if (operation.method === 'DELETE') return false
    throw fail('not_found')
  }
  return true
}

function authorize(operation: Operation, things: Partial<Things>): void {
  if (operation.needs === 'account' || operation.needs === 'anyone') return
  const [kind, ability] = operation.needs.split('.') as [ThingKind, string]
  const permissions = things[kind]?.permissions as Record<string, boolean> | undefined
  if (permissions?.[ability] !== true) throw fail('forbidden')
}
