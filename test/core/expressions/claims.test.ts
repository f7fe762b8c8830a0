import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { claimsKey, readsOf, visitorScope } from '../../../src/core/expressions/claims.ts'
import { allHold, checkCondition, combine } from '../../../src/core/expressions/conditions.ts'
import { evaluate } from '../../../src/core/expressions/evaluate.ts'
import { parse } from '../../../src/core/expressions/parse.ts'
import { print } from '../../../src/core/expressions/print.ts'
import { checkAdaptiveSchema } from '../../../src/core/expressions/schema.ts'
import { expressionText } from './generate.ts'

function expressionOf(source: string) {
  const parsed = parse(source)
  if (!parsed.ok) throw new Error(parsed.problem.message)
  return parsed.expression
}

describe('signed and unsigned claims', () => {
  it('are never taken for one another', () => {
    const scope = visitorScope({
      claims: { plan: 'free', unsigned: { beta: true, forged: 1 } },
      unsigned: { plan: 'pro', admin: true, claims: { admin: true }, unsigned: { beta: true } },
    })
    expect(allHold(['visitor.claims.plan == "free"'], scope)).toBe(true)
    expect(allHold(['visitor.claims.unsigned.plan == "pro"'], scope)).toBe(true)
    expect(allHold(['visitor.claims.admin'], scope)).toBe(false)
    expect(allHold(['visitor.claims.unsigned.beta'], scope)).toBe(false)
    expect(allHold(['visitor.claims.unsigned.forged'], scope)).toBe(false)
  })

  it('do not include a signed claim called unsigned, also when there are no unsigned ones', () => {
    const scope = visitorScope({ claims: { unsigned: { beta: true } } })
    expect(allHold(['visitor.claims.unsigned.beta'], scope)).toBe(false)
  })
})

describe('reads', () => {
  // biome-ignore format: a table.
  const cases: [source: string, reads: string[]][] = [
    ['', []],
    ['1 + 1', []],
    ['page.vars.plan == space.vars.plan', []],
    ['visitor.claims.a.b', ['a.b']],
    ['visitor?.claims?.["a"].b ? visitor.claims.c : visitor.claims.unsigned.d', ['a.b', 'c', 'unsigned.d']],
    ['(visitor?.claims).a', ['a']],
    ['visitor.claims.a == 1 || visitor.claims.a.b == 2', ['a']],
    ['visitor.claims.ab || visitor.claims.a', ['a', 'ab']],
    ['visitor.claims.a[page.vars.x].b', ['a']],
    ['visitor.claims.a[visitor.claims.b]', ['a', 'b']],
    ['visitor.claims.a[0]', ['a']],
    ['visitor.claims.roles.some(r => r.name == visitor.claims.name)', ['name', 'roles']],
    ['visitor.claims.plan.toLowerCase().includes(visitor.claims.x)', ['plan', 'x']],
    ['visitor.claims["a.b"].c', ['']],
    ['visitor.claims[page.vars.x]', ['']],
    ['"a" in visitor.claims', ['']],
    ['[visitor][0].claims.a', ['']],
    ['visitor["cla" + "ims"].a', ['']],
    ['visitor.type', []],
  ]
  test.each(cases)('%s', (source, reads) => expect(readsOf(expressionOf(source))).toEqual(reads))

  const some = fc.constantFrom(
    undefined,
    null,
    0,
    -0,
    1,
    '',
    '1',
    'pro',
    true,
    false,
    [],
    ['a'],
    {},
    { plan: 'x', a: {} },
  )
  const claims = fc.record({ plan: some, n: some, nil: some, roles: some, mixed: some, org: some, text: some })

  it('tell visitors apart who get different outcomes', () => {
    let same = 0
    fc.assert(
      fc.property(
        expressionText(2),
        claims,
        claims,
        fc.subarray(['plan', 'n', 'nil', 'roles', 'org']),
        (source, a, b, kept) => {
          const parsed = parse(source)
          if (!parsed.ok) return
          const shared = Object.fromEntries(Object.entries(a).filter(([name]) => kept.some((one) => one === name)))
          const [one, other] = [visitorScope({ claims: a }), visitorScope({ claims: { ...b, ...shared } })]
          const reads = readsOf(parsed.expression)
          const key = claimsKey(reads, one)
          if (key === undefined || key !== claimsKey(reads, other)) return
          same += 1
          expect(evaluate(parsed.expression, one)).toStrictEqual(evaluate(parsed.expression, other))
        },
      ),
      { numRuns: 10_000 },
    )
    expect(same).toBeGreaterThan(2_000)
  })

  it('tell apart where a path breaks off, and kinds that print alike', () => {
    const key = (path: string, claims: Record<string, unknown>) => claimsKey([path], visitorScope({ claims }))
    const values = [
      {},
      { a: null },
      { a: {} },
      { a: { b: null } },
      { a: { b: 'null' } },
      { a: { b: [1] } },
      { a: { b: ['1'] } },
    ]
    const keys = values.map((value) => key('a.b', value))
    expect(new Set(keys).size).toBe(values.length)
    expect(key('', { a: 1, b: 2 })).toBe(key('', { b: 2, a: 1 }))
  })

  it('make no key of what is too large or too deep', () => {
    const key = (value: unknown) => claimsKey(['a'], visitorScope({ claims: { a: value } }))
    expect(key('x'.repeat(10_000))).toBe(undefined)
    expect(key(new Array(2_000).fill(1))).toBe(undefined)
    expect(key(JSON.parse('['.repeat(9_000) + ']'.repeat(9_000)))).toBe(undefined)
  })
})

