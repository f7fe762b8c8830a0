/**
 * Gathers a book: the pages that its reader sees, in the order of the tree, with their images. Conditions, reusable contents
 * and expressions are settled here, with that reader's eyes; what they may not see is not in their book.
 */
import type { Book, Chapter, Target } from '../../core/book/book.ts'
import { bookBlocks } from '../../core/book/from-document.ts'
import type { BookRefs } from '../../core/book/inlines.ts'
import { anchorsOf } from '../../core/document/text/anchors.ts'
import type { ContentRef, FileRef, JSONDocument } from '../../core/document/tree/nodes.ts'
import { collectRefs } from '../../core/document/tree/refs.ts'
import { fail } from '../../core/errors.ts'
import { childrenOf, fileById } from '../../core/revision/content.ts'
import type { FileRecord, PageRecord } from '../../core/revision/records.ts'
import type { Urls } from '../../core/urls.ts'
import { findSpace, type SpaceRow } from '../../store/content/spaces.ts'
import { findSite } from '../../store/sites/sites.ts'
import { inSlices, TimeSlices, yieldLoop } from '../../store/time-slices.ts'
import { type ContentAt, pageIn } from '../content/at.ts'
import { evaluateDocument, withReusable } from '../content/markdown/evaluate.ts'
import type { Base } from '../handler.ts'
import { customizationOf } from '../sites/customization/complete.ts'
import { admittedIn, contentOnSite } from '../sites/reading/pages.ts'
import { type BookImage, ImageShelf } from './images.ts'
import { withSpecs } from './specs.ts'
import { type PdfTicket, scopeOf } from './ticket.ts'
import { bookWords, dateIn, directionOf } from './words.ts'

/** The ticket is the right: gathering asks for no caller beside it. */
type Reach = Pick<Base, 'db' | 'env' | 'now'>

export interface Gathered {
  book: Book
  images: BookImage[]
}

export const nothingToPrint = () => fail('not_found', 'There is nothing to print here yet.')

/** More pages are more than a book. */
const mostPages = 5_000
/** Milliseconds at a stretch: nobody waits for a book as for a page, so it holds the event loop for less than others do. */
const sliceMilliseconds = 4

interface Leaf {
  page: PageRecord
  level: number
  document: JSONDocument | undefined
}

export async function gatherBook(base: Reach, ticket: PdfTicket): Promise<Gathered> {
  const space = await findSpace(base.db, { id: ticket.space })
  if (!space || space.deletedAt !== null) throw fail('not_found')
  const at = await contentFor(base, space, ticket)
  const leaves = await leavesOf(base, at, ticket)
  if (leaves.length === 0) throw nothingToPrint()
  const shelf = new ImageShelf(base.env)
  const labels = new Labels()
  const makeRefs = await refsOf(at, leaves, {
    shelf,
    labels,
    urls: base.env.urls,
    isForSite: ticket.site !== undefined,
  })
  await yieldLoop()
  const slices = new TimeSlices(sliceMilliseconds)
  const chapters: Chapter[] = []
  for (const { page, level, document } of leaves) {
    await slices.next()
    const refs = makeRefs(page)
    chapters.push({
      label: labels.of(page.id),
      level,
      title: page.title,
      ...(page.description === undefined ? {} : { description: page.description }),
      blocks: document ? await inSlices(bookBlocks(document, { refs, level: Math.min(level, 3) }), slices) : [],
    })
  }
  await slices.next()
  const site = ticket.site === undefined ? undefined : await findSite(base.db, { id: ticket.site })
  const customization = site ? customizationOf(site) : undefined
  const language = space.language ?? 'en'
  const logo = ticket.only === true ? undefined : await shelf.fetch(customization?.header.logo?.light)
  const book: Book = {
    title: ticket.only === true ? (chapters[0]?.title ?? space.title) : site ? site.title : space.title,
    ...(site && site.title !== space.title && ticket.only !== true ? { subtitle: space.title } : {}),
    date: dateIn(language, base.now),
    language: language.slice(0, 2),
    direction: directionOf(language),
    ...(logo === undefined ? {} : { logo }),
    color: customization?.styling.primaryColor.light ?? '#3b5bdb',
    isWhole: ticket.only !== true,
    hasPageNumbers: ticket.only !== true,
    words: bookWords(language),
    chapters,
  }
  const images = await shelf.read()
  await yieldLoop()
  return { book, images }
}

/** The content of the revision that the ticket names, whatever the space holds by now. */
async function contentFor(base: Reach, space: SpaceRow, ticket: PdfTicket): Promise<ContentAt> {
  return contentOnSite(base, { ...space, revisionId: ticket.revision })
}

