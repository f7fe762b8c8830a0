#!/usr/bin/env -S node --max-semi-space-size=4
// A small young generation keeps an idle server some twenty megabytes smaller.
import { existsSync } from 'node:fs'

const built = new URL('../dist/main.js', import.meta.url)
if (!existsSync(built)) {
  console.error('Lectern is not built yet. Run `npm run build` (or `npm start`) first.')
  process.exit(1)
}
await import(built.href)
