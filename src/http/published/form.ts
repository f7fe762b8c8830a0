/** The small forms and messages that readers send: read with a limit on size and time, and only from pages of the same site. */
import type { IncomingMessage } from 'node:http'
import { fail } from '../../core/errors.ts'

const largestBytes = 16 * 1024
const largestJsonBytes = 64 * 1024
const longestMilliseconds = 10_000

/** `hosts` are those under which the site is reached. */
export async function formOf(request: IncomingMessage, hosts: readonly string[]): Promise<URLSearchParams> {
  refuseForeign(request.headers.origin, hosts)
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? ''))
    throw fail('unsupported_media', 'Send a form.')
  return new URLSearchParams(await bodyOf(request, largestBytes))
}

export const isJson = (request: IncomingMessage): boolean =>
  /^application\/json\b/i.test(request.headers['content-type'] ?? '')

/**
 * A message of a program, with the headers by which its protocol says what it is. Pages of other origins may send one:
 * browsers ask first, and are told that no cookie may come along (preflight.ts).
 */
export async function jsonOf(request: IncomingMessage) {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string' && /^(?:accept|content-type|mcp-[\w-]+)$/.test(name)) headers[name] = value
  return { text: await bodyOf(request, largestJsonBytes), headers }
}

async function bodyOf(request: IncomingMessage, largest: number): Promise<string> {
  const timer = setTimeout(() => request.destroy(), longestMilliseconds)
  try {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of request) {
      size += chunk.length
      if (size > largest) throw fail('too_large', 'That is too large.')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString()
  } finally {
    clearTimeout(timer)
  }
}

/** Browsers say from which origin a form comes; another site's pages may not send for our readers. */
function refuseForeign(origin: string | undefined, hosts: readonly string[]): void {
  if (origin === undefined) return
  const host = URL.canParse(origin) ? new URL(origin).host : ''
  if (!hosts.includes(host)) throw fail('not_own_origin', 'The form comes from another site.')
}
