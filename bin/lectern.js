#!/usr/bin/env -S node --max-semi-space-size=8 --v8-pool-size=0
// A small young generation keeps an idle server some ten megabytes smaller. As many helpers of the garbage collector as there
// are processors, less one (0 means that; four is Node's default): more of them take the processor from whoever waits for an
// answer while a thread works through megabytes.
import { existsSync } from 'node:fs'
import module from 'node:module'

const built = new URL('../dist/main.js', import.meta.url)
if (!existsSync(built)) {
  console.error('Lectern is not built yet. Run `npm run build` (or `npm start`) first.')
  process.exit(1)
}
// Help is coloured on a terminal alone; the library that prints it asks for nothing but this.
if (process.env.NO_COLOR || !process.stdout.isTTY) process.env.NO_COLOR = '1'
// Where Node can keep what it compiled (22 and later), the next start need not compile it again.
module.enableCompileCache?.()
await import(built.href)
