/** Answers that need no site and cost nothing: a word, or a page without a look. */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

export function sendPlain(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(`${sentence}\n`)
}

/** The same for a site that never was, one that is not published, and one whose door is shut. */
export function sendNothing(request: IncomingMessage, response: ServerResponse): void {
  sendPage(request, response, 404, nothing)
}

/** The process cannot keep up. Whoever comes again in a moment is served. */
export function sendBusy(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('retry-after', '1')
  // Nobody reads on what was sent with it.
  if (request.method === 'POST') response.setHeader('connection', 'close')
  sendPage(request, response, 503, busy)
}

interface PlainPage {
  html: string
  headers: Readonly<Record<string, string | number>>
}

function sendPage(request: IncomingMessage, response: ServerResponse, status: number, page: PlainPage): void {
  response.writeHead(status, page.headers)
  response.end(request.method === 'HEAD' ? undefined : page.html)
}

const style =
  ':root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-content:center;padding:0 20px;font:16px/1.7 system-ui,sans-serif}h1{margin:0;font-size:28px;line-height:1.2;letter-spacing:-.02em}p{margin:12px 0 0;opacity:.75}'
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

interface Words {
  title: string
  heading: string
  sentence: string
  /** In the head. */
  more?: string
}

function pageOf({ title, heading, sentence, more = '' }: Words): PlainPage {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">${more}<title>${title}</title><style>${style}</style><h1>${heading}</h1><p>${sentence}</p></html>\n`
  return {
    html,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-length': Buffer.byteLength(html),
      'cache-control': 'private, no-store',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  }
}

const nothing = pageOf({
  title: 'Not found',
  heading: 'There is nothing here',
  sentence: 'No site is published at this address.',
})
const busy = pageOf({
  title: 'One moment',
  heading: 'One moment, please',
  sentence: 'Many are reading at once. The page comes by itself in two seconds.',
  more: '<meta http-equiv="refresh" content="2">',
})
