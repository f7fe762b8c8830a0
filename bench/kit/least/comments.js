// Comments by hand: the Markdown is read by markdown-it as it is published, of marks bold, italics and code, and stored with its
// document; all that have come in one turn of the event loop share a transaction, on PostgreSQL a statement too.
import { randomBytes } from 'node:crypto'
import markdownIt from 'markdown-it'
import { send } from './answer.js'
import { permissionsOf } from './permissions.js'

const reader = markdownIt()
const marksOf = { strong_open: 'bold', em_open: 'italic' }

const leafOf = (text, marks) => ({ object: 'leaf', text, marks: marks.map((type) => ({ object: 'mark', type })) })

/** Paragraphs of text with marks. */
function readMarkdown(markdown) {
  const nodes = []
  for (const token of reader.parse(markdown, {})) {
    if (token.type !== 'inline') continue
    const leaves = []
    const marks = []
    for (const child of token.children) {
      if (marksOf[child.type]) marks.push(marksOf[child.type])
      else if (child.type.endsWith('_close')) marks.pop()
      else if (child.content)
        leaves.push(leafOf(child.content, child.type === 'code_inline' ? [...marks, 'code'] : marks))
    }
    nodes.push({ object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes: [{ object: 'text', leaves }] })
  }
  return { object: 'document', data: { schemaVersion: 8 }, nodes }
}

const wrapped = { bold: '**', italic: '_', code: '`' }

/** The document's own Markdown, as it is answered. */
const printMarkdown = ({ nodes }) =>
  nodes
    .map(({ nodes: [{ leaves }] }) =>
      leaves
        .map(({ text, marks }) => marks.reduceRight((inner, { type }) => wrapped[type] + inner + wrapped[type], text))
        .join(''),
    )
    .join('\n\n')

const columns = {
  comment: ['id', 'spaceId', 'revisionId', 'markdown', 'document', 'postedBy', 'postedAt', 'status', 'replies'],
  event: ['id', 'organizationId', 'action', 'actorId', 'targetType', 'targetId', 'data', 'occurredAt', 'spaceId', 'credentialKind', 'credentialId', 'address'],
} // biome-ignore format: lists

/** Takes comments; they are answered when they are committed. */
export function commentWriter(db) {
  const spaceOf = db.statement(
    'select "space".*, "member"."role" from "space" left join "member" on "member"."organizationId" = "space"."organizationId" and "member"."userId" = ? where "space"."id" = ?',
  )
  const write = db.isPostgres ? postgresWriter(db) : sqliteWriter(db)
  let waiting = []
  let isWriting = false

  const rowsOf = ({ user, space, document, markdown, address, row }) => {
    const now = new Date().toISOString()
    const id = randomBytes(10).toString('hex')
    return {
      comment: [id, space, row.revisionId, markdown, JSON.stringify(document), user.id, now, 'open', 0],
      event: [randomBytes(10).toString('hex'), row.organizationId, 'comment_posted', user.id, 'comment', id, JSON.stringify({ space }), now, space, 'token', user.tokenId, address],
      answer: { object: 'comment', id, postedAt: now, body: { markdown }, replies: 0, status: 'open', permissions: permissionsOf(row.role) },
    } // biome-ignore format: rows
  }

  const writeWaiting = async () => {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      const answers = await write(batch, spaceOf, rowsOf)
      for (const [i, { response }] of batch.entries()) send(response, 201, JSON.stringify(answers[i]), 'comment')
    }
    isWriting = false
  }

  return ({ response, user, space, body, address }) => {
    const document = readMarkdown(body.body.markdown)
    waiting.push({ response, user, space, document, markdown: printMarkdown(document), address })
    if (waiting.length === 1 && !isWriting) setImmediate(writeWaiting)
  }
}

const quoted = (names) => names.map((name) => `"${name}"`).join(', ')

function sqliteWriter(db) {
  const insertComment = db.statement(
    `insert into "comment" (${quoted(columns.comment)}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertEvent = db.statement(
    `insert into "event" ("seq", ${quoted(columns.event)}) values ((select coalesce(max("seq"), 0) + 1 from "event"), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const countOne = db.statement('update "space" set "comments" = "comments" + 1 where "id" = ?')
  return (batch, spaceOf, rowsOf) => {
    db.exec('BEGIN IMMEDIATE')
    const answers = batch.map((posted) => {
      const { comment, event, answer } = rowsOf({ ...posted, row: spaceOf.one(posted.user.id, posted.space) })
      insertComment.run(...comment)
      countOne.run(posted.space)
      insertEvent.run(...event)
      return answer
    })
    db.exec('COMMIT')
    return answers
  }
}

/** One question for each caller and space of the batch, and one statement that writes all of it. */
function postgresWriter(db) {
  const list = (names, from) =>
    names.map((name, i) => `$${from + i}::${name === 'replies' ? 'int4' : 'text'}[]`).join(', ')
  const text = `with "posted" as (insert into "comment" (${quoted(columns.comment)}) select * from unnest(${list(columns.comment, 1)})),
    "counted" as (update "space" set "comments" = "comments" + "new"."count" from
      (select "id", count(*) as "count" from unnest($2::text[]) as "n" ("id") group by "id") as "new" where "space"."id" = "new"."id")
    insert into "event" ("seq", "xact", ${quoted(columns.event)})
      select nextval('event_numbers'), pg_current_xact_id()::text::bigint, "e".* from unnest(${list(columns.event, columns.comment.length + 1)}) as "e"`
  const turned = (rows, names) => names.map((_, i) => rows.map((row) => row[i]))
  return async (batch, spaceOf, rowsOf) => {
    const spaces = new Map()
    for (const { user, space } of batch)
      if (!spaces.has(`${user.id} ${space}`)) spaces.set(`${user.id} ${space}`, await spaceOf.one(user.id, space))
    const rows = batch.map((posted) => rowsOf({ ...posted, row: spaces.get(`${posted.user.id} ${posted.space}`) }))
    const values = ['comment', 'event'].flatMap((table) =>
      turned(
        rows.map((row) => row[table]),
        columns[table],
      ),
    )
    await db.pool.query({ name: 'leastComments', text, values })
    return rows.map(({ answer }) => answer)
  }
}
