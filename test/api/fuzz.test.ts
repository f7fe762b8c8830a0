/**
 * Nothing answers 5xx: thousands of requests over all rows, well-formed, nearly well-formed and hostile, as everyone.
 *
 * Each answer is also held against its row. `FUZZ_RUNS` and `FUZZ_SEED` make a longer or another run.
 */
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { operations } from '../../src/contract/index.ts'
import { type Operation, paramsOf } from '../../src/contract/operation.ts'
import { eachBackend } from '../kit/backends.ts'
import { faultOf } from '../kit/check-answer.ts'
import { cast, type Kit, useKit } from '../kit/server.ts'
import { type FixtureInput, inputFor } from './fixtures.ts'

const runs = Number(process.env.FUZZ_RUNS ?? 1500)
const longest = Math.max(120_000, runs * 200)
const seed = Number(process.env.FUZZ_SEED ?? 20_261)

interface Shot {
  name: string
  as: (typeof cast)[number]
  params: Record<string, string | null>
  query: [string, string][]
  body: string | undefined
  headers: Record<string, string>
}

eachBackend((backend) => {
  const kit = useKit(backend)
  const inputs = new Map<string, FixtureInput>()

  describe('whatever comes', () => {
    beforeAll(async () => {
      for (const [name, row] of operations) inputs.set(name, await inputFor(kit, name, row))
    })

    test(
      'is answered, and never with 5xx',
      async () => {
        const shots = fc.oneof(...operations.map(([name, row]) => shotAt(name, row)))
        await fc.assert(
          fc.asyncProperty(shots, (shot) => fire(kit, shot, inputs.get(shot.name) ?? { params: {} })),
          { numRuns: backend.name === 'sqlite' ? runs : Math.ceil(runs / 2), seed, endOnFailure: false },
        )
      },
      longest,
    )
  })
})

async function fire(kit: Kit, shot: Shot, known: FixtureInput): Promise<void> {
  const row = operations.find(([name]) => name === shot.name)?.[1]
  if (!row) throw new Error(shot.name)
  const path = row.path.replace(/\{(\w+)\}/g, (_, param: string) => {
    const value = shot.params[param] ?? known.params[param] ?? 'x'
    return encoded(value)
  })
  // A stream that follows what happens never ends by itself.
  const asked = row.fields.stream
    ? [...shot.query.filter(([key]) => key !== 'follow'), ['follow', 'false'] as const]
    : shot.query
  const query = asked.map(([key, value]) => `${encoded(key)}=${encoded(value)}`).join('&')
  const response = await kit.server.app.inject({
    method: row.method,
    url: query ? `${path}?${query}` : path,
    headers: {
      ...(shot.as === 'nobody' ? {} : { authorization: `Bearer ${kit.people[shot.as].token}` }),
      ...(shot.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...shot.headers,
    },
    ...(shot.body === undefined ? {} : { payload: shot.body }),
  })
  expect(response.statusCode, response.payload).toBeLessThan(500)
  // A parameter that came out empty, or with a dot segment, may name another row.
  if (Object.values(shot.params).some((value) => value === '' || value === '.' || value === '..')) return
  if (response.headers['content-type']?.toString().startsWith('text/event-stream')) return
  const body: unknown = response.payload === '' ? undefined : JSON.parse(response.payload)
  expect(faultOf(shot.name, row, response.statusCode, body)).toBeUndefined()
}

const wellFormed = (text: string): boolean =>
  !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)

/** Half of a surrogate pair has no UTF-8; what a careless client would send for it has no meaning. */
const encoded = (value: string): string => (wellFormed(value) ? encodeURIComponent(value) : '%ed%a0%80')

const nasty = fc.constantFrom(
  '',
  ' ',
  '.',
  '..',
  '0',
  '-1',
  'null',
  'undefined',
  'true',
  '%',
  '%00',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00',
  '\u202e',
  '\ufeff',
  '\u{10ffff}',
  '🪑',
  "' or 1=1 --",
  '"; drop table "user"; --',
  '\\',
  '%_',
  '${7*7}',
  '<script>',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  '1e999',
  '9'.repeat(400),
  'x'.repeat(5000),
  'İ',
  'ß',
  'lct_x',
  'eyJhIjoxfQ.x',
  '[1]',
  '{}',
)
const text = fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 30 }))
const scalar = fc.oneof(text, fc.integer(), fc.double(), fc.boolean(), fc.constant(null))
const anything = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 4 }),
  fc.dictionary(text, scalar, { maxKeys: 4 }),
  fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<unknown>,
)

