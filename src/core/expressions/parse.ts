/**
 * From text to a tree, or to a sentence that says why not.
 *
 * Promises:
 * 1. `parse` never throws, whatever the text; its time and its stack are bounded by the length and depth limits.
 * 2. What it accepts, JavaScript accepts too and reads the same way.
 * 3. A prototype name never gets into a tree: it is refused after `.`, in brackets, before `in` and as a parameter,
 *    also when it is put together from pieces that are all written down.
 */
import {
  type BinaryOperator,
  type Call,
  type Each,
  type Expression,
  isArrowMethod,
  isPrototypeName,
  isRoot,
  isValueMethod,
  type LogicalOperator,
  limits,
  type ParseResult,
  precedence,
  roots,
  type UnaryOperator,
  valueMethods,
} from './ast.ts'
import { type Cursor, cursorAt, deeper, expect, isReserved, isSign, peek, refuseToken, take } from './cursor.ts'
import { Refusal, refuse, type Token, tokenize } from './tokens.ts'

export function parse(source: string): ParseResult {
  try {
    return { ok: true, expression: parseWhole(source) }
  } catch (thrown) {
    if (thrown instanceof Refusal) return { ok: false, problem: thrown.problem }
    throw thrown
  }
}

function parseWhole(source: string): Expression {
  if (source.length > limits.length) {
    refuse(`An expression has at most ${limits.length} characters.`, limits.length)
  }
  const tokens = tokenize(source)
  if (tokens.length === 1) return { kind: 'empty' }

  const cursor = cursorAt(tokens)
  const expression = parseExpression(cursor)
  const rest = peek(cursor)
  if (rest.kind !== 'end') refuseToken(rest)
  return expression
}

function parseExpression(cursor: Cursor): Expression {
  return deeper(cursor, () => {
    const test = parseBinary(cursor, 1)
    if (!take(cursor, '?')) return test
    const then = parseExpression(cursor)
    expect(cursor, ':')
    return { kind: 'choice', test, then, otherwise: parseExpression(cursor) }
  })
}

function parseBinary(cursor: Cursor, least: number): Expression {
  let left = parseUnary(cursor)
  for (;;) {
    const token = peek(cursor)
    const binding = token.kind === 'text' ? undefined : precedence.get(token.text)
    if (binding === undefined || binding < least) return left
    cursor.next += 1
    left = joined({ cursor, token, left, right: parseBinary(cursor, binding + 1) })
  }
}

function joined(parts: { cursor: Cursor; token: Token; left: Expression; right: Expression }): Expression {
  const { cursor, token, left, right } = parts
  if (isLogical(token.text)) {
    const operator = token.text
    for (const side of [left, right]) {
      const mixes = side.kind === 'logical' && (side.operator === '??') !== (operator === '??')
      if (mixes && !cursor.bracketed.has(side)) refuse('Put brackets where ?? meets || or &&.', token.at)
    }
    return { kind: 'logical', operator, left, right }
  }
  if (!isBinary(token.text)) return refuseToken(token)
  if (token.text === 'in') refusePrototypeName(writtenText(left), token.at)
  return { kind: 'binary', operator: token.text, left, right }
}

function isLogical(text: string): text is LogicalOperator {
  return text === '??' || text === '||' || text === '&&'
}

function isBinary(text: string): text is BinaryOperator {
  return precedence.has(text) && !isLogical(text)
}

function parseUnary(cursor: Cursor): Expression {
  const token = peek(cursor)
  if (token.kind !== 'sign' || !isUnary(token.text)) return parseChain(cursor)
  const operator = token.text
  cursor.next += 1
  return deeper(cursor, () => ({ kind: 'unary', operator, operand: parseUnary(cursor) }))
}

function isUnary(text: string): text is UnaryOperator {
  return text === '!' || text === '-' || text === '+'
}

/** A `?.` cuts short the whole run of reads it stands in, so a run with one in it becomes a `chain`. */
function parseChain(cursor: Cursor): Expression {
  let object = parsePrimary(cursor)
  let cutsShort = false
  for (;;) {
    const token = peek(cursor)
    if (take(cursor, '?.')) {
      cutsShort = true
      object = take(cursor, '[') ? parseIndex(cursor, object, true) : parseMember(cursor, object, true)
    } else if (take(cursor, '.')) {
      object = parseMember(cursor, object, false)
    } else if (take(cursor, '[')) {
      object = parseIndex(cursor, object, false)
    } else if (isSign(token, '(')) {
      refuse('Only methods of text and lists can be called, as in name.includes("x").', token.at)
    } else {
      return cutsShort ? { kind: 'chain', of: object } : object
    }
  }
}

