/** Addresses on a site: of pages, of special paths, of files. All are paths on the site's own host. */

import { createHash } from 'node:crypto'

/** A path below the site: `''` is its root. */
export function hrefBelow(basePath: string, path: string): string {
  if (path === '') return basePath === '' ? '/' : basePath
  return `${basePath}/${path.split('/').map(encodeURIComponent).join('/')}`
}

/** The static files; no slug begins with a tilde. */
export const assetsSegment = '~assets'
const filesSegment = '~files'

export const assetHref = (basePath: string, path: string): string => `${basePath}/${assetsSegment}/${path}`

/** Another for other bytes: the API's own address of a file says which they are. */
export const tagOf = (file: { downloadURL: string }): string =>
  createHash('sha1').update(file.downloadURL).digest('base64url').slice(0, 8)

/** A file of a space. `tag` changes with the file's bytes, so that the address can be kept by browsers. */
export const fileHref = (basePath: string, file: { space: string; id: string; tag: string; name: string }): string =>
  `${basePath}/${filesSegment}/${file.space}/${file.id}/${file.tag}/${encodeURIComponent(file.name)}`

/** The same place with the address spelt in full. */
export const absolute = (root: string, basePath: string, href: string): string =>
  `${root.slice(0, root.length - basePath.length)}${href === '/' ? '' : href}`
