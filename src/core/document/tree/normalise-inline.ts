/**
 * The one form of inline content: see `normalise.ts`. Reading Markdown ends in these functions too.
 */
import { codeOf, mayHoldEmoji, splitEmoji } from '../syntax/emoji.ts'
import { fragment, leaf, text, voidInline } from './make.ts'
import type { Annotation, CodeLine, Inline, InlineContent, InlineImage, Leaf, Mark, Text } from './nodes.ts'
import { filled } from './normalise.ts'
import { canonicalRef, slimData } from './normalise-data.ts'
import { withRefs } from './refs.ts'
import { inlineRows, markTypes } from './schema.ts'

/** The content of a paragraph or a heading; the same list where it is in its one form already, as most is. */
export function normaliseInlines(nodes: InlineContent[]): InlineContent[] {
  const [only] = nodes
  if (only === undefined || (nodes.length === 1 && only.object === 'text' && isNormal(only))) return nodes
  // Joined first: a character of one text and a sign at the start of the next may be an emoji together.
  const joined = joinTexts(nodes.map((node) => (node.object === 'text' ? node : normaliseInline(node))))
  if (joined.every((node) => node.object !== 'text' || isNormal(node))) return joined
  return joinTexts(joined.flatMap((node) => (node.object === 'text' ? partsOf(node) : [node])))
}

/** Texts, without emoji made of them: for links and annotations, which hold no other inlines. */
export function joinTexts<Other extends Inline>(nodes: readonly (Text | Other)[]): (Text | Other)[] {
  const joined: (Text | Other)[] = []
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at]
    if (node === undefined) continue
    const next = nodes[at + 1]
    if (node.object !== 'text' || (next?.object !== 'text' && isJoined(node))) {
      joined.push(node)
      continue
    }
    const leaves = [...node.leaves]
    for (let more = next; more?.object === 'text'; more = nodes[at + 1]) {
      for (const part of more.leaves) leaves.push(part)
      at += 1
    }
    const whole = joinLeaves(leaves)
    if (whole.length > 0) joined.push({ object: 'text', leaves: whole })
  }
  return joined
}

/** Nothing to join, to drop or to sort. */
function isJoined({ key, leaves }: Text): boolean {
  if (key !== undefined || leaves.length === 0) return false
  for (let at = 0; at < leaves.length; at += 1) {
    const part = leaves[at]
    const before = at === 0 ? undefined : leaves[at - 1]
    if (part === undefined || part.text === '') return false
    if (part.marks.length > 1 && !sameMarks(part.marks, sortMarks(part.marks))) return false
    if (before !== undefined && sameMarks(before.marks, part.marks)) return false
  }
  return true
}

/** Joined, and without a character that is an inline of its own. */
function isNormal(node: Text): boolean {
  return isJoined(node) && node.leaves.every((part) => part.marks.length > 0 || !mayHoldEmoji(part.text))
}

/** The content of a code line: no marks, no emoji inlines. */
export function plainTexts(nodes: CodeLine['nodes']): CodeLine['nodes'] {
  const plain = nodes.map((node): CodeLine['nodes'][number] => {
    if (node.object === 'text') return text(node.leaves.map((part) => part.text).join(''))
    if (node.type === 'annotation') return normaliseAnnotation(node, true)
    return voidInline('expression', { expression: node.data.expression })
  })
  return joinTexts(plain)
}

function sortMarks(marks: Mark[]): Mark[] {
  if (marks.length < 2) return marks
  return markTypes.flatMap((type) => marks.find((mark) => mark.type === type) ?? [])
}

function sameMarks(a: readonly Mark[], b: readonly Mark[]): boolean {
  return a.length === b.length && a.every((mark, index) => sameMark(mark, b[index]))
}

export function sameMark(a: Mark, b: Mark | undefined): boolean {
  if (a.type !== 'color' || b?.type !== 'color') return a.type === b?.type
  return a.data.text === b.data.text && a.data.background === b.data.background
}

function joinLeaves(leaves: readonly Leaf[]): Leaf[] {
  const joined: Leaf[] = []
  // Pieces wait until their marks end: adding them up one by one would cost their whole length each time.
  let pieces: string[] = []
  let marks: Mark[] = []
  const flush = (): void => {
    if (pieces.length > 0) joined.push(leaf(pieces.join(''), marks))
    pieces = []
  }
  for (const next of leaves) {
    if (next.text === '') continue
    const nextMarks = sortMarks(next.marks)
    if (pieces.length > 0 && !sameMarks(marks, nextMarks)) flush()
    marks = nextMarks
    pieces.push(next.text)
  }
  flush()
  return joined
}

/** A text cut at the emoji in its unmarked leaves; an emoji among marked words stays a character, or the mark breaks. */
function partsOf(node: Text): (Text | Inline)[] {
  const parts: (Text | Inline)[] = []
  for (const part of joinLeaves(node.leaves)) {
    if (part.marks.length > 0) {
      parts.push({ object: 'text', leaves: [part] })
      continue
    }
    splitEmoji(part.text).forEach((piece, index) => {
      parts.push(index % 2 === 0 ? text(piece) : voidInline('emoji', { code: codeOf(piece) }))
    })
  }
  return parts
}

function normaliseInline(inline: Inline): Inline {
  const node = withRefs(inline, canonicalRef)
  if (node.object !== 'inline') return inline
  if (node.type === 'annotation') return normaliseAnnotation(node, false)
  const data = slimData(node.data, inlineRows[node.type])
  const { key, ...keyless } = node
  const slim = key === undefined && data === node.data ? node : Object.assign(keyless, { data })
  if (slim.type !== 'link') return slim
  const nodes = slim.nodes.map((child) => (child.object === 'text' ? child : asImage(normaliseInline(child), child)))
  return { object: 'inline', type: 'link', isVoid: false, data: slim.data, nodes: joinTexts(nodes) }
}

const asImage = (node: Inline, otherwise: InlineImage): InlineImage => (node.type === 'inline-image' ? node : otherwise)

function normaliseAnnotation(node: Annotation, isPlain: boolean): Annotation {
  const body = filled(node.fragments.flatMap((part) => part.nodes))
  const words = isPlain ? node.nodes.map((part) => text(part.leaves.map(({ text }) => text).join(''))) : node.nodes
  return {
    object: 'inline',
    type: 'annotation',
    isVoid: false,
    data: {},
    nodes: joinTexts<never>(words),
    fragments: [fragment('annotation-body', body)],
  }
}
