/** The small forms and messages that readers send: read with a limit on size and time, and only from pages of the same site. */
import type { IncomingMessage } from 'node:http'

const largestBytes = 16 * 1024
const largestJsonBytes = 64 * 1024
const longestMilliseconds = 10_000

export class FormRefused extends Error {
  override name = 'FormRefused'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** `hosts` are those under which the site is reached. */
export async function formOf(request: IncomingMessage, hosts: readonly string[]): Promise<URLSearchParams> {
  refuseForeign(request.headers.origin, hosts)
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? ''))
    throw new FormRefused(415, 'Send a form.')
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
      if (size > largest) throw new FormRefused(413, 'That is too large.')
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
  if (!hosts.includes(host)) throw new FormRefused(403, 'The form comes from another site.')
}
