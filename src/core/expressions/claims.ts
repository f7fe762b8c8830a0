/**
 * What expressions know of a visitor, and what of that they read.
 *
 * Signed claims were vouched for by the site's key; unsigned ones are whatever the visitor's browser says. They meet
 * in one object, `visitor.claims`, and must never be taken for one another.
 *
 * Promises:
 * 1. Unsigned claims are found under `visitor.claims.unsigned` and nowhere else, and nothing signed is found there.
 * 2. Two visitors with the same `claimsKey` for an expression's reads get the same outcome from it, failures included:
 *    pages rendered under that key can be shared between them.
 */
import type { Expression } from './ast.ts'
import type { Scope } from './evaluate.ts'
import { isList, isNothing, isObject, readProperty } from './values.ts'

type Values = Readonly<Record<string, unknown>>

export function visitorScope(parts: {
  claims?: Values
  unsigned?: Values
  pageVariables?: Values
  spaceVariables?: Values
}): Scope {
  const { claims = {}, unsigned = {}, pageVariables = {}, spaceVariables = {} } = parts
  return {
    visitor: { claims: { ...claims, unsigned } },
    page: { vars: pageVariables },
    space: { vars: spaceVariables },
  }
}

/** What is known of a visitor, as `visitor.claims` has it; nothing when that is nothing. */
export function claimsUnder(scope: Scope): Values | undefined {
  const claims = readProperty(scope.visitor, 'claims')
  if (!isObject(claims)) return undefined
  const { unsigned, ...signed } = { unsigned: undefined, ...claims }
  const hasUnsigned = isObject(unsigned) && Object.keys(unsigned).length > 0
  if (Object.keys(signed).length === 0 && !hasUnsigned) return undefined
  return hasUnsigned ? { ...signed, unsigned } : signed
}

/**
 * The claims an expression reads, as dotted paths: the shortest list that covers them all, sorted. Where a path goes
 * on in a way only the evaluation knows, it stops before that; the empty path is all claims.
 */
export function readsOf(expression: Expression): readonly string[] {
  const found = new Set<string>()
  collect(expression, found)
  const paths = [...found].sort()
  return paths.filter((path) => !paths.some((other) => path !== other && covers(other, path)))
}

/** The values at the paths as one text, or `undefined` where they are too large or too deep to be worth a key. */
export function claimsKey(paths: readonly string[], scope: Scope): string | undefined {
  const claims = readProperty(scope.visitor, 'claims')
  const room = { left: maxKeyParts }
  const parts = paths.map((path) => encodePath(room, claims, path))
  const key = parts.join(';')
  return parts.includes(undefined) || key.length > maxKeyLength ? undefined : key
}

const maxKeyParts = 1_000
const maxKeyLength = 8_192
const maxKeyDepth = 16

function covers(prefix: string, path: string): boolean {
  return prefix === '' || path.startsWith(`${prefix}.`)
}

function collect(expression: Expression, found: Set<string>): void {
  // The visitor has nothing but claims, so another property of it reads nothing.
  if (expression.kind === 'member' && isVisitor(expression.object) && expression.key !== 'claims') return

  const path = claimPath(expression)
  if (path !== undefined) found.add(path.join('.'))
  else for (const part of partsOf(expression)) collect(part, found)
}

/** The path an expression spells from the claims on. `visitor` by itself may lead to any claim, so it counts as all. */
function claimPath(expression: Expression): readonly string[] | undefined {
  if (isVisitor(expression)) return []
  if (expression.kind === 'chain') return claimPath(expression.of)
  if (expression.kind !== 'member') return undefined
  if (isVisitor(expression.object)) return expression.key === 'claims' ? [] : undefined

  // A name with a point in it can not stand in a dotted path: the path stops before it.
  if (expression.key === '' || expression.key.includes('.')) return undefined
  const path = claimPath(expression.object)
  return path === undefined ? undefined : [...path, expression.key]
}

function isVisitor(expression: Expression): boolean {
  return expression.kind === 'name' && expression.name === 'visitor'
}

function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'empty':
    case 'literal':
    case 'name':
      return []
    case 'array':
      return expression.items
    case 'member':
      return [expression.object]
    case 'index':
      return [expression.object, expression.key]
    case 'call':
      return [expression.object, ...expression.values]
    case 'each':
      return [expression.object, expression.body]
    case 'chain':
      return [expression.of]
    case 'unary':
      return [expression.operand]
    case 'binary':
    case 'logical':
      return [expression.left, expression.right]
    case 'choice':
      return [expression.test, expression.then, expression.otherwise]
  }
}

type Room = { left: number }

/** Where a path breaks off is part of the key: past that point a read fails, before it the value is only absent. */
function encodePath(room: Room, claims: unknown, path: string): string | undefined {
  let value = claims
  for (const [depth, name] of path === '' ? [] : path.split('.').entries()) {
    if (isNothing(value)) return `!${depth}${value}`
    value = readProperty(value, name)
  }
  return encode(room, value, 0)
}

function encode(room: Room, value: unknown, depth: number): string | undefined {
  room.left -= 1
  if (room.left < 0 || depth > maxKeyDepth) return undefined
  if (typeof value === 'string') return JSON.stringify(value)
  if (!isObject(value)) return Object.is(value, -0) ? '-0' : String(value)

  const list = isList(value)
  const parts: string[] = []
  for (const name of list ? value.keys() : Object.keys(value).sort()) {
    const encoded = encode(room, readProperty(value, String(name)), depth + 1)
    if (encoded === undefined) return undefined
    parts.push(list ? encoded : `${JSON.stringify(name)}:${encoded}`)
  }
  return list ? `[${parts.join(',')}]` : `{${parts.join(',')}}`
}
