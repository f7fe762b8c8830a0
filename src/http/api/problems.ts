/** What is wrong with a value, as a sentence goes on that begins with the name of its field: `must be a number`. */
import type { z } from 'zod'

/** Only for what a schema has no words of its own for. */
export function problemOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${kinds[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return issue.input === undefined ? 'is missing' : oneOf(issue.values)
    case 'invalid_union':
      if (issue.input === undefined) return 'is missing'
      return Array.isArray(issue.options) ? oneOf(issue.options) : 'is not what is expected here'
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty'
      return sized('at least', issue.minimum, issue)
    case 'too_big':
      return sized('at most', issue.maximum, issue)
    case 'unrecognized_keys':
      return `has ${issue.keys.length === 1 ? 'an unknown field' : 'unknown fields'}: ${issue.keys.join(', ')}`
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? issue.format}`
    default:
      return undefined
  }
}

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const formats: Record<string, string> = {
  email: 'an e-mail address',
  url: 'an address such as https://example.com',
  datetime: 'a time such as 2026-11-15T08:30:00Z',
  date: 'a day such as 2026-11-15',
}

const oneOf = (values: readonly unknown[]): string => {
  const [only] = values
  return values.length === 1 ? `must be ${String(only)}` : `must be one of ${values.map(String).join(', ')}`
}

const units: Record<string, readonly [one: string, many: string]> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
}

function sized(
  edge: 'at least' | 'at most',
  limit: number | bigint,
  { origin, exact, inclusive }: { origin: string; exact?: boolean | undefined; inclusive?: boolean | undefined },
): string {
  const unit = units[origin]
  if (unit) return `must have ${exact ? 'exactly' : edge} ${limit} ${Number(limit) === 1 ? unit[0] : unit[1]}`
  const beyond = edge === 'at least' ? 'more than' : 'less than'
  return `must be ${inclusive === false ? beyond : edge} ${limit}`
}
