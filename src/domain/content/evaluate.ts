/** Documents with their expressions worked out, and with reusable contents in the places that name them. */
import { text } from '../../core/document/make.ts'
import type { Block, JSONDocument, Node } from '../../core/document/nodes.ts'
import { mapChildren, walk } from '../../core/document/walk.ts'
import { visitorScope } from '../../core/expressions/claims.ts'
import { allHold } from '../../core/expressions/conditions.ts'
import { evaluateText, type Scope } from '../../core/expressions/evaluate.ts'
import { parse } from '../../core/expressions/parse.ts'
import { reusableById } from '../../core/revision/content.ts'
import type { Variables } from '../../core/revision/records.ts'
import type { ContentAt } from './at.ts'

/** How deep reusable contents may stand in each other. */
const maxNesting = 5

/**
 * Expressions become their text and conditional blocks are kept or left out: for the visitor given, or for a reader about
 * whom nothing is known.
 */
export function evaluateDocument(
  document: JSONDocument,
  variables: { page: Variables; space: Variables },
  visitor?: Scope,
): JSONDocument {
  const unknown = visitorScope({ pageVariables: variables.page, spaceVariables: variables.space })
  const scope = visitor ? { ...unknown, visitor: visitor.visitor } : unknown
  const textOf = (expression: string): string => {
    const parsed = parse(expression)
    return parsed.ok ? evaluateText(parsed.expression, scope) : ''
  }
  const change = (node: Node): Node => {
    if (node.object === 'inline' && node.type === 'expression') return text(textOf(node.data.expression))
    return withoutConditions(mapChildren(node, change))
  }
  const withoutConditions = <T extends Node | JSONDocument>(node: T): T => {
    if (!('nodes' in node) || node.object === 'inline') return node
    const nodes = (node.nodes as Node[]).flatMap((child): Node[] => {
      if (child.object !== 'block' || child.type !== 'if') return [child]
      return allHold([child.data.expression], scope) ? child.nodes : []
    })
    return { ...node, nodes } as T
  }
  return withoutConditions(mapChildren(document, change))
}

/** Whether a part of it is shown to some only. */
export function isConditional(document: JSONDocument): boolean {
  let found = false
  walk(document, (node) => {
    if (node.object === 'block' && node.type === 'if') found = true
  })
  return found
}

/** Blocks that name a reusable content give way to what it holds. */
export async function withReusable(at: ContentAt, document: JSONDocument, depth = 0): Promise<JSONDocument> {
  const nodes: Block[] = []
  for (const node of document.nodes) {
    const ref = node.type === 'reusable-content' ? node.data.ref : undefined
    const record =
      ref?.kind === 'reusable-content' ? await reusableById(at.reader, at.content, ref.reusableContent) : undefined
    if (record?.document === undefined || depth >= maxNesting) nodes.push(node)
    else nodes.push(...(await withReusable(at, await at.reader.document(record.document), depth + 1)).nodes)
  }
  return { ...document, nodes } as JSONDocument
}
