/** Has a book made, and answers where it is fetched. It is made when its address is first asked for, and kept for a while. */
import { CallFailed } from '../../client/client.ts'
import type { ContentTarget } from '../pages/content-target.ts'
import { call } from '../session/client.ts'

/** All of it, a page with those below it, or the page alone. */
export type Extent = 'whole' | 'below' | 'only'

interface Wanted {
  content: ContentTarget
  extent: Extent
  page: string | undefined
  signal: AbortSignal
}

export async function makeBook({ content: { space, changeRequest }, extent, page, signal }: Wanted): Promise<string> {
  const query = extent === 'whole' || page === undefined ? {} : { page, ...(extent === 'only' ? { only: true } : {}) }
  const { url } =
    changeRequest === undefined
      ? await call('getSpacePDF', { spaceId: space, query, signal })
      : await call('getChangeRequestPDF', { spaceId: space, changeRequestId: changeRequest, query, signal })
  // The same server, whatever address it calls itself by.
  const address = `${location.origin}${new URL(url).pathname}`
  const answer = await fetch(address, { signal })
  if (answer.ok) {
    // It is made: whoever opens it fetches it.
    await answer.body?.cancel()
    return address
  }
  const body = await answer.json().catch(() => undefined)
  throw new CallFailed({
    ...body?.error,
    status: answer.status,
    type: body?.error?.type ?? 'internal_error',
    message: body?.error?.message ?? '',
  })
}
