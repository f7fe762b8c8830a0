/**
 * Bytes that come one after the other, gathered without a step that grows with all of them, and handed to a thread without
 * being copied once more: in pieces that own their memory.
 */

/** New memory for this much is at hand in a fraction of a millisecond. */
const partBytes = 128 * 1024

export class ByteParts {
  /** All but the last are full. */
  readonly #parts: Uint8Array<ArrayBuffer>[] = []
  #free = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Copied: what a socket reads belongs to the socket, and a thousand short pieces would take more memory than they say. */
  add(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      if (this.#free === 0) {
        this.#parts.push(new Uint8Array(partBytes))
        this.#free = partBytes
      }
      const taken = bytes.subarray(from, from + this.#free)
      this.#parts.at(-1)?.set(taken, partBytes - this.#free)
      this.#free -= taken.length
      from += taken.length
    }
    this.#length += bytes.length
  }

  /** All of it, and what to name in a transfer. Once they are transferred, nothing is left here. */
  take(): { parts: Uint8Array[]; transfer: ArrayBuffer[] } {
    const parts = this.#parts.splice(0)
    const transfer = parts.map(({ buffer }) => buffer)
    const last = parts.pop()
    if (last) parts.push(last.subarray(0, partBytes - this.#free))
    this.#free = 0
    this.#length = 0
    return { parts, transfer }
  }
}
