/** The page that people see when something did not work: no script, styled in itself, light and dark. */
import { createHash } from 'node:crypto'
import type { ApiError } from '../../core/errors.ts'

const style =
  ':root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-content:center;padding:0 20px;font:16px/1.7 system-ui,sans-serif}h1{margin:0;font-size:28px;line-height:1.2;letter-spacing:-.02em}p{margin:12px 0 0;max-width:34rem;opacity:.75;overflow-wrap:anywhere}'

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'private, no-store',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    'img-src data:',
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
}

interface Words {
  title: string
  sentence?: string
  /** The browser asks again by itself. */
  again?: true
}

const words: Partial<Record<number, Words>> = {
  403: { title: 'Not allowed' },
  404: { title: 'There is nothing here' },
  405: { title: 'That cannot be done here' },
  413: { title: 'That is too large' },
  429: { title: 'Too many attempts' },
  503: { title: 'One moment, please' },
}

/** Of a page that is read: busy is no fault, and the page comes by itself. */
const busy: Words = {
  title: 'One moment, please',
  sentence: 'Many are reading at once. The page comes by itself in two seconds.',
  again: true,
}

/** `isReading` when the request may be repeated without harm; `requestId` names what is in our log. */
export function errorPage(error: ApiError, { isReading, requestId }: { isReading: boolean; requestId: string }) {
  const isBusy = error.code === 'overloaded' && isReading
  const known = (isBusy ? busy : words[error.status]) ?? {
    title: error.status < 500 ? 'That did not work' : 'Something went wrong',
  }
  const { title, sentence = error.message, again } = known
  const reference = error.code === 'internal_error' ? `<p>Request ${escapeHtml(requestId)}</p>` : ''
  const refresh = again ? '<meta http-equiv="refresh" content="2">' : ''
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">${refresh}<title>${title}</title><link rel="icon" href="data:,"><style>${style}</style><main><h1>${title}</h1><p>${escapeHtml(sentence)}</p>${reference}</main></html>\n`
  return { headers, body }
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
