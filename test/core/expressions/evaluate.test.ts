import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { visitorScope } from '../../../src/core/expressions/claims.ts'
import { evaluate, evaluateBoolean, evaluateText } from '../../../src/core/expressions/evaluate.ts'
import { parse } from '../../../src/core/expressions/parse.ts'
import { expressionText, sampleScope } from './generate.ts'

function run(source: string, scope = sampleScope): unknown {
  const parsed = parse(source)
  if (!parsed.ok) throw new Error(`${source}: ${parsed.problem.message}`)
  const result = evaluate(parsed.expression, scope)
  return result.ok ? result.value : result.failure
}

function expressionOf(source: string) {
  const parsed = parse(source)
  if (!parsed.ok) throw new Error(parsed.problem.message)
  return parsed.expression
}

describe('values', () => {
  // biome-ignore format: a table.
  const cases: [source: string, value: unknown][] = [
    ['visitor.claims.plan == "pro" && visitor.claims.unsigned.beta', true],
    ['visitor.claims.plan === "free" || visitor.claims.unsigned.plan === "free"', true],
    ['visitor.claims.absent == "pro"', false],
    ['visitor.claims.Plan', undefined],
    ['visitor.claims.roles.includes("b")', true],
    ['visitor.claims.roles.some(r => r.startsWith("b"))', true],
    ['visitor.claims.roles.filter(r => r).map(r => r.toUpperCase()).join("-")', 'A-B-A'],
    ['visitor.claims.nums.every(n => visitor.claims.nums.indexOf(n) >= 0)', true],
    ['visitor.claims.text.trim().toLowerCase()', 'hello world'],
    ['"plan" in visitor.claims', true],
    ['visitor.claims.absent?.a.b.c ?? "none"', 'none'],
    ['"Hello " + visitor.claims.plan + 1', 'Hello pro1'],
    ['visitor.claims.n * 2 % 4 - -1', 3],
    ['page.vars.version + "/" + space.vars.name', '2.10/Docs'],
    ['null == undefined', true],
    ['"1" == 1', true],
    ['"toString" in visitor.claims', false],
    ['visitor.claims.toString', undefined],
    ['visitor.claims[["__proto__", ""].join("")]', undefined],
    ['[].map(x => x)["constr" + ["uctor"].join("")]', undefined],
    ['visitor.claims.plan.includes', undefined],
    ['visitor.claims.plan[0] + visitor.claims.plan.length', 'p3'],
  ]
  test.each(cases)('%s', (source, value) => expect(run(source)).toEqual(value))
})

describe('failures', () => {
  const aLot = '[1,2,3,4,5,6,7,8,9,0]'
  // biome-ignore format: a table.
  const cases: [source: string, failure: { reason: string; message: string }][] = [
    ['visitor.claims.absent.a', { reason: 'absent', message: '“a” was read from undefined.' }],
    ['visitor.claims.nil.a', { reason: 'absent', message: '“a” was read from null.' }],
    ['(visitor.claims.absent?.a).b', { reason: 'absent', message: '“b” was read from undefined.' }],
    ['visitor.claims.absent.includes("a")', { reason: 'absent', message: '“includes” was called on undefined.' }],
    ['visitor.claims.org.includes("a")', { reason: 'kind', message: '“includes” works on text and lists only.' }],
    ['visitor.claims.plan.map(x => x)', { reason: 'kind', message: '“map” works on lists only.' }],
    ['visitor.claims.roles.trim()', { reason: 'kind', message: '“trim” works on text only.' }],
    ['"a" in visitor.claims.plan', { reason: 'kind', message: '“in” looks into lists and objects only.' }],
    [`${aLot}.map(a => ${aLot}.map(b => ${aLot}.map(c => ${aLot}.map(d => a + b + c + d))))`, { reason: 'limit', message: 'The expression takes more than 10000 steps.' }],
    [`${aLot}.map(a => "${'x'.repeat(500)}").map(a => a + a + a + a).join("")`, { reason: 'limit', message: 'A text has at most 10000 characters.' }],
  ]
  test.each(cases)('%s', (source, failure) => expect(run(source)).toEqual(failure))

  it('refuses lists and texts of claims that are too large to work on', () => {
    const scope = visitorScope({
      claims: {
        list: new Array(1_001).fill(1),
        text: 'a'.repeat(10_001),
        deep: JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)),
      },
    })
    for (const source of [
      'list.some(x => x == 1)',
      'list.includes(2)',
      'text.trim()',
      'text.includes("b")',
      'deep + ""',
    ]) {
      expect(run(`visitor.claims.${source}`, scope)).toMatchObject({ reason: 'limit' })
    }
  })
})

describe('outcomes', () => {
  it('shows on an empty condition, hides on a failing one, and takes the truth of any other', () => {
    const holds = (source: string) => evaluateBoolean(expressionOf(source), sampleScope)
    expect(['', ' ', '"a"', '[]', '1'].map(holds)).toEqual([true, true, true, true, true])
    expect(['0', '""', 'null', 'undefined', '0 / 0', 'visitor.a.b'].map(holds)).not.toContain(true)
  })

  it('prints text, and nothing for nothing', () => {
    const text = (source: string) => evaluateText(expressionOf(source), sampleScope)
    const sources = ['visitor.claims.plan', '1 + 1', 'false', '[1, null, 2]', '', 'null', 'undefined', 'visitor.a.b']
    expect(sources.map(text)).toEqual(['pro', '2', 'false', '1,,2', '', '', '', ''])
  })

  it('finds no claim as an absent one, with no claims at all', () => {
    const nobody = visitorScope({})
    expect(run('visitor.claims.plan == "pro"', nobody)).toBe(false)
    expect(run('visitor.claims.unsigned.beta == true', nobody)).toBe(false)
    expect(run('page.vars.a || space.vars.b', nobody)).toBe(undefined)
  })

  it('treats a function in the scope as absent', () => {
    const scope = visitorScope({ claims: { f: () => 1, list: [() => 1] } })
    expect(run('visitor.claims.f', scope)).toBe(undefined)
    expect(run('visitor.claims.list[0]', scope)).toBe(undefined)
    expect(run('visitor.claims.list.map(x => x)', scope)).toEqual([undefined])
  })
})

describe('laws', () => {
  it('agrees with JavaScript', () => {
    const numRuns = 20_000
    const seen = { values: 0, failures: 0 }
    fc.assert(
      fc.property(expressionText(3), (source) => {
        const parsed = parse(source)
        if (!parsed.ok) return
        const ours = evaluate(parsed.expression, sampleScope)
        const theirs = inJavaScript(source)
        seen[ours.ok ? 'values' : 'failures'] += 1
        expect(ours.ok).toBe(theirs.ok)
        if (ours.ok && theirs.ok) expect(ours.value).toStrictEqual(theirs.value)
      }),
      { numRuns },
    )
    expect(seen.values).toBeGreaterThan(numRuns / 4)
    expect(seen.failures).toBeGreaterThan(numRuns / 50)
  })
})

function inJavaScript(source: string): { ok: boolean; value?: unknown } {
  const compiled = new Function('visitor', 'page', 'space', `"use strict"; return (${source}\n)`)
  try {
    return { ok: true, value: compiled(sampleScope.visitor, sampleScope.page, sampleScope.space) }
  } catch (thrown) {
    if (thrown instanceof TypeError) return { ok: false }
    throw thrown
  }
}
