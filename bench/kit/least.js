// What the contract demands at least, written by hand on node:http and SQLite: whose token it is (by its hash, kept for half a
// second), what they may do, the rows, the same JSON, its tag, an id and a count. No router, no other role than an organization's, no grants,
// no collections, no limits, no Markdown (a comment is stored as it was sent). A published page is sent from memory with the headers
// that ours have, once the database has said that nothing was committed, which requests of one turn ask together. What is above this is ours.
import { createHash, hash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const keepMilliseconds = 500
const ranks = { read: 2, comment: 3, edit: 4, review: 5, create: 6, admin: 7 }
const abilities = { view: 2, access: 2, comment: 3, edit: 4, review: 5, merge: 5, viewInviteLinks: 7, admin: 7 }

/** A server that sends `page` to readers of sites and answers `GET /v1/spaces/{id}`, `GET /v1/orgs/{id}/members` and `POST /v1/spaces/{id}/comments` from a database of Lectern's. */
export async function leastServer(database, page) {
  const { DatabaseSync } = await import('@photostructure/sqlite')
  // Held, because a connection that is collected is closed.
  const db = new DatabaseSync(database)
  for (const pragma of ['busy_timeout = 10000', 'synchronous = FULL', 'foreign_keys = ON', 'wal_autocheckpoint = 0'])
    db.exec(`PRAGMA ${pragma}`)
  const statement = (sql) => {
    const made = db.prepare(sql)
    return {
      one: (...values) => made.get(...values),
      all: (...values) => made.all(...values),
      run: made.run.bind(made),
    }
  }
  const owner = statement(
    'select "apiToken"."id" as "tokenId", "user".* from "apiToken" join "user" on "user"."id" = "apiToken"."userId" where "hash" = ?',
  )
  const spaceOf = statement(
    'select "space".*, "member"."role" from "space" left join "member" on "member"."organizationId" = "space"."organizationId" and "member"."userId" = ? where "space"."id" = ?',
  )
  const roleIn = statement('select "role" from "member" where "organizationId" = ? and "userId" = ?')
  const membersOf = statement(
    `select "member"."userId", "role", "disabled", "sso", "joinedAt", "lastSeenAt", "displayName", "email", "photoURL",
      (select count(*) from "teamMember" where "teamMember"."userId" = "member"."userId") as "teams"
      from "member" join "user" on "user"."id" = "member"."userId" where "organizationId" = ? order by "joinedAt" desc, "member"."userId" desc limit 51`,
  )
  const countSpaces = statement(
    'select count(*) as "count" from "space" where "organizationId" = ? and "deletedAt" is null',
  )
  const insertComment = statement(
    `insert into "comment" ("id", "spaceId", "revisionId", "markdown", "document", "postedBy", "postedAt", "status", "replies") values (?, ?, ?, ?, ?, ?, ?, 'open', 0)`,
  )
  const count = statement('update "space" set "comments" = "comments" + 1 where "id" = ?')
  const insertEvent = statement(
    `insert into "event" ("seq", "id", "organizationId", "action", "actorId", "targetType", "targetId", "data", "occurredAt", "spaceId", "credentialKind", "credentialId", "address")
      values ((select coalesce(max("seq"), 0) + 1 from "event"), ?, ?, 'comment_posted', ?, 'comment', ?, ?, ?, ?, 'token', ?, ?)`,
  )
  const known = new Map()
  const counts = new Map()
  let requests = 0

  const userOf = ({ authorization = '' }) => {
    const remembered = known.get(authorization)
    if (remembered?.until > performance.now()) return remembered.user
    const user = owner.one(createHash('sha256').update(authorization.slice(7)).digest('base64url'))
    known.set(authorization, { user, until: performance.now() + keepMilliseconds })
    return user
  }

  const permissionsOf = (role) =>
    Object.fromEntries(Object.entries(abilities).map(([name, least]) => [name, (ranks[role] ?? 0) >= least]))

  const send = (response, status, body, route) => {
    const printed = body === undefined ? '{}' : JSON.stringify(body)
    counts.set(route, (counts.get(route) ?? 0) + 1)
    response.writeHead(status, {
      'access-control-allow-origin': '*',
      'access-control-expose-headers':
        'ETag, Location, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id',
      'cache-control': 'private, no-cache',
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(printed),
      'x-content-type-options': 'nosniff',
      'x-request-id': `least${(requests++).toString(36)}`,
      ...(status === 200 ? { etag: `"${hash('sha1', printed, 'base64url')}"` } : {}),
    })
    response.end(printed)
  }

  const showSpace = (user, id) => {
    const row = spaceOf.one(user.id, id)
    if (!row?.role) return undefined
    const { role, organizationId, ...shown } = row
    return { object: 'space', ...shown, organization: organizationId, permissions: permissionsOf(role) }
  }

  const showMembers = (user, organization) => {
    if (!roleIn.one(organization, user.id)?.role) return undefined
    const rows = membersOf.all(organization)
    const spaces = countSpaces.one(organization).count
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

  let waiting = []
  /** All that have come in one turn of the event loop, in one transaction. */
  const commit = () => {
    const batch = waiting
    waiting = []
    db.exec('BEGIN IMMEDIATE')
    const done = batch.map(({ user, space, body, address }) => {
      const row = spaceOf.one(user.id, space)
      const [id, event, now] = [
        randomBytes(10).toString('hex'),
        randomBytes(10).toString('hex'),
        new Date().toISOString(),
      ]
      const { markdown } = body.body
      const document = JSON.stringify({ object: 'document', data: {}, nodes: [{ type: 'paragraph', text: markdown }] })
      insertComment.run(id, space, row.revisionId, markdown, document, user.id, now)
      count.run(space)
      insertEvent.run(
        event,
        row.organizationId,
        user.id,
        id,
        JSON.stringify({ space }),
        now,
        space,
        user.tokenId,
        address,
      )
      return {
        object: 'comment',
        id,
        postedAt: now,
        body: { markdown },
        replies: 0,
        status: 'open',
        permissions: permissionsOf(row.role),
      }
    })
    db.exec('COMMIT')
    for (const [i, { response }] of batch.entries()) send(response, 201, done[i], 'comment')
  }

  const dataVersion = statement('PRAGMA data_version')
  const pages = new Map()
  const durations = new Array(12).fill(0)
  let version
  const sendPage = (request, response) => {
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
      counts.set('page', (counts.get('page') ?? 0) + 1)
    })
    response.writeHead(200, [...page.headers, 'x-request-id', `least${(requests++).toString(36)}`])
    response.end(page.bytes)
  }

  return createServer(async (request, response) => {
    if (request.url.startsWith('/sites/')) return sendPage(request, response)
    const [, , kind, id, rest] = request.url.split(/[/?]/)
    const user = userOf(request.headers)
    if (kind === undefined || !user) return send(response, user ? 404 : 401, undefined, 'none')
    if (rest === 'comments') {
      const body = JSON.parse(await text(request))
      waiting.push({ response, user, space: id, body, address: request.socket.remoteAddress })
      if (waiting.length === 1) setImmediate(commit)
      return
    }
    const shown = kind === 'orgs' ? showMembers(user, id) : showSpace(user, id)
    send(response, shown ? 200 : 404, shown, kind)
  })
}
