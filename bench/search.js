// Bundles search-timing.ts with the thread it needs beside the other caches, and runs it: `node bench/search.js`.
import { copyFileSync } from 'node:fs'
import { build } from 'esbuild'

const root = new URL('..', import.meta.url).pathname
const out = `${root}node_modules/.cache/lectern-bench`

await build({
  absWorkingDir: root,
  entryPoints: { 'search-timing': 'bench/search-timing.ts', reader: 'src/store/reader-thread.ts' },
  outdir: out,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
})
copyFileSync(`${root}test/kit/postgres-guard.js`, `${out}/postgres-guard.js`)
await import(`${out}/search-timing.js`)
