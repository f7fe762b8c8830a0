/** The images of a book: named as they are met, read once each, and bounded. */
import type { FileRecord } from '../../core/revision/records.ts'
import type { Environment } from '../scope.ts'

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
const most = 1_000

export class ImageShelf {
  readonly #env: Environment
  readonly #files = new Map<string, { name: string; blob: string }>()
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

  async read(): Promise<BookImage[]> {
    const images: BookImage[] = []
    for (const { name, blob } of this.#files.values()) {
      const parts: Uint8Array[] = []
      for await (const part of (await this.#env.blobs.open(blob)) ?? []) parts.push(part)
      // One whose bytes are gone is left out; the typesetter shows its words instead.
      if (parts.length > 0) images.push({ name, bytes: Buffer.concat(parts) })
    }
    return images
  }
}
