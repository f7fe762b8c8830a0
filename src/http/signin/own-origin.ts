/**
 * Whether a page of ours sent a request. The API answers to pages of any origin, because callers show a token; a cookie is
 * sent by the browser unasked, so it counts only for what our own pages ask for.
 *
 * Browsers say where a request comes from in `Sec-Fetch-Site` (to https and loopback addresses), in `Origin` (writes, and
 * whatever crosses origins) or at least in `Referer`; pages cannot forge any of them. Writes also carry a header of ours,
 * which a page elsewhere could send only after we had allowed it by CORS, and we never do.
 */
import type { IncomingHttpHeaders } from 'node:http'

const appHeader = 'x-lectern-app'

export type OriginHeaders = Pick<IncomingHttpHeaders, 'origin' | 'referer'> & {
  'sec-fetch-site'?: string | string[] | undefined
  [appHeader]?: string | string[] | undefined
  /** Who a page of the app was opened by; see `Shown.user`. */
  'x-lectern-user'?: string | string[] | undefined
}

export function isFromOwnOrigin(headers: OriginHeaders, origin: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  if (headers.origin !== undefined) return headers.origin === origin
  if (headers.referer !== undefined) return originOf(headers.referer) === origin
  return headers[appHeader] === '1'
}

/** Whether the cookie of a session counts for a request to the API. */
export const isCookieGood = (
  headers: OriginHeaders,
  { origin, isWrite }: { origin: string; isWrite: boolean },
): boolean => isFromOwnOrigin(headers, origin) && (!isWrite || headers[appHeader] === '1')

function originOf(url: string): string | undefined {
  try {
    return new URL(url).origin
  } catch {
    return undefined
  }
}
