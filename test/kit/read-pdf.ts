/** What a PDF says of itself, read by a reader of PDFs: its text, its bookmarks, and where its links lead. */
import { getDocument, OPS, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

export interface ReadPdf {
  title: string
  /** The text of each page. */
  pages: string[]
  bookmarks: string[]
  /** Every bookmark of any depth, with the page it leads to, from 1; 0 for one that leads nowhere. */
  places: { title: string; page: number }[]
  /** Addresses of links out of the book. */
  urls: string[]
  /** For each link within it, the page it leads to, from 1; 0 for one that leads nowhere. */
  leadsTo: number[]
}

export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 })
  const pdf = await task.promise
  const pages: string[] = []
  const urls: string[] = []
  const leadsTo: number[] = []
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    pages.push(items.map((item) => ('str' in item ? item.str : '')).join(' '))
    for (const link of await page.getAnnotations()) {
      if (link.subtype !== 'Link') continue
      if (typeof link.url === 'string') urls.push(link.url)
      else leadsTo.push(await pageOf(pdf, link.dest))
    }
  }
  const { info } = await pdf.getMetadata()
  const outline = (await pdf.getOutline()) ?? []
  const places: ReadPdf['places'] = []
  const visit = async (entries: typeof outline): Promise<void> => {
    for (const { title, dest, items } of entries) {
      places.push({ title, page: await pageOf(pdf, dest) })
      await visit(items)
    }
  }
  await visit(outline)
  await task.destroy()
  return {
    title: String((info as { Title?: string }).Title ?? ''),
    pages,
    bookmarks: outline.map((entry) => entry.title),
    places,
    urls,
    leadsTo,
  }
}

async function pageOf(
  pdf: PDFDocumentProxy,
  dest: Parameters<typeof pdf.getPageIndex>[0][] | string | null,
): Promise<number> {
  const place = typeof dest === 'string' ? await pdf.getDestination(dest) : dest
  return place?.[0] ? (await pdf.getPageIndex(place[0])) + 1 : 0
}

/** How many images a page draws. */
export async function imagesOn(bytes: Uint8Array, number: number): Promise<number> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 })
  const page = await (await task.promise).getPage(number)
  const { fnArray } = await page.getOperatorList()
  await task.destroy()
  return fnArray.filter((operation) => operation === OPS.paintImageXObject).length
}
