/** A rendered page as an answer, with the headers that keep it safe. */
import { createHash } from 'node:crypto'
import type { RenderedPage } from '../layout/page-view.ts'
import type { Answered, Visiting } from './visiting.ts'

export function htmlAnswer(
  { site }: Pick<Visiting, 'site'>,
  rendered: RenderedPage,
  { status, noIndex = false }: { status: number; noIndex?: boolean },
): Answered {
  // Made bytes once: to be hashed and to be sent.
  const body = Buffer.from(rendered.html)
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': rendered.policy,
      // An address that not everyone may read is nobody else's business.
      'referrer-policy': site.noIndex ? 'same-origin' : 'strict-origin-when-cross-origin',
      ...(site.noIndex || noIndex ? { 'x-robots-tag': 'noindex, nofollow' } : {}),
    },
    body,
    hash: createHash('sha256').update(body).digest('base64url').slice(0, 22),
    lasts: 'never',
  }
}
