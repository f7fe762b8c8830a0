/** What a save sends brings the other side to the same state; what comes back is brought into the editor whole. */
import fc from 'fast-check'
import { EditorState } from 'prosemirror-state'
import { expect, test } from 'vitest'
import { fromDocument } from '../../src/app/editor/document/from-document.ts'
import { toBlocks } from '../../src/app/editor/document/to-document.ts'
import { applyBlocks } from '../../src/app/saving/apply-blocks.ts'
import { applyPatch, isEqual, patchBetween } from '../../src/app/saving/patch.ts'
import { assignKeys } from '../../src/core/document/tree/keys.ts'
import { makeDocument } from '../../src/core/document/tree/make.ts'
import type { Block } from '../../src/core/document/tree/nodes.ts'
import { normalise } from '../../src/core/document/tree/normalise.ts'
import { document } from '../core/document/arbitrary-blocks.ts'

const times = Number(process.env.LAW_TIMES ?? '1')
const stored = (blocks: readonly Block[]): Block[] => JSON.parse(JSON.stringify(blocks))

/** Two states of one page: some blocks kept, some changed inside under their key, some moved, some new. */
const twoStates = fc
  .record({ first: document(2), second: document(2), order: fc.array(fc.nat(), { maxLength: 8 }), share: fc.nat(3) })
  .map(({ first, second, order, share }) => {
    const before = assignKeys(normalise(makeDocument(stored(first.nodes)))).nodes
    const fresh = normalise(makeDocument(stored(second.nodes))).nodes
    const mixed: Block[] = [...before]
    fresh.forEach((block, at) => {
      const place = (order[at] ?? at) % (mixed.length + 1)
      const old = mixed[place]
      if (share > 1 && old !== undefined) mixed[place] = Object.assign(stored([block])[0] ?? block, { key: old.key })
      else mixed.splice(place, share === 0 ? 1 : 0, block)
    })
    if (share === 3) mixed.reverse()
    return { before, after: assignKeys(makeDocument(stored(mixed))).nodes }
  })

test('applying the difference gives the other state', () => {
  fc.assert(
    fc.property(twoStates, ({ before, after }) => {
      const patch = patchBetween(before, after)
      expect(isEqual(patch === undefined ? before : applyPatch(before, patch), after)).toBe(true)
      expect(patchBetween(after, after)).toBeUndefined()
    }),
    { numRuns: 150 * times },
  )
})

test('blocks from elsewhere make the editor hold exactly these', () => {
  fc.assert(
    fc.property(twoStates, ({ before, after }) => {
      const state = EditorState.create({ doc: fromDocument(makeDocument(before)) })
      const doc = state.apply(applyBlocks(state, after)).doc
      doc.check()
      // Made anew, so that nothing is taken from what was remembered.
      const made = toBlocks(state.schema.nodeFromJSON(doc.toJSON()))
      if (after.length > 0 && !isEqual(stored(made), stored(after))) expect(stored(made)).toEqual(stored(after))
    }),
    { numRuns: 150 * times },
  )
})
