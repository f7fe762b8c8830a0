// Bare node:http: the same status and bytes for every request. With `database`, what the least of reads needs: the row of a space
// is read from SQLite, printed and tagged, and nobody asks who wants to see it.
import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const { body, headers, database } = JSON.parse(await text(process.stdin))
const bytes = Buffer.from(body, 'base64')
const { DatabaseSync } = database ? await import('@photostructure/sqlite') : {}
// Held, because a connection that is collected is closed.
const connection = database && new DatabaseSync(database, { readOnly: true })
const space = connection?.prepare('select * from space where id = ?')
const type = 'application/json'

const send = (_request, response) => {
  response.writeHead(200, { 'content-type': type, 'content-length': bytes.length, ...headers })
  response.end(bytes)
}

const read = ({ url }, response) => {
  const printed = connection.isOpen && JSON.stringify(space.get(/^\/v1\/spaces\/(\w+)/.exec(url)?.[1] ?? ''))
  if (!printed) return send(undefined, response)
  const etag = `"${hash('sha1', printed, 'base64url')}"`
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(printed), etag })
  response.end(printed)
}

createServer(space ? read : send).listen(Number(process.argv[2]), '127.0.0.1')
