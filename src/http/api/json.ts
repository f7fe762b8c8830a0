/** JSON of a request: how much of it is taken, and what is never taken. */
import { fail, invalid } from '../../core/errors.ts'

/** How deep a body may be nested. Documents nest 100 blocks, each two levels of JSON; the rest is room. */
const maxDepth = 512
/** How many values a body may hold: making each of them costs time, whatever is in it. Text of any length is one value. */
const maxValues = 250_000

/** JSON from bytes that may be hostile: not too deep, no keys that reach for prototypes, no text a database cannot hold. */
export function parseJson(text: string): unknown {
  return parseCounted(text).value
}

/** The same, with about how many values it holds and whether some were left out. */
export function parseCounted(text: string): { value: unknown; values: number; isWhole: boolean } {
  const values = countValues(text)
  // An escape may spell the name too.
  const mayReach = text.includes('__proto__') || text.includes('\\u005f')
  let value: unknown
  try {
    value = JSON.parse(text, mayReach ? dropPrototype : undefined)
  } catch {
    throw fail('malformed_json')
  }
  // An escape is the only way for these to stand in valid JSON text.
  const field = /\\u(0000|d[89a-f])/i.test(text) ? findUnstorable(value, [])?.join('.') : undefined
  if (field !== undefined)
    throw field === '' ? fail('invalid_input', `Text ${unstorable}.`) : invalid(field, unstorable)
  return { value, values, isWhole: !mayReach }
}

const dropPrototype = (key: string, value: unknown): unknown => (key === '__proto__' ? undefined : value)

export const unstorable = 'may not hold NUL characters or halves of surrogate pairs'

/** Where such text stands first; a name that is such text stands in what it is a name of. */
function findUnstorable(value: unknown, path: string[]): string[] | undefined {
  if (typeof value === 'string') return isStorableText(value) ? undefined : path
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, item] of Object.entries(value)) {
    if (!isStorableText(key)) return path
    path.push(key)
    const found = findUnstorable(item, path)
    if (found) return found
    path.pop()
  }
  return undefined
}

/** Text that both databases can hold: no NUL, no half of a surrogate pair. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (Array.isArray(value)) return value.every(isStorable)
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).every(([key, item]) => isStorableText(key) && isStorable(item))
  }
  return true
}

/** Refuses what nests too deep or holds too many values, told by brackets and commas outside of strings: nothing is built. */
function countValues(text: string): number {
  let depth = 0
  let values = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === 34) i = endOfString(text, i)
    else if (c === 123 || c === 91) {
      if (++depth > maxDepth) throw fail('too_deep')
      values++
    } else if (c === 125 || c === 93) depth--
    else if (c === 44) values++
    if (values > maxValues) throw fail('too_large', `A body holds at most ${maxValues} values.`)
  }
  return values
}

function endOfString(text: string, start: number): number {
  let end = start
  do {
    end = text.indexOf('"', end + 1)
    if (end < 0) return text.length
  } while (isEscaped(text, end))
  return end
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text.charCodeAt(at - 1 - slashes) === 92) slashes++
  return slashes % 2 === 1
}
