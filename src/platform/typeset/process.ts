/** A typesetting process: jobs in, answers out, one at a time; ended when it takes too long or too much. */
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { packageFile } from '../assets.ts'
import { decodeFrames, encodeFrame, type Frame } from './frames.ts'
import type { TypesetAnswer, TypesetJob, TypesetSetup } from './jobs.ts'

export class TypesetError extends Error {
  override name = 'TypesetError'
  readonly code: 'busy' | 'timeout' | 'too_large' | 'failed'

  constructor(code: TypesetError['code'], message: string) {
    super(message)
    this.code = code
  }
}

const largestPdf = 256 * 1024 * 1024

export interface ProcessLimits {
  /** When it has to be done, on the clock of `performance.now()`. */
  until: number
  /** What the process may hold now, in MiB. */
  memory: () => number
}

export class TypesetProcess {
  /** What it held when it was last looked at, in MiB. */
  resident = 0
  readonly #child: ReturnType<typeof start>
  readonly #answers: AsyncGenerator<Frame<TypesetAnswer>, undefined>
  readonly #deadline: NodeJS.Timeout
  readonly #watch: NodeJS.Timeout
  #failure: TypesetError | undefined
  #complaint = ''

  constructor(setup: TypesetSetup, { until, memory }: ProcessLimits) {
    const child = start(setup)
    this.#child = child
    this.#answers = decodeFrames<TypesetAnswer>(child.stdout, largestPdf)
    child.on('error', (error) => this.#stop(new TypesetError('failed', String(error))))
    child.stdin.on('error', () => undefined)
    child.stderr.on('data', (part) => {
      this.#complaint = `${this.#complaint}${part}`.slice(0, 2_000)
    })
    if (child.pid !== undefined) lower(child.pid)
    const late = new TypesetError('timeout', 'The book took too long to set.')
    this.#deadline = setTimeout(() => this.#stop(late), Math.max(0, until - performance.now()))
    this.#watch = setInterval(async () => {
      this.resident = Math.max(this.resident, await residentMegabytes(child.pid))
      if (this.resident > memory())
        this.#stop(new TypesetError('too_large', 'The book needs more memory than is allowed for one.'))
    }, 100)
  }

  async run(job: TypesetJob, bytes: readonly Buffer[] = []): Promise<Frame<TypesetAnswer>> {
    for (const part of encodeFrame({ head: job, bytes })) this.#child.stdin.write(part)
    try {
      const { value } = await this.#answers.next()
      if (value) {
        this.resident = value.head.resident
        return value
      }
    } catch (error) {
      this.#stop(new TypesetError('too_large', String(error)))
    }
    throw this.#failure ?? new TypesetError('failed', this.#complaint)
  }

  /** Whatever it does. */
  end(): void {
    clearTimeout(this.#deadline)
    clearInterval(this.#watch)
    this.#child.kill('SIGKILL')
  }

  #stop(error: TypesetError): void {
    this.#failure ??= error
    this.end()
  }
}

function start(setup: TypesetSetup) {
  return spawn(process.execPath, [packageFile('dist/typeset.js'), JSON.stringify(setup)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Nothing of the service's own settings and secrets is for it.
    env: { PATH: process.env.PATH ?? '' },
  })
}

function lower(pid: number): void {
  try {
    setPriority(pid, 19)
  } catch {
    // Where the system does not let us, it competes like any other process.
  }
}

/** Linux says how much memory a process holds; elsewhere the deadline alone protects the machine. */
async function residentMegabytes(pid: number | undefined): Promise<number> {
  if (process.platform !== 'linux' || pid === undefined) return 0
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
}
