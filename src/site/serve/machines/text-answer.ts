/** Answers that are plain text of some kind, kept like pages; and text as XML has it. */
import { createHash } from 'node:crypto'
import type { Answered, VisitedSite } from '../visiting.ts'

export function textAnswer(
  site: VisitedSite,
  contentType: string,
  body: string,
  headers: Record<string, string> = {},
): Answered {
  return {
    status: 200,
    headers: {
      'content-type': `${contentType}; charset=utf-8`,
      ...(site.noIndex ? { 'x-robots-tag': 'noindex, nofollow' } : {}),
      ...headers,
    },
    body,
    hash: createHash('sha1').update(body).digest('base64url'),
    lasts: 'page',
  }
}

/** What a site does not have: for machines a word is enough. */
export const nothingHere: Answered = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'There is nothing here.\n',
  lasts: 'never',
}

/** Text inside an element or an attribute; without the characters that XML cannot hold at all. */
export const xmlText = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
