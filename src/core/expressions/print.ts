/**
 * From a tree back to text, in one plain style.
 *
 * Promise: what is printed parses to the same tree, if it is within the length limit. Brackets are printed only where
 * the tree needs them, so that printing never makes an expression deeper than its author wrote it.
 */
import { type Call, type Each, type Expression, isIdentifier, precedence } from './ast.ts'

export function print(expression: Expression): string {
  switch (expression.kind) {
    case 'empty':
      return ''
    case 'literal':
      return typeof expression.value === 'string' ? printText(expression.value) : String(expression.value)
    case 'array':
      return `[${expression.items.map(print).join(', ')}]`
    case 'name':
      return expression.name
    case 'member':
      return printObject(expression.object) + printKey(expression.key, expression.optional)
    case 'index':
      return `${printObject(expression.object)}${expression.optional ? '?.' : ''}[${print(expression.key)}]`
    case 'call':
      return `${printMethod(expression)}(${expression.values.map(print).join(', ')})`
    case 'each':
      return `${printMethod(expression)}(${expression.parameter} => ${print(expression.body)})`
    case 'chain':
      return print(expression.of)
    case 'unary':
      return printUnary(expression.operator, expression.operand)
    case 'binary':
    case 'logical':
      return `${printSide(expression, 'left')} ${expression.operator} ${printSide(expression, 'right')}`
    case 'choice': {
      const { test, then, otherwise } = expression
      const condition = test.kind === 'choice' ? `(${print(test)})` : print(test)
      return `${condition} ? ${print(then)} : ${print(otherwise)}`
    }
  }
}

/** Quoted with whichever quote needs fewer escapes. */
function printText(text: string): string {
  const quote = text.split('"').length > text.split("'").length ? "'" : '"'
  const escaped = text.replace(/[\\"'\p{Cc}\u2028\u2029]/gu, (character) => {
    if (character === '"' || character === "'") return character === quote ? `\\${character}` : character
    if (character === '\\') return '\\\\'
    if (character === '\n') return '\\n'
    if (character === '\t') return '\\t'
    if (character === '\r') return '\\r'
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return quote + escaped + quote
}

function printObject(object: Expression): string {
  const text = print(object)
  // A number's point would be read as a decimal one; a chain in brackets stops being cut short further on.
  const bare = object.kind === 'literal' ? typeof object.value !== 'number' : readKinds.has(object.kind)
  return bare ? text : `(${text})`
}

const readKinds: ReadonlySet<Expression['kind']> = new Set(['array', 'name', 'member', 'index', 'call', 'each'])

function printKey(key: string, optional: boolean): string {
  if (isIdentifier(key)) return `${optional ? '?.' : '.'}${key}`
  return `${optional ? '?.' : ''}[${printText(key)}]`
}

function printMethod({ object, method, optional }: Call | Each): string {
  return printObject(object) + (optional ? '?.' : '.') + method
}

function printUnary(operator: string, operand: Expression): string {
  const text = print(operand)
  if (operand.kind === 'binary' || operand.kind === 'logical' || operand.kind === 'choice')
    return `${operator}(${text})`
  // Two equal signs in a row would be read as one sign of JavaScript that we do not have.
  return operand.kind === 'unary' && operator !== '!' ? `${operator} ${text}` : operator + text
}

type Joined = Extract<Expression, { kind: 'binary' | 'logical' }>

/** Operators of one strength group to the left, so on the right an equal one needs brackets. */
function printSide(parent: Joined, side: 'left' | 'right'): string {
  const child = parent[side]
  const text = print(child)
  if (child.kind === 'choice') return `(${text})`
  if (child.kind !== 'binary' && child.kind !== 'logical') return text

  const own = precedence.get(parent.operator) ?? 0
  const inner = precedence.get(child.operator) ?? 0
  const mixes = parent.operator === '??' && child.kind === 'logical' && child.operator !== '??'
  return inner < own || (inner === own && side === 'right') || mixes ? `(${text})` : text
}
