/** Old and new addresses as people write and paste them, one redirect a line. Pure. */
import type { Client } from '../../../client/client.ts'
import { legiblePath, segmentsOf } from '../../../core/url-paths.ts'

export type NewRedirect = Parameters<Client['createSiteRedirect']>[0]['body']
type Destination = NewRedirect['destination']

/** A path of the site. Of a whole address only the path counts, and of one of this site what stands below its own address. */
export function sourceIn(text: string, root: string | undefined): string | undefined {
  const written = text.trim()
  const path = isWeb(written) ? (pathBelow(written, root) ?? new URL(written).pathname) : rooted(written)
  return /^\/[^\s?#]+$/.test(path) && path.length <= 512 ? path : undefined
}

/** Where a line leads: a path of the site, or an address anywhere. */
function destinationIn(text: string, root: string | undefined): Destination | undefined {
  const written = text.trim()
  if (isWeb(written)) {
    const path = pathBelow(written, root)
    return path === undefined ? { kind: 'external', url: written } : { kind: 'path', path }
  }
  return isPath(written) ? { kind: 'path', path: written } : undefined
}

export const isPath = (text: string): boolean => /^\/(?![/\\])\S*$/.test(text) && text.length <= 512

export const isWeb = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)

const rooted = (text: string): string => (text === '' || text.startsWith('/') ? text : `/${text}`)

function pathBelow(address: string, root: string | undefined): string | undefined {
  if (root === undefined || !URL.canParse(root)) return undefined
  const [own, other] = [new URL(root), new URL(address)]
  const base = own.pathname.replace(/\/$/, '')
  if (own.origin !== other.origin || !`${other.pathname}/`.startsWith(`${base}/`)) return undefined
  return `${other.pathname.slice(base.length) || '/'}${other.search}${other.hash}`
}

/** One that would never end: from a path to itself, or with all below it to a path below it. */
export function isCircle({ source, destination, captureWildcard = false }: NewRedirect): boolean {
  if (destination.kind !== 'path') return false
  const [from, to] = [plain(source), plain(destination.path.replace(/[?#].*$/, ''))]
  return from === to || (captureWildcard && to.startsWith(`${from}/`))
}

const plain = (path: string): string => legiblePath(segmentsOf(path).filter((name) => name !== '.' && name !== '..'))

export type LineProblem = 'fields' | 'source' | 'destination' | 'circle'

interface Lines {
  redirects: { line: number; redirect: NewRedirect }[]
  wrong: { line: number; text: string; problem: LineProblem }[]
}

const comment = /^\s*(?:#|\/\/(?!\S*\.)|$)/

/**
 * `/old /new`, by blanks, tabs, commas or arrows, with or without a status behind. A star at the end of the old path takes all
 * below it along.
 */
export function readLines(text: string, root: string | undefined): Lines {
  const found: Lines = { redirects: [], wrong: [] }
  text.split(/\r?\n/).forEach((written, index) => {
    if (comment.test(written)) return
    const read = readLine(written, root)
    if (typeof read === 'string') found.wrong.push({ line: index + 1, text: written.trim(), problem: read })
    else found.redirects.push({ line: index + 1, redirect: read })
  })
  return found
}

function readLine(written: string, root: string | undefined): NewRedirect | LineProblem {
  const [from = '', to = '', status = ''] = fieldsOf(written)
  if (from === '' || to === '') return 'fields'
  const captureWildcard = from.endsWith('/*')
  const source = sourceIn(captureWildcard ? from.slice(0, -2) : from, root)
  if (source === undefined || source === '/') return 'source'
  const destination = destinationIn(to.replace(/\/(?::splat|\*)$/, '') || '/', root)
  if (destination === undefined) return 'destination'
  const redirect = { source, destination, captureWildcard, permanent: /^30[18]\b/.test(status) }
  return isCircle(redirect) ? 'circle' : redirect
}

function fieldsOf(written: string): string[] {
  const line = written.trim()
  const separator = line.includes('\t') ? /\t+/ : /\s/.test(line) ? /\s+/ : /[,;]/
  return line
    .split(separator)
    .map((field) => field.replace(/^["']+|["',;]+$/g, ''))
    .filter((field) => field !== '' && !/^(?:->|=>|→|=)$/.test(field))
}
