/**
 * Large JSON printed and read piece by piece, for callers that let others have their turn between two pieces. The outcome is
 * what `JSON.stringify` prints and `JSON.parse` reads. Reading is for text that is known to be JSON: whether it is at all is
 * only found out where a piece is not.
 */

/** How many values are printed at a stretch, and how many characters are read at a stretch, about. */
const stretch = 4000
const pieceLength = 64 * 1024

/** The text of a value in parts, each of a stretch. */
export function* printPieces(value: unknown, most = stretch): Generator<string> {
  if (value === null || typeof value !== 'object' || fits(value, most)) {
    yield JSON.stringify(value)
    return
  }
  if (Array.isArray(value)) {
    let before = '['
    for (const item of value) {
      yield before
      yield* printPieces(item ?? null, most)
      before = ','
    }
    yield before === '[' ? '[]' : ']'
    return
  }
  let before = '{'
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    yield* printPieces(item, most)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

/** Whether a value holds no more than so many values; what is larger is not counted to its end. */
export function fits(value: object, most: number): boolean {
  return countFrom(value, most) >= 0
}

/** What is left of `most` behind a value; negative when it was too much. */
function countFrom(value: unknown, most: number): number {
  if (most < 0 || value === null || typeof value !== 'object') return most - 1
  let left = most - 1
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left >= 0; i++) left = countFrom(value[i], left)
    return left
  }
  for (const name in value) {
    left = countFrom((value as Record<string, unknown>)[name], left)
    if (left < 0) break
  }
  return left
}

/** A list or object that was entered and not left yet. */
interface Open {
  isList: boolean
  start: number
  /** Where what was not read yet begins, and where the member begins that we are in. */
  from: number
  member: number
  /** Once a piece of it was read: what it holds so far, and its name in what holds it. */
  made: unknown[] | Record<string, unknown> | undefined
  name: string
}

/** Reads what `text` says; each step reads about a piece. The value is what the generator returns. */
export function* parsePieces(text: string, most = pieceLength): Generator<undefined, unknown> {
  if (text.length <= most) return JSON.parse(text)
  const open: Open[] = []
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) {
      i = endOfString(text, i)
      continue
    }
    if (code === openList || code === openObject) {
      const isList = code === openList
      open.push({ isList, start: i, from: i + 1, member: i + 1, made: undefined, name: '' })
      continue
    }
    const last = open.at(-1)
    if (!last) continue
    if (code === comma) {
      // A member that was read already is behind us, and so is the space before this comma.
      if (last.made !== undefined && isBlank(text, last.from, i)) last.from = i + 1
      if (i - last.from >= most) {
        enter(text, open)
        readMembers(text, last, i)
        last.from = i + 1
        yield
      }
      last.member = i + 1
    } else if (code === closeList || code === closeObject) {
      open.pop()
      if (last.made === undefined) continue
      readMembers(text, last, i)
      const holder = open.at(-1)
      if (!holder) return last.made
      put(holder, last.name, last.made)
      holder.from = i + 1
      yield
    }
  }
  return JSON.parse(text)
}

const [quote, comma, openList, closeList, openObject, closeObject] = [0x22, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d]
const backslash = 0x5c

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end > 0) {
    let before = end
    while (text.charCodeAt(before - 1) === backslash) before -= 1
    if ((end - before) % 2 === 0) return end
    end = text.indexOf('"', end + 1)
  }
  return text.length
}

/** Where a list or an object ends that begins at `start`, in text that is known to be JSON. */
export function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) i = endOfString(text, i)
    else if (code === openList || code === openObject) depth += 1
    else if ((code === closeList || code === closeObject) && --depth === 0) return i + 1
  }
  return text.length
}

function isBlank(text: string, from: number, end: number): boolean {
  let at = from
  while (at < end && text.charCodeAt(at) <= 0x20) at += 1
  return at >= end
}

/** Everything that the innermost lies in is made too, with what stood before the way to it. */
function enter(text: string, open: readonly Open[]): void {
  open.forEach((one, depth) => {
    if (one.made !== undefined) return
    one.made = one.isList ? [] : {}
    const holder = open[depth - 1]
    if (!holder) return
    if (holder.from < holder.member) readMembers(text, holder, holder.member - 1)
    if (!holder.isList) one.name = JSON.parse(text.slice(holder.member, text.lastIndexOf(':', one.start)))
    holder.from = one.start
  })
}

function readMembers(text: string, { made, from }: Open, end: number): void {
  if (made === undefined || from >= end) return
  const piece = text.slice(from, end)
  if (Array.isArray(made)) for (const item of JSON.parse(`[${piece}]`)) made.push(item)
  else for (const [name, item] of Object.entries(JSON.parse(`{${piece}}`))) putNamed(made, name, item)
}

function put({ made }: Open, name: string, value: unknown): void {
  if (Array.isArray(made)) made.push(value)
  else if (made !== undefined) putNamed(made, name, value)
}

/** As `JSON.parse` does: also `__proto__` is a name like any other. */
function putNamed(made: object, name: string, value: unknown): void {
  Object.defineProperty(made, name, { value, enumerable: true, writable: true, configurable: true })
}
