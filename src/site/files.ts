/**
 * The static files of published sites: what the build made (dist/site) and what was vendored (assets/site). Each has an
 * address with its content's hash in it, so that answers can be kept for ever.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

export interface StaticFile {
  path: string
  contentType: string
  body: Buffer
  /** The Content-Security-Policy of a file that is a page. */
  policy?: string
}

export interface SiteFiles {
  /** The common style sheet, without a site's own part. */
  baseStyle: string
  /** Addresses of the scripts and of the style of formulas. */
  early: string
  script: string
  math: string
  /** Address of the frame that draws diagrams. */
  diagrams: string
  /** Address of the fonts' folder, with a trailing slash. */
  fonts: string
  /** All files by the part of their address after `prefix`. */
  all: ReadonlyMap<string, StaticFile>
}

/** Reads all of them once. `built` and `vendored` are folders, `prefix` the address they are served under. */
export function loadSiteFiles({
  built,
  vendored,
  prefix,
}: {
  built: string
  vendored: string
  prefix: string
}): SiteFiles {
  const all = new Map<string, StaticFile>()
  const add = (path: string, body: Buffer): string => {
    all.set(path, { path, contentType: typeOf(path), body })
    return `${prefix}${path}`
  }
  const early = readFileSync(`${built}/early.js`)
  const script = readFileSync(`${built}/main.js`)
  // Fonts are named by their style sheets, so that their folder carries the hash of all of them.
  const fonts = addFolder(`${vendored}/fonts`, 'fonts', '.woff2', add)
  const math = addFolder(`${vendored}/math`, 'math', '.woff2', add)
  return {
    baseStyle: readFileSync(`${built}/site.css`, 'utf8'),
    early: add(`early.${hashOf(early)}.js`, early),
    script: add(`main.${hashOf(script)}.js`, script),
    diagrams: addDiagrams({ built, vendored, prefix }, all),
    math: add(`${math}/math.css`, readFileSync(`${vendored}/math/math.css`)),
    fonts: `${prefix}${fonts}/`,
    all,
  }
}

/**
 * What draws diagrams: a page for a frame, its script, and the library. The page has no origin, may load these two scripts and
 * nothing else, and styles what it draws.
 */
function addDiagrams(
  { built, vendored, prefix }: { built: string; vendored: string; prefix: string },
  all: Map<string, StaticFile>,
): string {
  const library = readFileSync(`${vendored}/diagrams/mermaid.js`)
  const script = readFileSync(`${built}/diagram-frame.js`)
  const page = Buffer.from(
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Diagram</title><style>html,body{margin:0;background:transparent;overflow:hidden}svg{display:block;margin:auto;max-width:100%}</style><body><script src="mermaid.js"></script><script src="frame.js"></script></body></html>',
  )
  const folder = `diagrams.${hashOf(Buffer.concat([library, script, page]))}`
  const add = (name: string, body: Buffer, policy?: string): void => {
    const path = `${folder}/${name}`
    all.set(path, { path, contentType: typeOf(path), body, ...(policy === undefined ? {} : { policy }) })
  }
  add('mermaid.js', library)
  add('frame.js', script)
  add('frame.html', page, framePolicy)
  return `${prefix}${folder}/frame.html`
}

const framePolicy =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-scripts"

/** A site's own style sheet as a file among the others. */
export function styleFile(css: string): StaticFile {
  const body = Buffer.from(css)
  return { path: `site.${hashOf(body)}.css`, contentType: typeOf('.css'), body }
}

function addFolder(folder: string, name: string, ending: string, add: (path: string, body: Buffer) => string): string {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .sort()
  const bodies = files.map((file) => [file, readFileSync(`${folder}/${file}`)] as const)
  const hash = createHash('sha256')
  for (const [file, body] of bodies) hash.update(file).update(body)
  const path = `${name}.${hash.digest('base64url').slice(0, 10)}`
  for (const [file, body] of bodies) add(`${path}/${file}`, body)
  return path
}

const hashOf = (body: Buffer): string => createHash('sha256').update(body).digest('base64url').slice(0, 10)

function typeOf(path: string): string {
  if (path.endsWith('.css')) return 'text/css; charset=utf-8'
  if (path.endsWith('.js')) return 'text/javascript; charset=utf-8'
  if (path.endsWith('.html')) return 'text/html; charset=utf-8'
  return path.endsWith('.woff2') ? 'font/woff2' : 'application/octet-stream'
}
