/**
 * The bytes of an answer and their tag. A large one (a list of a hundred thousand pages, a page of a hundred thousand
 * blocks) is printed piece by piece, and others have their turns between; the text is what `JSON.stringify` would print.
 *
 * Answers that handlers keep (pages and trees of a revision, which never change) come as the same object again: they are
 * printed once.
 */
import { createHash } from 'node:crypto'
import { JsonText } from '../../domain/scope.ts'
import { Turns } from '../../store/turns.ts'
import { etagOf, tagOf } from '../etag.ts'
import type { Printed } from './answers.ts'

const prints = new WeakMap<object, Printed>()

/** Short text goes out in one write with its headers; long text would be encoded anew each time it is sent. */
const bufferFrom = 16 * 1024

/** How many values make an answer large, and how many are printed at a stretch. */
const large = 60_000
const stretch = 4000
const pieceLength = 64 * 1024

/** Not always a promise: most answers are small, and waiting for nothing takes time as well. */
export function printed(body: object): Printed | Promise<Printed> {
  const known = prints.get(body)
  if (known) return known
  if (body instanceof JsonText) return { bytes: Buffer.from(body.text), etag: etagOf(body.text) }
  if (!fits(body, large)) return printLarge(body)
  const text = JSON.stringify(body)
  const print = { bytes: text.length < bufferFrom ? text : Buffer.from(text), etag: etagOf(text) }
  prints.set(body, print)
  return print
}

async function printLarge(body: object): Promise<Printed> {
  const turns = new Turns()
  const hash = createHash('sha1')
  const pieces: Buffer[] = []
  let text = ''
  const flush = (): void => {
    const piece = Buffer.from(text)
    hash.update(piece)
    pieces.push(piece)
    text = ''
  }
  for (const part of partsOf(body)) {
    text += part
    if (text.length >= pieceLength) flush()
    if (turns.isOver) await turns.next()
  }
  flush()
  const print = { bytes: Buffer.concat(pieces), etag: tagOf(hash) }
  prints.set(body, print)
  return print
}

/** The text of a value in parts, each of a stretch. */
export function* partsOf(value: unknown, most = stretch): Generator<string> {
  if (value === null || typeof value !== 'object' || fits(value, most)) {
    yield JSON.stringify(value)
    return
  }
  if (Array.isArray(value)) {
    let before = '['
    for (const item of value) {
      yield before
      yield* partsOf(item ?? null, most)
      before = ','
    }
    yield before === '[' ? '[]' : ']'
    return
  }
  let before = '{'
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    yield* partsOf(item, most)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

/** Whether a value holds no more than so many values; what is larger is not counted to its end. */
function fits(value: object, most: number): boolean {
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
