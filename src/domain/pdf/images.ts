/** The images of a book: named as they are met, read once each, and bounded. */
import type { FileRecord } from '../../core/revision/records.ts'
import type { Environment } from '../environment.ts'

export interface BookImage {
  name: string
  bytes: Buffer
}

/** What the typesetter can draw. */
const endings: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
}
const largest = 20 * 1024 * 1024
const largestTogether = 200 * 1024 * 1024
const largestFetched = 2 * 1024 * 1024
const most = 1_000

export class ImageShelf {
  readonly #env: Environment
  readonly #files = new Map<string, { name: string; blob: string }>()
  readonly #fetched: BookImage[] = []
  #bytes = 0

  constructor(env: Environment) {
    this.#env = env
  }

  /** The name under which the book knows it; none for what cannot be drawn or would be too much. */
  place(file: FileRecord): string | undefined {
    const known = this.#files.get(file.blob)
    if (known) return known.name
    const ending = endings[file.contentType]
    if (ending === undefined || file.size > largest || this.#files.size >= most) return undefined
    if (this.#bytes + file.size > largestTogether) return undefined
    this.#bytes += file.size
    const name = `/${this.#files.size + 1}.${ending}`
    this.#files.set(file.blob, { name, blob: file.blob })
    return name
  }

  /** An image from elsewhere, such as a logo. One that does not come, or not in time, is not in the book. */
  async fetch(url: string | undefined): Promise<string | undefined> {
    if (url === undefined || !/^https?:/i.test(url)) return undefined
    const found = await this.#env.fetch(url, { milliseconds: 5_000, bytes: largestFetched }).catch(() => undefined)
    const ending = endings[found?.contentType?.split(';')[0]?.trim().toLowerCase() ?? '']
    if (!found || ending === undefined) return undefined
    const name = `/fetched-${this.#fetched.length + 1}.${ending}`
    this.#fetched.push({ name, bytes: Buffer.from(found.bytes) })
    return name
  }

  async read(): Promise<BookImage[]> {
    const images = [...this.#fetched]
    for (const { name, blob } of this.#files.values()) {
      const parts: Uint8Array[] = []
      for await (const part of (await this.#env.blobs.open(blob)) ?? []) parts.push(part)
      // One whose bytes are gone is left out; the typesetter shows its words instead.
      if (parts.length > 0) images.push({ name, bytes: Buffer.concat(parts) })
    }
    return images
  }
}
