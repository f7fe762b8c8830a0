/** Sites as every visit begins with them, in memory until a row changes that a page of theirs can depend on. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { cachedRows, type ReadAt } from '../cached-rows.ts'
import { specStamp } from '../content/openapi.ts'
import type { CommitVersion, Connection } from '../database.ts'
import { all, first } from '../query.ts'
import { versionColumn } from '../row-versions.ts'
import { findShownParts, type SiteParts, type SiteRow } from './sites.ts'

export interface ShownSite {
  site: SiteRow
  /** What decides which spaces visitors find. */
  parts: SiteParts
  /**
   * What a page of the site can depend on, as one short text: the site, its navigation, of each of its spaces the revision and
   * what is told of it, and behind a blank the stamp of the specs that pages show. Two equal texts mean that every page is as it
   * was. Redirects are not part of it: they lead only where there is no page.
   */
  version: string
}

const shownSites = cachedRows<ShownSite, undefined>('sites', { share: 0.02 })
const siteNames = cachedRows<{ id: string }, undefined>('names of sites', { share: 0.005 })

/** `commitVersion` was asked for after the request came; where there is none the database is asked. */
export const cachedSite = (db: Connection, id: string, commitVersion?: CommitVersion) =>
  shownSites(db, id, () => readSite(db, id), commitVersion)

/** The site with a name of this kind. */
export async function cachedSiteNamed(
  db: Connection,
  { kind, name }: { kind: 'basename' | 'hostname'; name: string },
  commitVersion?: CommitVersion,
): Promise<SiteRow | undefined> {
  const find = kind === 'basename' ? idOfBasename : idOfHostname
  const read = async () => {
    const row = await find(db, { name })
    return row && { value: { id: row.id }, versions: [{ topic: row.id, version: row.version }], bytes: 100 }
  }
  const named = await siteNames(db, `${kind} ${name}`, read, commitVersion)
  return named && (await cachedSite(db, named.id, commitVersion))?.site
}

const idOf = (kind: 'basename' | 'hostname') =>
  first((b, p: { name: string }) =>
    b
      .selectFrom('site')
      .select(['id', versionColumn(sql.ref('site.id')).as('version')])
      .where(kind, '=', p.name),
  )
const idOfBasename = idOf('basename')
const idOfHostname = idOf('hostname')

const siteRow = first((b, p: { id: string }) =>
  b
    .selectFrom('site')
    .selectAll()
    .select([
      versionColumn(sql.ref('site.id')).as('siteVersion'),
      versionColumn(sql.ref('site.organizationId')).as('organizationVersion'),
    ])
    .where('id', '=', p.id),
)

const partsOf = all((b, p: { siteId: string }) =>
  b
    .selectFrom('siteSpace')
    .innerJoin('space', 'space.id', 'siteSpace.spaceId')
    .leftJoin('siteSection', 'siteSection.id', 'siteSpace.sectionId')
    .leftJoin('siteSectionGroup', 'siteSectionGroup.id', 'siteSection.groupId')
    .select(['siteSpace.id', 'siteSpace.spaceId', 'siteSpace.rank', 'siteSpace.path', 'siteSpace.isDefault'])
    .select(['siteSpace.condition', 'siteSpace.customization'])
    .select(['space.revisionId', 'space.title', 'space.emoji', 'space.language', 'space.deletedAt', 'space.gitSync'])
    .select(['siteSection.id as sectionId', 'siteSection.rank as sectionRank', 'siteSection.title as sectionTitle'])
    .select(['siteSection.description as sectionDescription', 'siteSection.icon as sectionIcon'])
    .select(['siteSection.path as sectionPath', 'siteSection.condition as sectionCondition'])
    .select(['siteSection.isDefault as sectionDefault', 'siteSectionGroup.id as groupId'])
    .select(['siteSectionGroup.rank as groupRank', 'siteSectionGroup.title as groupTitle'])
    .select(['siteSectionGroup.icon as groupIcon'])
    .where('siteSpace.siteId', '=', p.siteId)
    .orderBy('siteSpace.id'),
)

const spaceVersionsOf = all((b, p: { siteId: string }) =>
  b
    .selectFrom('siteSpace')
    .select(['siteSpace.spaceId', versionColumn(sql.ref('siteSpace.spaceId')).as('version')])
    .where('siteSpace.siteId', '=', p.siteId),
)

/** Each version is read no later than the rows that it is of: what changes between two statements counts as changed since. */
async function readSite(db: Connection, id: string): Promise<ReadAt<ShownSite> | undefined> {
  const row = await siteRow(db, { id })
  if (!row) return undefined
  const { siteVersion, organizationVersion, ...site } = row
  const spaces = await spaceVersionsOf(db, { siteId: id })
  const described = JSON.stringify([site, await partsOf(db, { siteId: id })])
  const specs = await specStamp(db, site)
  const parts = await findShownParts(db, id)
  const hash = createHash('sha1').update(described).digest('base64url')
  return {
    value: { site, parts, version: specs === undefined ? hash : `${hash} ${specs}` },
    versions: [
      ...spaces.map(({ spaceId, version }) => ({ topic: spaceId, version })),
      { topic: id, version: siteVersion },
      { topic: site.organizationId, version: organizationVersion },
    ],
    bytes: 4 * described.length,
  }
}
