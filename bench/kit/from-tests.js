// Modules that are TypeScript: bundled beside the other caches and loaded.
import { copyFileSync } from 'node:fs'
import { basename } from 'node:path'
import { build } from 'esbuild'

const root = new URL('../..', import.meta.url).pathname
const out = `${root}node_modules/.cache/lectern-bench`

/** A module of the test kit. */
export const fromTests = (file) => bundled({ [basename(file, '.ts')]: `test/${file}` })

/** The first of the entries; the others are the threads it starts. `options` of esbuild, where the usual will not do. */
export async function bundled(entryPoints, options = {}) {
  await build({
    absWorkingDir: root,
    entryPoints,
    outdir: out,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
    ...options,
  })
  copyFileSync(`${root}test/kit/postgres-guard.js`, `${out}/postgres-guard.js`)
  return import(`${out}/${Object.keys(entryPoints)[0]}.js`)
}
