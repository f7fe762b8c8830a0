import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { limits } from '../../../src/core/expressions/ast.ts'
import { parse } from '../../../src/core/expressions/parse.ts'
import { print } from '../../../src/core/expressions/print.ts'
import { expressionText } from './generate.ts'

/** The text in the style it is printed in, or the problem. */
function restyle(source: string): string {
  const parsed = parse(source)
  return parsed.ok ? print(parsed.expression) : `${parsed.problem.at}: ${parsed.problem.message}`
}

describe('what is accepted', () => {
  // biome-ignore format: a table.
  const cases: [source: string, printed: string][] = [
    ['', ''],
    ['  \n\t ', ''],
    ["visitor.claims['plan']=='pro'", 'visitor.claims.plan == "pro"'],
    ['visitor.claims["my plan"]', 'visitor.claims["my plan"]'],
    ['visitor?.claims?.["a b"]?.[0]', 'visitor?.claims?.["a b"]?.[0]'],
    ['(visitor?.claims).a', '(visitor?.claims).a'],
    ['((1+2))*3-(4-5)', '(1 + 2) * 3 - (4 - 5)'],
    ['!(1<2)&&(true||false)', '!(1 < 2) && (true || false)'],
    ['(1??2)||3', '(1 ?? 2) || 3'],
    ['1??(2&&3)', '1 ?? (2 && 3)'],
    ['true?.5:1', 'true ? 0.5 : 1'],
    ['(true?1:2)?3:4?5:6', '(true ? 1 : 2) ? 3 : 4 ? 5 : 6'],
    ['- - +1', '- - +1'],
    ['!!-1', '!!-1'],
    ['[1,[2,],]', '[1, [2]]'],
    ['visitor.claims.roles.some( (r)=>r=="a" )', 'visitor.claims.roles.some(r => r == "a")'],
    ['[[1]].map(x => x.map(x => x + 1)).length', '[[1]].map(x => x.map(x => x + 1)).length'],
    ['"a".toUpperCase().trim()', '"a".toUpperCase().trim()'],
    ['(1).length', '(1).length'],
    ['visitor.in.new.this', 'visitor.in.new.this'],
    [`'it\\'s "so"'`, `'it\\'s "so"'`],
    ['"\\u{1F600}\\x41\\0\\/"', '"😀A\\u0000/"'],
    ['"constructor" == page.vars.kind', '"constructor" == page.vars.kind'],
  ]
  test.each(cases)('%s', (source, printed) => expect(restyle(source)).toBe(printed))
})

