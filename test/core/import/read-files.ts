/** A folder as an import reads it, from the texts of its files. */
import type { ImportedTree } from '../../../src/core/import/tree.ts'
import { readRepository } from '../../../src/domain/import/read-repository.ts'
import { Threads } from '../../../src/threads/supervisor.ts'

export const readFiles = (files: Record<string, string | Buffer>): Promise<ImportedTree> =>
  readRepository(
    Object.entries(files).map(([path, content]) => ({
      path,
      size: Buffer.byteLength(content),
      async *open() {
        yield Buffer.from(content)
      },
    })),
    { threads: new Threads() },
  )
