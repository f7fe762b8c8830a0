/**
 * What somebody waits for goes before what is derived. Whatever is waited for is counted while it is under way; what is
 * derived asks before each of its statements, and waits while there is any, but never longer than it has patience for.
 */
export class Precedence {
  #underWay = 0
  #waiting: (() => void)[] = []

  async first<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay++
    try {
      return await work()
    } finally {
      this.#underWay--
      if (this.#underWay === 0) for (const go of this.#waiting.splice(0)) go()
    }
  }

  /** For one derived transaction: its statements wait for others so long in all. */
  patience(milliseconds: number): Patience {
    let left = milliseconds
    return {
      waited: () => milliseconds - left,
      giveWay: async () => {
        // Those who wait are let on when nobody is under way, and the first of them may already have company.
        while (this.#underWay > 0 && left > 0) {
          const began = performance.now()
          await this.#untilNobody(left)
          left -= performance.now() - began
        }
      },
    }
  }

  #untilNobody(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((waiting) => waiting !== go)
        resolve()
      }, milliseconds)
      const go = (): void => {
        clearTimeout(timer)
        resolve()
      }
      this.#waiting.push(go)
    })
  }
}

interface Patience {
  giveWay(): Promise<void>
  /** How long it has given way so far, in milliseconds. */
  waited(): number
}
