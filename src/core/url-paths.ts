/**
 * Paths of addresses, cut into segments and put together again.
 *
 * 1. A segment is decoded once. One that would then hold a separator or a control character stays as it was sent: it
 *    names nothing, and joined again it can neither split in two nor become a host.
 * 2. A path that we write begins with exactly one slash, so that it never leaves the origin it is read at.
 */

const separators = /[/\\\u0000-\u001f\u007f]/

export function decodeSegment(segment: string): string {
  try {
    const decoded = decodeURIComponent(segment)
    return separators.test(decoded) ? segment : decoded
  } catch {
    return segment
  }
}

/** The segments of a path, decoded, without empty ones. */
export const segmentsOf = (path: string): string[] =>
  path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeSegment)

/** A path of decoded segments as people write it: only what would be read as something else is encoded. */
export const legiblePath = (segments: readonly string[]): string =>
  `/${segments.map((segment) => segment.replace(/[\s?#%]/g, encodeURIComponent)).join('/')}`

/** An absolute path made of segments. */
export const pathFrom = (segments: readonly string[]): string =>
  `/${segments
    .filter((segment) => segment !== '')
    .map(encodeURIComponent)
    .join('/')}`

/** The same path, unable to name another host: browsers read `//host`, `/\\host` and `/\t/host` as one. */
export const onSameOrigin = (path: string): string =>
  `/${path.replace(/[\u0000-\u0020\u007f]/g, (char) => encodeURIComponent(char)).replace(/^[/\\]+/, '')}`
