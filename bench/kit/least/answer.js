// What every answer has by hand: whose token it is (by its hash, kept for half a second), the headers of ours, a tag, an id and a count.
import { createHash, hash } from 'node:crypto'

const keepMilliseconds = 500

/** Finds the user of a token. */
export function userFinder(db) {
  const owner = db.statement(
    'select "apiToken"."id" as "tokenId", "user".* from "apiToken" join "user" on "user"."id" = "apiToken"."userId" where "hash" = ?',
  )
  const known = new Map()
  return async ({ authorization = '' }) => {
    const remembered = known.get(authorization)
    if (remembered?.until > performance.now()) return remembered.user
    const user = await owner.one(createHash('sha256').update(authorization.slice(7)).digest('base64url'))
    known.set(authorization, { user, until: performance.now() + keepMilliseconds })
    return user
  }
}

const counts = new Map()
let requests = 0

export const nextId = () => `least${(requests++).toString(36)}`
export const count = (route) => counts.set(route, (counts.get(route) ?? 0) + 1)

/** `printed` is JSON. */
export function send(response, status, printed, route) {
  count(route)
  response.writeHead(status, {
    'access-control-allow-origin': '*',
    'access-control-expose-headers':
      'ETag, Location, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id',
    'cache-control': 'private, no-cache',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(printed),
    'x-content-type-options': 'nosniff',
    'x-request-id': nextId(),
    ...(status === 200 ? { etag: `"${hash('sha1', printed, 'base64url')}"` } : {}),
  })
  response.end(printed)
}
