/** What a page shows of specs, read once for the page with the visitor's own eyes. */
import { setImmediate as breath } from 'node:timers/promises'
import type { Customization } from '../../core/customization/shape.ts'
import type { JSONDocument } from '../../core/document/tree/nodes.ts'
import type { SpecPart } from '../../core/openapi/part.ts'
import { specBlocksIn, writeOutSpecs } from '../../core/openapi/write-out.ts'
import { refKey } from '../render/body.ts'
import type { Entry } from './navigation.ts'
import type { ServedSpace } from './profile.ts'
import type { Visiting } from './visiting.ts'

/** By `refKey`. */
export async function readSpecs(
  { client }: Visiting,
  siteSpace: ServedSpace,
  { page }: Pick<Entry, 'page'>,
  { tryIt }: Customization['openapi'] = { tryIt: false },
): Promise<Map<string, SpecPart>> {
  const { specs } = await client.listPageOpenAPISpecs({ spaceId: siteSpace.about.space.id, pageId: page.id })
  return new Map(specs.map(({ ref, part }) => [refKey(ref), tryIt ? part : { ...part, hidesTry: true }]))
}

/** The document with what its blocks show of specs written out, for readers of Markdown. */
export async function withSpecs(
  visiting: Visiting,
  { siteSpace, page }: { siteSpace: ServedSpace; page: Entry['page'] },
  document: JSONDocument,
): Promise<JSONDocument> {
  if (specBlocksIn(document).length === 0) return document
  const specs = await readSpecs(visiting, siteSpace, { page })
  return writeOutSpecs(document, (ref) => specs.get(refKey(ref)), breath)
}
