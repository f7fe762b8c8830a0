/** Documents with their expressions worked out, and with reusable contents in the places that name them. */
import { isComment } from '../../../core/document/tree/comment.ts'
import { text } from '../../../core/document/tree/make.ts'
import type { JSONDocument, Node } from '../../../core/document/tree/nodes.ts'
import { lettersOf, maxSize, sizeOf } from '../../../core/document/tree/size.ts'
import { mapChildren, walk } from '../../../core/document/tree/walk.ts'
import { visitorScope } from '../../../core/expressions/claims.ts'
import { allHold } from '../../../core/expressions/conditions.ts'
import { evaluateText, type Scope } from '../../../core/expressions/evaluate.ts'
import { parse } from '../../../core/expressions/parse.ts'
import { reusableById } from '../../../core/revision/content.ts'
import type { Variables } from '../../../core/revision/records.ts'
import type { ContentAt } from '../at.ts'

/** How deep reusable contents may stand in each other. */
const maxNesting = 5

/**
 * Expressions become their text, conditional blocks are kept or left out, and comments are left out: for the visitor given, or for a reader about
 * whom nothing is known. `isDeterministic` leaves what depends on the reader as it is written, and without the variables of a
 * page also what depends on the page.
 */
export function evaluateDocument(
  document: JSONDocument,
  variables: { page?: Variables | undefined; space: Variables },
  visitor?: Scope,
  { isDeterministic = false }: { isDeterministic?: boolean } = {},
): JSONDocument {
  if (!isDynamic(document)) return document
  const unknown = visitorScope({ pageVariables: variables.page ?? {}, spaceVariables: variables.space })
  const scope = visitor ? { ...unknown, visitor: visitor.visitor } : unknown
  const unread = variables.page === undefined ? /\b(visitor|page)\b/ : /\bvisitor\b/
  const isLeft = (expression: string): boolean => isDeterministic && unread.test(expression)
  const textOf = (expression: string): string => {
    const parsed = parse(expression)
    return parsed.ok ? evaluateText(parsed.expression, scope) : ''
  }
  const change = (node: Node): Node => {
    if (node.object === 'inline' && node.type === 'expression' && !isLeft(node.data.expression))
      return text(textOf(node.data.expression))
    return withoutConditions(mapChildren(node, change))
  }
  const withoutConditions = <T extends Node | JSONDocument>(node: T): T => {
    if (!('nodes' in node) || node.object === 'inline') return node
    const nodes = (node.nodes as Node[]).flatMap((child): Node[] => {
      if (child.object !== 'block') return [child]
      // Writers' words to each other are no part of what is read.
      if (!isDeterministic && isComment(child)) return []
      if (child.type !== 'if' || isLeft(child.data.expression)) return [child]
      return allHold([child.data.expression], scope) ? child.nodes : []
    })
    return { ...node, nodes } as T
  }
  return withoutConditions(mapChildren(document, change))
}

/** Whether a part of it is shown to some only. */
export const isConditional = lookedThrough((node) => node.object === 'block' && node.type === 'if')

/** Whether anything in it depends on who reads it, or on variables. */
export const isDynamic = lookedThrough(
  (node) =>
    (node.object === 'block' && (node.type === 'if' || isComment(node))) ||
    (node.object === 'inline' && node.type === 'expression'),
)

/** Documents are kept under their hash and never change, so that each is looked through once while it is kept. */
function lookedThrough(matches: (node: Node) => boolean): (document: JSONDocument) => boolean {
  const known = new WeakMap<JSONDocument, boolean>()
  return (document) => {
    let found = known.get(document)
    if (found !== undefined) return found
    found = false
    walk(document, (node) => {
      found ||= matches(node)
    })
    known.set(document, found)
    return found
  }
}

/**
 * What one page takes in of reusable contents: how many, and with what it holds itself as much as a page may hold. What would
 * be more stays a reference, which shows nothing.
 */
const mostIncluded = 200
const mostLetters = 2_000_000

interface Room {
  count: number
  size: number
  letters: number
}

/** Blocks that name a reusable content give way to what it holds, wherever they stand. */
export async function withReusable(at: ContentAt, document: JSONDocument): Promise<JSONDocument> {
  if (!namesReusable(document)) return document
  const own = measure(document)
  const left = { count: mostIncluded, size: maxSize - own.size, letters: mostLetters - own.letters }
  return include(at, document, { depth: 0, left, known: new Map() })
}

interface Including {
  depth: number
  left: Room
  /** What the reusable contents hold themselves, by the hashes of their documents. */
  known: Map<string, Omit<Room, 'count'>>
}

const measure = (document: JSONDocument): Omit<Room, 'count'> => ({
  size: sizeOf(document),
  letters: lettersOf(document),
})

async function include<Of extends Node | JSONDocument>(at: ContentAt, node: Of, including: Including): Promise<Of> {
  if (!namesReusable(node)) return node
  const copy = { ...node }
  if ('nodes' in copy) Object.assign(copy, { nodes: await includeAll(at, copy.nodes, including) })
  if ('fragments' in copy) Object.assign(copy, { fragments: await includeAll(at, copy.fragments, including) })
  return copy
}

async function includeAll(at: ContentAt, nodes: readonly Node[], including: Including): Promise<Node[]> {
  const found: Node[] = []
  for (const node of nodes) {
    const ref = node.object === 'block' && node.type === 'reusable-content' ? node.data.ref : undefined
    const inner =
      ref?.kind === 'reusable-content' ? await documentFitting(at, ref.reusableContent, including) : undefined
    if (inner === undefined) found.push(await include(at, node, including))
    else {
      const whole = await include(at, inner, { ...including, depth: including.depth + 1 })
      for (const block of whole.nodes) found.push(block)
    }
  }
  return found
}

/** The document of a reusable content, and its room taken; nothing where there is none, or no room for it. */
async function documentFitting(
  at: ContentAt,
  id: string,
  { depth, left, known }: Including,
): Promise<JSONDocument | undefined> {
  if (depth >= maxNesting || left.count <= 0) return undefined
  const hash = (await reusableById(at.reader, at.content, id))?.document
  if (hash === undefined) return undefined
  left.count -= 1
  const fits = ({ size, letters }: Omit<Room, 'count'>): boolean => size <= left.size && letters <= left.letters
  const before = known.get(hash)
  if (before && !fits(before)) return undefined
  const document = await at.reader.document(hash)
  const needs = before ?? measure(document)
  known.set(hash, needs)
  if (!fits(needs)) return undefined
  left.size -= needs.size
  left.letters -= needs.letters
  return document
}

export function namesReusable(node: Node | JSONDocument): boolean {
  let found = false
  walk(node, (inner) => {
    if (inner.object === 'block' && inner.type === 'reusable-content') found = true
  })
  return found
}
