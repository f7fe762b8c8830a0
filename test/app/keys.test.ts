/** After any transaction every node has a key, and no two the same; what was there before keeps its own. */
import fc from 'fast-check'
import { splitBlock } from 'prosemirror-commands'
import type { Node as EditorNode } from 'prosemirror-model'
import { EditorState, TextSelection } from 'prosemirror-state'
import { expect, test } from 'vitest'
import { fromDocument } from '../../src/app/editor/document/from-document.ts'
import { keysPlugin } from '../../src/app/editor/document/keys.ts'
import { tableShapePlugin } from '../../src/app/editor/document/table-shape.ts'
import { toDocument } from '../../src/app/editor/document/to-document.ts'
import { assignKeys } from '../../src/core/document/tree/keys.ts'
import { link, makeDocument, paragraph, text } from '../../src/core/document/tree/make.ts'
import type { JSONDocument, Node } from '../../src/core/document/tree/nodes.ts'
import { normalise } from '../../src/core/document/tree/normalise.ts'
import { validateDocument } from '../../src/core/document/tree/validate.ts'
import { walk } from '../../src/core/document/tree/walk.ts'
import { document } from '../core/document/arbitrary-blocks.ts'

let made = 0
const makeKey = (): string => `new-${++made}`
const stateOf = (tree: JSONDocument): EditorState =>
  EditorState.create({ doc: fromDocument(tree), plugins: [tableShapePlugin({ makeKey }), keysPlugin({ makeKey })] })

const wordsOf = (doc: EditorNode): string => doc.textBetween(0, doc.content.size, ' ')

function keysOf(tree: JSONDocument): string[] {
  const keys: string[] = []
  walk(tree, (node: Node) => {
    if (node.object !== 'text') keys.push(node.key ?? 'none')
  })
  return keys
}

test('keys are unique after random transactions', () => {
  fc.assert(
    fc.property(document(2), fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(3)), { maxLength: 6 }), (tree, edits) => {
      let state = stateOf(assignKeys(normalise(JSON.parse(JSON.stringify(tree)))))
      for (const [a, b, kind] of edits) {
        try {
          const from = a % (state.doc.content.size + 1)
          const to = Math.min(state.doc.content.size, from + (b % 40))
          const at = b % (state.doc.content.size + 1)
          if (kind === 0) state = state.apply(state.tr.delete(from, to))
          else if (kind === 1) state = state.apply(state.tr.replaceRange(from, from, state.doc.slice(from, to)))
          else if (kind === 2) state = state.apply(state.tr.replaceRange(at, at, state.doc.slice(from, to)))
          else {
            state = state.apply(state.tr.setSelection(TextSelection.near(state.doc.resolve(from))))
            splitBlock(state, (tr) => {
              state = state.apply(tr)
            })
          }
        } catch (problem) {
          // A step that the library refuses changes nothing.
          if (!(problem instanceof Error) || problem.name !== 'TransformError') throw problem
        }
      }
      const saved = toDocument(state.doc)
      const keys = keysOf(saved)
      expect(validateDocument(JSON.parse(JSON.stringify(saved))).ok).toBe(true)
      const again = fromDocument(JSON.parse(JSON.stringify(saved)))
      expect(wordsOf(again)).toBe(wordsOf(state.doc))
      if (edits.length > 0) expect(new Set(keys).size).toBe(keys.length)
    }),
    { numRuns: 150 * Number(process.env.LAW_TIMES ?? '1') },
  )
})

const twoWords = () => makeDocument([{ ...paragraph([text('one two')]), key: 'p' }])

function split(at: number): JSONDocument {
  let state = stateOf(twoWords())
  state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, at)))
  splitBlock(state, (tr) => {
    state = state.apply(tr)
  })
  return toDocument(state.doc)
}

test('of a block that is split, the first half keeps the key', () => {
  const [first, second] = split(5).nodes
  expect(first?.key).toBe('p')
  expect(second?.key).toMatch(/^new-/)
})

test('a block that is split at its beginning goes on with its words', () => {
  const [first, second] = split(1).nodes
  expect(first?.key).toMatch(/^new-/)
  expect(second?.key).toBe('p')
})

test('a copy placed before the original gets the new key', () => {
  let state = stateOf(twoWords())
  state = state.apply(state.tr.insert(0, state.doc.child(0)))
  const [copy, original] = toDocument(state.doc).nodes
  expect(original?.key).toBe('p')
  expect(copy?.key).toMatch(/^new-/)
})

test('a link that is cut in two is two links', () => {
  const inside = { ...link({ kind: 'url', url: 'https://example.org' }, [text('abcd')]), key: 'l' }
  let state = stateOf(makeDocument([{ ...paragraph([inside]), key: 'p' }]))
  state = state.apply(state.tr.insert(3, state.schema.text('-')))
  const keys = keysOf(toDocument(state.doc))
  expect(keys.length).toBe(3)
  expect(new Set(keys).size).toBe(3)
})
