/** Processes of their own, for tests that kill them: a TypeScript file, bundled once and run by Node. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Bundles a file of the tests; the path of the script. */
export async function bundleChild(file: string): Promise<string> {
  const folder = join(root, '.test-tools', 'children')
  mkdirSync(folder, { recursive: true })
  removeOld(folder)
  const outfile = join(folder, `${basename(file, '.ts')}-${process.pid}-${Math.random().toString(36).slice(2, 8)}.mjs`)
  const options = { bundle: true, platform: 'node', format: 'esm', target: 'node20', packages: 'external' } as const
  await build({ entryPoints: [join(root, file)], outfile, ...options })
  return outfile
}

/** Bundles of earlier runs: nobody runs them any more. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const age = Date.now() - (statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (age > 60 * 60 * 1000) rmSync(join(folder, name), { force: true })
  }
}

export interface Child {
  process: ChildProcess
  /** Resolves at a line of its output that holds this text. */
  says(text: string): Promise<string>
  /** Its exit code; null when it was killed. */
  ended: Promise<number | null>
  /** kill -9, and its end. */
  kill(): Promise<void>
  output: string[]
  errors: string[]
}

export function startChild(script: string, args: readonly string[] = [], env: Record<string, string> = {}): Child {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  const errors: string[] = []
  const waiting = new Set<() => void>()
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const heard = (lines: string[]) => (line: string) => {
    lines.push(line)
    for (const check of waiting) check()
  }
  createInterface({ input: child.stdout }).on('line', heard(output))
  createInterface({ input: child.stderr }).on('line', heard(errors))
  return {
    process: child,
    output,
    errors,
    ended,
    says: (text) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const line = output.find((candidate) => candidate.includes(text))
          if (line === undefined) return
          waiting.delete(check)
          resolve(line)
        }
        waiting.add(check)
        check()
        ended.then((code) => reject(new Error(`It ended (${code}) without saying ${text}:\n${errors.join('\n')}`)))
      }),
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
