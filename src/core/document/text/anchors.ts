/**
 * Heading anchors: the id a heading was given, or a slug of its text; unique within a document.
 */
import type { Heading, JSONDocument, Node } from '../tree/nodes.ts'
import { walk } from '../tree/walk.ts'
import { inlineText } from './to-text.ts'

/** The anchor of every heading in the document. Ids that authors gave come first; slugs make way for them. */
export function anchorsOf(document: JSONDocument): Map<Node, string> {
  const headings: Heading[] = []
  walk(document, (node) => {
    if (isHeading(node)) headings.push(node)
  })
  const taken = new Set<string>()
  const anchors = new Map<Node, string>()
  for (const heading of headings) {
    const { id } = heading.data
    if (id === undefined || taken.has(id)) continue
    taken.add(id)
    anchors.set(heading, id)
  }
  const counts = new Map<string, number>()
  for (const heading of headings) {
    if (anchors.has(heading)) continue
    const base = slugOf(inlineText(heading.nodes))
    let count = counts.get(base) ?? 0
    let anchor = count === 0 ? base : `${base}-${count}`
    while (taken.has(anchor)) {
      count += 1
      anchor = `${base}-${count}`
    }
    counts.set(base, count + 1)
    taken.add(anchor)
    anchors.set(heading, anchor)
  }
  // A document in reading order, whichever of the two loops found the anchor.
  return new Map(headings.map((heading) => [heading, anchors.get(heading) ?? '']))
}

/**
 * The anchors under which other hosts know the headings, each with ours: GitHub drops signs (`issueverify` for
 * `Issue/Verify`), others spell `&` out and put `id-` before a digit. Links that came with a repository use them.
 */
export function anchorSpellings(document: JSONDocument): Map<string, string> {
  const spellings = new Map<string, string>()
  for (const [node, anchor] of anchorsOf(document)) {
    if (!isHeading(node)) continue
    const words = inlineText(node.nodes)
    const dropped = words
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, '')
      .replace(/\s/g, '-')
    const spelt = slugOf(words.replaceAll('&', ' and '))
    for (const other of [dropped, spelt, `id-${spelt}`]) if (!spellings.has(other)) spellings.set(other, anchor)
  }
  // What folds has no place among the headings, but may be linked to by the id that its writer gave it.
  walk(document, (node) => {
    if (node.object !== 'block' || node.type !== 'expandable' || node.data.id === undefined) return
    spellings.set(node.data.id, node.data.id)
  })
  return spellings
}

/** An id as it is kept: links that came with it may still have its capitals and colons. */
export const foldAnchor = (written: string): string => written.toLowerCase().replaceAll(':', '-')

/** Letters and digits of any script, in lower case, words joined by hyphens. */
export function slugOf(text: string): string {
  const slug = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_.+]+/gu, '-')
    .replace(/^[-.+]+|[-.+]+$/g, '')
    .slice(0, 100)
  return slug === '' ? 'section' : slug
}

export function isHeading(node: Node): node is Heading {
  return (
    node.object === 'block' && (node.type === 'heading-1' || node.type === 'heading-2' || node.type === 'heading-3')
  )
}
