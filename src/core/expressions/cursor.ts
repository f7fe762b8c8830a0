/** The parser's place in the tokens, and the plain sentences for a token that does not belong there. */
import { type Expression, limits } from './ast.ts'
import { refuse, type Token } from './tokens.ts'

export type Cursor = {
  readonly tokens: readonly Token[]
  next: number
  depth: number
  /** Arrow parameters in force, innermost last. */
  readonly parameters: string[]
  /** Nodes that stood in brackets: whether `??` may meet `||` depends on it and nothing else does. */
  readonly bracketed: WeakSet<Expression>
}

export function cursorAt(tokens: readonly Token[]): Cursor {
  return { tokens, next: 0, depth: 0, parameters: [], bracketed: new WeakSet() }
}

/** Past the last token there is only the end, again and again. */
export function peek(cursor: Cursor): Token {
  return cursor.tokens[Math.min(cursor.next, cursor.tokens.length - 1)] ?? { kind: 'end', text: '', at: 0 }
}

export function isSign(token: Token, sign: string): boolean {
  return token.kind === 'sign' && token.text === sign
}

export function take(cursor: Cursor, sign: string): boolean {
  if (!isSign(peek(cursor), sign)) return false
  cursor.next += 1
  return true
}

export function expect(cursor: Cursor, sign: string): void {
  const token = peek(cursor)
  if (!take(cursor, sign)) refuse(`A “${sign}” is missing here.`, token.at)
}

/** Reads one level further in. A refusal ends the whole parse, so the depth need not be put back for it. */
export function deeper(cursor: Cursor, read: () => Expression): Expression {
  cursor.depth += 1
  if (cursor.depth > limits.depth) refuse(`An expression is at most ${limits.depth} levels deep.`, peek(cursor).at)
  const expression = read()
  cursor.depth -= 1
  return expression
}

/** Words of JavaScript that can not name a parameter, in strict code too. */
const reservedWords: ReadonlySet<string> = new Set(
  (
    'arguments async await break case catch class const continue debugger default delete do else enum eval export ' +
    'extends false finally for function if implements import in instanceof interface let new null package private ' +
    'protected public return static super switch this throw true try typeof undefined var void while with yield'
  ).split(' '),
)

export function isReserved(name: string): boolean {
  return reservedWords.has(name)
}

export function refuseToken(token: Token): never {
  if (token.kind === 'end') return refuse('The expression stops too early.', token.at)
  if (token.kind === 'name' && isReserved(token.text)) {
    return refuse(`“${token.text}” is not part of the language.`, token.at)
  }
  return refuse(`“${token.text}” is not expected here.`, token.at)
}
