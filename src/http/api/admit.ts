/** Who calls, and how often: known before a byte of a body is read. */
import { fail } from '../../core/errors.ts'
import { type Actor, keyOfCredential } from '../../domain/actor.ts'
import type { RateLimit } from '../edge/rate-limit.ts'
import { rotateWhenDue } from '../signin/rotate.ts'
import type { ShownReader } from '../signin/shown.ts'
import type { Authenticator } from './authenticate.ts'
import type { Parts, Runner } from './dispatch.ts'

export interface AdmissionParts extends Parts {
  limit: RateLimit
  shownBy: ShownReader
  authenticate: Authenticator
}

export interface Caller {
  method: string | undefined
  headers: Parameters<ShownReader>[1]
  /** The network address. */
  address: () => string
  /** The database's, before anything was read for this request; undefined where to know it takes a round trip. */
  commitVersion: number | undefined
}

export interface Admitted {
  actor: Actor | undefined
}

/** Adds a header to the answer, whatever it will be. */
export type AddHeader = (name: string, value: string) => void

export type Admit = (runner: Runner, caller: Caller, add: AddHeader) => Promise<Admitted>

export function makeAdmission(parts: AdmissionParts): Admit {
  const { limit, shownBy, authenticate } = parts
  return async (runner, { method, headers, address, commitVersion }, add) => {
    const shown = shownBy(method, headers)
    const finding = authenticate(shown, commitVersion)
    const found = finding instanceof Promise ? await finding : finding
    const actor = shown.user === undefined || shown.user === found?.user.id ? found : undefined
    if (actor?.session) await rotateWhenDue(parts, actor, add)
    if (!limit.isOff) {
      const state = actor ? limit.take(keyOfCredential(actor.credential)) : limit.guess(address())
      add('x-ratelimit-limit', String(state.limit))
      add('x-ratelimit-remaining', String(state.remaining))
      add('x-ratelimit-reset', String(state.reset))
      if (state.exceeded) {
        add('retry-after', String(limit.secondsLeft))
        throw fail('rate_limited')
      }
    }
    if (!actor && runner.operation.needs !== 'anyone') throw fail('unauthenticated')
    return { actor }
  }
}
