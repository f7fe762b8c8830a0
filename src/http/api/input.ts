/** From the wire to what a handler takes: parameters as their types, unknown fields dropped, wrong ones named. */
import { z } from 'zod'
import { ApiError, type Detail, fail, invalid } from '../../core/errors.ts'
import { yieldLoop } from '../../store/time-slices.ts'

/** How deep a body may be nested. Documents nest 100 blocks, each two levels of JSON; the rest is room. */
const maxDepth = 512
/** How many values a body may hold: making each of them costs time, whatever is in it. Text of any length is one value. */
const maxValues = 250_000

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
      if (!isStorable(raw[name])) throw invalid(name, 'may not hold NUL characters or halves of surrogate pairs')
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
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const details = result.error.issues.slice(0, 20).flatMap(detailsOf)
  const first = details[0]
  throw new ApiError('invalid_input', {
    message: first
      ? first.field === ''
        ? `The body: ${first.message}.`
        : `\`${first.field}\`: ${first.message}.`
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
  return [{ field, message: issue.message.replace(/^Invalid input: /, '') }]
}

/** JSON from bytes that may be hostile: not too deep, no keys that reach for prototypes, no text a database cannot hold. */
export function parseJson(text: string): unknown {
  checkSize(text)
  return readJson(text)
}

/** The same of what takes long to read, with turns for others before and after the longest step. */
export async function parseLargeJson(text: string): Promise<unknown> {
  checkSize(text)
  await yieldLoop()
  const value = readJson(text)
  await yieldLoop()
  return value
}

function readJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text, text.includes('__proto__') || text.includes('\\u005f') ? dropPrototype : undefined)
  } catch {
    throw fail('malformed_json')
  }
  // An escape is the only way for these to stand in valid JSON text.
  if (/\\u(0000|d[89a-f])/i.test(text) && !isStorable(value)) {
    throw fail('invalid_input', 'Text may not hold NUL characters or halves of surrogate pairs.')
  }
  return value
}

const dropPrototype = (key: string, value: unknown): unknown => (key === '__proto__' ? undefined : value)

/** Text that both databases can hold: no NUL, no half of a surrogate pair. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (Array.isArray(value)) return value.every(isStorable)
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).every(([key, item]) => isStorableText(key) && isStorable(item))
  }
  return true
}

/** Refuses what nests too deep or holds too many values, told by brackets and commas outside of strings: nothing is built. */
function checkSize(text: string): void {
  let depth = 0
  let values = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === 34) i = endOfString(text, i)
    else if (c === 123 || c === 91) {
      if (++depth > maxDepth) throw fail('too_deep')
      values++
    } else if (c === 125 || c === 93) depth--
    else if (c === 44) values++
    if (values > maxValues) throw fail('too_large', `A body holds at most ${maxValues} values.`)
  }
}

function endOfString(text: string, start: number): number {
  let end = start
  do {
    end = text.indexOf('"', end + 1)
    if (end < 0) return text.length
  } while (isEscaped(text, end))
  return end
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text.charCodeAt(at - 1 - slashes) === 92) slashes++
  return slashes % 2 === 1
}
