/**
 * Sets books in a process of its own, one at a time: with a deadline, a limit on memory and the lowest priority, so that
 * the service does not feel it. What goes wrong in there costs one book.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { assetFile, packageFile } from './assets.ts'
import { encodeBook, type TypesetImage } from './typeset-format.ts'

export interface TypesetOptions {
  /** A folder for what must be empty. */
  folder: string
  milliseconds?: number
  /** Of all memory of the process, in MiB. */
  memory?: number
}

export type Typeset = (book: unknown, images: readonly TypesetImage[]) => Promise<Buffer>

export class TypesetError extends Error {
  override name = 'TypesetError'
  readonly code: 'busy' | 'timeout' | 'too_large' | 'failed'

  constructor(code: TypesetError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** Books that may wait for the one that is being set. */
const mostWaiting = 20
const largestPdf = 512 * 1024 * 1024

const systemFonts = ['/usr/share/fonts', '/usr/local/share/fonts', '/System/Library/Fonts', 'C:\\Windows\\Fonts']

export function makeTypeset({ folder, milliseconds = 120_000, memory = 500 }: TypesetOptions): Typeset {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  return (book, images) => {
    if (waiting >= mostWaiting) return Promise.reject(new TypesetError('busy', 'Many books are being made.'))
    waiting += 1
    const turn = last.then(() => setBook(book, images, { folder, milliseconds, memory }))
    last = turn.catch(() => undefined)
    return turn.finally(() => {
      waiting -= 1
    })
  }
}

async function setBook(
  book: unknown,
  images: readonly TypesetImage[],
  options: Required<TypesetOptions>,
): Promise<Buffer> {
  const workspace = `${options.folder}/empty`
  mkdirSync(workspace, { recursive: true, mode: 0o700 })
  const child = spawn(process.execPath, [packageFile('dist/typeset.js')], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Nothing of the service's own settings and secrets is for it.
    env: { PATH: process.env.PATH ?? '' },
  })
  let failure: TypesetError | undefined
  const stop = (error: TypesetError): void => {
    failure ??= error
    child.kill('SIGKILL')
  }
  const deadline = setTimeout(stop, options.milliseconds, new TypesetError('timeout', 'The book took too long to set.'))
  const watch = setInterval(async () => {
    if ((await residentMegabytes(child.pid)) > options.memory)
      stop(new TypesetError('too_large', 'The book needs more memory than is allowed for one.'))
  }, 250)
  try {
    if (child.pid !== undefined) lower(child.pid)
    child.stdin.on('error', () => undefined)
    for (const part of encodeBook({
      template: assetFile('book/book.typ'),
      workspace,
      fonts: [assetFile('book/fonts')],
      systemFonts: systemFonts.filter((path) => existsSync(path)),
      book,
      images: [...images],
    }))
      child.stdin.write(part)
    child.stdin.end()
    const [pdf, words] = await Promise.all([collect(child.stdout, stop), collect(child.stderr, stop), ended(child)])
    if (failure) throw failure
    if (pdf.length === 0) throw new TypesetError('failed', words.toString().slice(0, 2_000))
    return pdf
  } finally {
    clearTimeout(deadline)
    clearInterval(watch)
  }
}

function lower(pid: number): void {
  try {
    setPriority(pid, 15)
  } catch {
    // Where the system does not let us, it competes like any other process.
  }
}

async function collect(stream: AsyncIterable<Buffer>, stop: (error: TypesetError) => void): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of stream) {
    size += part.length
    if (size > largestPdf) stop(new TypesetError('too_large', 'The book is larger than is allowed for one.'))
    else parts.push(part)
  }
  return Buffer.concat(parts)
}

const ended = (child: ReturnType<typeof spawn>): Promise<void> =>
  new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve())
  })

/** Linux says how much memory a process holds; elsewhere the deadline alone protects the machine. */
async function residentMegabytes(pid: number | undefined): Promise<number> {
  if (process.platform !== 'linux' || pid === undefined) return 0
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
}
