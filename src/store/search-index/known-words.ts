/**
 * Words that the vocabulary of a space is known to have, so that they need not be looked for again: pages of one space use
 * mostly the same ones. They stay there until the space goes, and one that comes back has another number.
 */
export class KnownWords {
  #space: number | undefined
  #words = new Set<string>()

  has(space: number, word: string): boolean {
    return space === this.#space && this.#words.has(word)
  }

  add(space: number, words: readonly string[]): void {
    if (space !== this.#space || this.#words.size > mostKnownWords) this.#words = new Set()
    this.#space = space
    for (const word of words) this.#words.add(word)
  }
}

const mostKnownWords = 100_000
