/**
 * The answers that `early.ts` took while this script was still on its way. Whoever asks for the same is given that answer,
 * until the first screen stands: after that it would be old.
 */
import { whenIdle } from '../kit/when-idle.ts'

declare global {
  var lecternAnswers: Map<string, Promise<Response>> | undefined
}

export const fetchOrTake: typeof fetch = async (input, init) => {
  if (later !== undefined && String(input).includes(later)) await firstScreenStands
  const begun = init?.method === 'GET' ? globalThis.lecternAnswers?.get(String(input)) : undefined
  // One that failed on the way is asked for again, by the caller's own rules.
  const answer = await begun?.catch(() => undefined)
  return answer ? answer.clone() : fetch(input, init)
}

let later: string | undefined
let stand: () => void = () => undefined
export const firstScreenStands = new Promise<void>((resolve) => {
  stand = () => {
    later = undefined
    resolve()
  }
})

/** What the first screen can do without is asked for when that stands: answering, reading and drawing it would be in its way. */
export function putOff(part: string): void {
  later = part
}

/** Whether something waits until the first screen stands. */
export const isPutOff = (): boolean => later !== undefined

/** The address of a screen has the number of a change request, everything after it goes by its id. */
export function nameFirstAnswers(names: { number: string; id: string }): void {
  const answers = globalThis.lecternAnswers
  for (const [url, answer] of answers ?? [])
    answers?.set(url.replace(`/change-requests/${names.number}`, `/change-requests/${names.id}`), answer)
}

export const forgetFirstAnswers = (): void => {
  globalThis.lecternAnswers = undefined
  whenIdle(stand)
}

/** Whether nothing has been shown yet, so that what is known was asked for just now. */
export const isFirstScreen = (): boolean => globalThis.lecternAnswers !== undefined
