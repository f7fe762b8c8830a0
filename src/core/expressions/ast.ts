/**
 * The tree of a condition, and the closed lists its language is made of.
 *
 * The language is a subset of JavaScript expressions, so authors need not learn it, but it is defined by what is in
 * these lists and not by what is left out of JavaScript: there is no node for a function value, an assignment, an
 * object or a free name, so no later stage can meet one.
 */

/** `empty` only ever stands alone: it is the condition nobody wrote. */
export type Expression =
  | { readonly kind: 'empty' }
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null | undefined }
  | { readonly kind: 'array'; readonly items: readonly Expression[] }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'member'; readonly object: Expression; readonly key: string; readonly optional: boolean }
  | { readonly kind: 'index'; readonly object: Expression; readonly key: Expression; readonly optional: boolean }
  | Call
  | Each
  | { readonly kind: 'chain'; readonly of: Expression }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: Expression }
  | {
      readonly kind: 'binary'
      readonly operator: BinaryOperator
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly kind: 'logical'
      readonly operator: LogicalOperator
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly kind: 'choice'
      readonly test: Expression
      readonly then: Expression
      readonly otherwise: Expression
    }

export type Call = {
  readonly kind: 'call'
  readonly object: Expression
  readonly method: ValueMethod
  readonly values: readonly Expression[]
  readonly optional: boolean
}

/** A method that takes an arrow. The arrow is part of its call and never a value. */
export type Each = {
  readonly kind: 'each'
  readonly object: Expression
  readonly method: ArrowMethod
  readonly parameter: string
  readonly body: Expression
  readonly optional: boolean
}

export type Problem = { readonly message: string; readonly at: number }

export type ParseResult =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly problem: Problem }

/** The only names an expression starts from; every other free name is refused. */
export const roots = ['visitor', 'page', 'space'] as const
export type Root = (typeof roots)[number]

export function isRoot(name: string): boolean {
  return roots.some((root) => root === name)
}

export type UnaryOperator = '!' | '-' | '+'
export type LogicalOperator = '??' | '||' | '&&'
export type BinaryOperator = '==' | '!=' | '===' | '!==' | '<' | '<=' | '>' | '>=' | 'in' | '+' | '-' | '*' | '/' | '%'

/** How tightly an operator binds. `??` is lowest, but JavaScript and we refuse to mix it with `||` or `&&` unbracketed. */
// biome-ignore format: a table.
export const precedence: ReadonlyMap<string, number> = new Map([
  ['??', 1], ['||', 2], ['&&', 3],
  ['==', 4], ['!=', 4], ['===', 4], ['!==', 4],
  ['<', 5], ['<=', 5], ['>', 5], ['>=', 5], ['in', 5],
  ['+', 6], ['-', 6],
  ['*', 7], ['/', 7], ['%', 7],
])

/** How many values each method takes, least and most. */
// biome-ignore format: a table.
export const valueMethods = {
  includes: [1, 1], startsWith: [1, 1], endsWith: [1, 1], indexOf: [1, 1], join: [0, 1],
  toLowerCase: [0, 0], toUpperCase: [0, 0], trim: [0, 0],
} as const satisfies Record<string, readonly [least: number, most: number]>

const arrowMethods = ['some', 'every', 'filter', 'map'] as const

export type ValueMethod = keyof typeof valueMethods
export type ArrowMethod = (typeof arrowMethods)[number]

export function isArrowMethod(name: string): name is ArrowMethod {
  return arrowMethods.some((method) => method === name)
}

export function isValueMethod(name: string): name is ValueMethod {
  return Object.hasOwn(valueMethods, name)
}

/** The ways from a value to its prototype. Own properties of these names are refused too: nobody needs one. */
const prototypeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

export function isPrototypeName(name: string): boolean {
  return prototypeNames.has(name)
}

export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name)
}

export const limits = {
  /** Characters of one expression, as the API states. */
  length: 1024,
  /** Brackets, branches, arrows and prefixes within one another. A flat row of operators is not depth. */
  depth: 32,
  /** Conditions joined into one. */
  conditions: 100,
  /** Work of one evaluation: a node visited is a step, and long text costs more than one. */
  steps: 10_000,
  text: 10_000,
  list: 1_000,
} as const
