/** The page that people see when something did not work: no script, styled in itself, light and dark. */
import { createHash } from 'node:crypto'
import type { ApiError } from '../../core/errors.ts'
import { errorWords } from './error-words.ts'
import type { Language } from './language.ts'

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

interface ErrorPage {
  /** When the request may be repeated without harm. */
  isReading: boolean
  /** Names what is in our log. */
  requestId: string
  language: Language
}

export function errorPage(error: ApiError, { isReading, requestId, language }: ErrorPage) {
  const words = errorWords[language]
  // Of a page that is read: busy is no fault, and the page comes by itself.
  const isBusy = error.code === 'overloaded' && isReading
  const title = isBusy ? words.wait : (words.titles[error.status] ?? (error.status < 500 ? words.failed : words.broken))
  // What the API says is English; other languages say what kind of thing it was.
  const reason = language === 'en' ? error.message : (words.sentences[error.status] ?? words.sentence)
  const sentence = isBusy ? words.busy : reason
  const reference = error.code === 'internal_error' ? `<p>${words.request} ${escapeHtml(requestId)}</p>` : ''
  const refresh = isBusy ? '<meta http-equiv="refresh" content="2">' : ''
  const body = `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">${refresh}<title>${title}</title><link rel="icon" href="data:,"><style>${style}</style><main><h1>${title}</h1><p>${escapeHtml(sentence)}</p>${reference}</main></html>\n`
  return { headers: { ...headers, 'content-language': language, vary: 'accept-language' }, body }
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
