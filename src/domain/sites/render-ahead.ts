/** What has a job render parts of published pages before anybody reads them (jobs/render-ahead.ts). */
import type { Connection } from '../../store/database.ts'
import { enqueue } from '../../store/jobs.ts'
import { publishedSitesShowing, readShowing } from '../../store/sites/sites.ts'

export const renderAheadKind = 'render-ahead'

/** When nobody has saved for so long, a series of saves is over. */
export const settledMilliseconds = 5_000

/** In the transaction that moved the main content of a space on. */
export async function renderMoved(tx: Connection, space: { id: string; shownOn?: string | null }): Promise<void> {
  const { id, shownOn } = space
  const shown = shownOn === undefined ? await publishedSitesShowing(tx, [id]) : readShowing(shownOn)
  if (shown.length > 0) await renderSpaceAhead(tx, { space: id, runAt: new Date(Date.now() + settledMilliseconds) })
}

/** In the transaction that published a site, or changed what stands on one that is. */
export const renderShown = (tx: Connection): Promise<unknown> =>
  enqueue(tx, { kind: renderAheadKind, uniqueKey: 'shown' })

/** `since` is when it was first wished for: a space that never settles is rendered too. */
export const renderSpaceAhead = (
  tx: Connection,
  { space, since = new Date().toISOString(), runAt }: { space: string; since?: string; runAt?: Date },
): Promise<unknown> => enqueue(tx, { kind: renderAheadKind, payload: { space, since }, uniqueKey: space, runAt })
