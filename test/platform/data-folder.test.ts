import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { refuseUnwritable } from '../../src/platform/data-folder.ts'

// Whoever may do everything cannot be kept from writing.
test.skipIf(process.getuid?.() === 0)('a database that this account may not write is refused with its path', () => {
  const data = mkdtempSync(join(tmpdir(), 'lectern-folder-'))
  const file = join(data, 'lectern.db')
  try {
    writeFileSync(file, '')
    refuseUnwritable({ data, file })
    for (const path of [file, data]) {
      chmodSync(path, 0o500)
      expect(() => refuseUnwritable({ data, file })).toThrow(`${path} cannot be written (EACCES): it has to belong to`)
      chmodSync(path, 0o700)
    }
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
})
