import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { visitorScope } from '../../../src/core/expressions/claims.ts'
import { allHold } from '../../../src/core/expressions/conditions.ts'
import { claimsAgainst, templateConditions } from '../../../src/core/expressions/declared-claims.ts'
import { parse } from '../../../src/core/expressions/parse.ts'
import { type AdaptiveSchema, checkAdaptiveSchema } from '../../../src/core/expressions/schema.ts'

const flag = { type: 'boolean', description: 'A flag' }

const whole = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'https://example.com/claims',
  type: 'object',
  properties: {
    isBeta: { type: 'boolean', description: 'Takes part in the beta' },
    plan: { type: 'string', description: 'Plan', enum: ['free', 'pro', 'it\'s "so"'] },
    name: { type: 'string', description: 'Name' },
    seats: { type: 'number', description: 'Seats' },
    roles: { type: 'array', description: 'Roles', items: { type: 'string', enum: ['admin', 'reader'] } },
    'https://example.com/org': {
      type: 'object',
      description: 'Organization',
      properties: {
        'is-big': { type: 'boolean', description: '' },
        tier: { type: 'string', description: 'Tier', enum: ['a'] },
      },
      additionalProperties: false,
    },
    unsigned: {
      type: 'object',
      description: 'Unsigned claims of the site visitor.',
      properties: { isBeta: { type: 'boolean', description: 'Says it is in the beta' } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
}

function schemaOf(value: unknown): AdaptiveSchema {
  const checked = checkAdaptiveSchema(value)
  if (!checked.ok) throw new Error(`${checked.problem.path}: ${checked.problem.message}`)
  return checked.schema
}

const withProperties = (properties: unknown) => ({ type: 'object', properties, additionalProperties: false })
const nested = (depth: number): unknown =>
  depth === 0 ? flag : { type: 'object', description: '', properties: { a: nested(depth - 1) } }
const flags = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`flag${index}`, flag]))

