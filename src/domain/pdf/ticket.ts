/**
 * What the address of a PDF says, sealed so that nobody can change it: which pages, of which revision, for which reader.
 * The address is the right to fetch it, for an hour.
 */
import { visitorScope } from '../../core/expressions/claims.ts'
import { type Scope, untold } from '../../core/expressions/evaluate.ts'
import type { SpaceRow } from '../../store/content/spaces.ts'
import type { SiteRow } from '../../store/sites/sites.ts'
import type { Environment } from '../environment.ts'

export interface PdfTicket {
  space: string
  revision: string
  /** What it was read with: pages made from a spec are others after a new version of it. */
  content?: string
  page?: string
  only?: true
  /** The site whose reader asks, and what conditions know of them; nothing, where nothing may be asked. */
  site?: string
  visitor?: { known: unknown } | 'untold'
  /** A hash of what stands on the cover and is of no revision: the titles, the language, the site's customization. */
  cover: string
  until: number
}

const purpose = 'pdf'
const hour = 60 * 60 * 1000

export function sealTicket(env: Environment, ticket: Omit<PdfTicket, 'until'>, now: string): string {
  return env.signer.seal(purpose, JSON.stringify({ ...ticket, until: Date.parse(now) + hour }))
}

export function openTicket(env: Environment, token: string): PdfTicket | undefined {
  const text = env.signer.open(purpose, token)
  // Sealed by us, so it has the shape that `sealTicket` gave it.
  return text === undefined ? undefined : JSON.parse(text)
}

export const hashCover = (
  env: Environment,
  { title, language }: Pick<SpaceRow, 'title' | 'language'>,
  site: Pick<SiteRow, 'title' | 'customization'> | undefined,
): string => env.hashSecret(JSON.stringify([title, language, site?.title, site?.customization])).slice(0, 16)

/** One key for all who get the same book. */
export function keyOf(env: Environment, { until: _, ...ticket }: PdfTicket): string {
  return env.hashSecret(JSON.stringify(ticket))
}

export const visitorIn = (scope: Scope): NonNullable<PdfTicket['visitor']> =>
  scope.visitor === untold ? 'untold' : { known: scope.visitor }

export function scopeOf(visitor: NonNullable<PdfTicket['visitor']>): Scope {
  return { ...visitorScope({}), visitor: visitor === 'untold' ? untold : visitor.known }
}
