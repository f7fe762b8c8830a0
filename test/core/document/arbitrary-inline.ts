/**
 * Inline content of every type.
 */
import fc, { type Arbitrary } from 'fast-check'
import { annotation, link, text as makeText, paragraph, voidInline } from '../../../src/core/document/tree/make.ts'
import {
  buttonKinds,
  buttonSizes,
  type InlineContent,
  inlineImageSizes,
  textAlignments,
  textColors,
} from '../../../src/core/document/tree/nodes.ts'
import { blocks } from './arbitrary-blocks.ts'
import { anyRef, fileRef, hostile, icon, labelled, some, text } from './arbitrary-text.ts'

export const inlineImage = fc
  .record({
    ref: fileRef,
    rest: some({ refDark: fileRef, caption: hostile, alt: hostile, size: fc.constantFrom(...inlineImageSizes) }),
  })
  .map(({ ref, rest }) => voidInline('inline-image', { ref, ...rest }))
export const linkInline = fc
  .record({
    ref: anyRef,
    nodes: fc.array(fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: inlineImage }), { maxLength: 2 }),
  })
  .map(({ ref, nodes }) => link(ref, nodes))
export const button = fc
  .record({
    label: hostile,
    kind: fc.constantFrom(...buttonKinds),
    rest: some({ size: fc.constantFrom(...buttonSizes), icon }),
    pointed: fc.oneof(
      anyRef.map((ref) => ({ ref })),
      hostile.map((query) => ({ action: { action: 'search' as const, query } })),
      hostile.map((query) => ({ action: { action: 'ask' as const, query } })),
      hostile.map((slug) => ({ action: { action: 'select' as const, slug } })),
    ),
  })
  .map(({ label, kind, rest, pointed }) => voidInline('button', { label, kind, ...rest, ...pointed }))

export const emojiCode = fc.constantFrom(
  '1f600',
  '2764-fe0f',
  '1f468-200d-1f469-200d-1f467',
  '1f1eb',
  '1f1eb-1f1f7',
  '41',
  '31-fe0f-20e3',
  '1f3fb',
  '200d',
  '110000',
)

export function inline(depth: number): Arbitrary<InlineContent> {
  const simple: Arbitrary<InlineContent> = fc.oneof(
    { weight: 8, arbitrary: text },
    { weight: 2, arbitrary: linkInline },
    inlineImage,
    emojiCode.map((code) => voidInline('emoji', { code })),
    fc
      .record({ icon: fc.constantFrom('rocket', 'x-y'), rest: some({ color: fc.constantFrom(...textColors) }) })
      .map(({ icon, rest }) => voidInline('icon', { icon, ...rest })),
    hostile.map((expression) => voidInline('expression', { expression })),
    hostile.map((formula) => voidInline('inline-math', { formula })),
    anyRef.map((ref) => voidInline('mention', { ref })),
    fc.tuple(labelled, hostile).map(([ref, label]) => voidInline('mention', { ref, label })),
    button,
  )
  if (depth <= 0) return simple
  const note = fc
    .record({ words: fc.array(text, { maxLength: 2 }), body: blocks(depth - 2) })
    .map(({ words, body }) => annotation(words, body))
  // Signs above the line, some of them of one note.
  const sign = fc
    .tuple(fc.constantFrom('1', '2', 'note'), fc.constantFrom('a', 'b'))
    .map(([name, words]) => annotation([makeText(name, [{ object: 'mark', type: 'superscript' }])], [paragraph(words)]))
  return fc.oneof({ weight: 12, arbitrary: simple }, { weight: 1, arbitrary: note }, { weight: 1, arbitrary: sign })
}

export const inlines = (depth: number): Arbitrary<InlineContent[]> => fc.array(inline(depth), { maxLength: 4 })
export const paragraphs = (depth: number) =>
  fc
    .record({
      nodes: inlines(depth),
      data: fc.oneof({ weight: 6, arbitrary: fc.constant({}) }, some({ align: fc.constantFrom(...textAlignments) })),
    })
    .map(({ nodes, data }) => paragraph(nodes, data))
