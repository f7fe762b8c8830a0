/** Markdown & CSV of Notion as an imported tree. A database is a page with its table, and its rows are the pages below. */
import { fragment, link, makeDocument, paragraph, text } from '../document/tree/make.ts'
import type { Block, JSONDocument, Table } from '../document/tree/nodes.ts'
import { cellName, columnId, orderIndexAt, rowId } from '../document/tree/table/table-ids.ts'
import { folderOf, nameOf, within } from '../repository/paths.ts'
import { hintOf } from './dialects.ts'
import { arrangeByNames, plainName } from './notion-arrange.ts'
import type { ImportedFile, ImportedText, ImportedTree } from './tree.ts'

/** `breathe` is called before each file that is read. */
export async function readNotionTree(
  sources: ReadonlyMap<string, { text: string; oid: string }>,
  { origin, files, breathe }: { origin: string; files: ImportedFile[]; breathe: () => Promise<void> },
): Promise<ImportedTree> {
  const texts = new Map<string, ImportedText>()
  const titles = new Map<string, string>()
  const pagesIn = pagesByFolder(sources.keys())
  for (const [path, { text: source, oid }] of sources) {
    await breathe()
    // `_all.csv` is the whole database, where the other is only what a view shows of it.
    if (/\.csv$/i.test(path)) {
      if (!/_all\.csv$/i.test(path) && sources.has(path.replace(/\.csv$/i, '_all.csv'))) continue
      const pagePath = path.replace(/(_all)?\.csv$/i, '.md')
      if (sources.has(pagePath)) continue
      titles.set(pagePath, plainName(nameOf(path)))
      texts.set(pagePath, { oid, title: plainName(nameOf(path)), document: tableOf(source, pagePath, pagesIn) })
    } else {
      titles.set(path, titleIn(source) ?? plainName(nameOf(path)))
      texts.set(path, { oid, markdown: asMarkdown(source) })
    }
  }
  const pages = [...texts.keys()].map((path) => ({ path, title: titles.get(path) ?? '' }))
  return {
    origin,
    config: { root: '', readme: 'README.md', summary: 'SUMMARY.md' },
    pages: arrangeByNames(pages, ordersIn(sources)),
    texts,
    includes: new Map(),
    files,
    redirects: [],
    problems: [],
    skipped: [],
  }
}

const titleIn = (source: string): string | undefined => /^#[ \t]+(.+)$/m.exec(source.slice(0, 2000))?.[1]?.trim()

/** Call-outs are `<aside>` with an emoji. */
function asMarkdown(source: string): string {
  return source.replace(/^<aside>\n((?:(?!^<aside>$)[\s\S])*?)\n<\/aside>$/gm, (_, body: string) => {
    const clean = body.trim()
    const style = hintOf(clean.slice(0, 4))
    const words = clean.replace(/^(?:\p{Extended_Pictographic}|\ufe0f|\u200d)+\s*/u, '')
    return `{% hint style="${style}" %}\n${words}\n{% endhint %}`
  })
}

/** Where a page is first linked to, by path. */
function ordersIn(sources: ReadonlyMap<string, { text: string }>): Map<string, number> {
  const orders = new Map<string, number>()
  for (const [path, { text: source }] of sources) {
    let at = 0
    for (const [, target = ''] of source.matchAll(/\]\(([^()\s]+\.(?:md|csv))\)/g)) {
      const child = within(folderOf(path), decode(target)).replace(/(_all)?\.csv$/i, '.md')
      if (!orders.has(child)) orders.set(child, at++)
    }
  }
  return orders
}

/** Paths of pages by their names without ids, by folder. */
function pagesByFolder(paths: Iterable<string>): Map<string, Map<string, string>> {
  const folders = new Map<string, Map<string, string>>()
  for (const path of paths) {
    if (!/\.md$/i.test(path)) continue
    const names = folders.get(folderOf(path)) ?? new Map<string, string>()
    folders.set(folderOf(path), names.set(plainName(nameOf(path)), path))
  }
  return folders
}

function tableOf(
  source: string,
  pagePath: string,
  pagesIn: ReadonlyMap<string, ReadonlyMap<string, string>>,
): JSONDocument {
  const [head = [], ...rows] = readCsv(source)
  if (head.length === 0) return makeDocument([])
  const folder = pagePath.replace(/\.md$/, '')
  const plain = within(folderOf(pagePath), plainName(nameOf(pagePath)))
  const pageOf = (name: string): string | undefined => pagesIn.get(folder)?.get(name) ?? pagesIn.get(plain)?.get(name)
  const columns = head.map((_, at) => columnId(at))
  const records: Table['data']['records'] = {}
  const fragments: Table['fragments'] = []
  for (const [row, cells] of rows.entries()) {
    const record = rowId(row)
    records[record] = {
      orderIndex: orderIndexAt(row),
      values: Object.fromEntries(columns.map((column) => [column, cellName(record, column)])),
    }
    for (const [at, column] of columns.entries()) {
      const words = cells[at] ?? ''
      const page = at === 0 ? pageOf(words.trim().slice(0, 200)) : undefined
      const line = words === '' ? [] : [text(words)]
      const blocks: Block[] = [
        paragraph(
          page === undefined || words === '' ? line : [link({ kind: 'url', url: `/${encode(page)}` }, [text(words)])],
        ),
      ]
      fragments.push(fragment('table-cell', blocks, cellName(record, column)))
    }
  }
  const data: Table['data'] = {
    view: { type: 'grid', columns, hideHeader: false },
    records,
    definition: Object.fromEntries(
      columns.map((id, at) => [
        id,
        { id, title: head[at] ?? '', type: 'text' as const, textAlignment: 'left' as const },
      ]),
    ),
  }
  return makeDocument(rows.length === 0 ? [] : [{ object: 'block', type: 'table', isVoid: true, data, fragments }])
}

/** Rows of fields; a quoted field may hold commas, quotes and lines. */
function readCsv(source: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const field = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y
  const clean = source.replace(/^\ufeff/, '')
  while (field.lastIndex < clean.length) {
    const match = field.exec(clean)
    if (!match) break
    row.push(match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"'))
    if (match[3] !== ',') {
      rows.push(row)
      row = []
    }
  }
  if (row.length > 0) rows.push(row)
  return rows.slice(0, 5000)
}

const encode = (path: string): string =>
  path.replace(/[%#?]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

function decode(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}
