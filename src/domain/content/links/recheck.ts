/** Links whose targets came or went, or have other anchors now: their statuses follow. */
import { setLinkStatus } from '../../../store/content/link-rows.ts'
import { linksTo } from '../../../store/content/links.ts'
import { type LinkContext, statusOf } from './link-status.ts'

/** In the transaction that changed these things of the space; links of some pages have just been written. */
export async function recheckLinks(
  context: LinkContext,
  targets: readonly string[],
  written: ReadonlySet<string> = new Set(),
): Promise<void> {
  const { db, spaceId } = context
  for (const { pageId, position, ref, status: known } of await linksTo(db, spaceId, targets)) {
    if (written.has(pageId)) continue
    const status = await statusOf(context, JSON.parse(ref), pageId)
    if (status !== known) await setLinkStatus(db, { spaceId, pageId, position, status })
  }
}
