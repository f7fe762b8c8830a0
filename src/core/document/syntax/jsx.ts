/**
 * Tags as MDX spells them: attributes whose values are quoted or stand in braces, over several lines. The value of braces
 * is what a string or a number in them says; anything else is kept as its source, for whoever can read it.
 */
import { decodeHtml } from './html-text.ts'

export type JsxTag = {
  name: string
  closing: boolean
  selfClosing: boolean
  /** By the name in small letters. */
  attributes: ReadonlyMap<string, string>
  source: string
}

/** A tag within a sentence; one that begins a line may hold a whole example. */
const longestInline = 1000
export const longestBlock = 8000
const nameAt = /<(\/?)([A-Za-z][A-Za-z0-9]*(?:\.[A-Z][A-Za-z0-9]*)?)(?=[\s/>])/y
const attributeName = /([A-Za-z_][\w:.-]*)\s*(=?)\s*/y

/** The tag that starts at `from`, or nothing. */
export function readJsxTag(text: string, from: number, longest = longestInline): JsxTag | undefined {
  nameAt.lastIndex = from
  const match = nameAt.exec(text)
  if (match === null) return undefined
  const [start, slash, name = ''] = match
  const attributes = new Map<string, string>()
  const last = Math.min(text.length, from + longest)
  let at = from + start.length
  while (at < last) {
    while (at < last && isSpace(text[at])) at += 1
    const rest = text.slice(at, at + 2)
    const selfClosing = rest === '/>'
    if (rest[0] === '>' || selfClosing) {
      const source = text.slice(from, at + (selfClosing ? 2 : 1))
      return { name, closing: slash === '/', selfClosing, attributes, source }
    }
    const next = rest[0] === '{' ? endOfBraces(text, at, last) : readAttribute(text, at, last, attributes)
    if (next === undefined) return undefined
    at = next
  }
  return undefined
}

/** Adds the attribute at this place; answers the place behind it. */
function readAttribute(text: string, at: number, last: number, attributes: Map<string, string>): number | undefined {
  attributeName.lastIndex = at
  const match = attributeName.exec(text)
  if (match === null) return undefined
  const [whole, name = '', equals] = match
  const from = at + whole.length
  const key = name.toLowerCase()
  const add = (value: string): void => {
    if (!attributes.has(key)) attributes.set(key, value)
  }
  if (equals === '') {
    add('')
    return from
  }
  const quote = text[from]
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, from + 1)
    if (end === -1 || end >= last) return undefined
    add(decodeHtml(text.slice(from + 1, end)))
    return end + 1
  }
  const end = quote === '{' ? endOfBraces(text, from, last) : undefined
  if (end !== undefined) add(valueOfBraces(text.slice(from + 1, end - 1)))
  return end
}

/** The place behind the brace that closes the one here; strings in between may hold braces. */
function endOfBraces(text: string, from: number, last: number): number | undefined {
  let depth = 0
  for (let at = from; at < last; at += 1) {
    const character = text[at]
    if (character === '{') depth += 1
    else if (character === '}') {
      depth -= 1
      if (depth === 0) return at + 1
    } else if (character === '"' || character === "'" || character === '`') {
      const end = endOfString(text, at, last)
      if (end === undefined) return undefined
      at = end
    }
  }
  return undefined
}

function endOfString(text: string, from: number, last: number): number | undefined {
  for (let at = from + 1; at < last; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === text[from]) return at
  }
  return undefined
}

function valueOfBraces(source: string): string {
  const trimmed = source.trim()
  const quoted = /^(["'`])([\s\S]*)\1$/.exec(trimmed)
  return quoted === null ? trimmed : (quoted[2] ?? '').replace(/\\(["'`\\])/g, '$1').replaceAll('\\n', '\n')
}

/** The strings in the source of a list or an object, in their order. */
export function stringsIn(source: string): string[] {
  return Array.from(
    source.matchAll(/"([^"\n]*)"|'([^'\n]*)'|`([^`\n]*)`/g),
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  )
}

const isSpace = (character: string | undefined): boolean =>
  character === ' ' || character === '\n' || character === '\t' || character === '\r'
