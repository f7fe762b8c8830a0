// A PostgreSQL server as the tests have one, but durable: what is measured is what an operator would run.
import { copyFileSync } from 'node:fs'
import { build } from 'esbuild'

const root = new URL('../..', import.meta.url).pathname
const out = `${root}node_modules/.cache/lectern-bench`

export async function startPostgres() {
  await build({
    absWorkingDir: root,
    entryPoints: ['test/kit/postgres.ts'],
    outdir: out,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  })
  copyFileSync(`${root}test/kit/postgres-guard.js`, `${out}/postgres-guard.js`)
  const made = await import(`${out}/postgres.js`)
  const server = await made.startPostgres({ durable: true })
  await server.query('create database bench')
  return { url: server.url('bench'), stop: server.stop }
}