function shotAt(name: string, row: Operation): fc.Arbitrary<Shot> {
  const params = fc.record(
    Object.fromEntries(
      paramsOf(row.path).map((param) => [
        param,
        fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: text }),
      ]),
    ),
  )
  const fields = Object.entries(row.fields.query ?? {})
  const query = fc.array(
    fc.oneof(
      ...fields.map(([field, type]) =>
        near(type as z.ZodType).map((value): [string, string] => [
          field,
          typeof value === 'object' ? JSON.stringify(value) : String(value),
        ]),
      ),
      fc.tuple(text, text),
    ),
    { maxLength: 4 },
  )
  return fc.record({
    name: fc.constant(name),
    as: fc.constantFrom(...cast, 'admin' as const, 'admin' as const),
    params: params as fc.Arbitrary<Shot['params']>,
    query,
    body: bodyFor(row),
    headers: fc.oneof(
      { weight: 6, arbitrary: fc.constant({}) },
      fc.constantFrom<Record<string, string>[]>(
        { 'if-match': '"x"' },
        { 'if-match': '*' },
        { 'idempotency-key': 'k' },
        { 'idempotency-key': '' },
        { 'content-type': 'text/plain' },
        { 'if-none-match': '*' },
        { authorization: 'Bearer x' },
      ),
    ),
  })
}

function bodyFor(row: Operation): fc.Arbitrary<string | undefined> {
  const hostile = fc.oneof(
    fc.constantFrom(
      '',
      '{',
      '[]',
      'null',
      '{"__proto__":{"role":"admin"}}',
      '{"a":1e999}',
      `${'['.repeat(600)}${']'.repeat(600)}`,
      '{"title":"\\ud800"}',
      '{"title":"\\u0000"}',
      '\0',
      '{"a":1,"a":2}',
    ),
    anything.map((value) => JSON.stringify(value)),
  )
  if (!row.fields.body) return fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, hostile)
  return fc.oneof({ weight: 6, arbitrary: near(row.fields.body).map((value) => JSON.stringify(value)) }, hostile)
}

/** Values that mostly fit a shape, and now and then do not. */
function near(type: z.ZodType): fc.Arbitrary<unknown> {
  const schema = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  return valueFor(schema, schema.$defs ?? {}, 4)
}

interface JsonSchema {
  $ref?: string
  $defs?: Record<string, JsonSchema>
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  format?: string
}

function valueFor(schema: JsonSchema, defs: Record<string, JsonSchema>, depth: number): fc.Arbitrary<unknown> {
  const inner = depth <= 0 ? scalar : fitting(schema, defs, depth - 1)
  return fc.oneof({ weight: 9, arbitrary: inner }, { weight: 1, arbitrary: anything })
}

function fitting(schema: JsonSchema, defs: Record<string, JsonSchema>, depth: number): fc.Arbitrary<unknown> {
  if (schema.$ref) return valueFor(defs[schema.$ref.replace('#/$defs/', '')] ?? {}, defs, depth)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return fc.oneof(...options.map((option) => valueFor(option, defs, depth)))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.type === 'array') return fc.array(valueFor(schema.items ?? {}, defs, depth), { maxLength: 4 })
  if (schema.type === 'object') {
    const known = Object.entries(schema.properties ?? {}).map(([name, property]) => [
      name,
      valueFor(property, defs, depth),
    ])
    const shape = fc.record(Object.fromEntries(known) as Record<string, fc.Arbitrary<unknown>>, {
      requiredKeys: schema.required?.filter((name) => schema.properties?.[name]) ?? [],
    })
    const rest = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
    return rest ? fc.dictionary(text, valueFor(rest, defs, depth), { maxKeys: 3 }) : shape
  }
  if (schema.type === 'integer' || schema.type === 'number')
    return fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.constantFrom(0, -1, 1001, 1.5, 2 ** 53))
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'null') return fc.constant(null)
  if (schema.format === 'email') return fc.constantFrom('a@b.test', 'A@B.test', 'a@b', 'read@lectern.test')
  return fc.oneof(
    fc.constantFrom('word', 'two words', 'lectern.test', 'https://lectern.test/x', 'abcdefghij0123456789'),
    text,
  )
}
