/** Entity tags: a hash of the bytes, so that the same answer has the same tag on every process. */
import { type Hash, hash } from 'node:crypto'

export const etagOf = (body: string | Buffer): string => `"${hash('sha1', body, 'base64url')}"`

/** Of bytes that were given piece by piece. */
export const tagOf = (hashing: Hash): string => `"${hashing.digest('base64url')}"`

/** Whether a client that sends this `If-None-Match` has the answer already; a weak tag equals the strong one here. */
export const isHeld = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header === etag || header === '*' || header.split(',').some((tag) => plainTag(tag.trim()) === plainTag(etag)))

const plainTag = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag)
