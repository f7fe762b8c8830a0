import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { unsignedClaims } from '../../../src/core/expressions/unsigned.ts'

const fromQuery = (...query: [string, string][]) => unsignedClaims({ cookies: [], query })
const fromCookies = (...cookies: string[]) => unsignedClaims({ cookies, query: [] })

describe('from the query', () => {
  // biome-ignore format: a table.
  const cases: [value: string, claim: unknown][] = [
    ['true', true], ['false', false], ['null', null], ['12', 12], ['-1.5e3', -1500], ['pro', 'pro'], ['', ''],
    ['{"b":[1,{"c":true}]}', { b: [1, { c: true }] }], ['[1]', [1]], ['"quoted"', '"quoted"'],
    ['012', '012'], ['0x10', '0x10'], ['1e999', '1e999'], ['Infinity', 'Infinity'], [' 1', ' 1'],
  ]
  test.each(cases)('%s', (value, claim) => expect(fromQuery(['visitor.a', value])).toEqual({ a: claim }))

  it('sets claims by path, the last word winning', () => {
    expect(fromQuery(['visitor.a.b', '1'], ['visitor.a.c', '2'], ['visitor.a.b', '3'])).toEqual({ a: { b: 3, c: 2 } })
    expect(fromQuery(['visitor.a', '1'], ['visitor.a.b', '2'])).toEqual({ a: { b: 2 } })
    expect(fromQuery(['visitor.a', '{"b":1}'], ['visitor.a.b', 'undefined'])).toEqual({ a: {} })
    expect(fromQuery(['visitor.a', 'undefined'], ['visitor.b.c', 'undefined'])).toEqual({})
  })

  it('leaves out what it can not use', () => {
    expect(fromQuery(['a', '1'], ['visitor', '1'], ['visitor.', '1'], ['visitor..a', '1'], ['Visitor.a', '1'])).toEqual(
      {},
    )
    expect(fromQuery(['visitor.__proto__.x', '1'], ['visitor.a.constructor', '1'], ['visitor.prototype', '1'])).toEqual(
      {},
    )
    expect(fromQuery(['visitor.a', '{"__proto__":{"x":1},"constructor":1,"b":2}'])).toEqual({ a: { b: 2 } })
    expect(fromQuery(['visitor.a', '{"b":'], ['visitor.b', '[1'])).toEqual({})
    expect(fromQuery(['visitor.a.b.c.d.e', '1'], ['visitor.a.b.c.d.e.f', '2'])).toEqual({
      a: { b: { c: { d: { e: 1 } } } },
    })
    expect(fromQuery(['visitor.a.b', '{"c":{"d":{}}}'], ['visitor.x.b', '{"c":{"d":{"e":{}}}}'])).toEqual({
      a: { b: { c: { d: {} } } },
    })
    expect(fromQuery(['visitor.a', 'x'.repeat(5_000)], ['visitor.b', '1'])).toEqual({ b: 1 })
    const many = Array.from({ length: 150 }, (_, index): [string, string] => [`visitor.a${index}`, '1'])
    expect(Object.keys(fromQuery(...many))).toHaveLength(100)
  })
})

describe('from cookies', () => {
  it('takes JSON objects and nothing else', () => {
    expect(fromCookies('{"a":1,"b":{"c":true}}', '{"a":2}')).toEqual({ a: 2, b: { c: true } })
    expect(fromCookies('', '[]', '1', 'null', '{', '{"a":{"b":{"c":{"d":{"e":{}}}}}}', '['.repeat(4_000))).toEqual({})
    expect(fromCookies('{"__proto__":{"admin":true}}')).toEqual({})
    expect(fromCookies(JSON.stringify({ a: 'x'.repeat(5_000) }))).toEqual({})
  })

  it('yields to the query', () => {
    const query: [string, string][] = [
      ['visitor.a.b', 'false'],
      ['visitor.c', 'undefined'],
    ]
    expect(unsignedClaims({ cookies: ['{"a":{"b":true,"d":1},"c":1}'], query })).toEqual({ a: { b: false, d: 1 } })
  })
})

it('never throws, nests too deeply or carries a prototype name', () => {
  const name = fc.oneof(
    fc.string(),
    fc.constantFrom('__proto__', 'constructor', 'prototype', 'a', 'a.b', 'a.__proto__', 'a.b.c.d'),
  )
  const json = fc
    .dictionary(fc.constantFrom('__proto__', 'constructor', 'a', 'b'), fc.jsonValue())
    .map((value) => JSON.stringify(value))
  const query = fc.array(
    fc.tuple(
      name.map((rest) => `visitor.${rest}`),
      fc.oneof(fc.string(), json),
    ),
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(json, fc.string())), query, (cookies, entries) => {
      expect(depthOf(unsignedClaims({ cookies, query: entries }))).toBeLessThanOrEqual(5)
    }),
    { numRuns: 1_500 },
  )
  expect(Object.keys(Object.prototype)).toEqual([])
})

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  // Without `expect`, which is slow, for a hundred thousand nodes.
  const names = Object.keys(value)
  if (names.includes('__proto__') || names.includes('constructor')) throw new Error(`A name of ${names} got through.`)
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== Array.prototype) throw new Error('The prototype was changed.')
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}
