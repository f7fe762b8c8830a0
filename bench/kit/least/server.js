// What the contract demands at least, written by hand on node:http and a database: whose token it is, what they may do, the rows,
// the same JSON, its tag, an id and a count. No router, no other role than an organization's, no grants, no collections, no limits.
// A published page is sent from memory with the headers that ours have, once the database has said that nothing was committed,
// which requests of one turn ask together. What is above this is ours.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { count, nextId, send, userFinder } from './answer.js'
import { commentWriter } from './comments.js'
import { openDatabase } from './database.js'
import { pageReader } from './pages.js'
import { permissionsOf } from './permissions.js'
import { searcher } from './search.js'

/**
 * A server that sends `page` to readers of sites and answers `GET /v1/spaces/{id}`, `GET /v1/spaces/{id}/content/page/{page}`,
 * `GET /v1/orgs/{id}/members`, on SQLite `GET /v1/spaces/{id}/search`, and `POST /v1/spaces/{id}/comments` from a database of Lectern's: `{ file }` or `{ url }`.
 */
export async function leastServer(database, page) {
  const db = await openDatabase(database)
  const findUser = userFinder(db)
  const showSpace = spaceReader(db)
  const showMembers = memberReader(db)
  const readPage = database.pages ? pageReader(db) : undefined
  const writeComment = commentWriter(db)
  const sendPage = pageSender(db, page)
  const search = db.isPostgres ? undefined : searcher(db)
  return createServer(async (request, response) => {
    if (request.url.startsWith('/sites/')) return sendPage(request, response)
    const [, , kind, id, rest, ...more] = request.url.split(/[/?]/)
    const user = await findUser(request.headers)
    if (kind === undefined || !user) return send(response, user ? 404 : 401, '{}', 'none')
    if (rest === 'comments') {
      const body = JSON.parse(await text(request))
      return writeComment({ response, user, space: id, body, address: request.socket.remoteAddress })
    }
    if (rest === 'content') {
      const format = more[2]?.startsWith('format=document') ? 'document' : 'markdown'
      const printed = await readPage(user, id, more[1], format)
      return send(response, printed ? 200 : 404, printed ?? '{}', 'page')
    }
    if (rest === 'search') {
      const found = search(user, id, new URLSearchParams(request.url.split('?')[1]).get('query'))
      return send(response, found ? 200 : 404, found ?? '{}', 'search')
    }
    const shown = await (kind === 'orgs' ? showMembers(user, id) : showSpace(user, id))
    send(response, shown ? 200 : 404, JSON.stringify(shown ?? {}), kind)
  })
}

function spaceReader(db) {
  const spaceOf = db.statement(
    'select "space".*, "member"."role" from "space" left join "member" on "member"."organizationId" = "space"."organizationId" and "member"."userId" = ? where "space"."id" = ?',
  )
  return async (user, id) => {
    const row = await spaceOf.one(user.id, id)
    if (!row?.role) return undefined
    const { role, organizationId, ...shown } = row
    return { object: 'space', ...shown, organization: organizationId, permissions: permissionsOf(role) }
  }
}

function memberReader(db) {
  const roleIn = db.statement('select "role" from "member" where "organizationId" = ? and "userId" = ?')
  const membersOf = db.statement(
    `select "member"."userId", "role", "disabled", "sso", "joinedAt", "lastSeenAt", "displayName", "email", "photoURL",
      (select count(*) from "teamMember" where "teamMember"."userId" = "member"."userId") as "teams"
      from "member" join "user" on "user"."id" = "member"."userId" where "organizationId" = ? order by "joinedAt" desc, "member"."userId" desc limit 51`,
  )
  const countSpaces = db.statement(
    'select count(*) as "count" from "space" where "organizationId" = ? and "deletedAt" is null',
  )
  return async (user, organization) => {
    if (!(await roleIn.one(organization, user.id))?.role) return undefined
    const rows = await membersOf.all(organization)
    const spaces = (await countSpaces.one(organization)).count
    const items = rows.map(({ userId, displayName, email, photoURL, disabled, sso, ...row }) => ({
      object: 'member',
      id: userId,
      ...row,
      user: { object: 'user', id: userId, displayName, email, photoURL, urls: { location: `/v1/users/${userId}` } },
      disabled: disabled === 1,
      sso: sso === 1,
      spaces,
    }))
    return { count: items.length, items }
  }
}

/** On SQLite. */
function pageSender(db, page) {
  const dataVersion = db.isPostgres ? undefined : db.statement('PRAGMA data_version')
  const pages = new Map()
  const durations = new Array(12).fill(0)
  let version
  return (request, response) => {
    const started = performance.now()
    const key = `${request.url} ${request.headers['accept-encoding'] ?? ''}`
    if (version === undefined) {
      version = dataVersion.one().data_version
      setImmediate(() => {
        version = undefined
      })
    }
    if (pages.get(key) !== version) pages.set(key, version)
    response.on('close', () => {
      durations[Math.min(11, Math.floor(performance.now() - started))]++
      count('page')
    })
    response.writeHead(200, [...page.headers, 'x-request-id', nextId()])
    response.end(page.bytes)
  }
}
