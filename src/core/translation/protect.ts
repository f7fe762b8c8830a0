/**
 * A line of inline content as the text that an engine sees, and back.
 *
 * 1. `putBack` of what `protect` made is the content again.
 * 2. Marks, links and annotations keep their words inside numbered tags. Code, keys, expressions, formulas, images,
 *    mentions, addresses, `{{variables}}` and line breaks are never sent: an empty tag stands for each.
 * 3. A term of the glossary is sent as an empty tag too, and comes back as the glossary has it.
 * 4. What comes back without each tag exactly once and in its place is no translation: `putBack` says so.
 */
import type { Annotation, InlineContent, Leaf, Link, Text } from '../document/tree/nodes.ts'
import { closeTag, emptyTag, escapeText, openTag, type Piece, readAnswer, type Tag } from './markup.ts'

/** A term, and what it is called in the other language. */
export interface Term {
  term: string
  translation: string
}

/** What an empty tag comes back as, or what a pair of tags puts around its words. */
type Held =
  | { leaf: Leaf }
  | { node: Exclude<InlineContent, Text> }
  | { marks: Leaf['marks'] }
  | { around: Link | Annotation }

export interface Protected {
  /** White space around the text stays at home: engines trim it. */
  lead: string
  trail: string
  markup: string
  tags: Tag[]
  held: Map<number, Held>
  /** Whether there is anything to translate. */
  hasWords: boolean
  /** The terms of the glossary that stand in it. */
  terms: Term[]
}

export type FindTerms = (text: string) => { at: number; length: number; term: Term }[]

export function protect(nodes: readonly InlineContent[], findTerms: FindTerms = () => []): Protected {
  const writing: Writing = { markup: '', words: '', tags: [], held: new Map(), terms: new Map(), findTerms }
  writeNodes(writing, nodes, 0)
  const lead = /^\s*/.exec(writing.markup)?.[0] ?? ''
  const trail = /\s*$/.exec(writing.markup.slice(lead.length))?.[0] ?? ''
  return {
    lead,
    trail,
    markup: writing.markup.slice(lead.length, writing.markup.length - trail.length),
    tags: writing.tags,
    held: writing.held,
    hasWords: /\p{L}/u.test(writing.words),
    terms: [...writing.terms.values()],
  }
}

export function putBack(
  { lead, trail, tags, held }: Protected,
  answer: string,
): { nodes: InlineContent[] } | { problem: string } {
  const pieces = readAnswer(`${lead}${answer.trim()}${trail}`, tags)
  if ('problem' in pieces) return pieces
  return { nodes: readNodes(pieces, held, []) }
}

interface Writing {
  markup: string
  words: string
  tags: Tag[]
  held: Map<number, Held>
  terms: Map<string, Term>
  findTerms: FindTerms
}

function writeNodes(writing: Writing, nodes: readonly InlineContent[], parent: number): void {
  for (const node of nodes) {
    if (node.object === 'text') for (const leaf of node.leaves) writeLeaf(writing, leaf, parent)
    else if (node.type === 'link' || node.type === 'annotation') {
      const id = open(writing, { around: node }, parent)
      writeNodes(writing, node.nodes, id)
      writing.markup += closeTag
    } else hold(writing, { node }, parent)
  }
}

function writeLeaf(writing: Writing, leaf: Leaf, parent: number): void {
  if (leaf.marks.some(({ type }) => type === 'code' || type === 'keyboard')) hold(writing, { leaf }, parent)
  else if (leaf.marks.length === 0) writeText(writing, leaf.text, [], parent)
  else {
    const id = open(writing, { marks: leaf.marks }, parent)
    writeText(writing, leaf.text, leaf.marks, id)
    writing.markup += closeTag
  }
}

/** Addresses, variables and line breaks. */
const untouchable = /https?:\/\/[^\s<>"')\]]+|\{\{[^{}]*\}\}|\n/g

function writeText(writing: Writing, text: string, marks: Leaf['marks'], parent: number): void {
  const found: { at: number; length: number; term?: Term }[] = [...text.matchAll(untouchable)].map((match) => ({
    at: match.index,
    length: match[0].length,
  }))
  const isFree = (at: number, length: number) =>
    found.every((other) => at + length <= other.at || other.at + other.length <= at)
  for (const one of writing.findTerms(text)) if (isFree(one.at, one.length)) found.push(one)
  let rest = 0
  for (const { at, length, term } of found.sort((a, b) => a.at - b.at)) {
    writeWords(writing, text.slice(rest, at))
    rest = at + length
    if (term) writing.terms.set(term.term, term)
    hold(writing, { leaf: { object: 'leaf', text: term?.translation ?? text.slice(at, rest), marks } }, parent)
  }
  writeWords(writing, text.slice(rest))
}

function writeWords(writing: Writing, text: string): void {
  writing.markup += escapeText(text)
  writing.words += text
}

function hold(writing: Writing, held: Held, parent: number): void {
  const id = writing.tags.length + 1
  writing.tags.push({ id, parent, isEmpty: true })
  writing.held.set(id, held)
  writing.markup += emptyTag(id)
}

function open(writing: Writing, held: Held, parent: number): number {
  const id = writing.tags.length + 1
  writing.tags.push({ id, parent, isEmpty: false })
  writing.held.set(id, held)
  writing.markup += openTag(id)
  return id
}

function readNodes(pieces: readonly Piece[], held: ReadonlyMap<number, Held>, marks: Leaf['marks']): InlineContent[] {
  const nodes: InlineContent[] = []
  const addLeaf = (leaf: Leaf): void => {
    const last = nodes.at(-1)
    if (last?.object !== 'text') return void nodes.push({ object: 'text', leaves: [leaf] })
    const before = last.leaves.at(-1)
    if (before && sameMarks(before, leaf)) before.text += leaf.text
    else last.leaves.push(leaf)
  }
  for (const piece of pieces) {
    if ('text' in piece) {
      addLeaf({ object: 'leaf', text: piece.text, marks })
      continue
    }
    const known = held.get(piece.id)
    if (!known) continue
    if ('leaf' in known) addLeaf({ ...known.leaf })
    else if ('node' in known) nodes.push(known.node)
    else if ('marks' in known) {
      for (const node of readNodes(piece.pieces ?? [], held, known.marks))
        if (node.object === 'text') for (const leaf of node.leaves) addLeaf(leaf)
    } else nodes.push(around(known.around, readNodes(piece.pieces ?? [], held, [])))
  }
  return nodes
}

/** Tags keep their place, so what stood inside a link or an annotation does so again. */
function around<N extends Link | Annotation>(node: N, nodes: InlineContent[]): N {
  return Object.assign({ ...node }, { nodes })
}

const sameMarks = (a: Leaf, b: Leaf): boolean => JSON.stringify(a.marks) === JSON.stringify(b.marks)
