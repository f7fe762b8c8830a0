/**
 * Which files of a site a visitor may fetch: those that something shows them.
 *
 * A file that no page uses was put there for its own sake and is as open as its space. One that pages use is there for
 * whoever sees it on one of them: not for who sees none of the pages, nor for whom its block is left out.
 */
import { type Caches, defineCache } from '../../../core/caches.ts'
import { collectRefs } from '../../../core/document/tree/refs.ts'
import type { Scope } from '../../../core/expressions/evaluate.ts'
import { pageById } from '../../../core/revision/content.ts'
import { entries } from '../../../core/revision/map.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../../core/revision/records.ts'
import { pagesUsing } from '../../../store/content/links.ts'
import { findParts, findSite, spacesOfSite } from '../../../store/sites/sites.ts'
import type { Visit } from '../../actor.ts'
import type { ContentAt } from '../../content/at.ts'
import { evaluateDocument, isConditional, withReusable } from '../../content/markdown/evaluate.ts'
import type { Base } from '../../handler.ts'
import { refsIn } from '../customization/check.ts'
import { customizationAt, customizationOf } from '../customization/complete.ts'
import { withDrafts } from './drafts.ts'
import { contentOnSite, isAdmitted } from './pages.ts'

/** How many of the pages that use a file are looked at: whoever sees none of these sees it on none. */
const mostUses = 1000

export async function isFileShown(base: Base, visit: Visit, at: ContentAt, file: FileRecord): Promise<boolean> {
  const spaces = withDrafts(base.actor, await spacesOfSite(base.db, { siteId: visit.siteId }))
  const holders = await reusablesHolding(base.db.caches, at, file.id)
  const uses = await pagesUsing(base.db, {
    spaces: JSON.stringify(spaces.map((space) => space.id)),
    targets: JSON.stringify([file.id, ...holders]),
    limit: mostUses,
  })
  if (uses.length === 0 && holders.length === 0) return true
  for (const { spaceId, pageId } of uses) {
    const space = visit.spaces.has(spaceId) ? spaces.find((one) => one.id === spaceId) : undefined
    if (!space) continue
    const there = await contentOnSite(base, space)
    const page = await pageById(there.reader, there.content, pageId)
    if (page && (await isAdmitted(there, page, visit.scope)) && (await showsFile(there, page, file.id, visit.scope)))
      return true
  }
  return isInCustomization(base, visit, file.id)
}

async function showsFile(at: ContentAt, page: PageRecord, fileId: string, scope: Scope): Promise<boolean> {
  const around = [page.target, page.cover?.ref, page.cover?.refDark]
  if (around.some((ref) => ref?.kind === 'file' && ref.file === fileId)) return true
  if (page.document === undefined) return false
  const whole = await withReusable(at, await at.reader.document(page.document))
  const variables = { page: page.variables ?? {}, space: at.content.variables }
  const shown = isConditional(whole) ? evaluateDocument(whole, variables, scope) : whole
  return collectRefs(shown).some(({ ref }) => ref.kind === 'file' && ref.file === fileId)
}

// A revision never changes, so what its reusable contents hold is worked out once.
const heldIn = defineCache<ReadonlyMap<string, readonly string[]>>('files of reusable contents', { share: 0.01 })
const mostReusables = 1000

/** The reusable contents in which a file stands. */
async function reusablesHolding(caches: Caches, at: ContentAt, fileId: string): Promise<readonly string[]> {
  if (at.content.reusable.count === 0) return []
  const held = heldIn(caches)
  let files = held.get(at.revision.id)
  if (!files) {
    files = await filesOfReusables(at)
    held.set(at.revision.id, files, 200 * (1 + [...files.values()].reduce((sum, one) => sum + one.length, files.size)))
  }
  return files.get(fileId) ?? []
}

async function filesOfReusables(at: ContentAt): Promise<ReadonlyMap<string, readonly string[]>> {
  const files = new Map<string, string[]>()
  for (const [, record] of await entries<ReusableRecord>(at.reader, at.content.reusable, {
    from: '',
    limit: mostReusables,
  })) {
    if (record.document === undefined) continue
    const whole = await withReusable(at, await at.reader.document(record.document))
    const found = collectRefs(whole).flatMap(({ ref }) => (ref.kind === 'file' ? [ref.file] : []))
    for (const id of new Set(found)) files.set(id, [...(files.get(id) ?? []), record.id])
  }
  return files
}

/** Whether the site itself, or a space of it that they see, links the file from its header or footer. */
async function isInCustomization(base: Base, visit: Visit, fileId: string): Promise<boolean> {
  const site = await findSite(base.db, { id: visit.siteId })
  if (!site) return false
  const siteSpaces = (await findParts(base.db, site.id)).spaces
  const own = siteSpaces.filter((siteSpace) => siteSpace.customization !== null && visit.spaces.has(siteSpace.spaceId))
  for (const customization of [customizationOf(site), ...own.map((siteSpace) => customizationAt(site, siteSpace))])
    for (const [, ref] of refsIn(customization)) if (ref.kind === 'file' && ref.file === fileId) return true
  return false
}
