/**
 * Sets books in processes of their own (hands.ts), one book at a time: with a deadline, a limit on memory and the lowest priority, so
 * that the service does not feel it. What goes wrong in there costs one book.
 *
 * A book is set in parts (core/book/parts.ts), twice: first only laid out, to learn on which page everything will stand;
 * then drawn, with those pages. What is laid out takes the room it will take when drawn, so the pages stay the same.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { Book } from '../../core/book/book.ts'
import { entriesOf, labelsIn, type Part, partsOf } from '../../core/book/parts.ts'
import { assetFile } from '../assets.ts'
import { Hands } from './hands.ts'
import type { ImageSizes, Sheet, TypesetJob, TypesetSetup } from './jobs.ts'
import { TypesetError } from './process.ts'

export interface TypesetOptions {
  /** A folder for what must be empty. */
  folder: string
  milliseconds?: number
  /** Of all memory of the processes that set one book, in MiB. */
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

/** At once for one book; what else the machine does goes first. */
const processes = Math.min(2, availableParallelism())

const systemFonts = ['/usr/share/fonts', '/usr/local/share/fonts', '/System/Library/Fonts', 'C:\\Windows\\Fonts']

export function makeTypeset({ folder, milliseconds = 180_000, memory = 500 }: TypesetOptions): Typeset {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  return (book, images) => {
    if (waiting >= mostWaiting) return Promise.reject(new TypesetError('busy', 'Many books are being made.'))
    waiting += 1
    const result = last.then(async () => {
      const limits = { until: performance.now() + milliseconds, memory: () => memory }
      const hands = new Hands(setupIn(folder), limits, processes)
      try {
        return await setBook(book, images, hands)
      } finally {
        hands.end()
      }
    })
    last = result.catch(() => undefined)
    return result.finally(() => {
      waiting -= 1
    })
  }
}

function setupIn(folder: string): TypesetSetup {
  // Images lie in it under their full names only; the folder of the data is often given as a relative one.
  const workspace = resolve(folder, 'empty')
  mkdirSync(workspace, { recursive: true, mode: 0o700 })
  return {
    template: assetFile('book/book.typ'),
    workspace,
    fonts: [assetFile('book/fonts')],
    systemFonts: systemFonts.filter((path) => existsSync(path)),
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
    digits: guessDigits(chapters.length),
    sizes,
    formulas: {},
  }
  const front = (numberOf: (label: string) => number): Partial<Sheet> => ({
    front: { entries: entries.map((entry) => ({ ...entry, page: numberOf(entry.label) })) },
  })

  const measure = (parts: Iterable<Part | undefined>) =>
    hands.each(parts, async (part) => {
      const { head } = await hands.run({ kind: 'measure', sheet: { ...plain, chapters: part.chapters } })
      return { part, labelPages: head.labelPages ?? {}, formulas: head.formulas ?? {}, pages: head.pages ?? 0 }
    })
  let measured = await measure(partsOf(chapters, sizes))
  const numbers = new Map<string, number>()
  let page = 1
  if (isWhole) page += (await hands.run({ kind: 'measure', sheet: { ...plain, ...front(() => 0) } })).head.pages ?? 0
  const last = measured.reduce((sum, { pages }) => sum + pages, page - 1)
  // Their numbers would not fit into the room that was left for them.
  if (String(last).length > plain.digits) {
    plain.digits = String(last).length
    measured = await measure(measured.map(({ part }) => part))
  }
  const sheets = measured.map(({ part, labelPages, formulas, pages }) => {
    const firstPage = page
    for (const [label, index] of Object.entries(labelPages)) numbers.set(label, firstPage + index)
    page += pages
    return { part, formulas, firstPage }
  })

  const draw = async (sheet: Partial<Sheet>, names: readonly string[]): Promise<readonly Buffer[]> => {
    const images = names.filter((name) => sizes[name] !== undefined)
    const bytes = images.flatMap((name) => bytesOf.get(name) ?? [])
    const job = { kind: 'draw', sheet: { ...plain, ...sheet, isMeasured: false }, images } as const
    return (await hands.run(job, { bytes, isLarge: images.length > 0 })).bytes
  }
  const logo = book.logo === undefined ? [] : [book.logo]
  const cover = isWhole
    ? await draw(
        front((label) => numbers.get(label) ?? 0),
        logo,
      )
    : []
  const inner = await hands.each(sheets, ({ part, formulas, firstPage }) => {
    const linked = [...labelsIn(part.chapters)].map((label) => [label, numbers.get(label)])
    return draw({ chapters: part.chapters, formulas, firstPage, numbers: Object.fromEntries(linked) }, part.images)
  })
  const drawn = [...cover, ...inner.flat()]
  const bound = await hands.run(
    { kind: 'bind', title: book.title, language: book.language, entries },
    { bytes: drawn, isLarge: true },
  )
  const [pdf] = bound.bytes
  if (!pdf) throw new TypesetError('failed', 'Nothing was bound.')
  return pdf
}

/** How many digits the pages of a book will have: too many leaves gaps beside them, too few costs a second measuring. */
function guessDigits(chapters: number): number {
  return chapters <= 60 ? 2 : chapters <= 500 ? 3 : 4
}

/** The sizes of the images that can be drawn. One that breaks the typesetter is looked for by halves, and left out. */
async function sizesOf(images: readonly TypesetImage[], hands: Hands): Promise<ImageSizes> {
  const sizes: ImageSizes = {}
  const attempt = async (batch: readonly TypesetImage[]): Promise<void> => {
    try {
      const job: TypesetJob = { kind: 'try', images: batch.map(({ name }) => name) }
      Object.assign(sizes, (await hands.run(job, { bytes: batch.map(({ bytes }) => bytes), isLarge: true })).head.sizes)
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
