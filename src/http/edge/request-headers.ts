/** The headers that decide how a request is answered. */
import type { IncomingMessage } from 'node:http'

type Name =
  | 'host'
  | 'cookie'
  | 'authorization'
  | 'accept'
  | 'accept-encoding'
  | 'accept-language'
  | 'if-none-match'
  | 'user-agent'
  | 'sec-purpose'
  | 'x-prefetch'
  | 'x-request-id'
  | 'content-length'
  | 'transfer-encoding'
  | 'sec-fetch-site'
  | 'origin'
  | 'referer'
  | 'x-lectern-app'
  | 'x-lectern-user'

export type RequestHeaders = { readonly [name in Name]?: string | undefined }

/** None of these is ever a list: where one came twice, Node joins both or takes the first. */
export const headersOf = (request: IncomingMessage): RequestHeaders => request.headers as RequestHeaders

/** Proxies disagree about which of two counts, so neither does. */
export function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}
