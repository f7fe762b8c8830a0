/**
 * Expressions made at random, as text.
 *
 * They keep to the names that mean the same here and in JavaScript (own properties and the listed methods), so that
 * the two can be compared; within that they are as odd as possible.
 */
import fc from 'fast-check'
import { visitorScope } from '../../../src/core/expressions/claims.ts'

export const sampleScope = visitorScope({
  claims: {
    plan: 'pro',
    n: 3,
    zero: 0,
    half: -1.5,
    yes: true,
    no: false,
    nil: null,
    roles: ['a', 'b', 'a', ''],
    nums: [1, 2, 10, 0],
    mixed: [1, '1', null, true, [2, [3]], { a: 1 }],
    org: { plan: 'x', roles: ['q'], length: 2, '0': 'zero', inner: { a: { b: 'deep' } } },
    text: '  Hello World ',
    empty: '',
    'odd name': 'odd',
  },
  unsigned: { beta: true, plan: 'free' },
  pageVariables: { version: '2.10', count: 7 },
  spaceVariables: { name: 'Docs' },
})

// biome-ignore format: a table.
const names = ['plan', 'n', 'zero', 'half', 'yes', 'no', 'nil', 'roles', 'nums', 'mixed', 'org', 'text', 'empty', 'absent', 'unsigned']
const inner = ['plan', 'roles', 'length', 'inner', 'a', 'b', 'beta', 'absent']
const literals = [
  '"pro"',
  "'a'",
  '""',
  '"1"',
  '"\\u0061\\x62\\n"',
  '"length"',
  '0',
  '1',
  '2.5',
  '.5',
  '1e3',
  'true',
  'false',
  'null',
  'undefined',
  '[]',
]
const operators = ['==', '!=', '===', '!==', '<', '<=', '>', '>=', 'in', '+', '-', '*', '/', '%', '&&', '||']
const textMethods = ['includes', 'startsWith', 'endsWith', 'indexOf', 'join']
const bareMethods = ['toLowerCase', 'toUpperCase', 'trim', 'join']
const arrowMethods = ['some', 'every', 'filter', 'map']

type Text = fc.Arbitrary<string>

const path: Text = fc.oneof(
  fc.constantFrom(...names).map((name) => `visitor.claims.${name}`),
  fc.constantFrom('page.vars.version', 'page.vars.count', 'space.vars.name', 'visitor.claims["odd name"]', 'visitor'),
)

const glued = (parts: Text[], join: (texts: string[]) => string): Text => fc.tuple(...parts).map(join)

/** Expressions at most `depth` levels deep that may use the parameters named. */
export function expressionText(depth: number, parameters: readonly string[] = []): Text {
  const atoms: Text[] = [path, path, fc.constantFrom(...literals)]
  if (parameters.length > 0) atoms.push(fc.constantFrom(...parameters))
  const atom = fc.oneof(...atoms)
  if (depth === 0) return atom

  const part = expressionText(depth - 1, parameters)
  const bracketed = part.map((text) => `(${text})`)
  const object = fc.oneof(
    path,
    path,
    bracketed,
    glued([part, part], ([a, b]) => `[${a}, ${b}]`),
  )
  const dot = fc.constantFrom('.', '.', '?.')
  const parameter = fc.constantFrom('x', 'y', 'it')
  const arrow = parameter.chain((name) =>
    expressionText(depth - 1, [...parameters, name]).map((body) =>
      body.length % 2 ? `(${name}) => ${body}` : `${name}=>${body}`,
    ),
  )
  return fc.oneof(
    atom,
    bracketed,
    glued([bracketed, fc.constantFrom(...operators, '??'), bracketed], (texts) => texts.join(' ')),
    glued([part, fc.constantFrom(...operators), part], (texts) => texts.join(' ')),
    glued([fc.constantFrom('!', '-', '+'), bracketed], (texts) => texts.join('')),
    glued([bracketed, part, part], ([a, b, c]) => `${a} ? ${b} : ${c}`),
    glued([object, dot, fc.constantFrom(...inner)], (texts) => texts.join('')),
    glued([object, fc.constantFrom('', '?.'), part], ([a, b, c]) => `${a}${b}[${c}]`),
    glued([object, dot, fc.constantFrom(...inner), dot, fc.constantFrom(...inner)], (texts) => texts.join('')),
    glued([object, dot, fc.constantFrom(...textMethods), part], ([a, b, c, d]) => `${a}${b}${c}(${d})`),
    glued([object, dot, fc.constantFrom(...bareMethods)], (texts) => `${texts.join('')}()`),
    glued([object, dot, fc.constantFrom(...arrowMethods), arrow], ([a, b, c, d]) => `${a}${b}${c}(${d})`),
  )
}
