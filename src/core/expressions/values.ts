/**
 * What JavaScript's operators do to plain data, without asking the data.
 *
 * JavaScript turns an object into text by calling a method it finds on it. Here nothing is ever found on a value but
 * its own properties, so the conversions are written out, with the same outcome for the data that JSON can hold.
 *
 * Values are `unknown`, because claims come from outside; `data` is the gate that lets through only what JSON has.
 * Every operation whose cost grows with its operands spends steps in proportion, so that steps are time.
 */
import { isPrototypeName, limits } from './ast.ts'

/** `absent`: a property of nothing was read. `kind`: a value of the wrong kind. `limit`: too much work or too large. */
export type Failure = { readonly reason: 'absent' | 'kind' | 'limit'; readonly message: string }

/** Thrown within an evaluation and caught at its edge. Not an Error, so that failing is as cheap as succeeding. */
export class Stop {
  readonly failure: Failure

  constructor(failure: Failure) {
    this.failure = failure
  }
}

export function stop(reason: Failure['reason'], message: string): never {
  throw new Stop({ reason, message })
}

export type Budget = { steps: number }

export function spend(budget: Budget, steps: number): void {
  budget.steps -= steps
  if (budget.steps < 0) stop('limit', `The expression takes more than ${limits.steps} steps.`)
}

/** The own property, or `undefined`. The caller has dealt with reading from `null` and `undefined`. */
export function readProperty(base: unknown, key: string): unknown {
  if (isPrototypeName(key)) return undefined
  if (typeof base === 'string') return readCharacter(base, key)
  return isObject(base) && Object.hasOwn(base, key) ? data(base[key]) : undefined
}

function readCharacter(text: string, key: string): string | number | undefined {
  if (key === 'length') return text.length
  return /^(?:0|[1-9][0-9]{0,8})$/.test(key) ? text[Number(key)] : undefined
}

export function hasProperty(base: unknown, key: string): boolean {
  if (!isObject(base)) return stop('kind', '“in” looks into lists and objects only.')
  return !isPrototypeName(key) && Object.hasOwn(base, key)
}

/** A function, symbol or big integer is as good as absent, wherever the scope got it from. */
export function data(value: unknown): unknown {
  return typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint' ? undefined : value
}

/** Lists are objects too. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** Text that is a result, not yet paid for. */
export function bounded(budget: Budget, text: string): string {
  if (text.length > limits.text) stop('limit', `A text has at most ${limits.text} characters.`)
  spend(budget, text.length >> 6)
  return text
}

export function toText(budget: Budget, value: unknown, depth = 0): string {
  spend(budget, 1)
  if (typeof value === 'string') return bounded(budget, value)
  if (!isObject(value)) return String(value)
  if (!isList(value)) return '[object Object]'
  if (depth > limits.depth) stop('limit', 'A list is nested too deeply to become text.')
  return joinTexts({ budget, list: value, separator: ',', depth })
}

export function joinTexts(parts: {
  budget: Budget
  list: readonly unknown[]
  separator: string
  depth: number
}): string {
  const { budget, list, separator, depth } = parts
  let text = ''
  for (const [index, item] of list.entries()) {
    if (index > 0) text += separator
    // `toText` pays for its result, so the growing text is measured but not paid for a second time.
    if (item !== null && item !== undefined) text += toText(budget, item, depth + 1)
    if (text.length > limits.text) stop('limit', `A text has at most ${limits.text} characters.`)
  }
  return bounded(budget, text)
}

export function toNumber(budget: Budget, value: unknown): number {
  return Number(toPrimitive(budget, value))
}

function toPrimitive(budget: Budget, value: unknown): unknown {
  return isObject(value) || typeof value === 'string' ? toText(budget, value) : value
}

export function add(budget: Budget, left: unknown, right: unknown): string | number {
  const [a, b] = [toPrimitive(budget, left), toPrimitive(budget, right)]
  if (typeof a !== 'string' && typeof b !== 'string') return Number(a) + Number(b)
  return bounded(budget, String(a) + String(b))
}

export function isSame(budget: Budget, left: unknown, right: unknown): boolean {
  if (typeof left === 'string' && typeof right === 'string' && left.length === right.length) {
    spend(budget, left.length >> 6)
  }
  return left === right
}

/** The `==` of JavaScript. */
export function isLike(budget: Budget, left: unknown, right: unknown): boolean {
  if (isNothing(left) || isNothing(right)) return isNothing(left) && isNothing(right)
  if (typeof left === typeof right) return isSame(budget, left, right)
  const [a, b] = [toPrimitive(budget, left), toPrimitive(budget, right)]
  return typeof a === typeof b ? isSame(budget, a, b) : Number(a) === Number(b)
}

export function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

export type Order = '<' | '<=' | '>' | '>='

export function isOrdered(budget: Budget, order: Order, sides: { left: unknown; right: unknown }): boolean {
  const a = toPrimitive(budget, sides.left)
  const b = toPrimitive(budget, sides.right)
  if (typeof a === 'string' && typeof b === 'string') return compare(order, a, b)
  return compare(order, Number(a), Number(b))
}

function compare<T extends string | number>(order: Order, a: T, b: T): boolean {
  if (order === '<') return a < b
  if (order === '<=') return a <= b
  return order === '>' ? a > b : a >= b
}
