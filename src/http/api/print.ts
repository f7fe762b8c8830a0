/**
 * The bytes of an answer and their tag. A large one (a list of a hundred thousand pages, a page of a hundred thousand
 * blocks) is printed piece by piece, and others have their turns between; the text is what `JSON.stringify` would print.
 *
 * Answers that handlers keep (pages and trees of a revision, which never change) come as the same object again: they are
 * printed once. Short ones are printed again sooner than they are remembered, unless they are frozen: nobody freezes what is
 * made for one request.
 */
import { createHash } from 'node:crypto'
import { fits, printPieces } from '../../core/json-pieces.ts'
import { JsonText } from '../../domain/handler.ts'
import { TimeSlices } from '../../store/time-slices.ts'
import { etagOf, tagOf } from '../etag.ts'
import type { Printed } from './answers.ts'

const prints = new WeakMap<object, Printed>()

/**
 * From so many characters on it is remembered what an object was printed as, in bytes, so that it is not encoded anew each time it
 * is sent. Shorter text goes out in one write with its headers.
 */
const rememberFrom = 4 * 1024

/** How many values make an answer large. */
const large = 60_000
const pieceLength = 64 * 1024

/** Not always a promise: most answers are small, and waiting for nothing takes time as well. */
export function printed(body: object): Printed | Promise<Printed> {
  const known = prints.get(body)
  if (known) return known
  if (!(body instanceof JsonText) && !fits(body, large)) return printLarge(body)
  const text = body instanceof JsonText ? body.text : JSON.stringify(body)
  const bytes = text.length < rememberFrom ? text : Buffer.from(text)
  const print = { bytes, etag: etagOf(bytes) }
  if (text.length >= rememberFrom || Object.isFrozen(body)) prints.set(body, print)
  return print
}

async function printLarge(body: object): Promise<Printed> {
  const slices = new TimeSlices()
  const hash = createHash('sha1')
  const pieces: Buffer[] = []
  let text = ''
  const flush = (): void => {
    const piece = Buffer.from(text)
    hash.update(piece)
    pieces.push(piece)
    text = ''
  }
  for (const part of printPieces(body)) {
    text += part
    if (text.length >= pieceLength) flush()
    if (slices.isOver) await slices.next()
  }
  flush()
  const print = { bytes: Buffer.concat(pieces), etag: tagOf(hash) }
  prints.set(body, print)
  return print
}