function parseIndex(cursor: Cursor, object: Expression, optional: boolean): Expression {
  const { at } = peek(cursor)
  const key = parseExpression(cursor)
  expect(cursor, ']')
  refusePrototypeName(writtenText(key), at)
  if (key.kind === 'literal' && typeof key.value === 'string') {
    return { kind: 'member', object, key: key.value, optional }
  }
  return { kind: 'index', object, key, optional }
}

function parseMember(cursor: Cursor, object: Expression, optional: boolean): Expression {
  const token = peek(cursor)
  if (token.kind !== 'name') refuseToken(token)
  cursor.next += 1
  refusePrototypeName(token.text, token.at)
  if (!take(cursor, '(')) return { kind: 'member', object, key: token.text, optional }
  return parseCall({ cursor, object, token, optional })
}

function parseCall(parts: { cursor: Cursor; object: Expression; token: Token; optional: boolean }): Call | Each {
  const { cursor, object, token, optional } = parts
  const method = token.text
  if (isArrowMethod(method)) {
    const arrow = parseArrow(cursor, method)
    take(cursor, ',')
    expect(cursor, ')')
    return { kind: 'each', object, method, ...arrow, optional }
  }
  if (!isValueMethod(method)) return refuse(`There is no method “${method}”.`, token.at)

  const values = parseList(cursor, ')')
  const [least, most] = valueMethods[method]
  if (values.length < least || values.length > most) {
    refuse(`The number of values for “${method}” is ${least === most ? most : `${least} or ${most}`}.`, token.at)
  }
  return { kind: 'call', object, method, values, optional }
}

function parseArrow(cursor: Cursor, method: string): Pick<Each, 'parameter' | 'body'> {
  const bracket = take(cursor, '(')
  const token = peek(cursor)
  cursor.next += 1
  if (bracket) expect(cursor, ')')
  if (token.kind !== 'name' || !take(cursor, '=>')) {
    refuse(`“${method}” takes one arrow with one parameter, as in x => x == 1.`, token.at)
  }
  if (isRoot(token.text)) refuse(`“${token.text}” already has a meaning.`, token.at)
  if (isReserved(token.text)) refuseToken(token)
  refusePrototypeName(token.text, token.at)

  cursor.parameters.push(token.text)
  const body = parseExpression(cursor)
  cursor.parameters.pop()
  return { parameter: token.text, body }
}

function parsePrimary(cursor: Cursor): Expression {
  const token = peek(cursor)
  cursor.next += 1
  if (token.kind === 'text') return { kind: 'literal', value: token.text }
  if (token.kind === 'number') return { kind: 'literal', value: Number(token.text) }
  if (token.kind === 'name') return parseName(cursor, token)
  if (isSign(token, '[')) return { kind: 'array', items: parseList(cursor, ']') }
  if (isSign(token, '(')) {
    const inner = parseExpression(cursor)
    expect(cursor, ')')
    cursor.bracketed.add(inner)
    return inner
  }
  if (isSign(token, '/')) refuse('Regular expressions are not part of the language.', token.at)
  return refuseToken(token)
}

const constants: ReadonlyMap<string, boolean | null | undefined> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
])

function parseName(cursor: Cursor, token: Token): Expression {
  const name = token.text
  if (constants.has(name)) return { kind: 'literal', value: constants.get(name) }
  if (isRoot(name) || cursor.parameters.includes(name)) return { kind: 'name', name }
  if (isReserved(name)) refuseToken(token)
  return refuse(`There is no “${name}”; expressions start from ${roots.join(', ')}.`, token.at)
}

function parseList(cursor: Cursor, close: ')' | ']'): readonly Expression[] {
  const items: Expression[] = []
  while (!take(cursor, close)) {
    items.push(parseExpression(cursor))
    if (!isSign(peek(cursor), close)) expect(cursor, ',')
  }
  return items
}

/** The text of an expression that is made of literals alone, as far as naming a property goes. */
function writtenText(expression: Expression): string | undefined {
  if (expression.kind === 'literal') return String(expression.value)
  const pieces =
    expression.kind === 'array'
      ? expression.items
      : expression.kind === 'binary' && expression.operator === '+'
        ? [expression.left, expression.right]
        : undefined
  const texts = pieces?.map(writtenText)
  return texts?.every((text) => text !== undefined) ? texts.join('') : undefined
}

function refusePrototypeName(name: string | undefined, at: number): void {
  if (name !== undefined && isPrototypeName(name)) refuse(`The name “${name}” can not be used.`, at)
}
