/** The inside of the thread that parses what imports bring: pages of HTML, Word documents, pages of a wiki. */
import mammoth from 'mammoth'
import { validateDocument } from '../../core/document/tree/validate.ts'
import { readPageList } from '../../core/import/confluence-index.ts'
import { readStorage } from '../../core/import/confluence-storage.ts'
import { dialectOf } from '../../core/import/dialects.ts'
import { type Dialect, readElements } from '../../core/import/html/page.ts'
import { attribute, findAll, type HtmlNode, parsePage } from '../../core/import/html/tree.ts'
import { readNavigation } from '../../core/import/navigation.ts'
import { ArchiveError, openArchive } from '../../platform/imports/archive.ts'
import { decodeWindows1252 } from '../../platform/windows-1252.ts'
import { answerTasks } from '../../threads/answer-tasks.ts'
import type { ImportTask, PageAnswer, PageTask, ParsedPage } from './parse.ts'
import { addressesIn } from './sitemap-addresses.ts'

answerTasks(async (input) => {
  const task = input as ImportTask
  if ('pageList' in task) return readPageList(new TextDecoder().decode(task.pageList))
  return 'sitemap' in task ? addressesIn(task) : parse(task)
})

async function parse(task: PageTask): Promise<PageAnswer> {
  const images: ParsedPage['images'] = []
  const keepImage = (type: string, base64: string): string => {
    const path = `.gitbook/assets/${task.path.replace(/\.\w+$/, '')}-${images.length + 1}.${extensionOf(type)}`
    images.push({ path, bytes: Buffer.from(base64, 'base64') })
    return `/${path}`
  }
  if (task.format === 'html' && task.bytes.subarray(0, 512).includes(0) && wideOf(task.bytes) === undefined)
    return { problem: 'It is no text, and was left out.' }
  const page = await read(task, keepImage)
  const checked = validateDocument(page.document)
  if (!checked.ok) return { problem: `It cannot be read as a page: ${checked.problem.message}` }
  return { json: JSON.stringify({ ...page, document: checked.document }), images }
}

async function read(task: PageTask, keepImage: NonNullable<Dialect['keepImage']>): Promise<Omit<ParsedPage, 'images'>> {
  if (task.format === 'storage') {
    const html = Buffer.from(task.bytes).toString('utf8')
    return { document: readStorage(html, task.targets ?? { pages: {}, files: {} }), links: [], navigation: [] }
  }
  const nodes = parsePage(task.format === 'docx' ? await htmlOfWord(task.bytes) : decode(task))
  const dialect: Dialect = { ...dialectOf(task.dialect, nodes), base: baseOf(nodes, task.base), join, keepImage }
  return {
    ...readElements(nodes, dialect),
    ...(task.base === undefined ? noLinks : linksOf(nodes, dialect.base ?? task.base)),
  }
}

const noLinks = { links: [], navigation: [] }

const styleMap = [
  "p[style-name='Title'] => p.title:fresh",
  "p[style-name='Code'] => pre:separator('\\n')",
  "p[style-name='HTML Preformatted'] => pre:separator('\\n')",
  "p[style-name='Quote'] => blockquote:fresh",
  "p[style-name='Intense Quote'] => blockquote:fresh",
  "r[style-name='Code'] => code",
  "r[style-name='HTML Code'] => code",
]

/** The text of a long book takes a tenth of this; pictures are packed already. */
const wordLimits = { entries: 5000, bytes: 256 * 1024 * 1024, entryBytes: 32 * 1024 * 1024 }

async function htmlOfWord(bytes: Uint8Array): Promise<string> {
  await judgeWord(bytes)
  const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) }, { styleMap })
  return value
}

/** The library unpacks whatever it is told to: no entry may be large, nor hold more than it says. */
async function judgeWord(bytes: Uint8Array): Promise<void> {
  const { entries, refused, close } = await openArchive(bytes, wordLimits)
  try {
    const [first] = refused
    if (first) throw new ArchiveError(`${first.path}: ${first.message}`)
    for (const entry of entries) for await (const part of entry.open()) void part
  } finally {
    close()
  }
}

/** The encoding that a mark at the beginning says, where letters take two bytes: it counts before what anybody says. */
function wideOf([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

/** As the server says, as the page says, as UTF-8 when it can be that, and else as old pages are. */
function decode({ bytes, contentType = '' }: PageTask): string {
  const wide = wideOf(bytes)
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes)
  const start = Buffer.from(bytes.subarray(0, 2048)).toString('latin1')
  const charset =
    /charset=["']?([\w-]+)/i.exec(contentType)?.[1] ?? /<meta[^>]{0,200}charset=["']?([\w-]+)/i.exec(start)?.[1]
  try {
    const decoder = new TextDecoder(charset ?? 'utf-8', { fatal: charset === undefined })
    return decoder.encoding === 'windows-1252' ? decodeWindows1252(bytes) : decoder.decode(bytes)
  } catch {
    return decodeWindows1252(bytes)
  }
}

function baseOf(nodes: readonly HtmlNode[], address: string | undefined): string | undefined {
  if (address === undefined) return undefined
  const href = findAll(nodes, ({ tagName }) => tagName === 'base').map((element) => attribute(element, 'href'))[0]
  return href === undefined ? address : (join(href, address) ?? address)
}

function join(target: string, base: string): string | undefined {
  if (!URL.canParse(target, base)) return undefined
  return new URL(target, base).href
}

function linksOf(nodes: readonly HtmlNode[], base: string): Pick<ParsedPage, 'links' | 'navigation'> {
  const links = findAll(nodes, ({ tagName }) => tagName === 'a').flatMap(
    (element) => join(attribute(element, 'href') ?? '', base) ?? [],
  )
  return { links: [...new Set(links)].slice(0, 5000), navigation: readNavigation(nodes, (href) => join(href, base)) }
}

const extensionOf = (type: string): string => {
  const name = type.slice('image/'.length).toLowerCase()
  return name === 'jpeg' ? 'jpg' : name === 'svg+xml' ? 'svg' : /^[a-z0-9]{2,5}$/.test(name) ? name : 'img'
}
