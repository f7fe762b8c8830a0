/** Which redirect of a site an old path meets, and where it leads. */
import type { z } from 'zod'
import type { Redirect } from '../../../contract/sites/redirects.ts'
import type { Scope } from '../../../core/expressions/evaluate.ts'
import { pageById, pathOf } from '../../../core/revision/content.ts'
import { addressOf, locate, pageAddressesOf, type Structure } from '../../../core/site-structure.ts'
import { legiblePath, pathFrom, segmentsOf } from '../../../core/url-paths.ts'
import type { SpaceRow } from '../../../store/content/spaces.ts'
import { type RedirectRow, redirectsFrom } from '../../../store/sites/site-links.ts'
import { findParts, type GroupRow, type SectionRow, type SiteSpaceRow } from '../../../store/sites/sites.ts'
import { pageAtPath } from '../../content/at.ts'
import type { Base } from '../../handler.ts'
import { below } from '../published-address.ts'
import { contentOnSite, isAdmitted } from '../reading/pages.ts'
import { shownTo } from '../structure/state.ts'

export type Destination = z.output<typeof Redirect>['destination']

/** How deep a path is looked at for a redirect that catches all below it. */
const deepest = 32

export interface Met {
  row: RedirectRow
  /** What of the path stands below the source, for redirects that carry it along. */
  rest: string
}

const namesIn = (segments: readonly string[]): string[] =>
  segments.filter((segment) => segment !== '' && segment !== '.' && segment !== '..')

/** The one spelling of a source, in which it is stored and shown. */
export const sourceOf = (path: string): string => legiblePath(namesIn(segmentsOf(path)))

/** That, and how earlier versions stored it: as it was sent. */
const spellingsOf = (names: readonly string[]): string[] =>
  [...new Set([legiblePath(names), pathFrom(names)])].flatMap((source) => [source, `${source}/`])

/** The redirect that has this source, however it is spelt. */
export const redirectFrom = async (
  { db }: Pick<Base, 'db'>,
  siteId: string,
  source: string,
): Promise<RedirectRow | undefined> => (await redirectsFrom(db, siteId, spellingsOf(namesIn(segmentsOf(source)))))[0]

/** The redirect with exactly this source, else the longest that catches all below its own. Drafts lead nowhere. */
export async function redirectAt(
  { db }: Pick<Base, 'db'>,
  siteId: string,
  segments: readonly string[],
): Promise<Met | undefined> {
  const names = namesIn(segments)
  const lengths = new Set([...names.slice(0, deepest).map((_, index) => index + 1), names.length])
  const sources = [...lengths].flatMap((length) => spellingsOf(names.slice(0, length)))
  const found = (await redirectsFrom(db, siteId, sources)).filter((row) => row.draft === 0)
  const candidates = found
    .map((row) => ({ row, length: namesIn(segmentsOf(row.source)).length }))
    .filter(({ row, length }) => length === names.length || row.captureWildcard === 1)
    .sort((a, b) => b.length - a.length)
  const [best] = candidates
  return best && { row: best.row, rest: names.slice(best.length).join('/') }
}

export interface Target {
  root: string
  shown: Structure<GroupRow, SectionRow, SiteSpaceRow>
  spaces: ReadonlyMap<string, SpaceRow>
  /** Of whom conditions decide what they see; without it, of someone who sees all. */
  scope?: Scope | undefined
}

/** The address that a redirect itself leads to; undefined where its destination is gone, or is not there for this reader. */
export async function nextAddress(base: Base, { row, rest }: Met, to: Target): Promise<string | undefined> {
  const destination: Destination = JSON.parse(row.destination)
  const address = await addressFor(base, row.siteId, destination, to)
  return address === undefined || rest === '' || row.captureWildcard === 0 ? address : withRest(address, rest)
}

function withRest(address: string, rest: string): string {
  const url = new URL(address)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${rest.split('/').map(encodeURIComponent).join('/')}`
  return url.href
}

async function addressFor(
  base: Base,
  siteId: string,
  destination: Destination,
  to: Target,
): Promise<string | undefined> {
  const { root, shown } = to
  switch (destination.kind) {
    case 'external':
      return URL.canParse(destination.url) ? destination.url : undefined
    case 'path':
      if (to.scope && (await isHiddenAt(base, siteId, { path: destination.path, ...to, scope: to.scope })))
        return undefined
      return `${root}${destination.path === '/' ? '' : destination.path}`
    case 'site-section': {
      const section = shown.sections.find((one) => one.id === destination.siteSection)
      return section && below(root, section.isDefault ? '' : section.path)
    }
    case 'site-space': {
      const siteSpace = shown.spaces.find((one) => one.id === destination.siteSpace)
      return siteSpace && below(root, addressOf(shown, siteSpace))
    }
    case 'site-page': {
      const siteSpace = shown.spaces.find((one) => one.id === destination.siteSpace)
      const space = siteSpace && to.spaces.get(siteSpace.spaceId)
      if (!siteSpace || !space) return undefined
      const at = await contentOnSite(base, space)
      const page = await pageById(at.reader, at.content, destination.page)
      if (!page || (to.scope && !(await isAdmitted(at, page, to.scope)))) return undefined
      return below(root, pageAddressesOf(shown, siteSpace)(await pathOf(at.reader, at.content, page)))
    }
  }
}

/** Whether a path leads to something that is there for others, and not for this reader: then its name is not told. */
async function isHiddenAt(
  base: Base,
  siteId: string,
  { path, shown, spaces, scope }: Target & { path: string; scope: Scope },
): Promise<boolean> {
  const whole = shownTo(await findParts(base.db, siteId), spaces, undefined)
  const located = locate(whole, path.replace(/[?#].*$/, ''))
  const space = located && spaces.get(located.space.spaceId)
  if (!space) return false
  const isShown = shown.spaces.some((siteSpace) => siteSpace.id === located.space.id)
  const at = await contentOnSite(base, space)
  for (const rest of located.rests) {
    if (rest === '') return !isShown
    const page = await pageAtPath(base.db, at, rest)
    if (page !== undefined) return !(isShown && (await isAdmitted(at, page, scope)))
  }
  return false
}
