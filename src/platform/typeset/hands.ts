/**
 * The processes that set one book, two where the machine has the processors for it.
 *
 * 1. Together they hold no more memory than one book may. A job for which there is not enough beside another, or beside what
 *    its process kept of the jobs before, is done again alone by a new one; if that is not enough either, the book is too large.
 *    Nothing begins beside a job that is done alone.
 * 2. A process that has grown is replaced by another before its next job: the typesetter does not give memory back.
 */
import { setImmediate as breath } from 'node:timers/promises'
import type { Frame } from './frames.ts'
import type { TypesetAnswer, TypesetJob, TypesetSetup } from './jobs.ts'
import { type ProcessLimits, TypesetError, TypesetProcess } from './process.ts'

/** Of what a book may hold, what one process may have grown to when it begins a job. */
const grown = 0.45

interface Hand {
  process?: TypesetProcess | undefined
  isBusy: boolean
}

export class Hands {
  readonly count: number
  readonly #setup: TypesetSetup
  readonly #limits: ProcessLimits
  readonly #hands: Hand[]
  #waiting: (() => void)[] = []
  #hasLoneJob = false
  #isEnded = false

  constructor(setup: TypesetSetup, limits: ProcessLimits, count: number) {
    this.#setup = setup
    this.#limits = limits
    this.count = Math.max(1, count)
    this.#hands = Array.from({ length: this.count }, () => ({ isBusy: false }))
  }

  /** `isLarge`: it is known beforehand that there is no room beside it. */
  async run(
    job: TypesetJob,
    { bytes = [], isLarge = false }: { bytes?: readonly Buffer[]; isLarge?: boolean } = {},
  ): Promise<Frame<TypesetAnswer>> {
    const isAlone = isLarge || this.count === 1
    const hand = await this.#take(isAlone)
    const former = hand.process
    try {
      return await (await this.#processOf(hand)).run(job, bytes)
    } catch (error) {
      const isNew = hand.process !== former
      this.#end(hand)
      if ((isAlone && isNew) || !(error instanceof TypesetError) || error.code !== 'too_large') throw error
    } finally {
      hand.isBusy = false
      if (isAlone) this.#hasLoneJob = false
      for (const wake of this.#waiting.splice(0)) wake()
    }
    return this.run(job, { bytes, isLarge: true })
  }

  /**
   * Work on each, as many at once as there are processes; the outcomes in the order of the items. Where the items take
   * long to make, `undefined` lets others have a turn.
   */
  async each<Item, Outcome>(
    items: Iterable<Item | undefined>,
    work: (item: Item) => Promise<Outcome>,
  ): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    let index = 0
    const source = items[Symbol.iterator]()
    const worker = async (): Promise<void> => {
      for (let next = source.next(); !next.done; next = source.next()) {
        if (next.value === undefined) {
          await breath()
          continue
        }
        const at = index++
        await breath()
        outcomes[at] = await work(next.value)
      }
    }
    await Promise.all(Array.from({ length: this.count }, worker))
    return outcomes
  }

  end(): void {
    this.#isEnded = true
    for (const hand of this.#hands) this.#end(hand)
  }

  async #take(isAlone: boolean): Promise<Hand> {
    for (;;) {
      const free = this.#hands.filter((hand) => !hand.isBusy)
      const [hand] = free
      if (hand && !this.#hasLoneJob && (!isAlone || free.length === this.count)) {
        hand.isBusy = true
        this.#hasLoneJob = isAlone
        if (isAlone) for (const other of free.slice(1)) this.#end(other)
        return hand
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  async #processOf(hand: Hand): Promise<TypesetProcess> {
    if (hand.process && hand.process.resident > this.#limits.memory() * grown) this.#end(hand)
    const others = this.#hands.filter((other) => other !== hand)
    const memory = (): number =>
      this.#limits.memory() - others.reduce((sum, other) => sum + (other.process?.resident ?? 0), 0)
    if (hand.process) return hand.process
    // The system copies a large process to start another, which takes long enough to stand between two pauses for others.
    await breath()
    if (this.#isEnded) throw new TypesetError('failed', 'Another part of the book could not be set.')
    hand.process = new TypesetProcess(this.#setup, { ...this.#limits, memory })
    await breath()
    return hand.process
  }

  #end(hand: Hand): void {
    hand.process?.end()
    hand.process = undefined
  }
}
