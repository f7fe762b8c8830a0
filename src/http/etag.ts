/** Entity tags: a hash of the bytes, so that the same answer has the same tag on every process. */
import { createHash, type Hash } from 'node:crypto'

export const etagOf = (body: string): string => tagOf(createHash('sha1').update(body))

/** Of bytes that were given piece by piece. */
export const tagOf = (hash: Hash): string => `"${hash.digest('base64url')}"`

/** Whether a client that holds `If-None-Match` has this answer already. */
export const isHeld = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header === etag || header === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag))
