/** A document through the editor and back: equal, with its keys, and the very same objects where nobody touched them. */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromDocument } from '../../src/app/editor/document/from-document.ts'
import { schema } from '../../src/app/editor/document/schema.ts'
import { toDocument } from '../../src/app/editor/document/to-document.ts'
import { assignKeys } from '../../src/core/document/tree/keys.ts'
import { makeDocument, paragraph, text } from '../../src/core/document/tree/make.ts'
import type { JSONDocument } from '../../src/core/document/tree/nodes.ts'
import { normalise } from '../../src/core/document/tree/normalise.ts'
import { validateDocument } from '../../src/core/document/tree/validate.ts'
import { document } from '../core/document/arbitrary-blocks.ts'
import { corpusPages } from './corpus.ts'

const stored = (tree: JSONDocument): JSONDocument => JSON.parse(JSON.stringify(tree))

/** Through JSON, so that no node is known from before and everything is made anew. */
function roundTrip(tree: JSONDocument): JSONDocument {
  const doc = schema.nodeFromJSON(JSON.parse(JSON.stringify(fromDocument(tree).toJSON())))
  doc.check()
  return stored(toDocument(doc, tree.data))
}

function expectEqual(tree: JSONDocument): void {
  const back = roundTrip(tree)
  if (!isDeepStrictEqual(back, stored(tree))) expect(back).toEqual(stored(tree))
}

describe('the round trip', () => {
  test('of every page of the corpus and the guide changes nothing', () => {
    const pages = corpusPages()
    expect(pages.length).toBeGreaterThan(5)
    for (const page of pages) expectEqual(page.document)
  })

  for (const [depth, numRuns] of [
    [0, 600],
    [1, 500],
    [2, 300],
    [3, 200],
  ] as const)
    test(`of ${numRuns} generated documents of depth ${depth} changes nothing`, () => {
      fc.assert(
        fc.property(document(depth), (tree) => expectEqual(assignKeys(normalise(stored(tree))))),
        { numRuns },
      )
    })

  test('of what is merely valid keeps untouched blocks as the same objects, and stays valid', () => {
    fc.assert(
      fc.property(document(2), (tree) => {
        const read = validateDocument(stored(tree))
        if (!read.ok) return
        const doc = fromDocument(read.document)
        doc.check()
        const back = toDocument(doc)
        expect(back.nodes.length).toBe(read.document.nodes.length)
        back.nodes.forEach((block, at) => {
          expect(block).toBe(read.document.nodes[at])
        })
        expect(validateDocument(roundTrip(read.document)).ok).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  test('carries what it does not know', () => {
    const strange = JSON.parse('{"object":"block","type":"hologram","key":"k","isVoid":true,"data":{"a":1}}')
    const tree = makeDocument([strange, paragraph([text('after')])])
    expect(stored(toDocument(fromDocument(tree))).nodes[0]).toEqual(strange)
    expect(roundTrip(tree).nodes[0]).toEqual(strange)
  })

  test('shows an empty page as one paragraph that is not saved', () => {
    const doc = fromDocument(makeDocument([]))
    expect(doc.childCount).toBe(1)
    expect(toDocument(doc).nodes).toEqual([])
  })
})
