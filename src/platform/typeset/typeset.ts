/**
 * Sets books in processes of their own, one book at a time: with a deadline, a limit on memory and the lowest priority, so
 * that the service does not feel it. What goes wrong in there costs one book.
 *
 * A book is set in parts (core/book/parts.ts), twice: first only laid out, to learn on which page everything will stand;
 * then drawn, with those pages. What is laid out takes the room it will take when drawn, so the pages stay the same.
 */
import { existsSync, mkdirSync } from 'node:fs'
import type { Book } from '../../core/book/book.ts'
import { entriesOf, labelsIn, type Part, partsOf } from '../../core/book/parts.ts'
import { assetFile } from '../assets.ts'
import type { Frame } from './frames.ts'
import type { ImageSizes, Sheet, TypesetAnswer, TypesetJob, TypesetSetup } from './jobs.ts'
import { type ProcessLimits, TypesetError, TypesetProcess } from './process.ts'

export interface TypesetOptions {
  /** A folder for what must be empty. */
  folder: string
  milliseconds?: number
  /** Of all memory of a process, in MiB. */
  memory?: number
}

export interface TypesetImage {
  /** `/1.png`: how the book names it. */
  name: string
  bytes: Buffer
}

export type Typeset = (book: Book, images: readonly TypesetImage[]) => Promise<Buffer>

export { TypesetError } from './process.ts'

/** Books that may wait for the one that is being set. */
const mostWaiting = 20

const systemFonts = ['/usr/share/fonts', '/usr/local/share/fonts', '/System/Library/Fonts', 'C:\\Windows\\Fonts']

export function makeTypeset({ folder, milliseconds = 180_000, memory = 500 }: TypesetOptions): Typeset {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  return (book, images) => {
    if (waiting >= mostWaiting) return Promise.reject(new TypesetError('busy', 'Many books are being made.'))
    waiting += 1
    const turn = last.then(async () => {
      const limits = { until: performance.now() + milliseconds, memory }
      const hands = new Hands(setupIn(folder), limits)
      try {
        return await setBook(book, images, hands)
      } finally {
        hands.end()
      }
    })
    last = turn.catch(() => undefined)
    return turn.finally(() => {
      waiting -= 1
    })
  }
}

function setupIn(folder: string): TypesetSetup {
  const workspace = `${folder}/empty`
  mkdirSync(workspace, { recursive: true, mode: 0o700 })
  return {
    template: assetFile('book/book.typ'),
    workspace,
    fonts: [assetFile('book/fonts')],
    systemFonts: systemFonts.filter((path) => existsSync(path)),
  }
}

/** The process at work, and another in its place when it has grown: the typesetter does not give memory back. */
class Hands {
  readonly #setup: TypesetSetup
  readonly #limits: ProcessLimits
  #process: TypesetProcess | undefined

  constructor(setup: TypesetSetup, limits: ProcessLimits) {
    this.#setup = setup
    this.#limits = limits
  }

  async run(job: TypesetJob, bytes: readonly Buffer[] = []): Promise<Frame<TypesetAnswer>> {
    if (this.#process && this.#process.resident > this.#limits.memory / 2) this.end()
    this.#process ??= new TypesetProcess(this.#setup, this.#limits)
    try {
      return await this.#process.run(job, bytes)
    } catch (error) {
      this.end()
      throw error
    }
  }

  end(): void {
    this.#process?.end()
    this.#process = undefined
  }
}

async function setBook(
  { chapters, isWhole, ...book }: Book,
  images: readonly TypesetImage[],
  hands: Hands,
): Promise<Buffer> {
  const bytesOf = new Map(images.map(({ name, bytes }) => [name, bytes]))
  const sizes = await sizesOf(images, hands)
  const entries = entriesOf({ ...book, isWhole, chapters })
  const plain: Sheet = {
    ...book,
    chapters: [],
    firstPage: 1,
    isMeasured: true,
    numbers: {},
    digits: 3,
    sizes,
    formulas: {},
  }
  const front = (numberOf: (label: string) => number): Partial<Sheet> => ({
    front: { entries: entries.map((entry) => ({ ...entry, page: numberOf(entry.label) })) },
  })

  let page = 1
  if (isWhole) page += (await hands.run({ kind: 'measure', sheet: { ...plain, ...front(() => 0) } })).head.pages ?? 0
  const numbers = new Map<string, number>()
  const measured: { part: Part; formulas: Record<string, string> }[] = []
  for (const part of partsOf(chapters, sizes)) {
    const { head } = await hands.run({ kind: 'measure', sheet: { ...plain, chapters: part.chapters } })
    for (const [label, place] of Object.entries(head.places ?? {})) numbers.set(label, page + place)
    measured.push({ part, formulas: head.formulas ?? {} })
    page += head.pages ?? 0
  }

  const drawn: Buffer[] = []
  const draw = async (sheet: Partial<Sheet>, names: readonly string[]): Promise<number> => {
    const shown = names.filter((name) => sizes[name] !== undefined)
    const bytes = shown.flatMap((name) => bytesOf.get(name) ?? [])
    const answer = await hands.run(
      { kind: 'draw', sheet: { ...plain, ...sheet, isMeasured: false }, images: shown },
      bytes,
    )
    drawn.push(...answer.bytes)
    return answer.head.pages ?? 0
  }
  page = 1
  if (isWhole)
    page += await draw(
      front((label) => numbers.get(label) ?? 0),
      book.logo === undefined ? [] : [book.logo],
    )
  for (const { part, formulas } of measured) {
    const linked = [...labelsIn(part.chapters)].map((label) => [label, numbers.get(label)])
    const sheet = { chapters: part.chapters, formulas, firstPage: page, numbers: Object.fromEntries(linked) }
    page += await draw(sheet, part.images)
  }
  const bound = await hands.run({ kind: 'bind', title: book.title, language: book.language, entries }, drawn)
  const [pdf] = bound.bytes
  if (!pdf) throw new TypesetError('failed', 'Nothing was bound.')
  return pdf
}

/** The sizes of the images that can be drawn. One that breaks the typesetter is looked for by halves, and left out. */
async function sizesOf(images: readonly TypesetImage[], hands: Hands): Promise<ImageSizes> {
  const sizes: ImageSizes = {}
  const attempt = async (batch: readonly TypesetImage[]): Promise<void> => {
    try {
      const job: TypesetJob = { kind: 'try', images: batch.map(({ name }) => name) }
      Object.assign(
        sizes,
        (
          await hands.run(
            job,
            batch.map(({ bytes }) => bytes),
          )
        ).head.sizes,
      )
    } catch (error) {
      if (!(error instanceof TypesetError) || error.code === 'timeout') throw error
      if (batch.length <= 1) return
      const half = Math.ceil(batch.length / 2)
      await attempt(batch.slice(0, half))
      await attempt(batch.slice(half))
    }
  }
  for (const batch of batchesOf(images)) await attempt(batch)
  return sizes
}

const largestBatch = 1024 * 1024

function batchesOf(images: readonly TypesetImage[]): TypesetImage[][] {
  const batches: TypesetImage[][] = []
  let size = largestBatch
  for (const image of images) {
    size += image.bytes.length
    if (size > largestBatch) {
      batches.push([])
      size = image.bytes.length
    }
    batches.at(-1)?.push(image)
  }
  return batches
}
