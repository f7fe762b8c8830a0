#!/usr/bin/env node
import { existsSync } from 'node:fs'

const built = new URL('../dist/main.js', import.meta.url)
if (!existsSync(built)) {
  console.error('Lectern is not built yet. Run `npm run build` (or `npm start`) first.')
  process.exit(1)
}
await import(built.href)
