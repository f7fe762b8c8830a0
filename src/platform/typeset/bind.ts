/**
 * Makes one PDF of those that were set one by one. Links within the book come as addresses `book:LABEL`, since a part does
 * not know the pages of another; here they become links to the places that those labels name. Bookmarks are made here too.
 */
import {
  ParseSpeeds,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFPage,
  PDFRef,
  PDFString,
} from '@cantoo/pdf-lib'
import type { Entry } from '../../core/book/parts.ts'

interface Destination {
  /** From 0, within its part. */
  page: number
  left: number
  top: number
}

export async function bindParts(
  parts: readonly Buffer[],
  { title, language, entries }: { title: string; language: string; entries: readonly Entry[] },
): Promise<Buffer> {
  const book = await PDFDocument.create({ updateMetadata: false })
  const targets = new Map<string, PDFArray>()
  for (const part of parts) {
    const source = await open(part)
    const pages = await book.copyPages(source, source.getPageIndices())
    for (const page of pages) book.addPage(page)
    for (const [label, { page, left, top }] of destinationsOf(source)) {
      const leaf = pages[page]
      if (leaf && !targets.has(label)) targets.set(label, destination(book, { page: leaf, left, top }))
    }
  }
  for (const page of book.getPages()) resolveLinks(page, targets)
  addBookmarks(book, entries, targets)
  book.setTitle(title, { showInWindowTitleBar: true })
  book.setLanguage(language)
  book.setProducer('Lectern')
  return Buffer.from(await book.save({ objectsPerTick: Number.POSITIVE_INFINITY }))
}

/** Without pauses for others: the process is there for this alone. */
const open = (pdf: Buffer): Promise<PDFDocument> =>
  PDFDocument.load(pdf, { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest })

/** The named destinations of a part: its typesetter makes one of every label. */
function destinationsOf(part: PDFDocument): Map<string, Destination> {
  const pages = new Map(part.getPages().map((page, index) => [page.ref, index]))
  const destinations = new Map<string, Destination>()
  const visit = (node: PDFObject | undefined): void => {
    if (!(node instanceof PDFDict)) return
    const names = node.lookup(PDFName.of('Names'))
    if (names instanceof PDFArray) {
      for (let index = 0; index + 1 < names.size(); index += 2) {
        const [label, destination] = [textOf(names.lookup(index)), destinationOf(names.lookup(index + 1), pages)]
        if (label !== undefined && destination) destinations.set(label, destination)
      }
    }
    const kids = node.lookup(PDFName.of('Kids'))
    if (kids instanceof PDFArray) for (let index = 0; index < kids.size(); index += 1) visit(kids.lookup(index))
  }
  visit(part.catalog.Names()?.lookup(PDFName.of('Dests')))
  return destinations
}

function destinationOf(value: PDFObject | undefined, pages: ReadonlyMap<PDFRef, number>): Destination | undefined {
  const destination = value instanceof PDFDict ? value.lookup(PDFName.of('D')) : value
  if (!(destination instanceof PDFArray)) return undefined
  const ref = destination.get(0)
  const page = ref instanceof PDFRef ? pages.get(ref) : undefined
  const numberAt = (index: number): number => {
    const found = destination.size() > index ? destination.lookup(index) : undefined
    return found instanceof PDFNumber ? found.asNumber() : 0
  }
  return page === undefined ? undefined : { page, left: numberAt(2), top: numberAt(3) }
}

const textOf = (value: PDFObject | undefined): string | undefined =>
  value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : undefined

function destination(book: PDFDocument, { page, left, top }: Omit<Destination, 'page'> & { page: PDFPage }): PDFArray {
  return book.context.obj([page.ref, 'XYZ', left, top, null])
}

const scheme = 'book:'

function resolveLinks(page: PDFPage, targets: ReadonlyMap<string, PDFArray>): void {
  const links = page.node.Annots()
  if (!links) return
  for (let index = 0; index < links.size(); index += 1) {
    const link = links.lookup(index)
    if (!(link instanceof PDFDict)) continue
    const action = link.lookup(PDFName.of('A'))
    const address = action instanceof PDFDict ? textOf(action.lookup(PDFName.of('URI'))) : undefined
    if (!address?.startsWith(scheme)) continue
    link.delete(PDFName.of('A'))
    const target = targets.get(address.slice(scheme.length))
    if (target) link.set(PDFName.of('Dest'), target)
  }
}

interface Bookmark extends Entry {
  ref: PDFRef
  below: Bookmark[]
}

function addBookmarks(book: PDFDocument, entries: readonly Entry[], targets: ReadonlyMap<string, PDFArray>): void {
  const root: Omit<Bookmark, keyof Entry> & { level: number } = { level: 0, ref: book.context.nextRef(), below: [] }
  const open: { level: number; below: Bookmark[] }[] = [root]
  for (const entry of entries) {
    if (!targets.has(entry.label)) continue
    while ((open.at(-1)?.level ?? 0) >= entry.level) open.pop()
    const bookmark: Bookmark = { ...entry, ref: book.context.nextRef(), below: [] }
    open.at(-1)?.below.push(bookmark)
    open.push(bookmark)
  }
  if (root.below.length === 0) return
  const write = (parent: PDFRef, bookmarks: readonly Bookmark[]): PDFDict => {
    bookmarks.forEach((bookmark, index) => {
      const dict = write(bookmark.ref, bookmark.below)
      dict.set(PDFName.of('Title'), PDFHexString.fromText(bookmark.title))
      dict.set(PDFName.of('Parent'), parent)
      const target = targets.get(bookmark.label)
      if (target) dict.set(PDFName.of('Dest'), target)
      const [before, after] = [bookmarks[index - 1], bookmarks[index + 1]]
      if (before) dict.set(PDFName.of('Prev'), before.ref)
      if (after) dict.set(PDFName.of('Next'), after.ref)
      book.context.assign(bookmark.ref, dict)
    })
    const dict = book.context.obj({})
    const [first, last] = [bookmarks[0], bookmarks.at(-1)]
    if (first && last) {
      dict.set(PDFName.of('First'), first.ref)
      dict.set(PDFName.of('Last'), last.ref)
      // Closed, so that a reader sees the chapters first; a negative number says so.
      dict.set(PDFName.of('Count'), PDFNumber.of(parent === root.ref ? bookmarks.length : -bookmarks.length))
    }
    return dict
  }
  const outlines = write(root.ref, root.below)
  outlines.set(PDFName.of('Type'), PDFName.of('Outlines'))
  outlines.set(PDFName.of('Count'), PDFNumber.of(root.below.length))
  book.context.assign(root.ref, outlines)
  book.catalog.set(PDFName.of('Outlines'), root.ref)
  book.catalog.set(PDFName.of('PageMode'), PDFName.of('UseOutlines'))
}
