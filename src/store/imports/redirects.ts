/** Addresses that pages had elsewhere, before they were imported. */
import type { Connection } from '../database.ts'
import { first, run } from '../query.ts'

export const findPathRedirect = first((b, p: { spaceId: string; path: string }) =>
  b.selectFrom('pathRedirect').select('pageId').where('spaceId', '=', p.spaceId).where('path', '=', p.path),
)

const put = run((b, p: { spaceId: string; path: string; pageId: string; createdAt: string }) =>
  b
    .insertInto('pathRedirect')
    .values({ spaceId: p.spaceId, path: p.path, pageId: p.pageId, createdAt: p.createdAt })
    .onConflict((oc) => oc.columns(['spaceId', 'path']).doUpdateSet({ pageId: p.pageId })),
)

export async function putPathRedirects(
  tx: Connection,
  { spaceId, now, redirects }: { spaceId: string; now: string; redirects: readonly { path: string; pageId: string }[] },
): Promise<void> {
  for (const { path, pageId } of redirects) await put(tx, { spaceId, path, pageId, createdAt: now })
}
