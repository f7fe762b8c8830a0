/**
 * What the first screen needs, gathered before anything is drawn: its data, begun by `early.ts`, and its parts. Drawn once
 * and whole, it is there sooner than parts that wait for one another.
 */

import { pageQuery, pagesQuery } from '../pages/content-target.ts'
import { PageEditor } from '../pages/editor-part.ts'
import { callQuery, queries } from '../session/client.ts'
import { nameFirstAnswers, putOff } from '../session/first-answers.ts'
import { organizationsQuery, userQuery } from '../session/session.tsx'
import { SpaceSide } from '../spaces/side-part.ts'

/** On a slow network the frame is drawn after this long, and fills as the answers come. */
const mostMilliseconds = 500

export async function gatherFirstScreen(path: string): Promise<void> {
  const [, space, number, page] = /^\/s\/([^/]+)(?:\/c\/([^/]+)(?:\/edit)?)?(?:\/p\/([^/]+))?/.exec(path) ?? []
  const needed: Promise<unknown>[] = [queries.prefetchQuery(userQuery), queries.prefetchQuery(organizationsQuery)]
  if (space !== undefined) needed.push(gatherSpace(space, number, page))
  if (page !== undefined) needed.push(PageEditor.load())
  else if (space !== undefined) needed.push(SpaceSide.load())
  const limit = new Promise((resolve) => setTimeout(resolve, mostMilliseconds))
  await Promise.race([Promise.all(needed), limit])
}

/** What fails here fails again on the screen, which says so. */
async function gatherSpace(spaceId: string, number: string | undefined, page: string | undefined): Promise<void> {
  const needed: Promise<unknown>[] = [queries.prefetchQuery(callQuery('getSpaceById', { spaceId }))]
  const request =
    number === undefined
      ? undefined
      : await queries
          .fetchQuery(callQuery('getChangeRequestById', { spaceId, changeRequestId: number }))
          .catch(() => undefined)
  if (number === undefined || request) {
    if (number !== undefined && request) nameFirstAnswers({ number, id: request.id })
    const content = { space: spaceId, ...(request ? { changeRequest: request.id } : {}) }
    // A page can be written in before the tree is there, which may be of ten thousand.
    if (page !== undefined) putOff('/content/pages?')
    const pages = queries.prefetchQuery(pagesQuery(content))
    needed.push(page === undefined ? pages : queries.prefetchQuery(pageQuery(content, page)))
  }
  await Promise.all(needed)
}
