// Bundles the server, its worker threads and the command line into dist/. Dependencies stay outside the bundle.
import { rmSync } from 'node:fs'
import { build } from 'esbuild'

const root = new URL('..', import.meta.url).pathname

rmSync(`${root}dist`, { recursive: true, force: true })
await build({
  absWorkingDir: root,
  entryPoints: { main: 'src/main.ts', reader: 'src/store/reader-thread.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
})
