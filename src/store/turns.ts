/** Lets others have a turn of the event loop when this one has taken long; made anew for each piece of work. */
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
    await new Promise((resolve) => setImmediate(resolve))
    this.#until = performance.now() + this.#milliseconds
  }
}
