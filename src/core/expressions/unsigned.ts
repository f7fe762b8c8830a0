/**
 * Unsigned claims: what a visitor's browser says of its visitor, in cookies and in the query.
 *
 * Anyone can write anything there, so all of it is optional: what is too large, too deep, malformed or named like a
 * prototype is left out without a word, and the page is shown as if it had not been said. The query has the last word,
 * because it is how a link sets a claim.
 */
import { isPrototypeName } from './ast.ts'
import { isList, isObject } from './values.ts'

const unsignedLimits = { characters: 4_096, depth: 5, entries: 100 }

type Claims = Record<string, unknown>

export function unsignedClaims(given: {
  /** Values of the cookies that carry claims, decoded: each a JSON object. */
  readonly cookies: readonly string[]
  /** The query, decoded; only `visitor.<path>` entries count. */
  readonly query: Iterable<readonly [name: string, value: string]>
}): Readonly<Record<string, unknown>> {
  const claims: Claims = {}
  const room = { characters: unsignedLimits.characters, entries: unsignedLimits.entries }
  for (const cookie of given.cookies) {
    const value = fits(room, cookie) ? parseJson(cookie, 0) : undefined
    if (isClaims(value)) Object.assign(claims, value)
  }
  for (const [name, value] of given.query) {
    if (!name.startsWith('visitor.') || !fits(room, name + value)) continue
    const path = name.slice('visitor.'.length).split('.')
    if (path.length > unsignedLimits.depth || !path.every(isUsableName)) continue
    put(claims, path, parseQueryValue(value, path.length))
  }
  return claims
}

/** The whole of what a visitor says is bounded, not each saying. */
function fits(room: { characters: number; entries: number }, text: string): boolean {
  if (text.length > room.characters || room.entries === 0) return false
  room.characters -= text.length
  room.entries -= 1
  return true
}

function isUsableName(name: string): boolean {
  return name !== '' && !isPrototypeName(name)
}

/** Anything that is not one of the words, a number or JSON is text. */
function parseQueryValue(text: string, depth: number): unknown {
  if (words.has(text)) return words.get(text)
  if (/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(text)) {
    const number = Number(text)
    return Number.isFinite(number) ? number : text
  }
  return text.startsWith('{') || text.startsWith('[') ? parseJson(text, depth) : text
}

const words: ReadonlyMap<string, boolean | null | undefined> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
])

/** The value, or `undefined` where it is no JSON or too deep for where it would stand. */
function parseJson(text: string, depth: number): unknown {
  try {
    return copy(JSON.parse(text), depth)
  } catch {
    return undefined
  }
}

function copy(value: unknown, depth: number): unknown {
  if (!isObject(value)) return value
  if (depth >= unsignedLimits.depth) throw new RangeError('Too deep.')
  if (isList(value)) return value.map((item) => copy(item, depth + 1))
  const copied: Claims = {}
  for (const [name, part] of Object.entries(value)) {
    if (isUsableName(name)) copied[name] = copy(part, depth + 1)
  }
  return copied
}

/** Saying `undefined` takes a claim back. */
function put(claims: Claims, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path
  if (name === undefined) return
  if (rest.length === 0) {
    if (value === undefined) delete claims[name]
    else claims[name] = value
    return
  }
  const present = Object.hasOwn(claims, name) ? claims[name] : undefined
  const inner = isClaims(present) ? present : {}
  put(inner, rest, value)
  if (value !== undefined || isClaims(present)) claims[name] = inner
}

function isClaims(value: unknown): value is Claims {
  return isObject(value) && !isList(value)
}
