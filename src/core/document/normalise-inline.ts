/**
 * The one form of inline content: see `normalise.ts`. Reading Markdown ends in these functions too.
 */
import { codeOf, splitEmoji } from './emoji.ts'
import { fragment, leaf, text, voidInline } from './make.ts'
import type { Annotation, CodeLine, Inline, InlineContent, InlineImage, Leaf, Mark, Text } from './nodes.ts'
import { canonicalRef, filled, slimData } from './normalise.ts'
import { withRefs } from './refs.ts'
import { inlineRows, markTypes } from './schema.ts'

/** What has come out of `normaliseInlines` and need not go in again: reading makes it, then the whole tree is put right. */
const done = new WeakSet<readonly InlineContent[]>()

/** The content of a paragraph or a heading. */
export function normaliseInlines(nodes: InlineContent[]): InlineContent[] {
  if (done.has(nodes)) return nodes
  const parts: InlineContent[] = []
  for (const node of nodes) {
    if (node.object !== 'text') parts.push(normaliseInline(node))
    else for (const part of partsOf(node)) parts.push(part)
  }
  const normal = joinTexts(parts)
  done.add(normal)
  return normal
}

/** Texts, without emoji made of them: for links and annotations, which hold no other inlines. */
export function joinTexts<Other extends Inline>(nodes: readonly (Text | Other)[]): (Text | Other)[] {
  const joined: (Text | Other)[] = []
  let leaves: Leaf[] = []
  const flush = (): void => {
    const kept = joinLeaves(leaves)
    if (kept.length > 0) joined.push({ object: 'text', leaves: kept })
    leaves = []
  }
  for (const node of nodes) {
    if (node.object === 'text') for (const part of node.leaves) leaves.push(part)
    else {
      flush()
      joined.push(node)
    }
  }
  flush()
  return joined
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

export function sortMarks(marks: readonly Mark[]): Mark[] {
  if (marks.length < 2) return [...marks]
  return markTypes.flatMap((type) => marks.find((mark) => mark.type === type) ?? [])
}

export function sameMarks(a: readonly Mark[], b: readonly Mark[]): boolean {
  return a.length === b.length && a.every((mark, place) => sameMark(mark, b[place]))
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
    splitEmoji(part.text).forEach((piece, place) => {
      parts.push(place % 2 === 0 ? text(piece) : voidInline('emoji', { code: codeOf(piece) }))
    })
  }
  return parts
}

function normaliseInline(inline: Inline): Inline {
  const node = withRefs(inline, canonicalRef)
  if (node.object !== 'inline') return inline
  const { key: _, ...keyless } = node
  if (keyless.type === 'annotation') return normaliseAnnotation(keyless, false)
  const slim = Object.assign({ ...keyless }, { data: slimData(keyless.data, inlineRows[keyless.type]) })
  if (slim.type !== 'link') return slim
  const nodes = slim.nodes.map((child) => (child.object === 'text' ? child : asImage(normaliseInline(child), child)))
  return { ...slim, nodes: joinTexts(nodes) }
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
