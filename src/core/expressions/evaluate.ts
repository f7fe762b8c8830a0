/**
 * What an expression is worth to one visitor.
 *
 * Promises:
 * 1. Only own properties of plain data are read; no prototype and no function of the host is ever reached, and no
 *    function is ever a result.
 * 2. Work, text and lists are bounded (`limits`), so an evaluation takes well under a millisecond.
 * 3. Nothing is thrown: a failure is a value, and what is guarded by a failing condition stays hidden.
 */
import { type BinaryOperator, type Call, type Each, type Expression, limits, type Root } from './ast.ts'
import { callOnValues, callWithArrow } from './methods.ts'
import {
  add,
  type Budget,
  data,
  type Failure,
  hasProperty,
  isLike,
  isNothing,
  isOrdered,
  isSame,
  readProperty,
  Stop,
  spend,
  stop,
  toNumber,
  toText,
} from './values.ts'

/** What the roots stand for. `visitorScope` makes one. */
export type Scope = Readonly<Record<Root, unknown>>

/**
 * Stands for a visitor of whom nothing may be asked. Whatever reads it fails, however carefully it is worded, so that
 * what it guards stays hidden and what it would print is left out.
 */
export const untold: unknown = Object.freeze({ untold: true })

export type Evaluation =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: Failure }

export function evaluate(expression: Expression, scope: Scope): Evaluation {
  return attempt((budget) => worth({ scope, budget }, expression, undefined))
}

/** An empty condition holds for everyone; a failing one for nobody. */
export function evaluateBoolean(expression: Expression, scope: Scope): boolean {
  if (expression.kind === 'empty') return true
  const result = evaluate(expression, scope)
  return result.ok && Boolean(result.value)
}

/** The text that stands where `{{ expression }}` stood; nothing, and a failure, leave no trace. */
export function evaluateText(expression: Expression, scope: Scope): string {
  const result = attempt((budget) => {
    const value = worth({ scope, budget }, expression, undefined)
    return isNothing(value) ? '' : toText(budget, value)
  })
  return result.ok && typeof result.value === 'string' ? result.value : ''
}

function attempt(work: (budget: Budget) => unknown): Evaluation {
  try {
    return { ok: true, value: work({ steps: limits.steps }) }
  } catch (thrown) {
    if (thrown instanceof Stop) return { ok: false, failure: thrown.failure }
    throw thrown
  }
}

type Run = { readonly scope: Scope; readonly budget: Budget }

/** Arrow parameters in force, innermost first. */
type Locals = { readonly name: string; readonly value: unknown; readonly outer: Locals } | undefined

/** What a `?.` that met nothing is worth within its chain. */
const cutShort = Symbol('cut short')

function worth(run: Run, expression: Expression, locals: Locals): unknown {
  spend(run.budget, 1)
  switch (expression.kind) {
    case 'empty':
      return undefined
    case 'literal':
      return expression.value
    case 'array':
      return expression.items.map((item) => worth(run, item, locals))
    case 'name':
      return lookUp(run.scope, expression.name, locals)
    case 'member': {
      const base = worth(run, expression.object, locals)
      return isCut(base, expression) ? cutShort : readFrom(base, expression.key)
    }
    case 'index': {
      const base = worth(run, expression.object, locals)
      if (isCut(base, expression)) return cutShort
      return readFrom(base, toText(run.budget, worth(run, expression.key, locals)))
    }
    case 'call': {
      const base = worth(run, expression.object, locals)
      return isCut(base, expression) ? cutShort : callOn(run, { base, call: expression, locals })
    }
    case 'each': {
      const base = worth(run, expression.object, locals)
      return isCut(base, expression) ? cutShort : callEach(run, { base, call: expression, locals })
    }
    case 'chain': {
      const value = worth(run, expression.of, locals)
      return value === cutShort ? undefined : value
    }
    case 'unary': {
      const operand = worth(run, expression.operand, locals)
      if (expression.operator === '!') return !operand
      const number = toNumber(run.budget, operand)
      return expression.operator === '-' ? -number : number
    }
    case 'binary': {
      const left = worth(run, expression.left, locals)
      return operate(run.budget, { operator: expression.operator, left, right: worth(run, expression.right, locals) })
    }
    case 'logical': {
      const left = worth(run, expression.left, locals)
      const decided =
        expression.operator === '??' ? !isNothing(left) : expression.operator === '||' ? Boolean(left) : !left
      return decided ? left : worth(run, expression.right, locals)
    }
    case 'choice':
      return worth(run, worth(run, expression.test, locals) ? expression.then : expression.otherwise, locals)
  }
}

function lookUp(scope: Scope, name: string, locals: Locals): unknown {
  for (let local = locals; local !== undefined; local = local.outer) {
    if (local.name === name) return local.value
  }
  const value = readProperty(scope, name)
  return value === untold ? stop('absent', `Nothing is told of “${name}”.`) : value
}

function isCut(base: unknown, { optional }: { readonly optional: boolean }): boolean {
  return base === cutShort || (optional && isNothing(base))
}

function readFrom(base: unknown, key: string): unknown {
  if (isNothing(base)) return stop('absent', `“${key}” was read from ${String(base)}.`)
  return readProperty(base, key)
}

function callOn(run: Run, { base, call, locals }: { base: unknown; call: Call; locals: Locals }): unknown {
  const { method } = call
  if (isNothing(base)) return stop('absent', `“${method}” was called on ${String(base)}.`)
  const values = call.values.map((value) => worth(run, value, locals))
  return callOnValues(run.budget, { object: base, method, values })
}

function callEach(run: Run, { base, call, locals }: { base: unknown; call: Each; locals: Locals }): unknown {
  const { method, parameter, body } = call
  if (isNothing(base)) return stop('absent', `“${method}” was called on ${String(base)}.`)
  const apply = (item: unknown) => worth(run, body, { name: parameter, value: data(item), outer: locals })
  return callWithArrow(run.budget, { object: base, method, apply })
}

function operate(budget: Budget, parts: { operator: BinaryOperator; left: unknown; right: unknown }): unknown {
  const { operator, left, right } = parts
  switch (operator) {
    case '==':
      return isLike(budget, left, right)
    case '!=':
      return !isLike(budget, left, right)
    case '===':
      return isSame(budget, left, right)
    case '!==':
      return !isSame(budget, left, right)
    case 'in':
      return hasProperty(right, toText(budget, left))
    case '+':
      return add(budget, left, right)
    case '-':
      return toNumber(budget, left) - toNumber(budget, right)
    case '*':
      return toNumber(budget, left) * toNumber(budget, right)
    case '/':
      return toNumber(budget, left) / toNumber(budget, right)
    case '%':
      return toNumber(budget, left) % toNumber(budget, right)
    default:
      return isOrdered(budget, operator, { left, right })
  }
}
