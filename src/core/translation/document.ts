/**
 * The texts of a document that are translated, and the document with them replaced.
 *
 * A text is a line of inline content (a paragraph, a heading, a caption) or a field that readers see (a label, the title
 * of a tab or a column). Code is none, nor are formulas, paths and names of files; what is written about code is.
 */
import { anchorsOf, isHeading } from '../document/text/anchors.ts'
import type { InlineContent, JSONDocument, Node } from '../document/tree/nodes.ts'
import { mapChildren } from '../document/tree/walk.ts'
import { withText } from './fields.ts'

/** Called for every text in reading order; answers with what takes its place. */
export interface Replace {
  line(nodes: readonly InlineContent[]): InlineContent[]
  field(text: string): string
}

/** Headings get the anchor they have in the source, so that links to them lead on. */
export function replaceTexts(document: JSONDocument, replace: Replace): JSONDocument {
  const anchors = anchorsOf(document)
  const visit = (node: Node): Node => {
    const anchor = anchors.get(node)
    const lined = withLine(withText(node, replace.field), replace)
    const anchored = anchor && isHeading(lined) ? { ...lined, data: { ...lined.data, id: anchor } } : lined
    return mapChildren(anchored, visit)
  }
  return mapChildren(document, visit)
}

function withLine(node: Node, replace: Replace): Node {
  if (node.object !== 'block') return node
  return node.type === 'paragraph' || isHeading(node) ? { ...node, nodes: replace.line(node.nodes) } : node
}
