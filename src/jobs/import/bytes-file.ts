/** A file of an imported tree whose bytes are at hand. */
import type { ImportedFile } from '../../core/import/tree.ts'

export const bytesFile = (path: string, bytes: Uint8Array): ImportedFile => ({
  path,
  size: bytes.length,
  async *open() {
    yield bytes
  },
})
