/** Ids of headings put into the text of a stored document: what putting them into the tree gives. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withHeadingIds } from '../../../src/core/document/text/heading-ids.ts'
import { headingIdsInText } from '../../../src/core/document/text/heading-ids-in-text.ts'
import { makeDocument, paragraph, text } from '../../../src/core/document/tree/make.ts'
import type { Heading, JSONDocument } from '../../../src/core/document/tree/nodes.ts'
import { document } from './arbitrary-blocks.ts'

const heading = (words: string, data: Heading['data'] = {}): Heading => ({
  object: 'block',
  type: 'heading-2',
  isVoid: false,
  data,
  nodes: [text(words)],
})

test('the text of a tree with ids is the text with ids put in', { timeout: 60_000 }, () => {
  let withHeadings = 0
  fc.assert(
    fc.property(document(2), (tree) => {
      const shown = headingIdsInText(JSON.stringify(tree))
      // Only a heading inside of another, in a note to one of its words, is left to the tree.
      if (shown === undefined) return
      const expected = JSON.stringify(withHeadingIds(tree))
      expect(shown).toBe(expected)
      if (expected.includes('"meta"')) withHeadings += 1
    }),
    { numRuns: 300 },
  )
  expect(withHeadings).toBeGreaterThan(5)
})

test('words that look like headings are words, ids of writers come first, names twice are told apart', () => {
  const looks = '[{"object":"block","type":"heading-1","nodes":[]}] "type":"heading-2" \\'
  const tree = makeDocument([
    paragraph([text(looks)]),
    heading('Setup'),
    heading(looks),
    heading('Setup', { id: 'given' }),
    heading('Setup'),
    heading('Given'),
  ])
  const shown = headingIdsInText(JSON.stringify(tree))
  expect(shown).toBe(JSON.stringify(withHeadingIds(tree)))
  const ids = (JSON.parse(shown ?? '') as JSONDocument).nodes.map((node) => ('meta' in node ? node.meta : undefined))
  expect(ids.slice(3)).toEqual([{ id: 'given' }, { id: 'setup-1' }, { id: 'given-1' }])
})

test('what stands in another order than ours is left to the tree', () => {
  expect(headingIdsInText('{"nodes":[{"type":"heading-1","object":"block","nodes":[]}]}')).toBeUndefined()
})
