/**
 * The few headers that decide how a request is answered, picked from the list as it came. Node sorts all headers into an
 * object when that is first asked for, which takes longer than the rest of an answer from memory.
 */
import type { IncomingMessage } from 'node:http'

const names = [
  'host',
  'cookie',
  'authorization',
  'accept',
  'accept-encoding',
  'if-none-match',
  'user-agent',
  'sec-purpose',
  'x-prefetch',
  'x-request-id',
  'content-length',
  'transfer-encoding',
  'sec-fetch-site',
  'origin',
  'referer',
  'x-lectern-app',
] as const

export type RequestHeaders = { [name in (typeof names)[number]]?: string | undefined }

const nothing = Object.fromEntries(names.map((name) => [name, undefined])) as RequestHeaders

/** By how clients spell them; any other spelling is looked up in small letters. */
const spelt = new Map<string, keyof RequestHeaders>(
  names.flatMap((name) => [
    [name, name],
    [name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()), name],
  ]),
)

export function readHeaders(request: IncomingMessage): RequestHeaders {
  const raw = request.rawHeaders
  const headers = { ...nothing }
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const written = raw[i] as string
    const name = spelt.get(written) ?? spelt.get(written.toLowerCase())
    if (name === undefined) continue
    // How several become one is Node's affair.
    if (headers[name] !== undefined) return request.headers as RequestHeaders
    headers[name] = raw[i + 1]
  }
  return headers
}

/** Proxies disagree about which of two counts, so neither does. */
export function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}
