/** What a page shows of specs, read once for the page with the visitor's own eyes. */
import { fromMarkdown } from '../../core/document/read/from-markdown.ts'
import type { ContentRef, JSONDocument, Node } from '../../core/document/tree/nodes.ts'
import type { SpecPart } from '../../core/openapi/part.ts'
import { printModel, printOperation } from '../../core/openapi/print.ts'
import { isSpecBlock, prepareSpec } from '../render/openapi/prepare.ts'
import type { Entry } from './navigation.ts'
import type { Place } from './profile.ts'
import type { Visiting } from './visiting.ts'

export async function readSpecs(
  { client }: Visiting,
  place: Place,
  { page }: Pick<Entry, 'page'>,
): Promise<(ref: ContentRef) => Promise<SpecPart | undefined>> {
  const { specs } = await client.listPageOpenAPISpecs({ spaceId: place.about.space.id, pageId: page.id })
  const known = new Map(specs.map(({ ref, part }) => [keyOf(ref), part]))
  return async (ref) => known.get(keyOf(ref))
}

const keyOf = (ref: object): string => JSON.stringify(ref, Object.keys(ref).sort())

/** The document with what its blocks show of specs written out, for readers of Markdown. */
export async function withSpecs(
  visiting: Visiting,
  { place, page }: { place: Place; page: Entry['page'] },
  document: JSONDocument,
): Promise<JSONDocument> {
  const blocks = document.nodes.filter((node: Node) => isSpecBlock(node))
  if (blocks.length === 0) return document
  const specOf = await readSpecs(visiting, place, { page })
  const nodes: JSONDocument['nodes'] = []
  for (const node of document.nodes) {
    const part = isSpecBlock(node) ? await specOf(node.data.ref) : undefined
    const prepared = part && isSpecBlock(node) ? await prepareSpec(node, part, blocks.length) : undefined
    if (!prepared) nodes.push(node)
    else if (prepared.kind === 'operation') nodes.push(...fromMarkdown(printOperation(prepared.view)).document.nodes)
    else
      for (const { name, view } of prepared.schemas) nodes.push(...fromMarkdown(printModel(name, view)).document.nodes)
  }
  return { ...document, nodes }
}
