/**
 * Specs that a change names. A page shows its spec to whoever reads the page, so that who puts a spec on one has to see it:
 * a guest of one space could read every spec of the organization otherwise. What the page shows already stays.
 */
import type { JSONDocument } from '../../../core/document/tree/nodes.ts'
import { fail } from '../../../core/errors.ts'
import { specBlocksIn } from '../../../core/openapi/write-out.ts'
import { type Content, pageById, reusableById } from '../../../core/revision/content.ts'
import { diff } from '../../../core/revision/map-diff.ts'
import type { PageRecord, ReusableRecord } from '../../../core/revision/records.ts'
import { type ContentReader, readContent } from '../../../store/content/content.ts'
import { findSpec } from '../../../store/content/openapi.ts'
import type { RevisionRow } from '../../../store/content/revisions.ts'
import type { Base } from '../../handler.ts'
import { findSeen } from '../../named.ts'
import { computedSpec } from '../../openapi/computed.ts'
import { specPermissions, type Things } from '../../things.ts'
import type { ReadyChange } from './changes.ts'

/** 404 for a spec that the caller does not see, whether there is one or not. */
export async function requireSpecsSeen(
  base: Base,
  space: Things['space'],
  head: RevisionRow,
  ready: ReadyChange,
): Promise<void> {
  const named = specsOf(ready)
  if (named.size === 0 || (await seesSpecs(base, space))) return
  await refuseUnseen(base, space, { named, shown: await specsShown(base, head, ready) })
}

/** The same of all that an import changes, for each of its pages. */
export async function requireSpecsSeenIn(
  base: Base,
  space: Things['space'],
  { reader, before, after }: { reader: ContentReader; before: Content; after: Content },
): Promise<void> {
  if (await seesSpecs(base, space)) return
  const specsIn = async (record: PageRecord | ReusableRecord | undefined): Promise<Set<string>> => {
    const specs = new Set<string>()
    const computed = record && 'type' in record ? computedSpec(record) : undefined
    if (computed !== undefined) specs.add(computed.spec)
    if (record?.document !== undefined) addSpecs(specs, await reader.document(record.document))
    return specs
  }
  for (const map of ['pages', 'reusable'] as const)
    for (const one of await diff<PageRecord | ReusableRecord>(reader, before[map], after[map])) {
      const named = await specsIn(one.after)
      if (named.size > 0) await refuseUnseen(base, space, { named, shown: await specsIn(one.before) })
    }
}

async function seesSpecs(base: Base, { organizationId }: Things['space']): Promise<boolean> {
  const organization = await findSeen(base, 'organization', organizationId)
  return organization !== undefined && specPermissions(organization).view
}

async function refuseUnseen(
  { db }: Base,
  { organizationId }: Things['space'],
  { named, shown }: Record<'named' | 'shown', ReadonlySet<string>>,
): Promise<void> {
  for (const slug of named) {
    if (shown.has(slug)) continue
    const spec = await findSpec(db, { organizationId, slug })
    if (spec?.visibility !== 'public') throw fail('not_found', `There is no spec ${slug}, or you may not see it.`)
  }
}

function specsOf({ change, body, rebased }: ReadyChange): Set<string> {
  const specs = new Set<string>()
  if (change.operation === 'insert_page' && change.computed) specs.add(change.computed.dependencies.spec.ref.spec)
  for (const document of [body?.document, rebased?.sent]) addSpecs(specs, document)
  return specs
}

/** Those of what the change replaces. */
async function specsShown({ db }: Base, { content }: RevisionRow, { change, rebased }: ReadyChange) {
  const specs = new Set<string>()
  addSpecs(specs, rebased?.before)
  const reader = readContent(db)
  let replaced: { document?: string | undefined } | undefined
  if (change.operation === 'update_page') replaced = await pageById(reader, content, change.page)
  if (change.operation === 'update_reusable_content')
    replaced = await reusableById(reader, content, change.reusableContent)
  if (replaced?.document !== undefined) addSpecs(specs, await reader.document(replaced.document))
  return specs
}

function addSpecs(specs: Set<string>, document: JSONDocument | undefined): void {
  if (document === undefined) return
  for (const { data } of specBlocksIn(document)) if (data.ref.kind === 'openapi') specs.add(data.ref.spec)
}
