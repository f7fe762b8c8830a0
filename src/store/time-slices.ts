/** Slices of the event loop's time, for work that takes long: by steps of its own, or by pieces of large JSON. */
import { parsePieces, printPieces } from '../core/json-pieces.ts'

/**
 * Gives the event loop to others when a piece of work has taken long; made anew for each piece of work.
 *
 * Those that wait are let on one by one, one in each round of the loop: fifty requests that all have much to do hold it no
 * longer at a stretch than one. Branches of one piece of work go on together, so that they share what they ask for.
 */
export class TimeSlices {
  readonly #milliseconds: number
  #until: number
  #pause: Promise<void> | undefined

  constructor(milliseconds = 4) {
    this.#milliseconds = milliseconds
    this.#until = performance.now() + milliseconds
  }

  /** Whether it is time to let others; for callers that would rather not wait for nothing. */
  get isOver(): boolean {
    return performance.now() >= this.#until
  }

  async next(): Promise<void> {
    if (!this.isOver) return
    this.#pause ??= this.#letOthers()
    await this.#pause
  }

  async #letOthers(): Promise<void> {
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      if (waiting.length === 1) setImmediate(letOneOn)
    })
    this.#pause = undefined
    this.#until = performance.now() + this.#milliseconds
  }
}

/**
 * Gives the event loop to others now: between two steps of work on something large. Two rounds, because who is called by a
 * socket comes first in a round: nobody else's bytes are read before the end of it.
 */
export async function yieldLoop(): Promise<void> {
  const slices = new TimeSlices(0)
  await slices.next()
  await slices.next()
}

/** What is made piece after piece, with pauses for others. */
export async function inSlices<Made>(
  pieces: Iterator<unknown, Made, undefined>,
  slices = new TimeSlices(),
): Promise<Made> {
  for (;;) {
    const step = pieces.next()
    if (step.done) return step.value
    if (slices.isOver) await slices.next()
  }
}

/** What `JSON.parse` reads of text that we printed, however large, with pauses for others. */
export const parseInSlices = (text: string): Promise<unknown> => inSlices(parsePieces(text))

/** What `JSON.stringify` prints of a value, however large, with pauses for others. */
export async function printInSlices(value: object): Promise<string> {
  const slices = new TimeSlices()
  let text = ''
  for (const piece of printPieces(value)) {
    text += piece
    if (slices.isOver) await slices.next()
  }
  return text
}

const waiting: (() => void)[] = []

function letOneOn(): void {
  waiting.shift()?.()
  // What is asked for here comes in the next round of the loop, after whatever else has come in.
  if (waiting.length > 0) setImmediate(letOneOn)
}