describe('what is refused', () => {
  // biome-ignore format: a table.
  const cases: [source: string, problem: string][] = [
    ['plan == 1', '0: There is no “plan”; expressions start from visitor, page, space.'],
    ['globalThis', '0: There is no “globalThis”; expressions start from visitor, page, space.'],
    ['visitor.claims.', '15: The expression stops too early.'],
    ['1 +', '3: The expression stops too early.'],
    ['(1', '2: A “)” is missing here.'],
    ['1 2', '2: “2” is not expected here.'],
    ['1, 2', '1: “,” is not expected here.'],
    ['visitor = 1', '8: Assignment (=) is not part of the language.'],
    ['visitor.n++', '9: Assignment (++) is not part of the language.'],
    ['2 ** 3', '2: Exponentiation (**) is not part of the language.'],
    ['[...visitor]', '1: Spreading (...) is not part of the language.'],
    ['{}', '0: A block or object ({) is not part of the language.'],
    ['1;2', '1: A second statement (;) is not part of the language.'],
    ['`a${1}`', '0: Template text (`) is not part of the language.'],
    ['/a/.test("a")', '0: Regular expressions are not part of the language.'],
    ['1 // note', '3: Regular expressions are not part of the language.'],
    ['this', '0: “this” is not part of the language.'],
    ['new Date', '0: “new” is not part of the language.'],
    ['function() 1', '0: “function” is not part of the language.'],
    ['typeof visitor', '0: “typeof” is not part of the language.'],
    ['visitor instanceof visitor', '8: “instanceof” is not part of the language.'],
    ['import("x")', '0: “import” is not part of the language.'],
    ['visitor()', '7: Only methods of text and lists can be called, as in name.includes("x").'],
    ['"a"["includes"]("a")', '15: Only methods of text and lists can be called, as in name.includes("x").'],
    ['"a".includes?.("a")', '14: “(” is not expected here.'],
    ['"a".repeat(9)', '4: There is no method “repeat”.'],
    ['"a".hasOwnProperty("b")', '4: There is no method “hasOwnProperty”.'],
    ['"a".includes()', '4: The number of values for “includes” is 1.'],
    ['"a".includes(x => x)', '13: There is no “x”; expressions start from visitor, page, space.'],
    ['[1].map("x")', '8: “map” takes one arrow with one parameter, as in x => x == 1.'],
    ['[1].map((x, y) => x)', '10: A “)” is missing here.'],
    ['[1].map(x => { })', '13: A block or object ({) is not part of the language.'],
    ['[1].map(visitor => 1)', '8: “visitor” already has a meaning.'],
    ['[1].map(arguments => 1)', '8: “arguments” is not part of the language.'],
    ['[1].map(constructor => 1)', '8: The name “constructor” can not be used.'],
    ['[1].map(x => 1) && x', '19: There is no “x”; expressions start from visitor, page, space.'],
    ['[1].map(x\n=> 1)', '10: An arrow stands on the line of its parameter.'],
    ['1 ?? 2 || 3', '2: Put brackets where ?? meets || or &&.'],
    ['1 && 2 ?? 3', '7: Put brackets where ?? meets || or &&.'],
    ['0x10', '0: Numbers are written in decimal, like 12 or 0.5.'],
    ['1_000', '0: Numbers are written in decimal, like 12 or 0.5.'],
    ['012', '0: Numbers are written in decimal, like 12 or 0.5.'],
    ['1e999', '0: The number is too large.'],
    ['"abc', '0: The text has no closing quote.'],
    ['"a\nb"', '0: The text has no closing quote.'],
    ['"\\q"', '1: There is no such escape.'],
    ['"\\u{110000}"', '1: There is no such character.'],
    ['visitor.größe', '10: Names have the letters a to z, digits, _ and $; write another name as ["name"].'],
    ['visitor.constructor', '8: The name “constructor” can not be used.'],
    ['visitor?.__proto__', '9: The name “__proto__” can not be used.'],
    ['"a".constructor("b")', '4: The name “constructor” can not be used.'],
    ['visitor["prototype"]', '8: The name “prototype” can not be used.'],
    ['visitor?.[("__proto__")]', '10: The name “__proto__” can not be used.'],
    ['visitor["__pro" + "to__"]', '8: The name “__proto__” can not be used.'],
    ['visitor[["constructor"]]', '8: The name “constructor” can not be used.'],
    ['visitor["\\u0063onstructor"]', '8: The name “constructor” can not be used.'],
    ['visitor.\\u0063onstructor', '8: An escape in a name (\\) is not part of the language.'],
    ['"constructor" in visitor', '14: The name “constructor” can not be used.'],
  ]
  test.each(cases)('%s', (source, problem) => expect(restyle(source)).toBe(problem))
})

describe('limits', () => {
  const nested = (depth: number) => `${'('.repeat(depth)}1${')'.repeat(depth)}`

  it('takes 1,024 characters and not one more', () => {
    expect(parse(`"${'a'.repeat(limits.length - 2)}"`).ok).toBe(true)
    expect(restyle(`"${'a'.repeat(limits.length - 1)}"`)).toBe('1024: An expression has at most 1024 characters.')
    expect(parse('a'.repeat(1_000_000)).ok).toBe(false)
  })

  it('takes 32 levels and not one more', () => {
    expect(parse(nested(limits.depth - 1)).ok).toBe(true)
    expect(restyle(nested(limits.depth))).toBe('32: An expression is at most 32 levels deep.')
    expect(parse(nested(10_000)).ok).toBe(false)
    expect(parse(`${'!'.repeat(40)}1`).ok).toBe(false)
    expect(parse(`${'['.repeat(40)}${']'.repeat(40)}`).ok).toBe(false)
    expect(parse(`${'1?1:'.repeat(40)}1`).ok).toBe(false)
  })

  it('does not count a flat row as depth', () => {
    expect(parse(`1${'+1'.repeat(500)}`).ok).toBe(true)
    expect(parse(`visitor${'.a'.repeat(500)}`).ok).toBe(true)
  })
})

describe('laws', () => {
  it('reads back what it prints as the same tree', () => {
    const runs = { numRuns: 10_000 }
    let accepted = 0
    fc.assert(
      fc.property(expressionText(3), (source) => {
        const first = parse(source)
        if (!first.ok) return
        accepted += 1
        const printed = print(first.expression)
        if (printed.length > limits.length) return
        expect(parse(printed)).toEqual(first)
      }),
      runs,
    )
    expect(accepted).toBeGreaterThan(runs.numRuns / 2)
  })

  it('reads back any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (value) => {
        const expression = { kind: 'literal', value } as const
        expect(parse(print(expression))).toEqual({ ok: true, expression })
      }),
    )
  })
})
