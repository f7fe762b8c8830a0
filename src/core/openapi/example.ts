/** A value that a schema could have, for samples: what the spec gives as an example wins, and the rest is made up by type. */
import { isObject, type Json, type JsonObject, listAt, objectAt, own, textAt } from './json.ts'
import { followRef, type SpecSource } from './part.ts'

const deepest = 6
const mostFields = 60
/** In one example: a schema of sixty fields that each have sixty, six times over, is as short to write as a small one. */
const mostValues = 600

interface Making {
  source: Pick<SpecSource, 'readRef'>
  direction: 'request' | 'response'
  left: number
}

/** `direction` leaves out what only the other side sends. */
export const exampleOf = (
  source: Pick<SpecSource, 'readRef'>,
  schema: Json | undefined,
  direction: 'request' | 'response',
): Json => make({ source, direction, left: mostValues }, schema, [])

function make(making: Making, schema: Json | undefined, above: readonly string[]): Json {
  const { value, ref } = followRef(making.source, schema)
  if (!isObject(value)) return null
  making.left -= 1
  const given =
    own(value, 'example') ??
    listAt(value, 'examples')[0] ??
    own(value, 'default') ??
    own(value, 'const') ??
    listAt(value, 'enum')[0]
  if (given !== undefined) return given
  if (making.left <= 0 || above.length >= deepest || (ref !== undefined && above.includes(ref))) return emptyOf(value)
  const below = [...above, ref ?? '']
  const all = listAt(value, 'allOf')
  if (all.length > 0) return allOf(making, value, all, below)
  const [option] = [...listAt(value, 'oneOf'), ...listAt(value, 'anyOf')].filter(
    (one) => textAt(one, 'type') !== 'null',
  )
  if (option !== undefined && own(value, 'properties') === undefined) return make(making, option, below)
  const type = typeOf(value)
  if (type === 'array') return own(value, 'items') === undefined ? [] : [make(making, own(value, 'items'), below)]
  if (type === 'object') return objectOf(making, value, below)
  return plainOf(value, type)
}

function allOf(making: Making, schema: JsonObject, all: readonly Json[], above: readonly string[]): Json {
  const { allOf: _, ...rest } = schema
  const own = make(making, rest, above)
  const parts = [...all.map((one) => make(making, one, above)), own]
  const objects = parts.filter(isObject)
  return objects.length > 0 ? Object.assign({}, ...objects) : (parts.find((one) => one !== null) ?? null)
}

function objectOf(making: Making, schema: JsonObject, above: readonly string[]): Json {
  const hidden = making.direction === 'request' ? 'readOnly' : 'writeOnly'
  const entries = Object.entries(objectAt(schema, 'properties'))
    .filter(([, property]) => own(followRef(making.source, property).value, hidden) !== true)
    .slice(0, Math.min(mostFields, Math.max(1, making.left)))
    .map(([name, property]): [string, Json] => [name, make(making, property, above)])
  const others = own(schema, 'additionalProperties')
  if (entries.length === 0 && isObject(others)) entries.push(['key', make(making, others, above)])
  return Object.fromEntries(entries)
}

function typeOf(schema: JsonObject): string {
  const type = own(schema, 'type')
  const named = Array.isArray(type) ? type.find((one) => one !== 'null') : type
  if (typeof named === 'string') return named
  return own(schema, 'properties') !== undefined || own(schema, 'additionalProperties') !== undefined
    ? 'object'
    : own(schema, 'items') !== undefined
      ? 'array'
      : 'string'
}

const emptyOf = (schema: JsonObject): Json => {
  const type = typeOf(schema)
  return type === 'array' ? [] : type === 'object' ? {} : plainOf(schema, type)
}

const texts: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T09:30:00Z',
  time: '09:30:00',
  email: 'name@example.com',
  uri: 'https://example.com',
  url: 'https://example.com',
  uuid: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  binary: '…',
  byte: 'dGV4dA==',
}

function plainOf(schema: JsonObject, type: string): Json {
  const least = own(schema, 'minimum')
  if (type === 'integer' || type === 'number') return typeof least === 'number' ? least : 1
  if (type === 'boolean') return true
  if (type === 'null') return null
  return texts[textAt(schema, 'format') ?? ''] ?? 'text'
}
