// Bundles search-timing.ts with the thread it needs into bench/results/, and runs it: `node bench/search.js`.
import { copyFileSync } from 'node:fs'
import { build } from 'esbuild'

const root = new URL('..', import.meta.url).pathname

await build({
  absWorkingDir: root,
  entryPoints: { 'search-timing': 'bench/search-timing.ts', reader: 'src/store/reader-thread.ts' },
  outdir: 'bench/results',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
})
copyFileSync(`${root}test/kit/postgres-guard.js`, `${root}bench/results/postgres-guard.js`)
await import(`${root}bench/results/search-timing.js`)
