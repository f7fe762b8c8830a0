/** Laws of protecting: what goes out whole comes back whole, and what comes back damaged is noticed. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { InlineContent, JSONDocument, Leaf } from '../../../src/core/document/tree/nodes.ts'
import { normalise } from '../../../src/core/document/tree/normalise.ts'
import { replaceTexts } from '../../../src/core/translation/document.ts'
import { termFinder } from '../../../src/core/translation/glossary.ts'
import { readAnswer } from '../../../src/core/translation/markup.ts'
import { protect, putBack } from '../../../src/core/translation/protect.ts'
import { countWords, lineOf, wordsOf } from '../../../src/core/translation/text.ts'
import { document } from '../document/arbitrary-blocks.ts'

/** Every line of a document that is sent. */
function linesOf(tree: JSONDocument): InlineContent[][] {
  const lines: InlineContent[][] = []
  replaceTexts(tree, {
    line: (nodes) => {
      lines.push([...nodes])
      return [...nodes]
    },
    field: (text) => text,
  })
  return lines
}

const leaf = (text: string, ...types: ('bold' | 'code')[]): Leaf => ({
  object: 'leaf',
  text,
  marks: types.map((type) => ({ object: 'mark', type })),
})
const line = (...leaves: Leaf[]): InlineContent[] => [{ object: 'text', leaves }]

describe('protect', () => {
  test('put back after protect is the same, whatever the document', () => {
    fc.assert(
      fc.property(document(2), (tree) => {
        for (const nodes of linesOf(normalise(tree))) {
          const sent = protect(nodes)
          const back = putBack(sent, sent.markup)
          expect('nodes' in back ? plain(back.nodes) : back).toEqual(plain(nodes))
        }
      }),
      { numRuns: 150 },
    )
  })

  test('an answer that lacks a tag, has one twice or moves one is refused', () => {
    fc.assert(
      fc.property(document(2), fc.nat(), (tree, which) => {
        for (const nodes of linesOf(normalise(tree))) {
          const { markup, tags } = protect(nodes)
          const found = [...markup.matchAll(/<[^>]*>/g)]
          const tag = found[which % Math.max(1, found.length)]
          if (!tag) continue
          const without = markup.slice(0, tag.index) + markup.slice(tag.index + tag[0].length)
          expect(readAnswer(without, tags)).toHaveProperty('problem')
          expect(readAnswer(markup + tag[0], tags)).toHaveProperty('problem')
        }
      }),
      { numRuns: 150 },
    )
  })

  test('sends words, and nothing that must not change', () => {
    const nodes = line(
      leaf('Run '),
      leaf('npm i', 'code'),
      leaf(' at https://example.org for {{ name }} & '),
      leaf('win', 'bold'),
    )
    expect(protect(nodes).markup).toBe('Run <x id="1"/> at <x id="2"/> for <x id="3"/> &amp; <g id="4">win</g>')
    const back = putBack(protect(nodes), '<g id="4">Gewinn</g> &amp; <x id="1"/> <x id="3"/><x id="2"/>')
    expect('nodes' in back && wordsOf(back.nodes)).toBe('Gewinn & npm i {{ name }}https://example.org')
    expect(protect(line(leaf('x = 1', 'code'))).hasWords).toBe(false)
  })

  test('reads what engines make of tags', () => {
    const { tags } = protect(line(leaf('a '), leaf('b', 'code'), leaf(' c', 'bold')))
    for (const answer of [`<x id='1' /><G id=2>c</G>`, '<x id="1"></x> <g id="2" >c</g>'])
      expect(readAnswer(answer, tags)).not.toHaveProperty('problem')
    expect(readAnswer('<g id="2"><x id="1"/></g>', tags)).toHaveProperty('problem')
  })

  test('terms of the glossary come back as the glossary has them', () => {
    const find = termFinder([
      { term: 'space', translation: 'Bereich' },
      { term: 'API', translation: 'API' },
      { term: 'change request', translation: 'Änderungsantrag' },
    ])
    const sent = protect(lineOf('A Space has an API, an api and a change request; spaces have none.'), find)
    expect(sent.markup).toBe('A <x id="1"/> has an <x id="2"/>, an api and a <x id="3"/>; spaces have none.')
    const back = putBack(sent, sent.markup)
    expect('nodes' in back && wordsOf(back.nodes)).toBe(
      'A Bereich has an API, an api and a Änderungsantrag; spaces have none.',
    )
  })

  test('counts words in scripts with and without spaces', () => {
    expect(countWords('Two words, <x id="1"/> and it’s five')).toBe(5)
    expect(countWords('日本語文')).toBe(2)
  })
})

/** Texts side by side are one text, and so are leaves with the same marks; an empty leaf is none. */
function plain(nodes: readonly InlineContent[]): unknown[] {
  const flat: unknown[] = []
  for (const node of nodes) {
    if (node.object !== 'text') {
      flat.push('nodes' in node ? { ...node, nodes: plain(node.nodes) } : node)
      continue
    }
    for (const { text, marks } of node.leaves) {
      const last = flat.at(-1) as { text?: string; marks?: unknown } | undefined
      if (text === '') continue
      if (last?.text !== undefined && JSON.stringify(last.marks) === JSON.stringify(marks)) last.text += text
      else flat.push({ text, marks })
    }
  }
  return flat
}
