#!/usr/bin/env -S node --max-semi-space-size=8
// A small young generation keeps an idle server some ten megabytes smaller.
import { existsSync } from 'node:fs'
import module from 'node:module'

const built = new URL('../dist/main.js', import.meta.url)
if (!existsSync(built)) {
  console.error('Lectern is not built yet. Run `npm run build` (or `npm start`) first.')
  process.exit(1)
}
// Where Node can keep what it compiled (22 and later), the next start need not compile it again.
module.enableCompileCache?.()
await import(built.href)
