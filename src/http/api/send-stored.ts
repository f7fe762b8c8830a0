/** Stored JSON on its way out, as fast as its reader takes it: with its tag, and in the encoding that the reader takes. */
import { Readable } from 'node:stream'
import type { StoredJson } from '../../domain/handler.ts'
import { addVary, compressor, encodingFor, weakTag, worthCompressing } from '../edge/encoding.ts'
import type { Exchange } from '../edge/exchange.ts'
import type { Edge } from '../edge/index.ts'
import { isHeld } from '../etag.ts'

export async function sendStored(
  edge: Edge,
  exchange: Exchange,
  stored: StoredJson,
  { headers, vary, caching }: { headers: string[]; vary: string | undefined; caching: string },
): Promise<void> {
  const sent = exchange.headers
  const mayVary = stored.bytes >= worthCompressing
  const encoding = mayVary ? encodingFor(sent['accept-encoding']) : undefined
  const etag = `"${stored.hash}"`
  headers.push('etag', encoding === undefined ? etag : weakTag(etag), 'cache-control', caching)
  if (mayVary) headers.push('vary', addVary(vary, 'accept-encoding'))
  else if (vary !== undefined) headers.push('vary', vary)
  if (isHeld(sent['if-none-match'], etag)) return edge.answer(exchange, { status: 304, headers })
  headers.push('content-type', 'application/json; charset=utf-8')
  if (encoding === undefined) headers.push('content-length', String(stored.bytes))
  else headers.push('content-encoding', encoding)
  // Opened before anything is sent: what cannot be opened is an error of its own.
  const body = Readable.from(await stored.open(), { objectMode: false })
  edge.stream(exchange, { status: 200, headers, body: encoding === undefined ? [body] : [body, compressor(encoding)] })
}
