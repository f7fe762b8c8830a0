/** What is done to the order of a site's parts: each move is shown at once, sent one after the other, and can be taken back. */
import { closeMessage, showDone, showProblem } from '../../kit/toast.tsx'
import { call, callQuery, type Name, queries, refresh } from '../../session/client.ts'
import { explain } from '../../session/errors.ts'
import { endedSession } from '../../session/signed-out.ts'
import { t } from '../../texts/index.ts'
import { structureTexts } from '../../texts/site-structure.ts'
import type { Target } from '../../tree/rows.ts'
import type { SiteIds } from '../row.tsx'
import { moveCall, type Node, nodesOf, type Part, type Structure, structureOf, targetOf, withMoved } from './arrange.ts'

/** What is no longer true when the structure of a site has changed. */
export const staleStructure: Name[] = ['getSiteStructure', 'listSiteSpaces', 'getSiteById', 'listSites', 'getSpaceById']

// One after the other: each is told relative to what those before it left. What is true is asked for when all have arrived.
let last: Promise<unknown> = Promise.resolve()
let waiting = 0

async function inOrder<T>(run: () => Promise<T>): Promise<T> {
  waiting++
  const next = last.then(run)
  last = next.catch(() => undefined)
  try {
    return await next
  } finally {
    waiting--
    if (waiting === 0) void refresh(...staleStructure)
  }
}

/** Of the last move: what was moved step by step is told of once. */
let message: number | undefined

export function move(site: SiteIds, nodes: readonly Node[], node: Node, target: Target): boolean {
  const { part } = node
  const back = targetOf(nodes, node.id)
  const sent = moveCall(nodes, node, target)
  if (!sent) return false
  const after = withMoved(nodes, node.id, target)
  show(site, after)
  void send(site, part, sent, () => {
    const undo = moveCall(after, node, back)
    if (message !== undefined) closeMessage(message)
    message = showDone(
      structureTexts.moved(node.title),
      undo && { label: t.common.undo, run: () => void takeBack(site, part, { undo, back }) },
    )
  })
  return true
}

type Sent = NonNullable<ReturnType<typeof moveCall>>

async function send(site: SiteIds, part: Part, sent: Sent, onDone: () => void): Promise<boolean> {
  try {
    await inOrder(() => sendMove(site, part, sent))
    onDone()
    return true
  } catch (error) {
    if (!endedSession(error)) showProblem(explain(error))
    return false
  }
}

const sendMove = (site: SiteIds, { id }: Part, sent: Sent): Promise<unknown> =>
  'sort' in sent
    ? call('sortSiteStructure', { ...site, body: sent.sort })
    : call('addSectionToGroup', { ...site, siteSectionGroupId: sent.intoGroup, body: { sectionId: id } })

/** A space that was in another section has had another path, and may have been the one that opens it. */
async function takeBack(site: SiteIds, part: Part, { undo, back }: { undo: Sent; back: Target }): Promise<void> {
  show(site, withMoved(shownNodes(site), part.id, back))
  const isBack = await send(site, part, undo, () => undefined)
  if (!isBack || part.object !== 'site-space' || part.section === undefined) return
  const { section, path } = part
  await inOrder(async () => {
    await call('updateSiteSpaceById', { ...site, siteSpaceId: part.id, body: { path } })
    if (!part.default) return
    await call('updateSiteSectionById', { ...site, siteSectionId: section, body: { defaultSiteSpace: part.id } })
  }).catch((error: unknown) => showProblem(explain(error)))
}

function show(site: SiteIds, nodes: readonly Node[]): void {
  const { queryKey } = callQuery('getSiteStructure', site)
  // What is on its way was asked for before.
  void queries.cancelQueries({ queryKey })
  queries.setQueryData<Structure>(queryKey, (before) => before && structureOf(nodes, before))
}

const shownNodes = (site: SiteIds): Node[] => {
  const found = queries.getQueryData<Structure>(callQuery('getSiteStructure', site).queryKey)
  return found ? nodesOf(found) : []
}
