/** OpenAPI specs and their versions. */
import { type RawBuilder, sql } from 'kysely'
import type { Connection } from '../database.ts'
import { listedBy } from '../listed.ts'
import { beyond, countAll, type Order, type Page, type PageValues, pageIn, pageValues } from '../paging.ts'
import { all, dynamic, dynamicRun, first, formed, inserter, oneOf, run, updater } from '../query.ts'
import type { OpenapiSpecTable, OpenapiVersionTable } from '../tables.ts'

export type SpecRow = OpenapiSpecTable
export type SpecVersionRow = OpenapiVersionTable

/** Slugs of people sort before `~`, which begins those that pages have made for addresses and files. */
const behindSlugs = '~'

/** Whether people have made the spec of this slug, or can. */
export const isNamedBySlug = (slug: string): boolean => slug < behindSlugs

export const findSpec = first((b, p: { organizationId: string; slug: string }) =>
  b.selectFrom('openapiSpec').selectAll().where('organizationId', '=', p.organizationId).where('slug', '=', p.slug),
)
export const findSpecById = first((b, p: { id: string }) =>
  b.selectFrom('openapiSpec').selectAll().where('id', '=', p.id),
)
export const insertSpec = inserter('openapiSpec')
/** Whether it was not there yet. */
export const insertNamedSpec = async (tx: Connection, row: SpecRow): Promise<boolean> =>
  (await dynamicRun(tx, (b) =>
    b
      .insertInto('openapiSpec')
      .values(row)
      .onConflict((oc) => oc.doNothing()),
  )) > 0
export const updateSpec = updater('openapiSpec')
export const deleteSpec = run((b, p: { id: string }) => b.deleteFrom('openapiSpec').where('id', '=', p.id))

const specsOf = formed((b, p: { organizationId: string } & PageValues, _engine, { order }: { order: Order }) =>
  b
    .selectFrom('openapiSpec')
    .selectAll()
    .where('organizationId', '=', p.organizationId)
    .where('slug', '<', behindSlugs)
    .where(beyond({ key: 'createdAt', id: 'id' }, pageIn(p, order)))
    .orderBy('createdAt', order)
    .orderBy('id', order)
    .limit(sql<number>`${p.limit}`),
)
export const listSpecs = (db: Connection, organizationId: string, page: Page): Promise<SpecRow[]> =>
  specsOf(db, { order: page.order }, { organizationId, ...pageValues(page) })

const specsIn = first((b, p: { organizationId: string }) =>
  b
    .selectFrom('openapiSpec')
    .select(countAll)
    .where('organizationId', '=', p.organizationId)
    .where('slug', '<', behindSlugs),
)
export const countSpecs = async (db: Connection, organizationId: string): Promise<number> =>
  (await specsIn(db, { organizationId }))?.count ?? 0

export const insertVersion = inserter('openapiVersion')
export const findVersion = first((b, p: { id: string; specId: string }) =>
  b.selectFrom('openapiVersion').selectAll().where('id', '=', p.id).where('specId', '=', p.specId),
)

const versions = listedBy('openapiVersion', 'specId')
export const listVersions = versions.list
export const countVersions = versions.count

/** The addresses and the files (by their bytes) that pages of the organization show specs from. */
export async function namedSources(
  db: Connection,
  { organizationId }: { organizationId: string },
): Promise<{ urls: string[]; blobs: Set<string> }> {
  const rows = await namedSpecs(db, { organizationId })
  return {
    urls: rows.flatMap(({ sourceURL }) => sourceURL ?? []),
    blobs: new Set(rows.flatMap(({ sourceBlob }) => sourceBlob ?? [])),
  }
}
const namedSpecs = all((b, p: { organizationId: string }) =>
  b
    .selectFrom('openapiSpec')
    .select(['sourceURL', 'sourceBlob'])
    .where('organizationId', '=', p.organizationId)
    .where('slug', '>=', behindSlugs),
)

const namedIn = first((b, p: { organizationId: string }) =>
  b
    .selectFrom('openapiSpec')
    .select(countAll)
    .where('organizationId', '=', p.organizationId)
    .where('slug', '>=', behindSlugs),
)
export const countNamedSpecs = async (db: Connection, organizationId: string): Promise<number> =>
  (await namedIn(db, { organizationId }))?.count ?? 0

/** Of these files, those that a spec or one of its versions is made of. */
export async function blobsOfSpecs(db: Connection, hashes: readonly string[]): Promise<Set<string>> {
  const list = JSON.stringify(hashes)
  const among = (column: string) => oneOf(sql.ref(column), list, db.engine)
  const rows = await dynamic(db, (b) =>
    b
      .selectFrom('openapiSpec')
      .select('sourceBlob as hash')
      .where(among('sourceBlob'))
      .unionAll(b.selectFrom('openapiVersion').select('contentBlob as hash').where(among('contentBlob')))
      .unionAll(b.selectFrom('openapiVersion').select('rootBlob as hash').where(among('rootBlob')))
      .unionAll(b.selectFrom('openapiVersion').select('partsBlob as hash').where(among('partsBlob'))),
  )
  return new Set(rows.flatMap(({ hash }) => hash ?? []))
}

/** Changes with every new version and every spec that comes or goes; nothing where there are no specs. */
export const specStamp = async (db: Connection, p: { organizationId: string }): Promise<string | undefined> =>
  (await stampOf(db, p))?.specStamp ?? undefined

const stampOf = first((b, p: { organizationId: string }) => b.selectNoFrom(stampOfSpecs(sql`${p.organizationId}`)))

/** The same as a column beside others, of an organization that they name. */
export const stampOfSpecs = (organizationId: RawBuilder<unknown>) =>
  sql<string | null>`(select case when count(*) = 0 then null else count(*) || '.' || max("updatedAt") end
    from "openapiSpec" where "organizationId" = ${organizationId})`.as('specStamp')
