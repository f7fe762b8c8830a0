// Bare node:http: the same status and bytes for every request.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const { body, headers } = JSON.parse(await text(process.stdin))
const bytes = Buffer.from(body, 'base64')
createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length, ...headers })
  response.end(bytes)
}).listen(Number(process.argv[2]), '127.0.0.1')
