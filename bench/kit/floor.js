// Bare node:http: the same status and bytes for every request. With `database`, what the contract demands at least (least/).
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const { body, headers, database } = JSON.parse(await text(process.stdin))
const bytes = Buffer.from(body, 'base64')
const type = 'application/json'

const send = (_request, response) => {
  response.writeHead(200, { 'content-type': type, 'content-length': bytes.length, ...headers })
  response.end(bytes)
}

async function leastServer() {
  const least = await import('./least/server.js')
  return least.leastServer(database, { bytes, headers: Object.entries(headers).flat() })
}

const server = database ? await leastServer() : createServer(send)
server.listen(Number(process.argv[2]), '127.0.0.1')
