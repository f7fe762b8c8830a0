/**
 * What a page of a site can depend on, as one short text: the site, its navigation, and of each of its spaces the revision
 * and what is told of it, and behind a space the stamp of the specs that pages show. Two equal texts mean that every page is as it was. Redirects are not part of it: they lead only
 * where there is no page.
 */
import { createHash } from 'node:crypto'
import { specStamp } from '../content/openapi.ts'
import type { Connection } from '../database.ts'
import { all } from '../query.ts'
import { findSite } from './sites.ts'

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

export async function siteVersion(db: Connection, siteId: string): Promise<string> {
  const [site, parts] = await Promise.all([findSite(db, { id: siteId }), partsOf(db, { siteId })])
  const specs = site && (await specStamp(db, site))
  const version = createHash('sha1')
    .update(JSON.stringify([site, parts]))
    .digest('base64url')
  return specs === undefined ? version : `${version} ${specs}`
}
