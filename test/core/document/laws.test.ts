/**
 * The laws of the document tree and its Markdown, on generated documents.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromMarkdown } from '../../../src/core/document/from-markdown.ts'
import { normalise } from '../../../src/core/document/normalise.ts'
import { toMarkdown } from '../../../src/core/document/to-markdown.ts'
import { validateDocument } from '../../../src/core/document/validate.ts'
import { document, pieces } from './arbitrary.ts'

describe('a tree that goes through Markdown', () => {
  for (const [depth, numRuns] of [
    [0, 3000],
    [1, 1500],
    [2, 700],
    [3, 200],
  ] as const)
    test(`comes back as it was, ${numRuns} times at depth ${depth}`, () => {
      fc.assert(
        fc.property(document(depth), (tree) => {
          const printed = toMarkdown(tree)
          expect(fromMarkdown(printed).document, printed).toEqual(normalise(tree))
        }),
        { numRuns },
      )
    })
})
