/**
 * The Content-Security-Policy of a page: only our own scripts and styles, the one inline style by its hash, frames of
 * known players and of our own (which draws diagrams), pictures from anywhere safe.
 */
import { createHash } from 'node:crypto'
import { frameHosts } from '../render/embeds.ts'

/** `style` is the text of the page's inline style, or nothing; `calls` are origins that its script may call. */
export function policyOf(style: string, calls: readonly string[] = []): string {
  const inline = style === '' ? '' : ` 'sha256-${createHash('sha256').update(style).digest('base64')}'`
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${inline}`,
    "img-src 'self' https: data:",
    "font-src 'self' https:",
    "media-src 'self' https:",
    ["connect-src 'self'", ...calls].join(' '),
    // A page reached by a swap keeps the policy of the first one, so that every page may frame every known player.
    `frame-src 'self' ${frameHosts.join(' ')}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "object-src 'none'",
    "manifest-src 'self'",
  ].join('; ')
}
