/**
 * The few headers that decide whether a request is answered from memory, picked from the list as it came. Node sorts all
 * headers into an object when that is first asked for, which takes longer than the rest of such an answer.
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

export type Said = { [name in (typeof names)[number]]?: string | undefined }

const nothing = Object.fromEntries(names.map((name) => [name, undefined])) as Said

/** By how clients spell them; any other spelling is looked up in small letters. */
const spelt = new Map<string, keyof Said>(
  names.flatMap((name) => [
    [name, name],
    [name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()), name],
  ]),
)

export function saidIn(request: IncomingMessage): Said {
  const raw = request.rawHeaders
  const said = { ...nothing }
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const written = raw[i] as string
    const name = spelt.get(written) ?? spelt.get(written.toLowerCase())
    if (name === undefined) continue
    // How several become one is Node's affair.
    if (said[name] !== undefined) return request.headers as Said
    said[name] = raw[i + 1]
  }
  return said
}
