/** What needs no question: what opens first, and groups that go. Each can be taken back. */
import { showDone, showProblem } from '../../kit/toast.tsx'
import { call, refresh } from '../../session/client.ts'
import { explain } from '../../session/errors.ts'
import { endedSession } from '../../session/signed-out.ts'
import { t } from '../../texts/index.ts'
import { structureTexts } from '../../texts/site-structure.ts'
import { trailOf } from '../../tree/rows.ts'
import type { SiteIds } from '../row.tsx'
import { type Group, moveCall, type Node, nameOf, type Section, type SiteSpace, targetOf } from './arrange.ts'
import { staleStructure } from './moves.ts'

/** Does it and asks for what is true then; whether it was done. */
async function attempt(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run()
    return true
  } catch (error) {
    if (!endedSession(error)) showProblem(explain(error))
    return false
  } finally {
    void refresh(...staleStructure)
  }
}

export async function makeDefault(ids: SiteIds, nodes: readonly Node[], part: Section | SiteSpace): Promise<void> {
  const before = defaultBeside(nodes, part)
  if (!(await attempt(() => setDefault(ids, part)))) return
  showDone(
    structureTexts.madeDefault(nameOf(part)),
    before && { label: t.common.undo, run: () => void attempt(() => setDefault(ids, before)) },
  )
}

/** What is the default where a part could be. Of sections there is one on the whole site. */
function defaultBeside(nodes: readonly Node[], part: Section | SiteSpace): Section | SiteSpace | undefined {
  const parts = nodes.flatMap(function partsIn({ part: one, pages }: Node): Node['part'][] {
    return [one, ...pages.flatMap(partsIn)]
  })
  for (const one of parts) {
    if (one.object === 'site-section-group' || one.object !== part.object || !one.default) continue
    if (one.object === 'site-section' || (part.object === 'site-space' && one.section === part.section)) return one
  }
  return undefined
}

function setDefault(ids: SiteIds, part: Section | SiteSpace): Promise<unknown> {
  if (part.object === 'site-section') return call('updateSiteById', { ...ids, body: { defaultSiteSection: part.id } })
  if (part.section === undefined) return call('updateSiteById', { ...ids, body: { defaultSiteSpace: part.id } })
  return call('updateSiteSectionById', { ...ids, siteSectionId: part.section, body: { defaultSiteSpace: part.id } })
}

/** Its sections stay in its place, so that it can be made again around them. */
export async function dissolve(ids: SiteIds, nodes: readonly Node[], { id, title, icon }: Group): Promise<void> {
  const group = trailOf(nodes, id).at(-1)
  if (!group || !(await attempt(() => call('deleteSiteSectionGroupById', { ...ids, siteSectionGroupId: id })))) return
  const sections = group.pages.map((section) => section.id)
  const makeAgain = async (): Promise<void> => {
    const body = { title, sections, ...(icon === undefined ? {} : { icon }) }
    const made = await call('addSectionGroupToSite', { ...ids, body })
    const again = { ...group, id: made.id, part: made }
    const back = moveCall(
      nodes.map((node) => (node.id === id ? again : node)),
      again,
      targetOf(nodes, id),
    )
    if (back && 'sort' in back) await call('sortSiteStructure', { ...ids, body: back.sort })
  }
  showDone(structureTexts.dissolved(title), { label: t.common.undo, run: () => void attempt(makeAgain) })
}
