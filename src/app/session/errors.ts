/** What went wrong, what is safe and what to do, as a sentence for people. */
import { CallFailed } from '../../client/client.ts'
import { sentences, t } from '../texts/index.ts'

export interface Problem {
  title: string
  text: string
}

export function explain(error: unknown): Problem {
  if (error instanceof CallFailed) {
    const known = Object.hasOwn(t.problems, error.type) ? Reflect.get(t.problems, error.type) : undefined
    const title = typeof known === 'string' ? known : t.problems.refused
    const sentence = sentences[error.type]
    // The API speaks English; where there are words of ours, its own would be in another language beside them.
    if (sentence !== undefined) {
      const named = error.details.map(({ field }) => field).join(', ')
      return { title, text: named === '' ? sentence : `${sentence} ${t.problems.concerns} ${named}.` }
    }
    // The message tells of the first.
    const others = error.details.slice(1).map(({ field, message }) => `\`${field}\` ${message}.`)
    return { title, text: [error.message, ...others].join(' ') }
  }
  if (error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError'))
    return { title: t.problems.unreachable, text: t.problems.unreachableNext }
  return { title: t.problems.unexpected, text: error instanceof Error ? error.message : String(error) }
}
