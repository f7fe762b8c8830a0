// A module of the test kit, which is TypeScript: bundled beside the other caches and loaded.
import { copyFileSync } from 'node:fs'
import { basename } from 'node:path'
import { build } from 'esbuild'

const root = new URL('../..', import.meta.url).pathname
const out = `${root}node_modules/.cache/lectern-bench`

export async function fromTests(file) {
  await build({
    absWorkingDir: root,
    entryPoints: [`test/${file}`],
    outdir: out,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  })
  copyFileSync(`${root}test/kit/postgres-guard.js`, `${out}/postgres-guard.js`)
  return import(`${out}/${basename(file, '.ts')}.js`)
}
