/**
 * A small hash for keys that depend on content alone: two rounds of 32-bit FNV-1a with different seeds, as a number of
 * 53 bits. It is not for secrets; a clash only means that a key gets a number behind it.
 */
export class Hash {
  #one = 0x811c9dc5
  #other = 0x9747b28c

  add(text: string): this {
    let one = this.#one
    let other = this.#other
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      one = Math.imul(one ^ code, prime)
      other = Math.imul(other ^ code, prime)
    }
    this.#one = one
    this.#other = other
    return this
  }

  /** Adds what `digest` told of something else. */
  addDigest(digest: number): this {
    const low = digest >>> 0
    return this.#addNumber(low).#addNumber((digest - low) / 2 ** 32)
  }

  /** Ends a part: a number that no character has. */
  end(): this {
    return this.#addNumber(0x10000)
  }

  digest(): number {
    return (mix(this.#one) >>> 11) * 2 ** 32 + (mix(this.#other) >>> 0)
  }

  #addNumber(number: number): this {
    this.#one = Math.imul(this.#one ^ number, prime)
    this.#other = Math.imul(this.#other ^ number, prime)
    return this
  }
}

export const hashText = (value: string): string => eightDigits(new Hash().add(value).digest())

const prime = 0x01000193

function mix(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return mixed ^ (mixed >>> 13)
}

const pairs = Array.from({ length: 36 ** 2 }, (_, number) => number.toString(36).padStart(2, '0'))

/** 41 bits of a digest to the base of 36, by pairs: `toString` takes four times as long for so large a number. */
export function eightDigits(digest: number): string {
  const low = digest >>> 0
  return fourDigits((digest - low) / 2 ** 32) + fourDigits(low)
}

function fourDigits(number: number): string {
  const rest = number % 36 ** 4
  return `${pairs[Math.floor(rest / 36 ** 2)]}${pairs[rest % 36 ** 2]}`
}
