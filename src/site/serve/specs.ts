/** What a page shows of specs, read once for the page with the visitor's own eyes. */
import type { ContentRef } from '../../core/document/tree/nodes.ts'
import type { SpecPart } from '../../core/openapi/part.ts'
import type { Entry } from './navigation.ts'
import type { Place } from './profile.ts'
import { isSpecPart } from './trusted.ts'
import type { Visiting } from './visiting.ts'

export async function readSpecs(
  { client }: Visiting,
  place: Place,
  { page }: Pick<Entry, 'page'>,
): Promise<(ref: ContentRef) => Promise<SpecPart | undefined>> {
  const { specs } = await client.listPageOpenAPISpecs({ spaceId: place.about.space.id, pageId: page.id })
  const known = new Map(specs.flatMap(({ ref, part }) => (isSpecPart(part) ? [[keyOf(ref), part] as const] : [])))
  return async (ref) => known.get(keyOf(ref))
}

const keyOf = (ref: object): string => JSON.stringify(ref, Object.keys(ref).sort())
