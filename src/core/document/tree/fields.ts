/**
 * The kinds of values a data field can have, each as a reader: it answers the clean value or throws a `Problem` that
 * names the path. `schema.ts` says which field of which node has which kind.
 *
 * 1. A reader copies; it never hands back an object it was given.
 * 2. Names come from the schema, never from the input, except in maps, where `__proto__` is refused.
 */
import type { ContentRef, Length, PlainValue } from './nodes.ts'
import { isSafeUrl } from './refs.ts'

export class Problem extends Error {
  override name = 'Problem'
  readonly path: string

  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

export type Reader<Value = unknown> = (value: unknown, path: string) => Value
export type Fields = Readonly<Record<string, { read: Reader; required: boolean }>>

export const required = (read: Reader) => ({ read, required: true })
export const optional = (read: Reader) => ({ read, required: false })

export const string: Reader<string> = (value, path) => {
  if (typeof value !== 'string') throw new Problem(path, 'must be a string')
  return cleanText(value)
}

export const stringMatching =
  (pattern: RegExp, words: string): Reader<string> =>
  (value, path) => {
    if (typeof value !== 'string' || !pattern.test(value)) throw new Problem(path, `must be ${words}`)
    return value
  }

export const url: Reader<string> = (value, path) => {
  if (typeof value !== 'string' || value.length > maxUrl)
    throw new Problem(path, 'must be a URL of at most 2048 characters')
  if (!isSafeUrl(value)) throw new Problem(path, 'must be a URL without control characters and scripts')
  return value
}
const maxUrl = 2048

export const boolean: Reader<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw new Problem(path, 'must be true or false')
  return value
}

export const number: Reader<number> = (value, path) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Problem(path, 'must be a number')
  return value === 0 ? 0 : value
}

export const integer =
  (from: number, to: number): Reader<number> =>
  (value, path) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < from || value > to)
      throw new Problem(path, `must be an integer from ${from} to ${to}`)
    return value
  }

export const oneOf =
  <const Value extends string>(values: readonly Value[]): Reader<Value> =>
  (value, path) => {
    const found = values.find((candidate) => candidate === value)
    if (found === undefined) throw new Problem(path, `must be one of ${values.join(', ')}`)
    return found
  }

export const length: Reader<Length> = (value, path) => {
  if (typeof value === 'number') return number(value, path)
  const { unit, value: amount } = object(value, path)
  return { unit: unitName(unit, `${path}.unit`), value: number(amount, `${path}.value`) }
}
const unitName = stringMatching(/^(?:%|[a-z]{1,8})$/, 'a unit such as px or %')

export const listOf =
  <Value>(read: Reader<Value>, most = 10_000): Reader<Value[]> =>
  (value, path) => {
    if (!Array.isArray(value)) throw new Problem(path, 'must be a list')
    if (value.length > most) throw new Problem(path, `must have at most ${most} entries`)
    return value.map((entry: unknown, index) => read(entry, `${path}[${index}]`))
  }

export const mapOf =
  <Value>(read: Reader<Value>): Reader<Record<string, Value>> =>
  (value, path) => {
    const copy: Record<string, Value> = {}
    for (const [name, entry] of Object.entries(object(value, path))) {
      if (name === '__proto__') throw new Problem(path, 'must not have the name __proto__')
      copy[name] = read(entry, `${path}.${name}`)
    }
    return copy
  }

export const record =
  (fields: Fields): Reader<Record<string, unknown>> =>
  (value, path) => {
    const from = object(value, path)
    const copy: Record<string, unknown> = {}
    for (const name of Object.keys(fields)) {
      const field = fields[name]
      const present = Object.hasOwn(from, name) ? from[name] : undefined
      if (field === undefined) continue
      if (present !== undefined && present !== null) copy[name] = field.read(present, `${path}.${name}`)
      else if (field.required) throw new Problem(`${path}.${name}`, 'is missing')
    }
    return copy
  }

/** JSON that is only carried, such as the properties of an integration's block. */
export const plain: Reader<PlainValue> = (value, path) => readPlain(value, path, 0)

function readPlain(value: unknown, path: string, depth: number): PlainValue {
  if (depth > 20) throw new Problem(path, 'is nested too deeply')
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') return cleanText(value)
  if (typeof value === 'number') return number(value, path)
  const inner: Reader<PlainValue> = (entry, at) => readPlain(entry, at, depth + 1)
  return Array.isArray(value) ? listOf(inner)(value, path) : mapOf(inner)(value, path)
}

export const plainObject: Reader<Record<string, PlainValue>> = (value, path) => mapOf(plain)(value, path)

const id = stringMatching(/^[^\s/#?]{1,256}$/u, 'an id')
const slug = stringMatching(/^[^\s]{1,256}$/u, 'a name without spaces')
const refKinds = [
  'file',
  'url',
  'page',
  'anchor',
  'user',
  'collection',
  'space',
  'reusable-content',
  'tag',
  'openapi',
] as const
const refFields: Readonly<Record<ContentRef['kind'], Fields>> = {
  file: { file: required(id), space: optional(id) },
  url: { url: required(url) },
  page: { page: required(id), space: optional(id) },
  anchor: { anchor: required(slug), page: optional(id), space: optional(id) },
  user: { user: required(id) },
  collection: { collection: required(id) },
  space: { space: required(id) },
  'reusable-content': { reusableContent: required(id), space: optional(id) },
  tag: { tag: required(id), space: optional(id) },
  openapi: { spec: required(id) },
}

/** A reference of one of these kinds; of any kind when none is named. */
export const ref = (...kinds: ContentRef['kind'][]): Reader<Record<string, unknown>> => {
  const kindOf = oneOf(kinds.length > 0 ? kinds : refKinds)
  return (value, path) => {
    const kind = kindOf(object(value, path).kind, `${path}.kind`)
    return { kind, ...record(refFields[kind])(value, path) }
  }
}

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
