/**
 * Whether anything was committed, told by the head of SQLite's index of its log (https://sqlite.org/walformat.html, section
 * 2.1): every commit of every process rewrites it, and readers themselves look there. To read its 48 bytes takes a third
 * of what `PRAGMA data_version` does, which is asked for with every request.
 *
 * The file is never closed again. Closing any descriptor of a file drops all locks that the process holds on it
 * (https://sqlite.org/howtocorrupt.html, section 2.2), also those of SQLite, of this connection or another; one that
 * stays open until the process ends does no harm. A process opens its database once.
 */
import { openSync, readSync } from 'node:fs'

const headBytes = 48

export class WalMark {
  readonly #file: number
  readonly #now = new Uint32Array(headBytes / 4)
  readonly #last = new Uint32Array(headBytes / 4)
  #mark = 0

  /** The index is there once a connection has read, and stays while one is open. */
  constructor(location: string) {
    this.#file = openSync(`${location}-shm`, 'r')
  }

  /** Another number after each commit. A head that is being written differs as well, and is asked for again. */
  read(): number {
    readSync(this.#file, this.#now, 0, headBytes, 0)
    for (let i = 0; i < this.#now.length; i++) {
      if (this.#now[i] === this.#last[i]) continue
      this.#last.set(this.#now)
      this.#mark += 1
      break
    }
    return this.#mark
  }
}
