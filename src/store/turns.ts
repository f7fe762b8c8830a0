/** Turns of the event loop, for work that takes long: by steps of its own, or by pieces of large JSON. */
import { parsePieces, printPieces } from '../core/json-pieces.ts'

/**
 * Lets others have a turn of the event loop when a piece of work has taken long; made anew for each piece of work.
 *
 * Those that wait are let on one by one, one in each round of the loop: fifty requests that all have much to do hold it no
 * longer at a stretch than one.
 */
export class Turns {
  readonly #milliseconds: number
  #until: number

  constructor(milliseconds = 8) {
    this.#milliseconds = milliseconds
    this.#until = performance.now() + milliseconds
  }

  /** Whether it is time to let others; for callers that would rather not wait for nothing. */
  get isOver(): boolean {
    return performance.now() >= this.#until
  }

  async next(): Promise<void> {
    if (!this.isOver) return
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      if (waiting.length === 1) setImmediate(letOneOn)
    })
    this.#until = performance.now() + this.#milliseconds
  }
}

/** Lets others have a turn now: between two steps of work on something large. */
export const nextTurn = (): Promise<void> => new Turns(0).next()

/** What `JSON.parse` reads of text that we printed, however large, with turns for others. */
export async function parseInTurns(text: string): Promise<unknown> {
  const turns = new Turns()
  const pieces = parsePieces(text)
  for (;;) {
    const step = pieces.next()
    if (step.done) return step.value
    if (turns.isOver) await turns.next()
  }
}

/** What `JSON.stringify` prints of a value, however large, with turns for others. */
export async function printInTurns(value: object): Promise<string> {
  const turns = new Turns()
  let text = ''
  for (const piece of printPieces(value)) {
    text += piece
    if (turns.isOver) await turns.next()
  }
  return text
}

const waiting: (() => void)[] = []

function letOneOn(): void {
  waiting.shift()?.()
  // What is asked for here comes in the next round of the loop, after whatever else has come in.
  if (waiting.length > 0) setImmediate(letOneOn)
}
