/** What the blocks of a page show of specs, written out for paper: operations and models in full. */
import type { JSONDocument } from '../../core/document/tree/nodes.ts'
import { specBlocksIn, writeOutSpecs } from '../../core/openapi/write-out.ts'
import { TimeSlices } from '../../store/time-slices.ts'
import { type ContentAt, referenceContext } from '../content/at.ts'
import type { Base } from '../handler.ts'
import { shownSpecs } from '../openapi/shown.ts'

export async function withSpecs(
  base: Pick<Base, 'db' | 'env'>,
  at: ContentAt,
  document: JSONDocument,
): Promise<JSONDocument> {
  if (specBlocksIn(document).length === 0) return document
  const shown = await shownSpecs(base, referenceContext(at), document)
  const parts = new Map(shown.map(({ ref, part }) => [JSON.stringify(ref), part]))
  const slices = new TimeSlices()
  return writeOutSpecs(
    document,
    (ref) => parts.get(JSON.stringify(ref)),
    () => slices.next(),
  )
}
