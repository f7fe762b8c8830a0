/** From the wire to what a handler takes: parameters as their types, unknown fields dropped, wrong ones named. */
import { z } from 'zod'
import { ApiError, type Detail, invalid } from '../../core/errors.ts'
import { isStorable, unstorable } from './json.ts'
import { problemOf } from './problems.ts'

export interface Input {
  query: unknown
  body: unknown
}

type Coerce = (value: unknown) => unknown

/** Query parameters arrive as text; the row says what they are. */
export function queryReader(shape: z.ZodRawShape | undefined): (raw: Record<string, unknown>) => unknown {
  if (!shape) return () => emptyQuery
  const schema = z.object(shape)
  const coerce = Object.entries(shape).map(([name, type]): [string, Coerce] => [name, coercionOf(type as z.ZodType)])
  return (raw) => {
    const given: Record<string, unknown> = {}
    for (const [name, convert] of coerce) {
      if (raw[name] === undefined) continue
      if (!isStorable(raw[name])) throw invalid(name, unstorable)
      given[name] = convert(raw[name])
    }
    return parse(schema, given)
  }
}

const emptyQuery = Object.freeze({})

function coercionOf(type: z.ZodType): Coerce {
  let inner = type
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodNullable) {
    inner = inner.unwrap() as z.ZodType
  }
  if (inner instanceof z.ZodNumber)
    return (value) => (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value)
  if (inner instanceof z.ZodBoolean) return (value) => (value === 'true' ? true : value === 'false' ? false : value)
  if (inner instanceof z.ZodUnion) {
    const branches = (inner.options as z.ZodType[]).map(coercionOf)
    return (value) => branches.map((convert) => convert(value)).find((converted) => converted !== value) ?? value
  }
  if (inner instanceof z.ZodArray) return (value) => (Array.isArray(value) ? value : [value])
  return (value) => value
}

export function bodyReader(schema: z.ZodType | undefined): (raw: unknown) => unknown {
  if (!schema) return () => undefined
  return (raw) => parse(schema, raw)
}

function parse(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value, { error: problemOf })
  if (result.success) return result.data
  const details = result.error.issues.slice(0, 20).flatMap(detailsOf)
  const first = details[0]
  throw new ApiError('invalid_input', {
    message: first
      ? first.field === ''
        ? `The body ${first.message}.`
        : `\`${first.field}\` ${first.message}.`
      : undefined,
    details,
  } as { message?: string; details: Detail[] })
}

function detailsOf(issue: z.core.$ZodIssue): Detail[] {
  const field = issue.path.map(String).join('.')
  // Of a union, the branch that came closest tells most.
  if (issue.code === 'invalid_union') {
    const closest = issue.errors.toSorted((a, b) => a.length - b.length)[0]
    const inner = closest?.flatMap(detailsOf) ?? []
    if (inner.length > 0) return inner.map((d) => ({ ...d, field: [field, d.field].filter(Boolean).join('.') }))
  }
  return [{ field, message: issue.message }]
}