describe('several conditions', () => {
  const scope = visitorScope({ claims: { a: true, b: false } })
  const joined = (...conditions: string[]) => {
    const combined = combine(conditions)
    return combined.ok ? print(combined.expression) : combined.problem.message
  }

  it('combine by and', () => {
    expect(joined()).toBe('')
    expect(joined('', ' ')).toBe('')
    expect(joined('visitor.claims.a', '', 'visitor.claims.b || true')).toBe(
      'visitor.claims.a && (visitor.claims.b || true)',
    )
    expect(joined('true', 'true) || (true')).toBe('“)” is not expected here.')
    expect(joined(...new Array(101).fill(''))).toBe('At most 100 conditions combine.')
  })

  it('hide when one does not hold or can not be read', () => {
    expect(allHold([], scope)).toBe(true)
    expect(allHold(['visitor.claims.a', ''], scope)).toBe(true)
    expect(allHold(['visitor.claims.a', 'visitor.claims.b'], scope)).toBe(false)
    expect(allHold(['visitor.claims.a', 'visitor.claims.'], scope)).toBe(false)
    expect(allHold(['visitor.claims.b', 'true) || (true'], scope)).toBe(false)
  })
})

describe('checking a condition', () => {
  const checked = checkAdaptiveSchema({
    type: 'object',
    properties: {
      beta: { type: 'boolean', description: 'Beta' },
      roles: { type: 'array', description: 'Roles', items: { type: 'string' } },
      unsigned: { type: 'object', properties: { dark: { type: 'boolean', description: 'Dark' } } },
    },
    additionalProperties: false,
  })
  if (!checked.ok) throw new Error(checked.problem.message)
  const check = (condition: string) => checkCondition(condition, checked.schema)

  it('refuses what does not parse, and names claims that are not declared', () => {
    expect(check('visitor.')).toEqual({ ok: false, problem: { message: 'The expression stops too early.', at: 8 } })
    expect(check('visitor.claims.beta && visitor.claims.roles.length > 1')).toEqual({ ok: true, undeclared: [] })
    expect(check('visitor.claims.unsigned.dark || visitor.claims[page.vars.x]')).toEqual({ ok: true, undeclared: [] })
    const undeclared = ['dark', 'toString', 'unsigned.beta']
    expect(check('visitor.claims.dark || visitor.claims.unsigned.beta || visitor.claims.toString')).toEqual({
      ok: true,
      undeclared,
    })
    expect(checkCondition('visitor.claims.dark')).toEqual({ ok: true, undeclared: [] })
  })
})
