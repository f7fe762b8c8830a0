/** Headings as the API answers them: each with the id under which addresses name it. It is never stored. */
import type { Heading, JSONDocument, Node } from '../tree/nodes.ts'
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

/** What holds no heading is shared with the original. */
function mapHeadings<Of extends JSONDocument | Node>(
  root: Of,
  change: (heading: Heading, copy: Heading) => Heading,
): Of {
  const { nodes, fragments }: { object: string; nodes?: readonly Node[]; fragments?: readonly Node[] } = root
  const mapEach = (children: readonly Node[] | undefined): readonly Node[] | undefined => {
    let copy: Node[] | undefined
    for (const [at, child] of children?.entries() ?? []) {
      // Most nodes are texts, below which there is nothing.
      if (child.object === 'text') continue
      const inner = mapHeadings(child, change)
      const next = isHeading(child) && isHeading(inner) ? change(child, inner) : inner
      if (next === child) continue
      copy ??= [...(children ?? [])]
      copy[at] = next
    }
    return copy ?? children
  }
  const [newNodes, newFragments] = [mapEach(nodes), mapEach(fragments)]
  if (newNodes === nodes && newFragments === fragments) return root
  return {
    ...root,
    ...(newNodes && { nodes: newNodes }),
    ...(newFragments && { fragments: newFragments }),
  }
}

const isHeading = (node: JSONDocument | Node): node is Heading =>
  node.object === 'block' && (node.type === 'heading-1' || node.type === 'heading-2' || node.type === 'heading-3')
