/**
 * Prints what was written, so that its first reader finds it printed: pages of main contents a moment after they were saved,
 * each as it was saved last. It is only ahead of its time: what is lost with the process is printed when it is read.
 */
import type { Caches } from '../../../core/caches.ts'
import { printerVersion } from '../../../core/document/printer-version.ts'
import type { PageRecord } from '../../../core/revision/records.ts'
import { readContent } from '../../../store/content/content.ts'
import type { Database } from '../../../store/database.ts'
import { printedAmong, storePrinted } from '../../../store/packed/printed.ts'
import { storeRenderedLeft } from '../../sites/rendered-parts.ts'
import { printForStorage, unstoredMarkdown } from './printed.ts'

interface Wanted {
  hash: string
  since: number
}

const wantedIn = new WeakMap<Caches, Map<string, Wanted>>()

function wantedOf(caches: Caches): Map<string, Wanted> {
  let known = wantedIn.get(caches)
  if (!known) {
    known = new Map()
    wantedIn.set(caches, known)
  }
  return known
}

/** Beyond these, pages are printed when they are read. */
const mostWanted = 50_000

/** Notes that a page has another document; called where it is written, whether or not that is committed. */
export function wantPrinted(caches: Caches, spaceId: string, page: Pick<PageRecord, 'id' | 'document'>): void {
  if (page.document === undefined) return
  const wanted = wantedOf(caches)
  const key = `${spaceId} ${page.id}`
  // Put last again: what is saved again and again is printed when that ends.
  wanted.delete(key)
  if (wanted.size < mostWanted) wanted.set(key, { hash: page.document, since: performance.now() })
}

const restMilliseconds = 1000
const settledMilliseconds = 2000
const aStep = 32

/** Prints and stores in the background until it is stopped. */
export function startPrinting(db: Database, onError: (error: unknown) => void): { stop(): Promise<void> } {
  let isStopped = false
  let underWay: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    const before = performance.now() - settledMilliseconds
    underWay = underWay.then(() => printSettled(db, { before, aside: true, isOver: () => isStopped })).catch(onError)
  }, restMilliseconds).unref()
  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      await underWay
      // A process that comes after this one need not make it again.
      await storeLeft(db).catch(onError)
    },
  }
}

/** Everything that is wanted now, here: for commands, which end with it. */
export const printAll = (db: Database): Promise<void> =>
  printSettled(db, { before: Number.POSITIVE_INFINITY, aside: false, isOver: () => false })

/** The same of some pages, while their documents are at hand. */
export async function printPages(
  db: Database,
  spaceId: string,
  pages: readonly Pick<PageRecord, 'id' | 'document'>[],
): Promise<void> {
  const wanted = wantedOf(db.caches)
  const due = pages.flatMap(({ id, document }) => {
    const key = `${spaceId} ${id}`
    if (document === undefined || wanted.get(key)?.hash !== document) return []
    wanted.delete(key)
    return document
  })
  if (due.length > 0) await printDue(db, due, { aside: false, isOver: () => false })
}

interface Printing {
  /** What was wanted before this time. */
  before: number
  aside: boolean
  isOver: () => boolean
}

async function printSettled(db: Database, { before, aside, isOver }: Printing): Promise<void> {
  await storeLeft(db)
  const wanted = wantedOf(db.caches)
  while (!isOver()) {
    const due = [...take(wanted, before)]
    if (due.length === 0) return
    await printDue(db, due, { aside, isOver })
  }
}

/** Prints and stores those of some documents that are not printed yet; how many these were. */
export async function printDue(
  db: Database,
  due: readonly string[],
  { aside, isOver, unprinted }: Omit<Printing, 'before'> & { unprinted?: (error: unknown) => void },
): Promise<number> {
  const known = await printedAmong(db, { hashes: due, printer: printerVersion })
  const reader = readContent(db)
  const texts = new Map<string, string>()
  for (const hash of due.filter((one) => !known.has(one))) {
    if (isOver()) break
    // What was never committed is not there.
    const document = await reader.document(hash).catch(() => undefined)
    if (!document) continue
    try {
      texts.set(hash, await printForStorage(db.threads, document, { aside }))
    } catch (error) {
      if (!unprinted || isOver()) throw error
      unprinted(error)
    }
  }
  await storePrinted(db, printerVersion, texts)
  return texts.size
}

function* take(wanted: Map<string, Wanted>, before: number): Generator<string> {
  let taken = 0
  for (const [key, { hash, since }] of wanted) {
    if (since > before || taken === aStep) return
    wanted.delete(key)
    taken += 1
    yield hash
  }
}

async function storeLeft(db: Database): Promise<void> {
  const left = unstoredMarkdown(db.caches)
  const texts = left.all()
  await storePrinted(db, printerVersion, texts)
  for (const hash of texts.keys()) left.forget(hash)
  await storeRenderedLeft(db)
}
