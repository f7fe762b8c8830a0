/** What went wrong, what is safe and what to do, as a sentence for people. */
import { CallFailed } from '../../client/client.ts'
import { t } from '../texts/index.ts'

export interface Problem {
  title: string
  text: string
}

export function explain(error: unknown): Problem {
  if (error instanceof CallFailed) {
    const known = Object.hasOwn(t.problems, error.type) ? Reflect.get(t.problems, error.type) : undefined
    const fields = error.details.map(({ field, message }) => `${field} ${message}.`).join(' ')
    return {
      title: typeof known === 'string' ? known : t.problems.refused,
      text: [error.message, fields].join(' ').trim(),
    }
  }
  if (error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError'))
    return { title: t.problems.unreachable, text: t.problems.unreachableNext }
  return { title: t.problems.unexpected, text: error instanceof Error ? error.message : String(error) }
}
