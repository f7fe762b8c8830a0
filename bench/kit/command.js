// Commands of Lectern, with the CPU time they took.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeOptions } from './node-options.js'

const here = fileURLToPath(new URL('../..', import.meta.url))

/** CPU seconds of children that have ended, in steps of a hundredth. */
function childSeconds() {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

/** How many CPU seconds a script took that gets its options as JSON. */
export function runScript(file, options) {
  const before = childSeconds()
  execFileSync(process.execPath, [fileURLToPath(file), JSON.stringify(options)])
  return childSeconds() - before
}

/** What a command prints as JSON, and how many CPU seconds it took. */
export function runCommand(args, env, root = here) {
  const before = childSeconds()
  const printed = execFileSync(
    process.execPath,
    [...nodeOptions(root), join(root, 'bin/lectern.js'), ...args, '--json'],
    {
      env: { ...process.env, LECTERN_LOG_LEVEL: 'error', ...env },
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  return { result: JSON.parse(printed.trim().split('\n').at(-1)), seconds: childSeconds() - before }
}
