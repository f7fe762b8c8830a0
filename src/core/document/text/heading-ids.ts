/** Headings as the API answers them: each with the id under which addresses name it. It is never stored. */
import type { Heading, JSONDocument, Node } from '../tree/nodes.ts'
import { mapChildren } from '../tree/walk.ts'
import { anchorsOf } from './anchors.ts'

/** The document with `meta.id` on its headings; the very same when it has none. */
export function withHeadingIds(document: JSONDocument): JSONDocument {
  const anchors = anchorsOf(document)
  if (anchors.size === 0) return document
  return mapHeadings(document, (heading, copy) => {
    const id = anchors.get(heading)
    return id === undefined ? copy : { ...copy, meta: { id } }
  })
}

/** What `withHeadingIds` made, as it is stored. */
export const withoutHeadingIds = <Of extends JSONDocument | Node>(root: Of): Of =>
  mapHeadings(root, (_, { meta, ...stored }) => stored)

function mapHeadings<Of extends JSONDocument | Node>(
  root: Of,
  change: (heading: Heading, copy: Heading) => Heading,
): Of {
  let changed = false
  const copy = mapChildren(root, (child) => {
    const inner = mapHeadings(child, change)
    const next = isHeading(child) && isHeading(inner) ? change(child, inner) : inner
    changed ||= next !== child
    return next
  })
  // What holds no heading is shared with the original.
  return changed ? copy : root
}

const isHeading = (node: JSONDocument | Node): node is Heading =>
  node.object === 'block' && (node.type === 'heading-1' || node.type === 'heading-2' || node.type === 'heading-3')
