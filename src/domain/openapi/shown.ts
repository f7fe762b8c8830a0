/** What the blocks of a document show of specs. A page that shows a spec shows it to whoever may read the page. */
import type { ContentRef, JSONDocument } from '../../core/document/tree/nodes.ts'
import type { SpecBlock } from '../../core/openapi/block-view.ts'
import { type OpenSpec, partOf } from '../../core/openapi/collect.ts'
import type { SpecPart } from '../../core/openapi/part.ts'
import { specBlocksIn } from '../../core/openapi/write-out.ts'
import { findSpec, findVersion } from '../../store/content/openapi.ts'
import { TimeSlices } from '../../store/time-slices.ts'
import type { Base } from '../handler.ts'
import { mostSpecsOnPage, nameOfSpec, type ReferenceContext, type SpecRef } from './named.ts'
import { openSpec } from './parts.ts'

export interface ShownSpec {
  ref: ContentRef
  part: SpecPart
}

/** A part for each spec that the document names; those that are not there, or not read yet, are left out. */
export async function shownSpecs(
  base: Pick<Base, 'db' | 'env'>,
  context: ReferenceContext & { organizationId: string },
  document: JSONDocument,
): Promise<ShownSpec[]> {
  const byRef = new Map<string, { ref: SpecRef; blocks: SpecBlock[] }>()
  const all = specBlocksIn(document)
  for (const block of all) {
    const key = JSON.stringify(block.data.ref)
    const known = byRef.get(key)
    if (known) known.blocks.push(block)
    else if (byRef.size < mostSpecsOnPage) byRef.set(key, { ref: block.data.ref, blocks: [block] })
  }
  const shown: ShownSpec[] = []
  const slices = new TimeSlices()
  for (const { ref, blocks } of byRef.values()) {
    const spec = await specOf(base, context, ref)
    if (!spec) continue
    const breathe = () => slices.next()
    shown.push({ ref, part: await partOf(spec, blocks, { blocksOnPage: all.length, breathe }) })
  }
  return shown
}

/** What a reference names, in the latest version that could be read. */
export async function specOf(
  { db, env }: Pick<Base, 'db' | 'env'>,
  context: ReferenceContext & { organizationId: string },
  ref: SpecRef,
): Promise<OpenSpec | undefined> {
  const name = await nameOfSpec(ref, context)
  const spec = name && (await findSpec(db, { organizationId: context.organizationId, slug: name.slug }))
  if (!spec?.lastVersionId) return undefined
  const version = await findVersion(db, { id: spec.lastVersionId, specId: spec.id })
  return version && openSpec(db.caches, env, version.partsBlob)
}
