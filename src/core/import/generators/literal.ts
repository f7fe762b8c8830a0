/**
 * Values written in JavaScript, read without running it: what generators of docs keep in `sidebars.js` or
 * `.vitepress/config.ts`. Strings, numbers, lists and objects are read; whatever would have to be run is undefined.
 */
export type Literal = string | number | boolean | null | undefined | Literal[] | { [name: string]: Literal }

/** The value of the first `name:` (or `name =`) in the source that is a list or an object. */
export function findLiteral(source: string, name: RegExp): Literal {
  const clean = withoutComments(source)
  for (const match of clean.matchAll(new RegExp(`(?:${name.source})['"]?\\s*[:=]\\s*(?=[[{])`, 'g'))) {
    const reader = new LiteralReader(clean, match.index + match[0].length)
    const value = reader.read(0)
    if (value !== undefined) return value
  }
  return undefined
}

export const isRecord = (value: Literal): value is { [name: string]: Literal } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mostDepth = 60

class LiteralReader {
  readonly #source: string
  #at: number

  constructor(source: string, at: number) {
    this.#source = source
    this.#at = at
  }

  read(depth: number): Literal {
    this.#space()
    const sign = this.#source[this.#at]
    if (depth > mostDepth || sign === undefined) return undefined
    if (sign === '[') return this.#list(depth)
    if (sign === '{') return this.#record(depth)
    if (sign === "'" || sign === '"' || sign === '`') return this.#string(sign)
    return this.#other()
  }

  #list(depth: number): Literal[] {
    const items: Literal[] = []
    this.#at++
    while (this.#next(']')) {
      const value = this.read(depth + 1)
      this.#rest()
      if (value !== undefined) items.push(value)
    }
    return items
  }

  #record(depth: number): { [name: string]: Literal } {
    const found: { [name: string]: Literal } = {}
    this.#at++
    while (this.#next('}')) {
      const name = this.#name()
      this.#space()
      if (name === undefined || this.#source[this.#at] !== ':') {
        // A spread, a method, a name alone: what it stands for is not written here.
        this.#rest()
        continue
      }
      this.#at++
      const value = this.read(depth + 1)
      this.#rest()
      if (name !== '__proto__') found[name] = value
    }
    return found
  }

  /** Whether another item comes before this end; the end is passed. */
  #next(end: string): boolean {
    this.#space()
    // A bracket that nothing opened is passed like a comma: nothing else would ever pass it.
    while (/[,)]/.test(this.#source[this.#at] ?? '')) {
      this.#at++
      this.#space()
    }
    const sign = this.#source[this.#at]
    if (sign !== undefined && sign !== end && sign !== ']' && sign !== '}') return true
    this.#at++
    return false
  }

  #name(): string | undefined {
    const sign = this.#source[this.#at]
    if (sign === "'" || sign === '"') return this.#string(sign)
    const match = /[\w$]+/y
    match.lastIndex = this.#at
    const name = match.exec(this.#source)?.[0]
    if (name !== undefined) this.#at += name.length
    return name
  }

  #string(quote: string): string {
    let text = ''
    this.#at++
    for (; this.#at < this.#source.length; this.#at++) {
      const sign = this.#source[this.#at] ?? ''
      if (sign === quote) {
        this.#at++
        return text
      }
      if (sign === '\\') {
        this.#at++
        const next = this.#source[this.#at] ?? ''
        text += next === 'n' ? '\n' : next
      } else text += sign
    }
    return text
  }

  #other(): Literal {
    const match = /-?[\w$.]+/y
    match.lastIndex = this.#at
    const word = match.exec(this.#source)?.[0]
    if (word === undefined) return undefined
    this.#at += word.length
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'null') return null
    return /^-?\d+(\.\d+)?$/.test(word) ? Number(word) : undefined
  }

  /** To the next comma or end on this level, past whatever stands before it. */
  #rest(): void {
    let depth = 0
    for (; this.#at < this.#source.length; this.#at++) {
      const sign = this.#source[this.#at] ?? ''
      if (sign === "'" || sign === '"' || sign === '`') {
        this.#string(sign)
        this.#at--
      } else if (/[[{(]/.test(sign)) depth++
      else if (/[\]})]/.test(sign)) {
        if (depth === 0) return
        depth--
      } else if (sign === ',' && depth === 0) return
    }
  }

  #space(): void {
    while (/\s/.test(this.#source[this.#at] ?? '')) this.#at++
  }
}

/**
 * Comments go, but not what looks like one inside a string. Each of these has an end at once where its own is missing, so that
 * nothing is gone through twice.
 */
const withoutComments = (source: string): string =>
  source.replace(stringsAndComments, (part) => (part.startsWith('//') || part.startsWith('/*') ? ' ' : part))

const stringsAndComments =
  /'[^'\\\n]*(?:\\.[^'\\\n]*)*'?|"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|`[^`\\]*(?:\\[\s\S][^`\\]*)*`?|\/\/[^\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)/g
