/** A value that a schema could have, for samples: what the spec gives as an example wins, and the rest is made up by type. */
import { isObject, type Json, type JsonObject, listAt, objectAt, own, textAt } from './json.ts'
import { followRef, type SpecPart } from './part.ts'

const deepest = 6
const mostFields = 60

/** `direction` leaves out what only the other side sends. */
export function exampleOf(
  part: Pick<SpecPart, 'refs'>,
  schema: Json | undefined,
  direction: 'request' | 'response',
  above: readonly string[] = [],
): Json {
  const { value, ref } = followRef(part, schema)
  if (!isObject(value)) return null
  const given =
    own(value, 'example') ??
    listAt(value, 'examples')[0] ??
    own(value, 'default') ??
    own(value, 'const') ??
    listAt(value, 'enum')[0]
  if (given !== undefined) return given
  if (above.length >= deepest || (ref !== undefined && above.includes(ref))) return emptyOf(value)
  const below = [...above, ref ?? '']
  const all = listAt(value, 'allOf')
  if (all.length > 0) return allOf(part, value, all, direction, below)
  const [option] = [...listAt(value, 'oneOf'), ...listAt(value, 'anyOf')].filter(
    (one) => textAt(one, 'type') !== 'null',
  )
  if (option !== undefined && own(value, 'properties') === undefined) return exampleOf(part, option, direction, below)
  const type = typeOf(value)
  if (type === 'array')
    return own(value, 'items') === undefined ? [] : [exampleOf(part, own(value, 'items'), direction, below)]
  if (type === 'object') return objectOf(part, value, direction, below)
  return plainOf(value, type)
}

function allOf(
  part: Pick<SpecPart, 'refs'>,
  schema: JsonObject,
  all: readonly Json[],
  direction: 'request' | 'response',
  above: readonly string[],
): Json {
  const { allOf: _, ...rest } = schema
  const own = exampleOf(part, rest, direction, above)
  const parts = [...all.map((one) => exampleOf(part, one, direction, above)), own]
  const objects = parts.filter(isObject)
  return objects.length > 0 ? Object.assign({}, ...objects) : (parts.find((one) => one !== null) ?? null)
}

function objectOf(
  part: Pick<SpecPart, 'refs'>,
  schema: JsonObject,
  direction: 'request' | 'response',
  above: readonly string[],
): Json {
  const hidden = direction === 'request' ? 'readOnly' : 'writeOnly'
  const entries = Object.entries(objectAt(schema, 'properties'))
    .filter(([, property]) => own(followRef(part, property).value, hidden) !== true)
    .slice(0, mostFields)
    .map(([name, property]): [string, Json] => [name, exampleOf(part, property, direction, above)])
  const others = own(schema, 'additionalProperties')
  if (entries.length === 0 && isObject(others)) entries.push(['key', exampleOf(part, others, direction, above)])
  return Object.fromEntries(entries)
}

function typeOf(schema: JsonObject): string {
  const type = own(schema, 'type')
  const said = Array.isArray(type) ? type.find((one) => one !== 'null') : type
  if (typeof said === 'string') return said
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