describe('schemas', () => {
  it('come back as they were given', () => {
    expect(schemaOf(whole)).toEqual(whole)
    expect(schemaOf(withProperties({}))).toEqual(withProperties({}))
    expect(schemaOf(withProperties(flags(100))).properties).toHaveProperty('flag99')
    expect(schemaOf(withProperties({ a: nested(4) })).type).toBe('object')
  })

  // biome-ignore format: a table.
  const refused: [what: string, value: unknown, path: string][] = [
    ['nothing', undefined, ''],
    ['a list', [], ''],
    ['another dialect', { ...whole, $schema: 'https://json-schema.org/draft/2020-12/schema' }, '/$schema'],
    ['an id that is no text', { ...whole, $id: 1 }, '/$id'],
    ['another type', { ...whole, type: 'array' }, '/type'],
    ['an open object', { ...whole, additionalProperties: true }, '/additionalProperties'],
    ['no word on other properties', { type: 'object', properties: {} }, '/additionalProperties'],
    ['no properties', { type: 'object', additionalProperties: false }, '/properties'],
    ['an unknown keyword', { ...whole, required: [] }, '/required'],
    ['an unknown keyword of a claim', withProperties({ a: { ...flag, default: true } }), '/properties/a/default'],
    ['a reference', withProperties({ a: { $ref: '#' } }), '/properties/a/$ref'],
    ['no description', withProperties({ a: { type: 'boolean' } }), '/properties/a/description'],
    ['a description that is no text', withProperties({ a: { type: 'boolean', description: 1 } }), '/properties/a/description'],
    ['an unknown type', withProperties({ a: { type: 'integer', description: '' } }), '/properties/a/type'],
    ['several types', withProperties({ a: { type: ['boolean'], description: '' } }), '/properties/a/type'],
    ['an enum of numbers', withProperties({ a: { type: 'string', description: '', enum: [1] } }), '/properties/a/enum'],
    ['an empty enum', withProperties({ a: { type: 'string', description: '', enum: [] } }), '/properties/a/enum'],
    ['an enum with a value twice', withProperties({ a: { type: 'string', description: '', enum: ['a', 'a'] } }), '/properties/a/enum'],
    ['an enum of a boolean', withProperties({ a: { ...flag, enum: ['a'] } }), '/properties/a/enum'],
    ['101 values', withProperties({ a: { type: 'string', description: '', enum: Array.from({ length: 101 }, String) } }), '/properties/a/enum'],
    ['a list of lists', withProperties({ a: { type: 'array', description: '', items: { type: 'array' } } }), '/properties/a/items/type'],
    ['a list of anything', withProperties({ a: { type: 'array', description: '' } }), '/properties/a/items'],
    ['an open object claim', withProperties({ a: { type: 'object', description: '', properties: {}, additionalProperties: {} } }), '/properties/a/additionalProperties'],
    ['unsigned claims that are no object', withProperties({ unsigned: flag }), '/properties/unsigned'],
    ['a claim named constructor', withProperties({ constructor: flag }), '/properties/constructor'],
    ['a claim named __proto__', withProperties(JSON.parse('{"__proto__":{"type":"boolean","description":""}}')), '/properties/__proto__'],
    ['a keyword named __proto__', JSON.parse('{"__proto__":{}}'), '/__proto__'],
    ['a name with a quote', withProperties({ 'a"b': flag }), '/properties/a"b'],
    ['a name that needs escaping', withProperties({ 'a/~ ': flag }), '/properties/a~1~0 '],
    ['an empty name', withProperties({ '': flag }), '/properties/'],
    ['a long name', withProperties({ ['a'.repeat(101)]: flag }), `/properties/${'a'.repeat(101)}`],
    ['101 properties', withProperties(flags(101)), '/properties'],
    ['six levels', withProperties({ a: nested(5) }), `/properties${'/a/properties'.repeat(5)}`],
    ['65 KiB', withProperties(Object.fromEntries(Object.keys(flags(65)).map((name) => [name, { type: 'string', description: 'ü'.repeat(510) }]))), ''],
  ]
  test.each(refused)('are refused with %s', (_, value, path) => {
    const checked = checkAdaptiveSchema(value)
    expect(checked.ok ? checked : checked.problem.path).toBe(path)
  })

  it('are checked without a throw, whatever they are', () => {
    const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withMap: true })
    fc.assert(
      fc.property(fc.oneof(anything, fc.jsonValue()), (value) => {
        for (const tried of [value, withProperties(value), withProperties({ a: value })]) checkAdaptiveSchema(tried)
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('claims against a schema', () => {
  const schema = schemaOf(whole)
  const kept = (claims: Record<string, unknown>, unsigned: Record<string, unknown> = {}) =>
    claimsAgainst(schema, { claims, unsigned })

  it('are kept when they are declared and of the right kind', () => {
    const org = 'https://example.com/org'
    const claims = { isBeta: true, plan: 'pro', name: 'Ann', seats: 3, roles: ['admin'], [org]: { 'is-big': true } }
    expect(kept(claims, { isBeta: false })).toEqual({ claims, unsigned: { isBeta: false } })
    expect(kept({ ...claims, exp: 1, [org]: { 'is-big': true, other: 1 } })).toEqual({ claims, unsigned: {} })
  })

  it('are dropped otherwise', () => {
    const wrong = {
      isBeta: 'true',
      plan: 'gold',
      name: 1,
      seats: Number.NaN,
      roles: ['admin', 'king'],
      'https://example.com/org': [],
    }
    expect(kept(wrong, { isBeta: 1, plan: 'pro' })).toEqual({ claims: {}, unsigned: {} })
    expect(kept({ unsigned: { isBeta: true } })).toEqual({ claims: {}, unsigned: {} })
    expect(claimsAgainst(schemaOf(withProperties({})), { claims: { a: 1 }, unsigned: { a: 1 } })).toEqual({
      claims: {},
      unsigned: {},
    })
  })

  it('make a visitor’s own word for a signed claim count for nothing', () => {
    const scope = visitorScope(kept({}, { plan: 'pro', isBeta: true }))
    expect(allHold(['visitor.claims.plan == "pro"'], scope)).toBe(false)
    expect(allHold(['visitor.claims.unsigned.plan == "pro"'], scope)).toBe(false)
    expect(allHold(['visitor.claims.isBeta'], scope)).toBe(false)
    expect(allHold(['visitor.claims.unsigned.isBeta'], scope)).toBe(true)
  })
})

describe('template conditions', () => {
  const items = templateConditions(schemaOf(whole))

  it('offer every boolean and every value of an enum', () => {
    expect(items).toEqual([
      { description: 'Takes part in the beta', condition: 'visitor.claims.isBeta == true' },
      { description: 'Plan: free', condition: 'visitor.claims.plan == "free"' },
      { description: 'Plan: pro', condition: 'visitor.claims.plan == "pro"' },
      { description: 'Plan: it\'s "so"', condition: `visitor.claims.plan == 'it\\'s "so"'` },
      { description: 'is-big', condition: 'visitor.claims["https://example.com/org"]?.["is-big"] == true' },
      { description: 'Tier: a', condition: 'visitor.claims["https://example.com/org"]?.tier == "a"' },
      { description: 'Says it is in the beta', condition: 'visitor.claims.unsigned.isBeta == true' },
    ])
  })

  it('can all be saved, also for the longest names and values', () => {
    const long = 'n'.repeat(99)
    const inner = { type: 'string', description: '', enum: [`'"\n`.repeat(66)] }
    const deep = (depth: number): unknown =>
      depth === 0 ? inner : { type: 'object', description: '', properties: { [`-${long}`]: deep(depth - 1) } }
    const long5 = templateConditions(schemaOf(withProperties({ [`-${long}`]: deep(4) })))
    expect(long5).toHaveLength(1)
    for (const { condition } of [...items, ...long5]) expect(parse(condition).ok).toBe(true)
  })
})
