/**
 * From text to tokens.
 *
 * Everything the language does not have is refused here where it can be, because here the offset is exact and the
 * reader can be told what the character would have meant. In text a `\u` escape is decoded before anyone looks at the
 * value; in a name there are no escapes at all, so a name is always what it looks like.
 */
import type { Problem } from './ast.ts'

/** `text` is the value of a quoted text, escapes decoded, and the source otherwise. */
export type Token = {
  readonly kind: 'name' | 'text' | 'number' | 'sign' | 'end'
  readonly text: string
  readonly at: number
}

/** Thrown within parsing and caught by `parse`. Not an Error: a stack trace of ours tells an author nothing. */
export class Refusal {
  readonly problem: Problem

  constructor(problem: Problem) {
    this.problem = problem
  }
}

export function refuse(message: string, at: number): never {
  throw new Refusal({ message, at })
}

export function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = []
  let at = skipSpace(source, 0)
  while (at < source.length) {
    const [token, end] = readToken(source, at)
    tokens.push(token)
    at = skipSpace(source, end)
    if (source.startsWith('=>', at) && /[\n\r\u2028\u2029]/.test(source.slice(end, at))) {
      refuse('An arrow stands on the line of its parameter.', at)
    }
  }
  tokens.push({ kind: 'end', text: '', at: source.length })
  return tokens
}

type Read = readonly [token: Token, end: number]

function skipSpace(source: string, at: number): number {
  return at + (match(/\s*/y, source, at) ?? '').length
}

function match(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(source)?.[0]
}

function readToken(source: string, at: number): Read {
  const first = source.charAt(at)
  if (first === '"' || first === "'") return readText(source, at)

  const number = match(/(?:(?:0|[1-9][0-9]*)(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y, source, at)
  if (number !== undefined) return readNumber({ source, at, number })

  const name = match(/[A-Za-z_$][A-Za-z0-9_$]*/y, source, at)
  if (name !== undefined) return [{ kind: 'name', text: name, at }, at + name.length]

  return readSign(source, at)
}

function readNumber({ source, at, number }: { source: string; at: number; number: string }): Read {
  const end = at + number.length
  if (/[A-Za-z0-9_$.\\]/.test(source.charAt(end))) refuse('Numbers are written in decimal, like 12 or 0.5.', at)
  if (!Number.isFinite(Number(number))) refuse('The number is too large.', at)
  return [{ kind: 'number', text: number, at }, end]
}

/** Signs of JavaScript that the language does not have, longest first, with the word for what they would mean. */
const foreignSigns: readonly (readonly [sign: string, meaning: string])[] = [
  ['...', 'Spreading'],
  ['**', 'Exponentiation'],
  ['++', 'Assignment'],
  ['--', 'Assignment'],
  ['<<', 'Bit arithmetic'],
  ['>>', 'Bit arithmetic'],
]

const foreignCharacters: ReadonlyMap<string, string> = new Map([
  ['=', 'Assignment'],
  ['`', 'Template text'],
  ['{', 'A block or object'],
  ['}', 'A block or object'],
  [';', 'A second statement'],
  ['&', 'Bit arithmetic'],
  ['|', 'Bit arithmetic'],
  ['^', 'Bit arithmetic'],
  ['~', 'Bit arithmetic'],
  ['\\', 'An escape in a name'],
])

/** `?.` before a digit is a `?` and a number, as in JavaScript. */
const signs = /===|!==|=>|\?\.(?![0-9])|\?\?|==|!=|<=|>=|&&|\|\||[()[\].,?:!<>+\-*/%]/y

function readSign(source: string, at: number): Read {
  for (const [sign, meaning] of foreignSigns) {
    if (source.startsWith(sign, at)) refuse(`${meaning} (${sign}) is not part of the language.`, at)
  }
  const sign = match(signs, source, at)
  if (sign !== undefined) return [{ kind: 'sign', text: sign, at }, at + sign.length]

  const first = source.charAt(at)
  const meaning = foreignCharacters.get(first)
  if (meaning !== undefined) refuse(`${meaning} (${first}) is not part of the language.`, at)
  return refuse('Names have the letters a to z, digits, _ and $; write another name as ["name"].', at)
}

// biome-ignore format: a table.
const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'], ['t', '\t'], ['r', '\r'], ['b', '\b'], ['f', '\f'], ['v', '\v'],
])

function readText(source: string, start: number): Read {
  const quote = source.charAt(start)
  let text = ''
  let at = start + 1
  while (source.charAt(at) !== quote) {
    const character = source.charAt(at)
    if (character === '' || character === '\n' || character === '\r') refuse('The text has no closing quote.', start)
    if (character === '\\') {
      const [decoded, end] = readEscape(source, at)
      text += decoded
      at = end
    } else {
      text += character
      at += 1
    }
  }
  return [{ kind: 'text', text, at: start }, at + 1]
}

function readEscape(source: string, at: number): readonly [decoded: string, end: number] {
  const hex = match(/\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]{1,6}\})/y, source, at)
  if (hex !== undefined) {
    const code = Number.parseInt(hex.slice(2).replace(/[{}]/g, ''), 16)
    if (code > 0x10ffff) refuse('There is no such character.', at)
    // A pair of surrogates may be written as two escapes, so four digits name a code unit and not a character.
    return [hex.includes('{') ? String.fromCodePoint(code) : String.fromCharCode(code), at + hex.length]
  }
  const zero = match(/\\0(?![0-9])/y, source, at)
  if (zero !== undefined) return ['\0', at + 2]

  const letter = source.charAt(at + 1)
  const decoded = shortEscapes.get(letter) ?? letter
  if (decoded === letter && (letter === '' || /[A-Za-z0-9\s]/.test(letter))) refuse('There is no such escape.', at)
  return [decoded, at + 2]
}
