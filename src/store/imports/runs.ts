/** Runs of imports. */
import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { beyond, countAll, type Order, type Page, type PageValues, pageIn, pageValues } from '../paging.ts'
import { first, formed, inserter, run, updater } from '../query.ts'
import type { ImportRunTable } from '../tables.ts'

export type ImportRunRow = ImportRunTable

export const findImportRun = first((b, p: { id: string }) =>
  b.selectFrom('importRun').selectAll().where('id', '=', p.id),
)
export const insertImportRun = inserter('importRun')
export const updateImportRun = updater('importRun')

/** A run is under way from now on; false when it was called off or has ended. */
export const beginRun = async (db: Connection, run: { id: string; updatedAt: string }): Promise<boolean> =>
  (await begin(db, run)) > 0

const begin = run((b, p: { id: string; updatedAt: string }) =>
  b
    .updateTable('importRun')
    .set({ status: 'in-progress', updatedAt: p.updatedAt })
    .where('id', '=', p.id)
    .where('status', 'in', ['pending', 'in-progress']),
)

/** Tells how far a run has come; false when it is not under way any more. */
export const noteProgress = async (
  db: Connection,
  progress: { id: string; importedResources: number; totalResources: number; updatedAt: string },
): Promise<boolean> => (await moveOn(db, progress)) > 0

const moveOn = run((b, p: { id: string; importedResources: number; totalResources: number; updatedAt: string }) =>
  b
    .updateTable('importRun')
    .set({ importedResources: p.importedResources, totalResources: p.totalResources, updatedAt: p.updatedAt })
    .where('id', '=', p.id)
    .where('status', '=', 'in-progress'),
)

/** Of everyone when `userId` is empty. */
type Whose = { organizationId: string; userId: string }

const runsOf = formed((b, p: Whose & PageValues, _engine, { order }: { order: Order }) =>
  b
    .selectFrom('importRun')
    .selectAll()
    .where('organizationId', '=', p.organizationId)
    .where((e) => e.or([e(sql<string>`${p.userId}`, '=', ''), e('createdBy', '=', p.userId)]))
    .where(beyond({ key: 'createdAt', id: 'id' }, pageIn(p, order)))
    .orderBy('createdAt', order)
    .orderBy('id', order)
    .limit(sql<number>`${p.limit}`),
)
export const listImportRuns = (db: Connection, whose: Whose, page: Page): Promise<ImportRunRow[]> =>
  runsOf(db, { order: page.order }, { ...whose, ...pageValues(page) })

const runsIn = first((b, p: Whose) =>
  b
    .selectFrom('importRun')
    .select(countAll)
    .where('organizationId', '=', p.organizationId)
    .where((e) => e.or([e(sql<string>`${p.userId}`, '=', ''), e('createdBy', '=', p.userId)])),
)
export const countImportRuns = async (db: Connection, whose: Whose): Promise<number> =>
  (await runsIn(db, whose))?.count ?? 0

/** Removes runs that ended before then. */
export const deleteRunsBefore = run((b, p: { oldest: string }) =>
  b.deleteFrom('importRun').where('updatedAt', '<', p.oldest).where('status', 'not in', ['pending', 'in-progress']),
)
