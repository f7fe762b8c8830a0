/**
 * The kinds of values a data field can have, each as a reader: it answers the clean value or throws a `Problem` that
 * names the path, and it carries the JSON Schema of what it reads. `data.ts` says which field of which node has which
 * kind; the types in `nodes.ts` are inferred from there.
 *
 * 1. A reader copies; it never hands back an object it was given.
 * 2. Names come from the schema, never from the input, except in maps, where `__proto__` is refused.
 */
import type { Length, PlainValue } from './nodes.ts'
import { isSafeUrl } from './refs.ts'

export class Problem extends Error {
  override name = 'Problem'
  readonly path: string

  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

export type JsonSchema = { readonly [keyword: string]: unknown }
export type Read<Value = unknown> = (value: unknown, path: string) => Value
export type Reader<Value = unknown> = Read<Value> & { readonly schema: JsonSchema }
export type Field<Value = unknown, Required extends boolean = boolean> = { read: Reader<Value>; required: Required }
export type Fields = Readonly<Record<string, Field>>

/** What a record of these fields holds. */
export type DataOf<Of extends Fields> = Flat<
  { [Name in keyof Of as Of[Name]['required'] extends true ? Name : never]: ValueOf<Of[Name]> } & {
    [Name in keyof Of as Of[Name]['required'] extends true ? never : Name]?: ValueOf<Of[Name]>
  }
>
type ValueOf<Of extends Field> = Of extends Field<infer Value> ? Value : never
type Flat<Of> = { [Name in keyof Of]: Of[Name] }

export const required = <Value>(read: Reader<Value>): Field<Value, true> => ({ read, required: true })
export const optional = <Value>(read: Reader<Value>): Field<Value, false> => ({ read, required: false })

export const reader = <Value>(schema: JsonSchema, read: Read<Value>): Reader<Value> => Object.assign(read, { schema })

export const string = reader({ type: 'string' }, (value, path) => {
  if (typeof value !== 'string') throw new Problem(path, 'must be a string')
  return cleanText(value)
})

export const stringMatching = (pattern: RegExp, words: string): Reader<string> =>
  reader({ type: 'string', pattern: pattern.source }, (value, path) => {
    if (typeof value !== 'string' || !pattern.test(value)) throw new Problem(path, `must be ${words}`)
    return value
  })

const maxUrl = 2048
export const url = reader({ type: 'string', maxLength: maxUrl }, (value, path) => {
  if (typeof value !== 'string' || value.length > maxUrl)
    throw new Problem(path, 'must be a URL of at most 2048 characters')
  if (!isSafeUrl(value)) throw new Problem(path, 'must be a URL without control characters and scripts')
  return value
})

export const boolean = reader({ type: 'boolean' }, (value, path) => {
  if (typeof value !== 'boolean') throw new Problem(path, 'must be true or false')
  return value
})

export const number = reader({ type: 'number' }, (value, path) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Problem(path, 'must be a number')
  return value === 0 ? 0 : value
})

export const integer = (from: number, to: number): Reader<number> =>
  reader({ type: 'integer', minimum: from, maximum: to }, (value, path) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < from || value > to)
      throw new Problem(path, `must be an integer from ${from} to ${to}`)
    return value
  })

export const oneOf = <const Value extends string>(values: readonly Value[]): Reader<Value> =>
  reader({ type: 'string', enum: [...values] }, (value, path) => {
    const found = values.find((candidate) => candidate === value)
    if (found === undefined) throw new Problem(path, `must be one of ${values.join(', ')}`)
    return found
  })

const unitName = stringMatching(/^(?:%|[a-z]{1,8})$/, 'a unit such as px or %')
const lengthSchema = {
  anyOf: [
    { type: 'number' },
    { type: 'object', required: ['unit', 'value'], properties: { unit: unitName.schema, value: number.schema } },
  ],
}
export const length = reader(lengthSchema, (value, path): Length => {
  if (typeof value === 'number') return number(value, path)
  const { unit, value: amount } = object(value, path)
  return { unit: unitName(unit, `${path}.unit`), value: number(amount, `${path}.value`) }
})

type Inner<Value> = Read<Value> & { readonly schema?: JsonSchema }

export const listOf = <Value>(read: Inner<Value>, most = 10_000): Reader<Value[]> =>
  reader({ type: 'array', items: read.schema ?? {} }, (value, path) => {
    if (!Array.isArray(value)) throw new Problem(path, 'must be a list')
    if (value.length > most) throw new Problem(path, `must have at most ${most} entries`)
    return value.map((entry: unknown, index) => read(entry, `${path}[${index}]`))
  })

export const mapOf = <Value>(read: Inner<Value>): Reader<Record<string, Value>> =>
  reader({ type: 'object', additionalProperties: read.schema ?? {} }, (value, path) => {
    const copy: Record<string, Value> = {}
    for (const [name, entry] of Object.entries(object(value, path))) {
      if (name === '__proto__') throw new Problem(path, 'must not have the name __proto__')
      copy[name] = read(entry, `${path}.${name}`)
    }
    return copy
  })

export const record = <const Of extends Fields>(fields: Of): Reader<DataOf<Of>> =>
  reader(recordSchema(fields), (value, path) => readRecord(fields, value, path))

/** What the fields read of an object; what has no field is left behind. */
export function readRecord<const Of extends Fields>(fields: Of, value: unknown, path: string): DataOf<Of> {
  const from = object(value, path)
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) {
    const field = fields[name]
    const present = Object.hasOwn(from, name) ? from[name] : undefined
    if (field === undefined) continue
    if (present !== undefined && present !== null) copy[name] = field.read(present, `${path}.${name}`)
    else if (field.required) throw new Problem(`${path}.${name}`, 'is missing')
  }
  if (!isRead(copy, fields)) throw new Problem(path, 'is incomplete')
  return copy
}

/** Every required field has been read, each by its own reader; this is where the types learn of it. */
const isRead = <Of extends Fields>(copy: Record<string, unknown>, fields: Of): copy is DataOf<Of> =>
  Object.keys(fields).every((name) => fields[name]?.required !== true || name in copy)

export function recordSchema(fields: Fields): JsonSchema {
  const names = Object.keys(fields).filter((name) => fields[name]?.required)
  const properties = Object.fromEntries(Object.entries(fields).map(([name, { read }]) => [name, read.schema]))
  return { type: 'object', ...(names.length === 0 ? {} : { required: names }), properties }
}

/** JSON that is only carried, such as the properties of an integration's block. */
export const plain = reader({}, (value, path) => readPlain(value, path, 0))

function readPlain(value: unknown, path: string, depth: number): PlainValue {
  if (depth > 20) throw new Problem(path, 'is nested too deeply')
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') return cleanText(value)
  if (typeof value === 'number') return number(value, path)
  const inner: Read<PlainValue> = (entry, at) => readPlain(entry, at, depth + 1)
  return Array.isArray(value) ? listOf(inner)(value, path) : mapOf(inner)(value, path)
}

export const plainObject = reader({ type: 'object' }, (value, path) => mapOf(plain)(value, path))

export function object(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Problem(path, 'must be an object')
  return { ...value }
}

/** Text as Markdown can carry it: one kind of line end, and no control characters besides the tab. */
export function cleanText(value: string): string {
  if (!unclean.test(value)) return value
  return value.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '\ufffd')
}
const unclean = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
