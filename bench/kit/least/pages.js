// First reads by hand. A page is one row: its fields, its Markdown cut where it names other pages and its document, as JSON that is
// sent as it is stored, the long ones packed. An answer is that row, where the pages that it names are now, and the parts joined.
import { posix } from 'node:path'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Between the parts of a stored Markdown: JSON has none of its own. */
const cut = '\0'
const packed = (text) => deflateRawSync(text)
const unpacked = (bytes) => inflateRawSync(bytes).toString()

/** Stores pages as Lectern answered them, `markdown` and `document` being the two answers for each. */
export async function storePages(db, space, pages) {
  const bytes = db.isPostgres ? 'bytea' : 'blob'
  await db.exec('drop table if exists "leastPage"')
  await db.exec(
    `create table "leastPage" ("id" text primary key, "spaceId" text not null, "path" text not null, "fields" text not null, "markdown" ${bytes} not null, "document" ${bytes} not null)`,
  )
  const insert = db.statement('insert into "leastPage" values (?, ?, ?, ?, ?, ?)')
  const fileOf = ({ path, git }) => `/${git?.path ?? `${path}.md`}`
  const ids = new Map(pages.map(({ markdown }) => [fileOf(markdown), markdown.id]))
  for (const { markdown: answer, document } of pages) {
    const { markdown, ...fields } = answer
    const own = fileOf(answer)
    const stored = JSON.stringify(markdown)
      .slice(1, -1)
      .replace(/(\]\()([^)#\s]+)(?=[)#])/g, (whole, open, target) => {
        const file = posix.join(posix.dirname(own), target)
        const isSpeltAlike = ids.has(file) && posix.relative(posix.dirname(own), file) === target
        return isSpeltAlike ? `${open}${cut}${ids.get(file)}${cut}` : whole
      })
    await insert.run(
      answer.id,
      space,
      own,
      JSON.stringify(fields).slice(0, -1),
      packed(stored),
      packed(JSON.stringify(document.document)),
    )
  }
}

/** Answers `GET /v1/spaces/{id}/content/page/{page}` in both formats: JSON, or nothing when there is none for this user. */
export function pageReader(db) {
  const columns = '"leastPage"."path", "fields", "revisionId"'
  const from = `from "leastPage" join "space" on "space"."id" = "leastPage"."spaceId"
    join "member" on "member"."organizationId" = "space"."organizationId" and "member"."userId" = ?
    where "leastPage"."id" = ? and "spaceId" = ? and "space"."deletedAt" is null`
  const rowOf = {
    markdown: db.statement(`select ${columns}, "markdown" as "content" ${from}`),
    document: db.statement(`select ${columns}, "document" as "content" ${from}`),
  }
  const list = db.isPostgres ? '= any (?)' : 'in (select "value" from json_each(?))'
  const pathsOf = db.statement(`select "id", "path" from "leastPage" where "id" ${list}`)
  let known = { paths: new Map() }

  /** Where pages are, as of a revision. */
  const findPaths = async (ids, revision) => {
    if (known.revision !== revision) known = { revision, paths: new Map() }
    const { paths } = known
    const unknown = ids.filter((id) => !paths.has(id))
    if (unknown.length > 0)
      for (const { id, path } of await pathsOf.all(db.isPostgres ? unknown : JSON.stringify(unknown)))
        paths.set(id, path)
    return paths
  }

  return async (user, space, page, format) => {
    const row = await rowOf[format].one(user.id, page, space)
    if (!row) return undefined
    const content = unpacked(row.content)
    if (format === 'document') return `${row.fields},"document":${content}}`
    const parts = content.split(cut)
    const paths = await findPaths(
      parts.filter((_, i) => i % 2 === 1),
      row.revisionId,
    )
    const folder = posix.dirname(row.path)
    for (let i = 1; i < parts.length; i += 2) parts[i] = posix.relative(folder, paths.get(parts[i]))
    return `${row.fields},"markdown":"${parts.join('')}"}`
  }
}
