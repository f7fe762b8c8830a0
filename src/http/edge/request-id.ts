/** The id of a request: the caller's own where it is one, so that both sides' logs can be laid side by side. */
import { newId } from '../../platform/random.ts'

// Unlike ids of things these need not be hard to guess: the process, and how many requests it has had.
const processId = newId().slice(0, 12)
let requests = 0

export const requestIdOf = (given: string | string[] | undefined): string =>
  typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given)
    ? given
    : `${processId}${(requests++).toString(36).padStart(8, '0')}`
