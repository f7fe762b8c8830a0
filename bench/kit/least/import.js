// An import by hand, as a command: each file read by markdown-it as it is published, made a document of blocks, inlines and leaves,
// hashed, packed and stored, with its Markdown packed beside it, a row for each link to another file, and an index of the words of each
// section. No front matter, no directives, no summary, no files that are not Markdown, no earlier content. With `proof` what was
// read is read once more, as a proof that it prints as what it was read from would have to at least.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import markdownIt from 'markdown-it'
import { openDatabase } from './database.js'

const { folder, database, proof } = JSON.parse(process.argv[2])
const reader = markdownIt({ html: true })
const pagesInTransaction = 50

const marks = { strong_open: 'bold', em_open: 'italic', s_open: 'strikethrough' }
const withoutClose = new Set(['fence', 'code_block', 'hr', 'html_block'])

let keys = 0
const nodeOf = (object, type, data) => ({
  object,
  type,
  isVoid: false,
  data,
  nodes: [],
  key: (keys++).toString(36).padStart(14, '0'),
})
const leafOf = (text, open) => ({ object: 'leaf', text, marks: open.map((type) => ({ object: 'mark', type })) })

/** Text with its marks and links, as nodes. */
function readInline(children, links) {
  const root = { nodes: [] }
  const path = [root]
  const open = []
  const addLeaf = (leaf) => {
    const { nodes } = path.at(-1)
    if (nodes.at(-1)?.object !== 'text') nodes.push({ object: 'text', leaves: [] })
    nodes.at(-1).leaves.push(leaf)
  }
  for (const child of children) {
    if (child.type === 'link_open') {
      const href = child.attrGet('href')
      links.push(href)
      const link = nodeOf('inline', 'link', { ref: { kind: 'url', url: href } })
      path.at(-1).nodes.push(link)
      path.push(link)
    } else if (child.type === 'link_close') path.pop()
    else if (marks[child.type]) open.push(marks[child.type])
    else if (child.nesting === -1) open.pop()
    else addLeaf(leafOf(child.content || '\n', child.type === 'code_inline' ? [...open, 'code'] : open))
  }
  return root.nodes
}

/** A document from the tokens of a text, with its links and its sections. */
function readPage(text) {
  const links = []
  const sections = [{ title: '', body: '' }]
  const root = { object: 'document', data: { schemaVersion: 8 }, nodes: [] }
  const path = [root]
  let isHeading = false
  for (const token of reader.parse(text, {})) {
    if (token.type === 'inline') {
      path.at(-1).nodes.push(...readInline(token.children, links))
      const words = token.children.map(({ content }) => content).join('')
      if (isHeading) sections.push({ title: words, body: '' })
      else sections.at(-1).body += `${words}\n`
    } else if (token.nesting === -1) {
      path.pop()
      isHeading = false
    } else {
      const block = nodeOf('block', token.tag === 'h2' ? 'heading-1' : token.type.replace('_open', ''), {})
      path.at(-1).nodes.push(block)
      isHeading = token.type === 'heading_open'
      if (token.nesting === 1) path.push(block)
      else if (withoutClose.has(token.type)) block.nodes.push({ object: 'text', leaves: [leafOf(token.content, [])] })
    }
  }
  return { root, links, sections }
}

const db = await openDatabase({ ...database, connections: 1 })
const bytes = db.isPostgres ? 'bytea' : 'blob'
const number = db.isPostgres ? 'bigint' : 'integer'
await db.exec(`create table "document" ("hash" text primary key, "content" ${bytes}, "markdown" ${bytes})`)
await db.exec(
  `create table "page" ("id" ${number} primary key, "path" text not null, "title" text not null, "hash" text not null)`,
)
await db.exec(
  `create table "link" ("page" ${number}, "place" ${number}, "target" ${number}, primary key ("page", "place"))${db.isPostgres ? '' : ' without rowid'}`,
)
await db.exec('create index "link_target" on "link" ("target")')
if (db.isPostgres) await db.exec(`create table "section" ("page" ${number}, "text" ${bytes}, "words" tsvector)`)
else {
  await db.exec('create table "section" ("id" integer primary key, "page" integer, "text" blob)')
  await db.exec(`create virtual table "words" using fts5 ("title", "body", content = '')`)
}
const insertDocument = db.statement('insert into "document" values (?, ?, ?) on conflict do nothing')
const insertPage = db.statement('insert into "page" values (?, ?, ?, ?)')
const writeRows = db.isPostgres ? postgresRows() : sqliteRows()

/** A statement for all links of a page, and one for its sections. */
function postgresRows() {
  const insertLinks = db.statement(
    'insert into "link" select ?, "place", "target" from unnest(?::int4[], ?::int4[]) as "n" ("place", "target")',
  )
  const insertSections = db.statement(
    `insert into "section" select ?, "packed", to_tsvector('simple', "words") from unnest(?::bytea[], ?::text[]) as "n" ("packed", "words")`,
  )
  return async (id, targets, sections) => {
    if (targets.length > 0)
      await insertLinks.run(
        id,
        targets.map((_, place) => place),
        targets,
      )
    await insertSections.run(
      id,
      sections.map(({ body }) => deflateRawSync(body)),
      sections.map(({ title, body }) => `${title}\n${body}`),
    )
  }
}

function sqliteRows() {
  const insertLink = db.statement('insert into "link" values (?, ?, ?)')
  const insertSection = db.statement('insert into "section" values (?, ?, ?)')
  const insertWords = db.statement('insert into "words" (rowid, "title", "body") values (?, ?, ?)')
  let number = 0
  return (id, targets, sections) => {
    for (const [place, target] of targets.entries()) insertLink.run(id, place, target)
    for (const { title, body } of sections) {
      insertSection.run(++number, id, deflateRawSync(body))
      insertWords.run(number, title, body)
    }
  }
}

const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.md'))
const ids = new Map(files.map((file, id) => [file, id]))
for (const [id, file] of files.entries()) {
  if (id % pagesInTransaction === 0) await db.exec(id === 0 ? 'begin' : 'commit; begin')
  const text = readFileSync(join(folder, file), 'utf8')
  const { root, links, sections } = readPage(text)
  if (proof) readPage(text)
  const json = JSON.stringify(root)
  const hash = createHash('sha256').update(json).digest('base64url')
  await insertDocument.run(hash, deflateRawSync(json), deflateRawSync(text))
  await insertPage.run(id, file, sections.at(0).title, hash)
  const targets = links.map((href) => ids.get(posix.join(dirname(file), href.split('#')[0])))
  await writeRows(
    id,
    targets.filter((target) => target !== undefined),
    sections,
  )
}
if (files.length > 0) await db.exec('commit')
await db.close()
