/** The names that an export has given away: no two the same, on any disk, and no file where a folder must be. */
import { folderOf, foldPath } from './paths.ts'

export class Claims {
  readonly #files = new Set<string>()
  readonly #folders = new Set<string>()
  readonly #next = new Map<string, number>()

  /** Whether the path was free; from now on it is not. */
  take(path: string): boolean {
    const key = foldPath(path)
    if (this.#files.has(key) || this.#folders.has(key)) return false
    const above: string[] = []
    for (let folder = folderOf(key); folder !== ''; folder = folderOf(folder)) above.push(folder)
    if (above.some((folder) => this.#files.has(folder))) return false
    this.#files.add(key)
    for (const folder of above) this.#folders.add(folder)
    return true
  }

  /** The first path that is free, of those that `spell` makes of no number, 1, 2 …. */
  takeFree(spell: (number: number | undefined) => string): string {
    const first = spell(undefined)
    if (this.take(first)) return first
    // Where the last search for this name ended: thousands of equal names cost no more than different ones.
    for (let n = this.#next.get(first) ?? 1; ; n++) {
      const path = spell(n)
      if (!this.take(path)) continue
      this.#next.set(first, n + 1)
      return path
    }
  }
}
