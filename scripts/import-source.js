// Runs a module of src/ while building: Node before 22.18 does not read TypeScript.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

export async function importSource(file) {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-build-'))
  try {
    const outfile = join(folder, 'module.mjs')
    await build({ entryPoints: [file], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
