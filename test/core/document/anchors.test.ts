/** Anchors joined to one text answer as the set of them would. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldAnchor, isAmongAnchors, joinAnchors } from '../../../src/core/document/text/anchors.ts'

// Few letters, so that one is often part of another.
const anchor = fc.string({ unit: fc.constantFrom('a', 'b', '-', ':', 'A', '\n', 'é'), minLength: 1, maxLength: 4 })

test('one is among them when it is one of them, folded', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anchor.map(foldAnchor)), anchor, (anchors, written) => {
      expect(isAmongAnchors(joinAnchors(anchors), written)).toBe(anchors.includes(foldAnchor(written)))
    }),
  )
})

test('no anchor is among none', () => {
  expect(isAmongAnchors(joinAnchors([]), '')).toBe(false)
  expect(isAmongAnchors(joinAnchors(['a', 'b']), '')).toBe(false)
})
