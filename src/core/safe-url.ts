/**
 * The one gate that every address an author wrote passes before it becomes an attribute.
 *
 * The address is cleaned the way a browser cleans it (control characters and spaces around it go away, tabs and line
 * ends inside it too), and only then is its scheme read, so that `java\nscript:` is seen for what it is. What has a
 * scheme that is not on the list is dropped, whatever the scheme.
 */
const allowed = new Set(['http', 'https', 'mailto', 'tel'])
const longest = 8192
const unseen = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/
const everyUnseen = new RegExp(unseen, 'g')

export function safeUrl(url: string): string | undefined {
  // Most addresses need nothing, and looking is cheaper than replacing.
  const clean = (unseen.test(url) ? url.replace(everyUnseen, '') : url).trim()
  if (clean === '' || clean.length > longest) return undefined
  // A backslash is a slash to a browser; `\\host` and `/\host` would leave the site unseen.
  const plain = clean.includes('\\') ? clean.replace(/^[\\/]+/, (slashes) => slashes.replaceAll('\\', '/')) : clean
  const scheme = /^([^/?#:]*):/.exec(plain)
  if (scheme === null) return plain
  const name = (scheme[1] ?? '').toLowerCase()
  if (!allowed.has(name)) return undefined
  if ((name === 'http' || name === 'https') && !/^https?:\/\/[^/?#\\]/i.test(plain)) return undefined
  return plain
}

/** Whether the address leaves the site whose own address is given. */
export function isExternal(href: string, siteUrl: string): boolean {
  if (!/^(?:https?:)?\/\//i.test(href)) return false
  return originOf(href) !== originOf(siteUrl)
}

/** The host an address names, for people to read. */
export function hostOf(href: string): string | undefined {
  return /^(?:https?:)?\/\/(?:[^/?#@]*@)?([^/?#:]+)/i
    .exec(href)?.[1]
    ?.toLowerCase()
    .replace(/^www\./, '')
}

function originOf(href: string): string {
  return (/^(?:https?:)?\/\/([^/?#]*)/i.exec(href)?.[1] ?? '').toLowerCase()
}