/** The pages of the book in the order of the tree, each with its document as its reader meets it. */
async function leavesOf(base: Reach, at: ContentAt, ticket: PdfTicket): Promise<Leaf[]> {
  const visitor = ticket.visitor === undefined ? undefined : scopeOf(ticket.visitor)
  const leaves: Leaf[] = []
  const slices = new TimeSlices(sliceMilliseconds)
  const add = async (page: PageRecord, level: number): Promise<void> => {
    await slices.next()
    if (page.hidden === true && page.id !== ticket.page) return
    if (visitor && !admittedIn(at, page, visitor)) return
    if (leaves.length >= mostPages) throw fail('invalid_input', `A book has at most ${mostPages} pages.`)
    if (page.type !== 'link') {
      let document = page.document === undefined ? undefined : await at.reader.document(page.document)
      if (document) {
        const variables = { page: page.variables ?? {}, space: at.content.variables }
        await slices.next()
        document = await withReusable(at, document)
        await slices.next()
        document = evaluateDocument(document, variables, visitor)
        await slices.next()
        document = await withSpecs(base, at, document)
      }
      leaves.push({ page, level, document })
    }
    if (ticket.only === true) return
    for (const child of await childrenOf(at.reader, at.content, page.id)) await add(child, level + 1)
  }
  if (ticket.page !== undefined) await add(await pageIn(at, ticket.page), 1)
  else for (const page of await childrenOf(at.reader, at.content, undefined)) await add(page, 1)
  return leaves
}

/** Short names of plain letters for places, which are written into the PDF many times: anchors may be long, in any script. */
class Labels {
  readonly #known = new Map<string, string>()

  of(page: string, anchor = ''): string {
    const target = `${page} ${anchor}`
    const label = this.#known.get(target) ?? `L${this.#known.size}`
    this.#known.set(target, label)
    return label
  }
}

/** What references of a page become. Names and files are looked up once for the whole book. */
async function refsOf(
  at: ContentAt,
  leaves: readonly Leaf[],
  { shelf, labels, urls, isForSite }: { shelf: ImageShelf; labels: Labels; urls: Urls; isForSite: boolean },
): Promise<(page: PageRecord) => BookRefs> {
  const titles = new Map(leaves.map(({ page }) => [page.id, page.title]))
  const anchors = new Map<string, Set<string>>()
  const files = new Map<string, FileRecord>()
  await yieldLoop()
  const slices = new TimeSlices(sliceMilliseconds)
  for (const { page, document } of leaves) {
    await slices.next()
    anchors.set(page.id, new Set(document ? anchorsOf(document).values() : []))
    for (const { ref } of document ? collectRefs(document) : []) {
      if (ref.kind !== 'file' || ref.space !== undefined || files.has(ref.file)) continue
      const file = await fileById(at.reader, at.content, ref.file)
      if (file) files.set(ref.file, file)
    }
  }
  const fileOf = (ref: ContentRef): FileRecord | undefined => (ref.kind === 'file' ? files.get(ref.file) : undefined)
  const toPage = (id: string, anchor?: string): Target | undefined => {
    if (!titles.has(id)) return undefined
    return { label: anchor !== undefined && anchors.get(id)?.has(anchor) ? labels.of(id, anchor) : labels.of(id) }
  }

  const isOutside = (ref: ContentRef): boolean => 'space' in ref && ref.space !== undefined && ref.space !== at.space.id
  // The address alone: it tells nothing of what stands there, and who follows it is asked who they are. Readers of a site
  // have no use for addresses of the app.
  const addressOutside = (ref: ContentRef): { url: string } | undefined => {
    if (isForSite || !('space' in ref) || ref.space === undefined) return undefined
    const page = 'page' in ref ? ref.page : undefined
    return { url: page === undefined ? urls.space(ref.space).app : urls.page(ref.space, page) }
  }

  return (here) => ({
    targetOf: (ref) => {
      if (ref.kind === 'url') return /^(https?:|mailto:|tel:)/i.test(ref.url) ? { url: ref.url } : undefined
      if (ref.kind === 'page') return isOutside(ref) ? addressOutside(ref) : toPage(ref.page)
      if (ref.kind === 'anchor') return isOutside(ref) ? addressOutside(ref) : toPage(ref.page ?? here.id, ref.anchor)
      return ref.kind === 'space' ? addressOutside(ref) : undefined
    },
    nameOf: (ref) => {
      if (ref.kind === 'space' || isOutside(ref)) return addressOutside(ref)?.url ?? ''
      if (ref.kind === 'page' || ref.kind === 'anchor') return titles.get(ref.page ?? here.id) ?? ''
      if (ref.kind === 'url') return ref.url
      return fileOf(ref)?.name ?? ''
    },
    imageOf: (ref: FileRef) => {
      const file = fileOf(ref)
      return file === undefined ? undefined : shelf.place(file)
    },
    labelOf: (anchor) => labels.of(here.id, anchor),
  })
}
